// Three layers of a transform for ARMv7E-M. What is computed is written in C++ in three_layers.hpp;
// this is for its speed: eight values stay in registers, and their twiddles in those of the
// floating-point unit.
//
// Constant time.

        .syntax unified
        .cpu    cortex-m7
        .fpu    fpv5-d16
        .thumb

// (a, b) becomes (a + w b, a - w b), in the order (b, a). w is in r10, its share in r11, the prime
// in r12.
        .macro  part_two a, b
        smmulr  lr, \b, r11
        mla     \b, \b, r10, \a
        mls     \b, lr, r12, \b
        rsb     \a, \b, \a, lsl #1
        .endm

// (a, b) becomes (a + b, w (a - b)).
        .macro  join_two a, b
        sub     lr, \a, \b
        add     \a, \a, \b
        smmulr  \b, lr, r11
        mul     lr, lr, r10
        mls     \b, \b, r12, lr
        .endm

// The next part's twiddles, and where its first eighth ends.
        .macro  begin_part size
        ldr     lr, [sp]
        add     r1, r0, #4 * \size
        vldm    lr!, {s0-s13}
        str     lr, [sp]
        .endm

        .macro  load_eight size
        ldr     r2, [r0]
        ldr     r3, [r0, #4 * \size]
        ldr     r4, [r0, #8 * \size]
        ldr     r5, [r0, #12 * \size]
        ldr     r6, [r0, #16 * \size]
        ldr     r7, [r0, #20 * \size]
        ldr     r8, [r0, #24 * \size]
        ldr     r9, [r0, #28 * \size]
        .endm

        .macro  store_eight size, a, b, c, d, e, f, g, h
        str     \b, [r0, #4 * \size]
        str     \c, [r0, #8 * \size]
        str     \d, [r0, #12 * \size]
        str     \e, [r0, #16 * \size]
        str     \f, [r0, #20 * \size]
        str     \g, [r0, #24 * \size]
        str     \h, [r0, #28 * \size]
        str     \a, [r0], #4
        .endm

// Both functions: over all parts (1:), and in each over its first eighth (2:).
        .macro  begin_thrice name, size
        .section .text.girih_cortex_m_\name, "ax", %progbits
        .global girih_cortex_m_\name
        .type   girih_cortex_m_\name, %function
        .balign 4
girih_cortex_m_\name:
        push    {r1, r2, r4-r11, lr}
        mov     r12, r3
1:      begin_part \size
        .endm
        .macro  end_thrice name, size
        cmp     r0, r1
        bne     2b
        ldrd    r2, r3, [sp]
        add     r0, r0, #28 * \size
        cmp     r2, r3
        bne     1b
        pop     {r1, r2, r4-r11, pc}
        .size   girih_cortex_m_\name, . - girih_cortex_m_\name
        .endm

// void girih_cortex_m_part_thrice_...(int32_t* values, const SevenTwiddles* twiddles,
//                                     const SevenTwiddles* end, int32_t prime)
        .macro  part_thrice size
        begin_thrice part_thrice_\size, \size
2:      load_eight \size
        vmov    r10, r11, s0, s1
        part_two r2, r6
        part_two r3, r7
        part_two r4, r8
        part_two r5, r9
        vmov    r10, r11, s2, s3        // in order: r6, r7, r8, r9, r2, r3, r4, r5
        part_two r6, r8
        part_two r7, r9
        vmov    r10, r11, s4, s5
        part_two r2, r4
        part_two r3, r5
        vmov    r10, r11, s6, s7        // in order: r8, r9, r6, r7, r4, r5, r2, r3
        part_two r8, r9
        vmov    r10, r11, s8, s9
        part_two r6, r7
        vmov    r10, r11, s10, s11
        part_two r4, r5
        vmov    r10, r11, s12, s13
        part_two r2, r3
        store_eight \size, r9, r8, r7, r6, r5, r4, r3, r2
        end_thrice part_thrice_\size, \size
        .endm

// void girih_cortex_m_join_thrice_...(int32_t* values, const SevenTwiddles* twiddles,
//                                     const SevenTwiddles* end, int32_t prime)
        .macro  join_thrice size
        begin_thrice join_thrice_\size, \size
2:      load_eight \size
        vmov    r10, r11, s6, s7
        join_two r2, r3
        vmov    r10, r11, s8, s9
        join_two r4, r5
        vmov    r10, r11, s10, s11
        join_two r6, r7
        vmov    r10, r11, s12, s13
        join_two r8, r9
        vmov    r10, r11, s2, s3
        join_two r2, r4
        join_two r3, r5
        vmov    r10, r11, s4, s5
        join_two r6, r8
        join_two r7, r9
        vmov    r10, r11, s0, s1
        join_two r2, r6
        join_two r3, r7
        join_two r4, r8
        join_two r5, r9
        store_eight \size, r2, r3, r4, r5, r6, r7, r8, r9
        end_thrice join_thrice_\size, \size
        .endm

        part_thrice 32
        part_thrice 4
        join_thrice 32
        join_thrice 4
