#include "cli/output/progress.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/output/terminal.hpp"
#include "cli/system/descriptor.hpp"
#include "cli/system/terminal.hpp"

namespace girih::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;  // shorter jobs show no progress
constexpr auto interval = 200ms;

/// Moves to the beginning of the line and erases it (ECMA-48: CR, EL).
constexpr std::string_view erase_line = "\r\033[K";

/// "12.3 MiB".
std::string bytes_text(std::uint64_t bytes)
{
    constexpr std::array<const char*, 7> units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    auto value = static_cast<double>(bytes);
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text.data();
}

void show(std::string_view text)
{
    (void)system::write(system::standard_error,
                        {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

bool is_watched() { return system::obeys_escapes(system::standard_error); }

}  // namespace

Progress::Progress(std::optional<std::uint64_t> total, Unit unit)
    : total_(total), unit_(unit), watched_(is_watched()), next_(Clock::now() + patience)
{
}

Progress::~Progress()
{
    if (shown_) show(erase_line);
}

void Progress::add(std::uint64_t amount)
{
    done_ += amount;
    if (!watched_ || Clock::now() < next_) return;
    const bool bytes = unit_ == Unit::bytes;
    const auto text = [bytes](std::uint64_t count) {
        return bytes ? bytes_text(count) : std::to_string(count);
    };
    std::string line = std::string(erase_line) + program_name + ": " + text(done_);
    if (total_) line += " of " + text(*total_);
    const char* done = bytes ? " read" : unit_ == Unit::runs ? " runs" : " signatures checked";
    show(line + done);
    shown_ = true;
    next_ = Clock::now() + interval;
}

Bar::Bar(std::size_t steps) : steps_(steps), watched_(is_watched()) {}

Bar::~Bar()
{
    if (watched_ && done_ != 0) show(erase_line);
}

void Bar::step(const std::string& what)
{
    constexpr std::size_t width = 30;
    const std::size_t filled = steps_ == 0 ? width : done_ * width / steps_;
    ++done_;
    if (!watched_) return;
    show(std::string(erase_line) + "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
         what);
}

}  // namespace girih::cli
