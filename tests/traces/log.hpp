/// What one run of an operation logged, and the steps that the log tells of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "instruction.hpp"

namespace girih::traces {

/// Memory that a run in a child process shares with its parent. The words are, for each block of
/// instructions, its address, and then the observed values of its instructions.
struct Log {
    std::size_t count;        ///< of words
    std::size_t block_limit;  ///< of instructions in a block
    bool is_whole;
    int result;            ///< of the operation
    std::uint64_t buffers;  ///< a hash of inputs and outputs
    std::uint64_t words[1];
};

struct Unmap {
    void operator()(Log* log) const;
};
using SharedLog = std::unique_ptr<Log, Unmap>;

/// Words that a log has room for, and the room that is left when a run is ended early.
inline constexpr std::size_t log_capacity = std::size_t{1} << 27;
inline constexpr std::size_t log_reserve = std::size_t{1} << 12;
SharedLog new_log();

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15;
    return hash ^ (hash >> 29);
}

/// An instruction that ran, and a hash of its observed values of each kind.
struct Step {
    std::uint64_t at;
    std::uint64_t address = 0;
    std::uint64_t mask = 0;
    std::uint64_t operand = 0;

    bool operator==(const Step&) const = default;
};
using Trace = std::vector<Step>;

Trace expand(const Log& log);

bool is_equal(const Log& a, const Log& b);

}  // namespace girih::traces
