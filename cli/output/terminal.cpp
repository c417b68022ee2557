#include "cli/output/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <span>

#include "cli/system/descriptor.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/system/terminal.hpp"
#include "core/utf8.hpp"

namespace girih::cli {
namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

/// Code points that control a terminal or are invisible: Unicode's categories Cc, Cf, Zl, Zp and
/// Co, spaces other than U+0020, the property Default_Ignorable_Code_Point, U+2800 (braille without
/// a dot), and U+FFFD (the replacement character).
constexpr std::array<Range, 31> unprintable{{
    {0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
    {0x115F, 0x1160},   {0x1680, 0x1680},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
    {0xE000, 0xF8FF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFF},
    {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159},
    {0x1D173, 0x1D17A},
}};
/// Tags and private-use planes.
constexpr std::uint32_t first_unprintable_plane = 0xE0000;

bool is_printable_point(std::uint32_t point)
{
    return point < first_unprintable_plane &&
           std::none_of(
               unprintable.begin(), unprintable.end(),
               [point](const Range& range) { return range.first <= point && point <= range.last; });
}

/// The bytes of the printable character at the beginning of the text; 0 if there is none.
std::size_t printable_bytes(std::string_view text)
{
    const Character first = first_character(text);
    return first.bytes != 0 && is_printable_point(first.point) ? first.bytes : 0;
}

std::string escape_of(char c)
{
    constexpr std::string_view digits = "0123456789abcdef";
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    const auto byte = static_cast<unsigned char>(c);
    return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string in_colour(int descriptor, Colour colour, std::string_view word)
{
    if (!has_colours(descriptor)) return std::string(word);
    // ECMA-48, SGR: bold with a foreground colour, then reset.
    const char* const begin = colour == Colour::good  ? "\033[1;32m"
                              : colour == Colour::bad ? "\033[1;31m"
                                                      : "\033[1;33m";
    return begin + std::string(word) + "\033[0m";
}

void tell_after(const std::string& beginning, std::string_view line)
{
    std::cerr << beginning + " " + printable(line) + "\n" << std::flush;
}

std::string name_and_colon() { return std::string(program_name) + ":"; }

[[noreturn]] void fail_output() { throw Failure(exit_file, "standard output: " + system::reason()); }

}  // namespace

bool is_printable(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t count = printable_bytes(text);
        if (count == 0) return false;
        text.remove_prefix(count);
    }
    return true;
}

std::string printable(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t count = printable_bytes(text);
        if (count == 0)
            shown += escape_of(text.front());
        else if (text.front() == '\\')
            shown += "\\\\";
        else
            shown += text.substr(0, count);
        text.remove_prefix(std::max<std::size_t>(count, 1));
    }
    return shown;
}

bool has_colours(int descriptor)
{
    return system::variable("NO_COLOR").empty() && system::variable("TERM") != "dumb" &&
           system::obeys_escapes(descriptor);
}

std::string coloured(Colour colour, std::string_view word)
{
    return in_colour(system::standard_output, colour, word);
}

void print(std::string_view text)
{
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    if (!is_quiet && !system::write(system::standard_output, bytes)) fail_output();
}

void require_standard_output()
{
    if (!is_quiet && !system::is_writable(system::standard_output)) fail_output();
}

void close_standard_output()
{
    if (system::is_open(system::standard_output) && !system::close(system::standard_output)) fail_output();
}

const char* program_name = "girih";
bool is_quiet = false;

void tell(std::string_view line) { tell_after(name_and_colon(), line); }

void tell_failure(std::string_view line)
{
    tell_after(in_colour(system::standard_error, Colour::bad, name_and_colon()), line);
}

void warn(std::string_view line)
{
    tell_after(name_and_colon() + " " + in_colour(system::standard_error, Colour::warning, "warning:"), line);
}

}  // namespace girih::cli
