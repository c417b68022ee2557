/// Start-up from reset to main on a Cortex-M7: vectors, the floating-point unit, variables. No C
/// library start-up.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "boards/board.hpp"
#include "boards/registers.hpp"

#if (__ARM_FP & 8) == 0
#    error "images are for a Cortex-M7: -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16"
#endif

extern "C" {

extern std::uint32_t __stack_top;
extern std::byte __stack_guard;
extern std::byte __stack_limit;
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
[[noreturn]] void stop();

/// Called by assert; the C library's version would link printf and a heap.
[[noreturn]] void __assert_func(const char* file, int line, const char* function, const char* expression);

}  // extern "C"

namespace {

using girih::firmware::board::Register;

/// Coprocessor Access Control Register (ARMv7-M, B3.2.20): full access to CP10 and CP11, the
/// floating-point unit.
constexpr Register cpacr{0xE000ED88};
constexpr std::uint32_t floating_point = 0xFU << 20;

/// The memory protection unit (ARMv7-M, B3.5).
struct Protection {
    static constexpr Register control{0xE000ED94};
    static constexpr Register base{0xE000ED9C};
    static constexpr Register attributes{0xE000EDA0};

    static constexpr std::uint32_t enable = 1 << 0;                ///< except in fault handlers
    static constexpr std::uint32_t usual_elsewhere = 1 << 2;       ///< default access outside all regions
    static constexpr std::uint32_t region_0 = 1 << 4;              ///< the base address is of region 0
    static constexpr std::uint32_t size_of_128_kib = 16 << 1 | 1;  ///< 2^(16 + 1) bytes, enabled
    static constexpr std::uint32_t no_access = 1 << 28;            ///< neither for data nor for instructions
};

/// Makes every access to the memory below the stack fault.
void guard_stack()
{
    Protection::base.write(reinterpret_cast<std::uintptr_t>(&__stack_guard) | Protection::region_0);
    Protection::attributes.write(Protection::no_access | Protection::size_of_128_kib);
    Protection::control.write(Protection::usual_elsewhere | Protection::enable);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

}  // namespace

void reset_handler()
{
    cpacr.set(floating_point);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    guard_stack();
    std::memcpy(&__data_start, &__data_load, static_cast<std::size_t>(&__data_end - &__data_start));
    std::memset(&__bss_start, 0, static_cast<std::size_t>(&__bss_end - &__bss_start));
    for (const auto* constructor = &__init_array_start; constructor != &__init_array_end; ++constructor)
        (*constructor)();
    (void)main();
    fault_handler();
}

/// Resets the stack, which may have overflowed.
[[gnu::naked]] void fault_handler()
{
    __asm__ volatile(
        "ldr r0, =__stack_top\n\t"
        "mov sp, r0\n\t"
        "b stop");
}

/// Reports the fault on the serial port, and stops for a debugger. Memory keeps its content until a
/// reset.
void stop()
{
    using namespace girih::firmware;
    for (const char character : std::string_view{"\r\nFAULT\r\n"}) board::put(character);
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
