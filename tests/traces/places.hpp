/// Where in the sources an instruction comes from, by the tables of symbols and lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace girih::traces {

/// Addresses of a function.
struct Range {
    std::uint64_t begin, end;
};

/// The functions of libgirih whose names a regular expression finds.
std::vector<Range> functions_named(const std::string& pattern);

struct Place {
    std::string instruction;  ///< "libgirih.so.0.2.0+0x1234: div %ecx"
    /// A line for each function that it is of, the innermost first: "name at src/file.hpp:12".
    std::vector<std::string> functions;

    /// The functions and files without line numbers, which rot.
    [[nodiscard]] std::string lasting() const;
    [[nodiscard]] bool is_of_girih() const;
    /// The instruction, its line, and the outermost function.
    [[nodiscard]] std::string brief() const;
};

/// Looks up all of these at once, which is much faster than one after the other.
void look_up(const std::vector<std::uint64_t>& addresses);

const Place& place_of(std::uint64_t address);

}  // namespace girih::traces
