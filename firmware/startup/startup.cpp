/// From reset to main on a Cortex-M7: vectors, the floating-point unit, variables. Nothing of a C
/// library's own start-up.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "boards/registers.hpp"

extern "C" {

extern std::uint32_t __stack_top;
extern std::byte __data_start;
extern std::byte __data_end;
extern const std::byte __data_load;
extern std::byte __bss_start;
extern std::byte __bss_end;
extern void (*const __init_array_start)();
extern void (*const __init_array_end)();

int main();

[[noreturn]] void reset_handler();
[[noreturn]] void fault_handler();

/// What assert calls; the C library's own would bring printf and a heap.
[[noreturn]] void __assert_func(const char* file, int line, const char* function, const char* expression);

}  // extern "C"

namespace {

using girih::firmware::board::Register;

/// Coprocessor Access Control Register (ARMv7-M, B3.2.20): full access to CP10 and CP11, the
/// floating-point unit.
constexpr Register cpacr{0xE000ED88};
constexpr std::uint32_t floating_point = 0xFU << 20;

}  // namespace

void reset_handler()
{
    cpacr.set(floating_point);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    std::memcpy(&__data_start, &__data_load, static_cast<std::size_t>(&__data_end - &__data_start));
    std::memset(&__bss_start, 0, static_cast<std::size_t>(&__bss_end - &__bss_start));
    for (const auto* constructor = &__init_array_start; constructor != &__init_array_end; ++constructor)
        (*constructor)();
    (void)main();
    fault_handler();
}

/// Stops where a debugger can see it. Nothing is left to answer with.
void fault_handler()
{
    for (;;) __asm__ volatile("wfi");
}

void __assert_func(const char*, int, const char*, const char*) { fault_handler(); }

namespace {

using Handler = void (*)();

/// ARMv7-M, B1.5.3. Nothing here uses interrupts, so the table ends with SysTick.
struct Vectors {
    const void* stack_top;
    Handler reset;
    Handler faults[14];
};

[[gnu::section(".vectors"), gnu::used]] const Vectors vectors{
    &__stack_top,
    reset_handler,
    {fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
     fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
     fault_handler}};

}  // namespace
