// Products of values modulo each x^4 - c for ARMv7E-M. What is computed is written in C++ in
// ntru_prime/arithmetic/word_product.hpp; this is for its speed.
//
// Constant time.

        .syntax unified
        .cpu    cortex-m7
        .fpu    fpv5-d16
        .thumb

// Of r10 and r11, a sum of products: its 2^32th, modulo the prime, in r11.
        .macro  reduce
        mul     r1, r10, lr
        smlal   r10, r11, r1, r12
        .endm

// The sum is multiplied by c, which is in \c, and what follows is added to that.
        .macro  times_c c
        reduce
        vmov    r1, \c
        smull   r10, r11, r11, r1
        .endm

// a0 to a3 at r0, in r2 to r5, by b0 to b3 at r1, in r6 to r9; then both pointers go on. x^4 is in
// \c, the prime in r12, and -1 / prime modulo 2^32 in lr.
        .macro  multiply_block c
        ldm     r1!, {r6-r9}
        ldm     r0, {r2-r5}
        vmov    s3, r1
        smull   r10, r11, r5, r9        // x^6
        times_c \c
        smlal   r10, r11, r2, r8        // x^2
        smlal   r10, r11, r3, r7
        smlal   r10, r11, r4, r6
        reduce
        str     r11, [r0, #8]
        smull   r10, r11, r4, r9        // x^5
        smlal   r10, r11, r5, r8
        times_c \c
        smlal   r10, r11, r2, r7        // x
        smlal   r10, r11, r3, r6
        reduce
        str     r11, [r0, #4]
        smull   r10, r11, r2, r9        // x^3
        smlal   r10, r11, r3, r8
        smlal   r10, r11, r4, r7
        smlal   r10, r11, r5, r6
        reduce
        str     r11, [r0, #12]
        smull   r10, r11, r3, r9        // x^4
        smlal   r10, r11, r4, r8
        smlal   r10, r11, r5, r7
        times_c \c
        smlal   r10, r11, r2, r6        // 1
        reduce
        str     r11, [r0], #16
        vmov    r1, s3
        .endm

// void girih_cortex_m_multiply_blocks(int32_t* a, const int32_t* b, const int32_t* c,
//                                     const int32_t* end, int32_t prime, uint32_t inverse)
//
// Two blocks of four values for each c, modulo x^4 - c and x^4 + c.
        .section .text.girih_cortex_m_multiply_blocks, "ax", %progbits
        .global girih_cortex_m_multiply_blocks
        .type   girih_cortex_m_multiply_blocks, %function
        .balign 4
girih_cortex_m_multiply_blocks:
        push    {r2-r11, lr}
        ldrd    r12, lr, [sp, #44]
1:      ldr     r3, [sp]
        ldr     r2, [r3], #4
        str     r3, [sp]
        rsb     r3, r2, #0
        vmov    s0, s1, r2, r3
        multiply_block s0
        multiply_block s1
        ldrd    r2, r3, [sp]
        cmp     r2, r3
        bne     1b
        pop     {r2-r11, pc}
        .size   girih_cortex_m_multiply_blocks, . - girih_cortex_m_multiply_blocks
