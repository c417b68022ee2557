// The first layers of NTRU Prime's transform for ARMv7E-M: three parts, and each in two. What is
// computed is written in C++ in ntru_prime/arithmetic/word_product.hpp; this is for its speed.
//
// Constant time.

        .syntax unified
        .cpu    cortex-m7
        .fpu    fpv5-d16
        .thumb

        .equ    part, 256               // values of a part

// a + w b, with w in \w and its share of the prime, which is in r8, in \share. A share of "none" is
// one of a b so small that the sum needs no reduction.
        .macro  add_multiple to, a, b, w, share
        mla     \to, \b, \w, \a
        .ifnc   \share, none
        smmulr  r12, \b, \share
        mls     \to, r12, r8, \to
        .endif
        .endm

// a0, a1 and a2 of one power of x, to each of the six parts. \load takes coefficients of \bytes
// bytes.
        .macro  part_six name, load, bytes, omega, first, second
        .section .text.girih_cortex_m_\name, "ax", %progbits
        .global girih_cortex_m_\name
        .type   girih_cortex_m_\name, %function
        .balign 4
girih_cortex_m_\name:
        push    {r3-r11, lr}
        ldr     r8, [sp, #40]
        mov     r12, r2
        ldm     r12, {r2-r7}
1:      \load   r10, [r1, #part * \bytes]
        \load   r11, [r1, #2 * part * \bytes]
        \load   r9, [r1], #\bytes
        add     lr, r9, r11
        add     r12, lr, r10
        sub     lr, lr, r10
        str     r12, [r0]
        str     lr, [r0, #4 * part]
        add_multiple lr, r9, r11, r2, \omega
        rsb     r9, lr, r9, lsl #1      // a0 + omega^2 a2 = 2 a0 - a2 - (a0 + omega a2)
        sub     r9, r9, r11
        add_multiple r11, lr, r10, r4, \first
        rsb     lr, r11, lr, lsl #1
        str     r11, [r0, #8 * part]
        str     lr, [r0, #12 * part]
        add_multiple r11, r9, r10, r6, \second
        rsb     r9, r11, r9, lsl #1
        add     r12, r0, #16 * part
        str     r11, [r12]
        str     r9, [r12, #4 * part]
        ldr     r12, [sp]
        add     r0, r0, #4
        cmp     r1, r12
        bne     1b
        pop     {r3-r11, pc}
        .size   girih_cortex_m_\name, . - girih_cortex_m_\name
        .endm

// void girih_cortex_m_part_six_...(int32_t* values, const int16_t* coefficients,
//                                  const Twiddle* three, const int16_t* end, int32_t prime)
//
// For a0 from the first coefficient up to the end. The twiddles are omega, g^256 and g^512.
// Coefficients of 16 bits; or of 8 bits, at most 2 in magnitude.
        part_six part_six_16, ldrsh, 2, r3, r5, r7
        part_six part_six_8, ldrsb, 1, none, none, none
