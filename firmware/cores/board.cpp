/// The boards of boards.tsv, as QEMU emulates them: a serial port for output, and a counter of
/// instructions. Random bytes are the same after every start: these images are tests.
#include "boards/board.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "boards/registers.hpp"

namespace girih::firmware::board {
namespace {

/// Arm's CMSDK.
struct cmsdk {
    static void start()
    {
        Register{GIRIH_SERIAL_AT + 0x10}.write(16);  // the baud divider: the smallest allowed
        Register{GIRIH_SERIAL_AT + 0x08}.write(1);   // transmits
    }
    static void put(char character)
    {
        Register{GIRIH_SERIAL_AT + 0x04}.wait_until(1, 0);  // full
        Register{GIRIH_SERIAL_AT + 0x00}.write(static_cast<std::uint8_t>(character));
    }
};

/// Nordic's nRF51.
struct nrf51 {
    static void start()
    {
        Register{GIRIH_SERIAL_AT + 0x500}.write(4);  // enables the port
        Register{GIRIH_SERIAL_AT + 0x008}.write(1);  // starts to transmit
    }
    static void put(char character)
    {
        constexpr Register sent{GIRIH_SERIAL_AT + 0x11C};
        sent.write(0);
        Register{GIRIH_SERIAL_AT + 0x51C}.write(static_cast<std::uint8_t>(character));
        sent.wait_for(1);
    }
};

/// The 16550, whose registers are bytes.
struct ns16550 {
    static volatile std::uint8_t& at(std::uintptr_t offset)
    {
        return *reinterpret_cast<volatile std::uint8_t*>(GIRIH_SERIAL_AT + offset);
    }
    static void start() {}
    static void put(char character)
    {
        while ((at(5) & 0x20) == 0) {
        }
        at(0) = static_cast<std::uint8_t>(character);
    }
};

/// With -icount shift=4, an instruction takes 16 ns.
constexpr std::uint64_t instructions_a_second = 62'500'000;

/// Bytes that look random: Steele, Lea and Flood's SplitMix64, one word after the other.
struct Stream {
    std::uint64_t counter = 0;
    std::uint64_t word = 0;
    unsigned left = 0;

    Byte next()
    {
        if (left == 0) {
            counter += 0x9E3779B97F4A7C15;
            word = (counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9;
            word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
            word ^= word >> 31;
            left = 8;
        }
        const auto byte = static_cast<Byte>(word);
        word >>= 8;
        --left;
        return byte;
    }
};
Stream stream;

#if !defined(__riscv)

/// SysTick counts down, in 24 bits.
constexpr Register systick_control{0xE000E010};
constexpr Register systick_reload{0xE000E014};
constexpr Register systick_value{0xE000E018};
constexpr std::uint32_t last_tick = 0xFFFFFF;
volatile std::uint32_t wraps = 0;

#endif

}  // namespace

#if defined(__riscv)

std::uint64_t cycles()
{
    std::uint32_t high;
    std::uint32_t low;
    std::uint32_t again;
    do {
        __asm__ volatile(
            ".option arch, +zicsr\n\tcsrr %0, minstreth\n\tcsrr %1, minstret\n\tcsrr %2, minstreth"
            : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    // QEMU counts them in nanoseconds.
    return (std::uint64_t{high} << 32 | low) / 16;
}

#else

std::uint64_t cycles()
{
    constexpr std::uint64_t common = std::gcd(instructions_a_second, std::uint64_t{GIRIH_HERTZ});
    for (;;) {
        const std::uint32_t before = wraps;
        const std::uint32_t value = systick_value.read();
        if (wraps != before) continue;
        const std::uint64_t ticks = std::uint64_t{before} * (last_tick + 1) + (last_tick - value);
        return ticks * (instructions_a_second / common) / (GIRIH_HERTZ / common);
    }
}

extern "C" void count_wrap();
void count_wrap() { wraps = wraps + 1; }

#endif

void start()
{
    GIRIH_SERIAL::start();
#if !defined(__riscv)
    systick_reload.write(last_tick);
    systick_value.write(0);
    systick_control.write(7);  // the core's clock, an interrupt at each wrap, enabled
#endif
}

void put(char character) { GIRIH_SERIAL::put(character); }

bool random(BytesOut<> out)
{
    for (Byte& byte : out) byte = stream.next();
    return true;
}

bool set_random(BytesIn<>)
{
    stream = {};
    return true;
}

}  // namespace girih::firmware::board
