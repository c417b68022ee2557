// The first layers of NTRU Prime's transform for ARMv7E-M, three parts, and each in two; the last
// of its inverse; and what follows that. What is computed is written in C++ in
// ntru_prime/arithmetic/word_product.hpp; this is for its speed.
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

// a times the twiddle in r8 and r9; the prime is in r10.
        .macro  times a
        smmulr  r12, \a, r9
        mul     \a, \a, r8
        mls     \a, r12, r10, \a
        .endm

// The representative of least magnitude, of which the share of 2^22 is known by 2^10, in r11.
        .macro  store_least a, at:vararg
        smmulr  lr, \a, r11
        mls     \a, lr, r10, \a
        str     \a, \at
        .endm

// The thirds of a polynomial, of its residues; omega is in r8 and r9.
        .macro  join_thirds b0, b1, b2, first, second, third
        sub     lr, \b2, \b1
        times   lr
        add     r12, \b0, \b1
        sub     \b1, \b0, \b1
        add     r12, r12, \b2
        sub     \b2, \b0, \b2
        add     \b1, \b1, lr
        sub     \b2, \b2, lr
        store_least \b1, [\second]
        store_least \b2, [\third]
        store_least r12, [\first]
        .endm

// The sum and the difference of two.
        .macro  join_two sum, difference
        sub     \difference, \sum, \difference
        rsb     \sum, \difference, \sum, lsl #1
        .endm

// void girih_cortex_m_join_six(int32_t* values, const Twiddle* four, const int32_t* end,
//                              int32_t prime)
//
// The first values of six parts, up to the end of the first. The twiddles are the factor of all,
// that times those of which the differences of the second and of the third two parts are in need,
// and omega.
        .section .text.girih_cortex_m_join_six, "ax", %progbits
        .global girih_cortex_m_join_six
        .type   girih_cortex_m_join_six, %function
        .balign 4
girih_cortex_m_join_six:
        push    {r2-r11, lr}
        vldmia  r1, {s0-s7}
        mov     r10, r3
        mov     r11, #1 << 10
        add     r1, r0, #12 * part
1:      ldr     r2, [r0]
        ldr     r5, [r0, #4 * part]
        ldr     r3, [r0, #8 * part]
        ldr     r6, [r1]
        ldr     r4, [r1, #4 * part]
        ldr     r7, [r1, #8 * part]
        join_two r2, r5
        join_two r3, r6
        join_two r4, r7
        vmov    r8, r9, s0, s1
        times   r2
        times   r3
        times   r4
        times   r5
        vmov    r8, r9, s2, s3
        times   r6
        vmov    r8, r9, s4, s5
        times   r7
        vmov    r8, r9, s6, s7
        join_thirds r2, r3, r4, "r0", "r0, #8 * part", "r1, #4 * part"
        join_thirds r5, r6, r7, "r0, #4 * part", "r1", "r1, #8 * part"
        ldr     r12, [sp]
        add     r0, r0, #4
        add     r1, r1, #4
        cmp     r0, r12
        bne     1b
        pop     {r2-r11, pc}
        .size   girih_cortex_m_join_six, . - girih_cortex_m_join_six

// c, residues modulo the number in r12, of which the share of 2^32 is in lr.
        .macro  center c
        smmulr  r11, \c, lr
        mls     \c, r11, r12, \c
        .endm

// void girih_cortex_m_fold_product(int16_t* folded, const int32_t* low, const int32_t* high,
//                                  const int32_t* end, int32_t q, int32_t share)
//
// The centered residues modulo q of low[i] + high[i] + high[i - 1], with 0 for high[-1], four at a
// time up to the end of `low`. The share is that of q in 2^32, rounded.
        .section .text.girih_cortex_m_fold_product, "ax", %progbits
        .global girih_cortex_m_fold_product
        .type   girih_cortex_m_fold_product, %function
        .balign 4
girih_cortex_m_fold_product:
        push    {r3-r11, lr}
        ldrd    r12, lr, [sp, #40]
        mov     r10, #0
1:      ldm     r1!, {r3-r6}
        add     r3, r3, r10
        ldm     r2!, {r7-r10}
        add     r3, r3, r7
        add     r4, r4, r7
        add     r4, r4, r8
        add     r5, r5, r8
        add     r5, r5, r9
        add     r6, r6, r9
        add     r6, r6, r10
        center  r3
        center  r4
        center  r5
        center  r6
        pkhbt   r3, r3, r4, lsl #16
        pkhbt   r5, r5, r6, lsl #16
        str     r3, [r0], #4
        str     r5, [r0], #4
        ldr     r11, [sp]
        cmp     r1, r11
        bne     1b
        pop     {r3-r11, pc}
        .size   girih_cortex_m_fold_product, . - girih_cortex_m_fold_product
