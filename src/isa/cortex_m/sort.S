// The comparisons of a sorting network for ARMv7-M, four at a time. What is computed is written in
// C++ in ntru_prime/sampling/sort.hpp; this is for its speed.
//
// Constant time in the words: loops go as far as they are told, which is public.

        .syntax unified
        .cpu    cortex-m7
        .thumb

// The lesser in a, the greater in b.
        .macro  exchange a, b
        subs    r3, \b, \a
        sbc     lr, lr, lr
        and     r3, r3, lr
        add     \a, \a, r3
        sub     \b, \b, r3
        .endm

// Four words of those from \at on: \a to \d. Number four is number 3, 5 or 6.
        .macro  four what, last, at, a, b, c, d
        .if \last == 3
        \what\()m \at, {\a, \b, \c, \d}
        .elseif \last == 5
        \what\()rd \a, \b, [\at]
        \what\()rd \c, \d, [\at, #16]
        .else
        \what\()r \a, [\at]
        \what\()r \b, [\at, #8]
        \what\()r \c, [\at, #16]
        \what\()r \d, [\at, #24]
        .endif
        .endm

// void girih_cortex_m_compare_fours_...(uint32_t* own, uint32_t* words, size_t distance,
//                                       size_t end, size_t count, size_t stride)
//
// Each of four own words with those that stand `distance`, a half of that, a quarter, ... behind as
// many `words`: down to what is twice `end`. Then the same of the words a stride further, `count`
// times in all. Distances and strides are in bytes. The four are number 0, 1, 2 and 3; 0, 1, 4 and
// 5; or 0, 2, 4 and 6.
        .macro  compare_fours last
        .section .text.girih_cortex_m_compare_fours_\last, "ax", %progbits
        .global girih_cortex_m_compare_fours_\last
        .type   girih_cortex_m_compare_fours_\last, %function
        .balign 4
girih_cortex_m_compare_fours_\last:
        push    {r2-r11, lr}
1:      four    ld, \last, r0, r4, r5, r6, r7
2:      add     r12, r1, r2
        lsr     r2, r2, #1
        four    ld, \last, r12, r8, r9, r10, r11
        exchange r4, r8
        exchange r5, r9
        exchange r6, r10
        exchange r7, r11
        four    st, \last, r12, r8, r9, r10, r11
        ldr     r3, [sp, #4]
        cmp     r2, r3
        bne     2b
        four    st, \last, r0, r4, r5, r6, r7
        ldrd    r8, r9, [sp, #44]       // count, stride
        ldr     r2, [sp]
        add     r0, r0, r9
        add     r1, r1, r9
        subs    r8, r8, #1
        str     r8, [sp, #44]
        bne     1b
        pop     {r2-r11, pc}
        .size   girih_cortex_m_compare_fours_\last, . - girih_cortex_m_compare_fours_\last
        .endm

        compare_fours 3
        compare_fours 5
        compare_fours 6
