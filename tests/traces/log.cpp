#include "log.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace girih::traces {
namespace {

constexpr std::size_t log_bytes = sizeof(Log) + log_capacity * sizeof(std::uint64_t);

/// Fills in the values of a step, and returns the words behind them.
const std::uint64_t* read_values(const Instruction& instruction, const std::uint64_t* words, Step& step)
{
    for (const Observed& value : instruction.observed()) {
        std::uint64_t& hash = value.kind == Kind::address ? step.address
                              : value.kind == Kind::mask  ? step.mask
                                                          : step.operand;
        for (std::size_t i = 0; i < value.words; ++i) hash = mixed(hash, *words++);
    }
    return words;
}

}  // namespace

void Unmap::operator()(Log* log) const { munmap(log, log_bytes); }

SharedLog new_log()
{
    void* memory = mmap(nullptr, log_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return SharedLog{static_cast<Log*>(memory)};
}

Trace expand(const Log& log)
{
    using Block = std::vector<Instruction>;
    std::unordered_map<std::uint64_t, Block> blocks;
    Trace trace;
    const std::uint64_t* words = log.words;
    while (words < log.words + log.count) {
        std::uint64_t at = *words++;
        Block& block = blocks[at];
        while (block.empty() || (!block.back().is_control() && block.size() < log.block_limit)) {
            block.push_back(decode(at));
            at = block.back().next();
        }
        for (const Instruction& instruction : block) {
            Step step{instruction.at};
            words = read_values(instruction, words, step);
            trace.push_back(step);
        }
    }
    return trace;
}

bool is_equal(const Log& a, const Log& b)
{
    return a.count == b.count && std::equal(a.words, a.words + a.count, b.words);
}

}  // namespace girih::traces
