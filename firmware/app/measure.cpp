#include "app/measure.hpp"

#include <cstddef>
#include <cstdint>

extern "C" std::uint32_t __stack_limit;

namespace girih::firmware {
namespace {

constexpr std::uint32_t paint = 0xA5C3965A;
constexpr std::size_t max_bytes = 256 * 1024;  ///< more than any operation uses

/// The painted words of the stack, up to this function's frame.
struct Painted {
    volatile std::uint32_t* first;
    std::size_t count;
};

/// always_inline, so that the frame is the caller's.
[[gnu::always_inline]] inline Painted painted(std::size_t own_bytes)
{
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - own_bytes;
    auto first = reinterpret_cast<std::uintptr_t>(&__stack_limit);
    if (here - first > max_bytes) first = here - max_bytes;
    first = (first + 3) / 4 * 4;
    return {reinterpret_cast<volatile std::uint32_t*>(first), (here - first) / 4};
}

/// The size of the frames of the functions here.
constexpr std::size_t own_frame = 64;

}  // namespace

[[gnu::noinline]] void paint_stack()
{
    const Painted area = painted(own_frame);
    for (std::size_t i = 0; i < area.count; ++i) area.first[i] = paint;
}

[[gnu::noinline]] std::size_t painted_stack_used()
{
    const Painted area = painted(0);
    std::size_t untouched = 0;
    while (untouched < area.count && area.first[untouched] == paint) ++untouched;
    return (area.count - untouched) * 4;
}

}  // namespace girih::firmware
