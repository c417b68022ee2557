/// The image of a peer: runs its operations on the board's counter and prints, for each run, a line
/// with the operation's name, the instructions and the stack.
#include "lab/boards/image/race.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/measure.hpp"
#include "boards/board.hpp"
#include "core/bytes.hpp"

namespace girih::firmware {
namespace {

constexpr std::size_t runs = GIRIH_RACE_RUNS;

/// The memory for a peer's malloc.
std::array<std::byte, 256 * 1024> heap;
std::size_t heap_used = 0;

std::array<std::uint8_t, race_message_bytes> message{};

void put(std::string_view text)
{
    for (const char character : text) board::put(character);
}
void put(std::uint64_t number)
{
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    put(" ");
    put(std::string_view{digits.data(), static_cast<std::size_t>(end - digits.data())});
}

/// False if the operation failed.
bool race(const race_operation& operation)
{
    for (std::size_t i = 0; i < runs; ++i) {
        Measurement last;
        if (measure(last, operation.run) != 0) return false;
        put(operation.name);
        put(last.cycles);
        put(last.stack_bytes);
        put("\n");
    }
    return true;
}

void race_all()
{
    board::start();
    for (const race_operation* operation = race_operations; operation->name != nullptr; ++operation)
        if (!race(*operation)) {
            put("FAILED ");
            put(operation->name);
            put("\n");
            return;
        }
    put("heap");
    put(heap_used);
    put("\nDONE\n");
}

}  // namespace
}  // namespace girih::firmware

extern "C" {

void race_random(uint8_t* out, size_t size) { (void)girih::firmware::board::random({out, size}); }

const uint8_t* race_next_message()
{
    using girih::firmware::message;
    for (std::uint8_t& byte : message)
        if (++byte != 0) break;
    return message.data();
}

/// Used by the C library's exit and malloc, which some peers call.
void _init() {}
void _fini() {}
void* _sbrk(std::ptrdiff_t more)
{
    using namespace girih::firmware;
    if (more > static_cast<std::ptrdiff_t>(heap.size() - heap_used))
        return reinterpret_cast<void*>(-1);  // NOLINT: required by the interface
    void* const start = &heap[heap_used];
    heap_used += static_cast<std::size_t>(more);
    return start;
}
}

int main()
{
    girih::firmware::race_all();
    for (;;) __asm__ volatile("wfi");
}
