/// ST's NUCLEO-H753ZI: a Cortex-M7 at 480 MHz with both caches on, a hardware generator of random
/// numbers, and USART3, which is the ST-LINK's virtual COM port (115200 baud).
///
/// Registers and bits are from RM0433; section numbers are its. This has not run on a board yet: it
/// was compiled, linked and checked against the manual only.
#include "boards/board.hpp"

#include <cstddef>

#include "boards/registers.hpp"
#include "core/wipe.hpp"

namespace girih::firmware::board {
namespace {

constexpr std::uint32_t hertz = 480'000'000;
constexpr std::uint32_t bus_hertz = hertz / 4;    // of the peripherals
constexpr std::uint32_t timer_hertz = hertz / 2;  // of their timers

/// Power control (Section 6.8).
struct Power {
    static constexpr std::uintptr_t base = 0x58024800;
    static constexpr Register status{base + 0x04};   // CSR1
    static constexpr Register supply{base + 0x0C};   // CR3
    static constexpr Register scaling{base + 0x18};  // D3CR

    static constexpr std::uint32_t supply_bits = 0x7;  // BYPASS, LDOEN, SCUEN
    static constexpr std::uint32_t regulator = 1 << 1;
    static constexpr std::uint32_t level_is_valid = 1 << 13;  // ACTVOSRDY
    static constexpr std::uint32_t scale_1 = 3 << 14;
    static constexpr std::uint32_t scale_is_reached = 1 << 13;
};

/// System configuration (Section 12.3.1): the overdrive bit beyond scale 1, for 480 MHz.
struct SystemConfiguration {
    static constexpr Register power{0x58000400 + 0x2C};  // PWRCR
    static constexpr std::uint32_t overdrive = 1 << 0;
};

/// Reset and clock control (Section 8.7).
struct Clocks {
    static constexpr std::uintptr_t base = 0x58024400;
    static constexpr Register control{base + 0x00};
    static constexpr Register configuration{base + 0x10};
    static constexpr Register domain_1{base + 0x18};
    static constexpr Register domain_2{base + 0x1C};
    static constexpr Register domain_3{base + 0x20};
    static constexpr Register pll_source{base + 0x28};
    static constexpr Register pll_configuration{base + 0x2C};
    static constexpr Register pll_dividers{base + 0x30};
    static constexpr Register kernels{base + 0x54};  // D2CCIP2R
    static constexpr Register ahb2{base + 0xDC};
    static constexpr Register ahb4{base + 0xE0};
    static constexpr Register apb1{base + 0xE8};
    static constexpr Register apb4{base + 0xF4};

    static constexpr std::uint32_t hsi48_on = 1 << 12;
    static constexpr std::uint32_t hsi48_ready = 1 << 13;
    static constexpr std::uint32_t pll1_on = 1 << 24;
    static constexpr std::uint32_t pll1_ready = 1 << 25;
};

/// Flash (Section 4.9.1).
struct Flash {
    static constexpr Register access{0x52002000};
    static constexpr std::uint32_t latency_bits = 0x3F;
    static constexpr std::uint32_t for_240_mhz = 2 << 4 | 4;  // WRHIGHFREQ and LATENCY (Table 17)
};

/// Port D (Section 11.4): pins 8 and 9 are USART3's.
struct PortD {
    static constexpr std::uintptr_t base = 0x58020C00;
    static constexpr Register mode{base + 0x00};
    static constexpr Register high_functions{base + 0x24};
};

/// USART3 (Section 48.7).
struct Uart {
    static constexpr std::uintptr_t base = 0x40004800;
    static constexpr Register control{base + 0x00};
    static constexpr Register baud{base + 0x0C};
    static constexpr Register status{base + 0x1C};
    static constexpr Register clear{base + 0x20};
    static constexpr Register received{base + 0x24};
    static constexpr Register transmit{base + 0x28};

    static constexpr std::uint32_t enable = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 29;  // UE, RE, TE, FIFOEN
    static constexpr std::uint32_t overrun = 1 << 3;
    static constexpr std::uint32_t has_received = 1 << 5;
    static constexpr std::uint32_t can_transmit = 1 << 7;
    static constexpr std::uint32_t bits_per_second = 115200;
};

/// The random number generator (Section 34.7).
struct Random {
    static constexpr std::uintptr_t base = 0x48021800;
    static constexpr Register control{base + 0x00};
    static constexpr Register status{base + 0x04};
    static constexpr Register data{base + 0x08};

    static constexpr std::uint32_t enable = 1 << 2;
    static constexpr std::uint32_t is_ready = 1 << 0;
    static constexpr std::uint32_t clock_error = 1 << 1;
    static constexpr std::uint32_t seed_error = 1 << 2;
    static constexpr std::uint32_t remembered_errors = 1 << 5 | 1 << 6;
};

/// TIM2 (Section 39.4), which counts tenths of milliseconds, and wraps around after five days.
struct Timer {
    static constexpr std::uintptr_t base = 0x40000000;
    static constexpr Register control{base + 0x00};
    static constexpr Register event{base + 0x14};
    static constexpr Register count{base + 0x24};
    static constexpr Register prescaler{base + 0x28};
    static constexpr Register reload{base + 0x2C};

    static constexpr std::uint32_t hertz = 10'000;
};

/// The processor's registers (ARMv7-M Architecture Reference Manual, B3.2, B2.2.7 and C1.8).
struct Processor {
    static constexpr Register configuration{0xE000ED14};
    static constexpr Register invalidate_instructions{0xE000EF50};
    static constexpr Register invalidate_data{0xE000EF60};  // by set and way
    static constexpr Register debug_control{0xE000EDFC};
    static constexpr Register trace_lock{0xE0001FB0};
    static constexpr Register trace_control{0xE0001000};
    static constexpr Register cycle_count{0xE0001004};
    static constexpr Register identity{
        0x5C001000};  // DBGMCU_IDC (RM0433, Section 60.5.8): the revision above

    static constexpr std::uint32_t data_cache = 1 << 16;
    static constexpr std::uint32_t instruction_cache = 1 << 17;
};

void barrier() { __asm__ volatile("dsb\n\tisb" ::: "memory"); }

/// Invalidates all lines first, because caches are undefined after power-on. The data cache has 16
/// KB: 4 ways, 128 sets.
void start_caches()
{
    Processor::invalidate_instructions.write(0);
    for (std::uint32_t set = 0; set < 128; ++set)
        for (std::uint32_t way = 0; way < 4; ++way) Processor::invalidate_data.write(way << 30 | set << 5);
    barrier();
    Processor::configuration.set(Processor::data_cache | Processor::instruction_cache);
    barrier();
}

/// The voltage for 480 MHz (Section 6.6.2): scale 1, then the overdrive.
void raise_voltage()
{
    Power::supply.change(Power::supply_bits, Power::regulator);
    Power::status.wait_for(Power::level_is_valid);
    Power::scaling.set(Power::scale_1);
    Power::scaling.wait_for(Power::scale_is_reached);
    Clocks::apb4.set(1 << 1);  // SYSCFG
    (void)Clocks::apb4.read();
    SystemConfiguration::power.set(SystemConfiguration::overdrive);
    Power::scaling.wait_for(Power::scale_is_reached);
}

/// 480 MHz from the internal oscillator, which needs nothing of the board: 64 MHz / 8 * 120 / 2.
/// Its frequency, and so milliseconds, are right to one per cent; cycles are exact.
void start_clocks()
{
    Flash::access.change(Flash::latency_bits, Flash::for_240_mhz);
    Flash::access.wait_until(Flash::latency_bits, Flash::for_240_mhz);
    Clocks::pll_source.change(0x3 | 0x3F << 4, 8 << 4);  // HSI, DIVM1
    Clocks::pll_configuration.change(0x7 << 16 | 0xF,
                                     1 << 16 | 3 << 2);  // DIVP1EN; input of 8 to 16 MHz, wide range
    Clocks::pll_dividers.write((120 - 1) | (2 - 1) << 9 | (2 - 1) << 16 | (2 - 1) << 24);
    Clocks::control.set(Clocks::pll1_on);
    Clocks::control.wait_for(Clocks::pll1_ready);
    Clocks::domain_1.write(
        8 | 4 << 4);  // the buses at half of the processor's frequency, their peripherals at a quarter
    Clocks::domain_2.write(4 << 4 | 4 << 8);
    Clocks::domain_3.write(4 << 4);
    Clocks::configuration.change(0x7, 3);  // PLL1
    Clocks::configuration.wait_until(0x7 << 3, 3 << 3);
}

void start_uart()
{
    Clocks::ahb4.set(1 << 3);   // port D
    Clocks::apb1.set(1 << 18);  // USART3
    (void)Clocks::apb1.read();
    PortD::mode.change(0xF << 16, 0xA << 16);        // pins 8 and 9: alternate functions,
    PortD::high_functions.change(0xFF, 7 << 4 | 7);  // number 7
    Uart::baud.write((bus_hertz + Uart::bits_per_second / 2) / Uart::bits_per_second);
    Uart::control.write(Uart::enable);
}

void start_random()
{
    Clocks::control.set(Clocks::hsi48_on);
    Clocks::control.wait_for(Clocks::hsi48_ready);
    Clocks::kernels.clear(3 << 8);  // the generator's clock is HSI48
    Clocks::ahb2.set(1 << 6);
    (void)Clocks::ahb2.read();
    Random::control.write(Random::enable);
}

void start_counters()
{
    Clocks::apb1.set(1 << 0);  // TIM2
    (void)Clocks::apb1.read();
    Timer::prescaler.write(timer_hertz / Timer::hertz - 1);
    Timer::reload.write(0xFFFFFFFF);
    Timer::event.write(1);  // loads the prescaler
    Timer::control.write(1);
    Processor::debug_control.set(1 << 24);
    Processor::trace_lock.write(0xC5ACCE55);
    Processor::cycle_count.write(0);
    Processor::trace_control.set(1);
}

/// The timer's ticks since the start, if read at least every five days; `get` reads it
/// continuously.
std::uint64_t ticks()
{
    static std::uint64_t elapsed = 0;
    elapsed += Timer::count.read() - static_cast<std::uint32_t>(elapsed);
    return elapsed;
}

/// Recovers from a seed error (Section 34.3.7): discards words that may precede it, and restarts
/// the generator.
void restart_random()
{
    constexpr int words_on_their_way = 12;
    Random::status.write(0);  // clears the errors
    for (int i = 0; i < words_on_their_way; ++i) (void)Random::data.read();
    Random::control.clear(Random::enable);
    Random::control.set(Random::enable);
}

/// A word, or false if the generator keeps failing.
bool random_word(std::uint32_t& word)
{
    constexpr int attempts = 8;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        // Four words take about 200 bus cycles; this is a thousand times as long.
        for (int wait = 0; wait < 400'000; ++wait) {
            const std::uint32_t status = Random::status.read();
            if ((status & (Random::clock_error | Random::seed_error | Random::remembered_errors)) != 0) break;
            if ((status & Random::is_ready) == 0) continue;
            word = Random::data.read();
            if (word != 0) return true;  // an error leaves 0 (Section 34.7.3)
        }
        restart_random();
    }
    return false;
}

}  // namespace

void start()
{
    raise_voltage();
    start_clocks();
    start_caches();
    start_uart();
    start_random();
    start_counters();
}

std::string_view warning()
{
    constexpr std::uint32_t revision_v = 0x2003;
    if (Processor::identity.read() >> 16 >= revision_v) return {};
    return "WARNING: this revision of the processor is made for 400 MHz, and runs at 480.";
}

char get()
{
    for (;;) {
        (void)ticks();
        const std::uint32_t status = Uart::status.read();
        if ((status & Uart::overrun) != 0) {
            Uart::clear.write(Uart::overrun);
            return '\0';  // characters were lost, so the line is invalid
        }
        if ((status & Uart::has_received) != 0) return static_cast<char>(Uart::received.read());
    }
}

void put(char character)
{
    Uart::status.wait_for(Uart::can_transmit);
    Uart::transmit.write(static_cast<std::uint8_t>(character));
}

bool random(BytesOut<> out)
{
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i % sizeof word == 0 && !random_word(word)) {
            wipe(out);
            return false;
        }
        out[i] = static_cast<Byte>(word >> (8 * (i % sizeof word)));
    }
    wipe(word);
    return true;
}

bool set_random(BytesIn<>) { return false; }

std::uint64_t milliseconds() { return ticks() / (Timer::hertz / 1000); }

/// The cycle counter wraps around every nine seconds; the timer tells how often it has.
std::uint64_t cycles()
{
    const std::uint64_t about = ticks() * (hertz / Timer::hertz);
    const std::uint32_t low = Processor::cycle_count.read();
    const auto difference = static_cast<std::int32_t>(low - static_cast<std::uint32_t>(about));
    return about + static_cast<std::uint64_t>(static_cast<std::int64_t>(difference));
}

}  // namespace girih::firmware::board
