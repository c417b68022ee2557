#include "board.h"

extern uint32_t data_start, data_end, bss_start, bss_end, stack_top;
extern const uint32_t data_load;
int main(void);
void reset(void);
void begin(void);

/* ---- Start-up -------------------------------------------------------------------------------- */

static long semihosting(int operation, const void* argument)
{
#if defined(__riscv)
    register long result __asm__("a0") = operation;
    register const void* given __asm__("a1") = argument;
    __asm__ volatile(
        ".balign 16\n\t.option push\n\t.option norvc\n\t"
        "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7\n\t.option pop"
        : "+r"(result)
        : "r"(given)
        : "memory");
#else
    register long result __asm__("r0") = operation;
    register const void* given __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(result) : "r"(given) : "memory");
#endif
    return result;
}

static void stop(int status)
{
    const uint32_t reason[2] = {0x20026, (uint32_t)status};  // ADP_Stopped_ApplicationExit
    semihosting(0x20, reason);
    for (;;) {
    }
}

__attribute__((used)) static void fault(void)
{
    print("FAULT\n");
    stop(2);
}

static void start_timer(void);
static void count(void);

/* Called by reset, on a stack. */
void begin(void)
{
    const uint32_t* from = &data_load;
    for (uint32_t* to = &data_start; to != &data_end; ++to) *to = *from++;
    for (uint32_t* to = &bss_start; to != &bss_end; ++to) *to = 0;
    start_timer();
    measure("counter", count);
    stop(main());
}

#if defined(__riscv)

/* The machine jumps to the first address of the image. */
__attribute__((naked, section(".vectors"), used)) void reset(void)
{
    __asm__ volatile(
        ".option arch, +zicsr\n\t"
        "la sp, stack_top\n\t"
        "la t0, fault\n\t"
        "csrw mtvec, t0\n\t"
        "j begin");
}

#else

void reset(void)
{
#    if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
    *(volatile uint32_t*)0xE000ED88 |= 0xFU << 20;  // the floating-point unit
    __asm__ volatile("dsb\n\tisb");
#    endif
    begin();
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &stack_top,   (void*)reset, (void*)fault, (void*)fault, (void*)fault, (void*)fault,
    (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault,
    (void*)fault, (void*)fault, (void*)fault, (void*)fault};

#endif

/* ---- Output ---------------------------------------------------------------------------------- */

void print(const char* text) { semihosting(4, text); }

/* (Not every core divides.) */
void print_number(const char* name, long number)
{
    static const uint32_t powers[10] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                        10000,      1000,      100,      10,      1};
    char digits[11];
    size_t count = 0;
    uint32_t rest = number < 0 ? 0U - (uint32_t)number : (uint32_t)number;
    for (size_t i = 0; i < 10; ++i) {
        char digit = '0';
        for (; rest >= powers[i]; rest -= powers[i]) ++digit;
        if (digit != '0' || count != 0 || i == 9) digits[count++] = digit;
    }
    digits[count] = 0;
    print(name);
    print(number < 0 ? " -" : " ");
    print(digits);
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

/* ---- Measurement ----------------------------------------------------------------------------- */

/* The timers of boards.tsv, in ticks that count up. With -icount shift=4, an instruction takes 16
 * ns. */
#define CMSDK 1    /* Arm's, which counts down: control, value, reload */
#define SSE 2      /* the counter of Arm's SSE-300: control, -, value */
#define MINSTRET 3 /* of RISC-V, which QEMU counts in nanoseconds */

static void start_timer(void)
{
#if TIMER != MINSTRET
    volatile uint32_t* const timer = (volatile uint32_t*)TIMER_AT;
#    if TIMER == CMSDK
    timer[2] = 0xFFFFFFFF;
#    endif
    timer[0] = 1;
#endif
}

static uint32_t now(void)
{
#if TIMER == MINSTRET
    uint32_t ticks;
    __asm__ volatile(".option arch, +zicsr\n\tcsrr %0, minstret" : "=r"(ticks));
    return ticks;
#else
    volatile uint32_t* const timer = (volatile uint32_t*)TIMER_AT;
#    if TIMER == CMSDK
    return 0xFFFFFFFF - timer[1];
#    else
    return timer[2];
#    endif
#endif
}

#define PAINT 0xA5C3965A

static uint32_t ticks;

/* The stack that a function takes, from the stack pointer at its call on. */
__attribute__((noinline)) static long stack_of(void (*function)(void))
{
    uint32_t* pointer;
#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(pointer));
#else
    __asm__ volatile("mov %0, sp" : "=r"(pointer));
#endif
    volatile uint32_t* const first = pointer - 40000;  // more than any operation uses
    for (volatile uint32_t* at = first; at < pointer; ++at) *at = PAINT;
    const uint32_t before = now();
    function();
    ticks = now() - before;
    const volatile uint32_t* used = first;
    while (used < pointer && *used == PAINT) ++used;
    return (long)((pointer - used) * 4);
}

/* 200,000 instructions, by which the counter is checked. */
static void count(void)
{
    uint32_t left = 100000;
#if defined(__riscv)
    __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(left));
#else
    __asm__ volatile(".syntax unified\n1: subs %0, %0, #1\n\tbne 1b" : "+l"(left) : : "cc");
#endif
}

void measure(const char* name, void (*function)(void))
{
    const long stack = stack_of(function);
    print("# ");
    print(name);
    print_number(" stack", stack);
    print("# ");
    print(name);
    print_number(" ticks", (long)ticks);
}
