/// Arm's MPS2 board with the Cortex-M7 image of application note AN500, as QEMU emulates
/// it (-M mps2-an500).
///
/// Its random numbers are the same after every start: it is for tests and trials only, and says so.
#include "boards/board.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "boards/registers.hpp"

namespace girih::firmware::board {
namespace {

/// CMSDK UART 0.
struct Uart {
    static constexpr std::uintptr_t base = 0x40004000;
    static constexpr Register data{base + 0x00};
    static constexpr Register state{base + 0x04};
    static constexpr Register control{base + 0x08};
    static constexpr Register interrupts{base + 0x0C};  ///< writing a 1 clears one
    static constexpr Register baud_divider{base + 0x10};

    static constexpr std::uint32_t transmit_full = 1 << 0;
    static constexpr std::uint32_t receive_full = 1 << 1;
    static constexpr std::uint32_t transmit_enable = 1 << 0;
    static constexpr std::uint32_t receive_enable = 1 << 1;
    static constexpr std::uint32_t receive_interrupt_enable = 1 << 3;
    static constexpr std::uint32_t receive_interrupt = 1 << 1;
};

/// CMSDK timer 0: counts down at 25 MHz and wraps around.
struct Timer {
    static constexpr std::uintptr_t base = 0x40000000;
    static constexpr Register control{base + 0x00};
    static constexpr Register value{base + 0x04};
    static constexpr Register reload{base + 0x08};
    static constexpr Register interrupts{base + 0x0C};  ///< writing a 1 clears one

    static constexpr std::uint32_t enable = 1 << 0;
    static constexpr std::uint32_t interrupt_enable = 1 << 3;
    static constexpr std::uint32_t interrupt = 1 << 0;
    static constexpr std::uint32_t hertz = 25'000'000;
};

/// The interrupt controller (ARMv7-M, B3.4). Interrupts are masked: none is taken, but a pending
/// one wakes the processor.
struct Interrupts {
    static constexpr Register enable{0xE000E100};
    static constexpr Register clear_pending{0xE000E280};

    // Bits as numbered by the application note.
    static constexpr std::uint32_t uart_receive = 1 << 0;
    static constexpr std::uint32_t timer = 1 << 8;
};

/// Instructions in one tick of the timer when QEMU runs with -icount shift=4, where each takes 2^4
/// ns: 40 / 16.
constexpr std::uint64_t instructions_of(std::uint64_t ticks) { return ticks * 5 / 2; }

std::uint32_t last_value = 0;
std::uint64_t elapsed = 0;

/// The timer wraps around every 171 seconds. It is read more often, because it wakes get().
std::uint64_t ticks()
{
    const std::uint32_t value = Timer::value.read();
    elapsed += last_value - value;
    last_value = value;
    return elapsed;
}

std::array<Byte, 10240> given;  // the size of an argument
std::size_t given_first = 0;
std::size_t given_end = 0;
std::uint64_t counter = 0;

/// A number that looks random but is not secret (Steele, Lea and Flood's SplitMix64).
std::uint64_t next_number()
{
    counter += 0x9E3779B97F4A7C15;
    std::uint64_t z = counter;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

}  // namespace

void start()
{
    Uart::baud_divider.write(16);  // the smallest allowed; it has no effect here
    Uart::control.write(Uart::transmit_enable | Uart::receive_enable | Uart::receive_interrupt_enable);
    Timer::reload.write(0xFFFFFFFF);
    Timer::value.write(0xFFFFFFFF);
    Timer::control.write(Timer::enable | Timer::interrupt_enable);
    last_value = Timer::value.read();
    __asm__ volatile("cpsid i" ::: "memory");
    Interrupts::enable.write(Interrupts::uart_receive | Interrupts::timer);
}

std::string_view warning()
{
    return "WARNING: an emulator. Its random numbers are the same at every start: its keys protect nothing.";
}

char get()
{
    // Sleeps, because the emulator delivers characters slowly to a polling program.
    while ((Uart::state.read() & Uart::receive_full) == 0) {
        __asm__ volatile("wfi" ::: "memory");
        Uart::interrupts.write(Uart::receive_interrupt);
        Timer::interrupts.write(Timer::interrupt);
        Interrupts::clear_pending.write(Interrupts::uart_receive | Interrupts::timer);
        (void)ticks();
    }
    return static_cast<char>(Uart::data.read());
}

void put(char character)
{
    Uart::state.wait_until(Uart::transmit_full, 0);
    Uart::data.write(static_cast<std::uint8_t>(character));
}

bool random(BytesOut<> out)
{
    const std::size_t old = std::min(out.size(), given_end - given_first);
    copy(BytesIn<>{given}.subspan(given_first, old), out);
    given_first += old;
    for (out = out.subspan(old); !out.empty();) {
        std::array<Byte, 8> bytes;
        store_le64(bytes.data(), next_number());
        const std::size_t now = std::min(out.size(), bytes.size());
        copy(BytesIn<>{bytes}.first(now), out);
        out = out.subspan(now);
    }
    return true;
}

bool set_random(BytesIn<> bytes)
{
    if (bytes.size() > given.size()) return false;
    copy(bytes, given);
    given_first = 0;
    given_end = bytes.size();
    return true;
}

std::uint64_t milliseconds() { return ticks() / (Timer::hertz / 1000); }

std::uint64_t cycles() { return instructions_of(ticks()); }

}  // namespace girih::firmware::board
