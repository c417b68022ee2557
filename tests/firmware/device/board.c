#include "board.h"

extern uint32_t data_start, data_end, bss_start, bss_end, stack_limit, stack_top;
extern const uint32_t data_load;
int main(void);
void reset(void);

static long semihosting(int operation, const void* argument)
{
    register long r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void stop(int status)
{
    const uint32_t reason[2] = {0x20026, (uint32_t)status};  // ADP_Stopped_ApplicationExit
    semihosting(0x20, reason);
    for (;;) {
    }
}

static void fault(void)
{
    print("FAULT\n");
    stop(2);
}

void reset(void)
{
    *(volatile uint32_t*)0xE000ED88 |= 0xFU << 20;  // the floating-point unit, if there is one
    __asm__ volatile("dsb\n\tisb");
    const uint32_t* from = &data_load;
    for (uint32_t* to = &data_start; to != &data_end; ++to) *to = *from++;
    for (uint32_t* to = &bss_start; to != &bss_end; ++to) *to = 0;
    stop(main());
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &stack_top,   (void*)reset, (void*)fault, (void*)fault, (void*)fault, (void*)fault,
    (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault,
    (void*)fault, (void*)fault, (void*)fault, (void*)fault};

void print(const char* text) { semihosting(4, text); }

void print_number(const char* name, long number)
{
    char digits[12];
    char* at = &digits[11];
    const int negative = number < 0;
    unsigned long rest = negative ? 0UL - (unsigned long)number : (unsigned long)number;
    *at = 0;
    do *--at = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    print(name);
    print(negative ? " -" : " ");
    print(at);
    print("\n");
}

void print_bytes(const char* name, const uint8_t* bytes, size_t count)
{
    char line[65];
    print(name);
    print(" ");
    for (size_t i = 0; i < count;) {
        size_t at = 0;
        for (; at < 64 && i < count; ++i) {
            line[at++] = "0123456789abcdef"[bytes[i] >> 4];
            line[at++] = "0123456789abcdef"[bytes[i] & 15];
        }
        line[at] = 0;
        print(line);
    }
    print("\n");
}

/* The CMSDK timer, which counts down; with -icount shift=4, an instruction takes 16 ns. Its
 * registers: control, value, reload. */
static volatile uint32_t* const timer = (volatile uint32_t*)0x40000000;

#define PAINT 0xA5C3965A

static uint32_t ticks;

/* The stack below the caller that a function takes, with its call. */
__attribute__((noinline)) static long stack_of(void (*function)(void))
{
    uint32_t* const here = __builtin_frame_address(0);
    volatile uint32_t* const first = here - 40000;  // more than any operation uses
    for (volatile uint32_t* at = first; at < here - 16; ++at) *at = PAINT;
    timer[1] = 0xFFFFFFFF;
    function();
    ticks = 0xFFFFFFFF - timer[1];
    const volatile uint32_t* used = first;
    while (used < here - 16 && *used == PAINT) ++used;
    return (long)((here - used) * 4);
}

static void nothing(void) {}

void measure(const char* name, void (*function)(void))
{
    timer[2] = 0xFFFFFFFF;
    timer[0] = 1;
    const long apparatus = stack_of(nothing);
    const long stack = stack_of(function) - apparatus;
    const uint64_t instructions = (uint64_t)ticks * TICK_NANOSECONDS / 16;
    print("# ");
    print(name);
    print_number(" stack", stack);
    print("# ");
    print(name);
    print_number(" instructions", (long)instructions);
}
