/// Start-up from reset to main on the boards of boards.tsv: vectors, the floating-point unit,
/// variables. No constructors and no C library start-up.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "boards/board.hpp"
#include "boards/registers.hpp"

extern "C" {

extern std::uint32_t __stack_top;
extern std::byte __data_start;
extern std::byte __data_end;
extern const std::byte __data_load;
extern std::byte __bss_start;
extern std::byte __bss_end;

int main();

[[noreturn]] void reset_handler();
[[noreturn]] void fault_handler();
[[noreturn]] void run();
void count_wrap();  // in board.cpp

/// Called by assert.
[[noreturn]] void __assert_func(const char*, int, const char*, const char*) { fault_handler(); }

}  // extern "C"

/// Reports the fault on the serial port, on a stack that may have overflowed.
void fault_handler()
{
    using namespace girih::firmware;
    for (const char character : std::string_view{"\nFAULT\n"}) board::put(character);
    for (;;) __asm__ volatile("wfi");
}

void run()
{
    std::memcpy(&__data_start, &__data_load, static_cast<std::size_t>(&__data_end - &__data_start));
    std::memset(&__bss_start, 0, static_cast<std::size_t>(&__bss_end - &__bss_start));
    (void)main();
    for (;;) __asm__ volatile("wfi");
}

#if defined(__riscv)

/// The machine jumps to the first address of the image, where this is.
[[gnu::naked, gnu::section(".vectors")]] void reset_handler()
{
    __asm__ volatile(
        ".option arch, +zicsr\n\t"
        "la sp, __stack_top\n\t"
        "la t0, fault_handler\n\t"
        "csrw mtvec, t0\n\t"
        "j run");
}

#else

void reset_handler()
{
#    if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
    // Coprocessor Access Control Register: full access to CP10 and CP11, the floating-point unit.
    girih::firmware::board::Register{0xE000ED88}.set(0xFU << 20);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#    endif
    run();
}

namespace {

using Handler = void (*)();

/// The table ends with SysTick, whose interrupt is the only one.
struct Vectors {
    const void* stack_top;
    Handler reset;
    Handler faults[13];
    Handler systick;
};

[[gnu::section(".vectors"), gnu::used]] const Vectors vectors{
    &__stack_top,
    reset_handler,
    {fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
     fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler},
    count_wrap};

}  // namespace

#endif
