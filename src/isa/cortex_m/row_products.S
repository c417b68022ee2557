// Products of rows modulo q = 4591 for ARMv7E-M. What is computed is written in C++ in
// ntru_prime/arithmetic/row_transform.hpp (multiply_row); this is for its speed.
//
// Constant time.

        .syntax unified
        .cpu    cortex-m7
        .fpu    fpv5-d16
        .thumb

        .equ    words, 9
        .equ    pairs, 0                // for each j: a_2j and a_(2j - 1), and a_2j and a_(2j + 1)
        .equ    second, 8 * words       // b times y; its first word is not used
        .equ    second_b, second + 4 * words
        .equ    frame, second_b + 4 * words + 4

// a in both halves times the factor f: q is in r12, and 2^15 in lr.
        .macro  times a, f, t
        smulwb  \t, \f, \a
        smulwt  \a, \f, \a
        smlabb  \t, \t, r12, lr
        smlabb  \a, \a, r12, lr
        pkhtb   \a, \a, \t, asr #16
        .endm

// Products with pair \j of a, of which r6 is for even and r7 for odd coefficients; added to r0 and
// r1, r2 and r3, r4 and r5 are those with the words \b0, \b1 and \b2.
        .macro  three_products j, b0, b1, b2
        ldrd    r6, r7, [sp, #pairs + 8 * (\j)]
        .if \j == 0
        smuad   r0, r6, \b0
        smuadx  r1, r7, \b0
        smuad   r2, r6, \b1
        smuadx  r3, r7, \b1
        smuad   r4, r6, \b2
        smuadx  r5, r7, \b2
        .else
        smlad   r0, r6, \b0, r0
        smladx  r1, r7, \b0, r1
        smlad   r2, r6, \b1, r2
        smladx  r3, r7, \b1, r3
        smlad   r4, r6, \b2, r4
        smladx  r5, r7, \b2, r5
        .endif
        .endm

        .macro  load_second low, high, number
        ldrd    \low, \high, [sp, #second_b + 4 * (\number)]
        .endm

// An even and an odd coefficient, reduced, in the word \even. 1 / q modulo 2^32 is in r6.
        .macro  reduce even, odd
        mul     \even, \even, r6
        mul     \odd, \odd, r6
        smlatb  \even, \even, r12, lr
        smlatb  \odd, \odd, r12, lr
        pkhtb   \even, \odd, \even, asr #16
        .endm

// Words \k, \k + 1 and \k + 2 of the product.
        .macro  three_words k
        load_second r8, r9, \k + 1
        load_second r10, r11, \k - 1
        three_products 0, r11, r8, r9
        three_products 1, r10, r11, r8
        load_second r8, r9, \k - 3
        three_products 2, r9, r10, r11
        three_products 3, r8, r9, r10
        load_second r10, r11, \k - 5
        three_products 4, r11, r8, r9
        three_products 5, r10, r11, r8
        load_second r8, r9, \k - 7
        three_products 6, r9, r10, r11
        three_products 7, r8, r9, r10
        ldr     r11, [sp, #second_b + 4 * (\k - 8)]
        three_products 8, r11, r8, r9
        vmov    r6, r7, s4, s5
        reduce  r0, r1
        reduce  r2, r3
        reduce  r4, r5
        str     r0, [r7], #4
        str     r2, [r7], #4
        str     r4, [r7], #4
        vmov    s5, r7
        .endm

// Word \j of a and, of those before it, the upper half of \before.
        .macro  store_pair j, before, word
        pkhbt   r2, \word, \before
        strd    r2, \word, [sp, #pairs + 8 * (\j)]
        .endm

// void girih_cortex_m_multiply_rows(uint32_t* a, const uint32_t* b, const uint32_t* turns,
//                                   const uint32_t* end, uint32_t inverse)
//
// Rows of nine words modulo x^18 - y, in place of a; turns are y's factors, up to the end. The
// inverse is that of q modulo 2^32.
        .section .text.girih_cortex_m_multiply_rows, "ax", %progbits
        .global girih_cortex_m_multiply_rows
        .type   girih_cortex_m_multiply_rows, %function
        .balign 4
girih_cortex_m_multiply_rows:
        push    {r4-r11, lr}
        ldr     r4, [sp, #36]
        sub     sp, sp, #frame
        vmov    s2, s3, r1, r2
        vmov    s4, s5, r4, r0
        vmov    s6, r3
        movw    r12, #4591
        mov     lr, #1 << 15
1:      vmov    r1, r2, s2, s3
        ldm     r1!, {r3-r11}
        ldr     r0, [r2], #4
        vmov    s2, s3, r1, r2
        add     r2, sp, #second_b
        stm     r2, {r3-r11}
        .irp    word, r4, r5, r6, r7, r8, r9, r10, r11
        times   \word, r0, r2
        .endr
        add     r2, sp, #second + 4
        stm     r2, {r4-r11}
        vmov    r1, s5
        ldm     r1, {r3-r11}
        smulwt  r1, r0, r11             // a_(-1), in the upper half
        smlabb  r1, r1, r12, lr
        store_pair 0, r1, r3
        store_pair 1, r3, r4
        store_pair 2, r4, r5
        store_pair 3, r5, r6
        store_pair 4, r6, r7
        store_pair 5, r7, r8
        store_pair 6, r8, r9
        store_pair 7, r9, r10
        store_pair 8, r10, r11
        three_words 0
        three_words 3
        three_words 6
        vmov    r0, s3
        vmov    r1, s6
        cmp     r0, r1
        bne     1b
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        .size   girih_cortex_m_multiply_rows, . - girih_cortex_m_multiply_rows
