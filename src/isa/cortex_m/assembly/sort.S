// The comparisons of a sorting network for ARMv7E-M, four at a time: ntru_prime/sampling/sort.hpp
// in assembly, for speed.
//
// An element is the double 1 + 2^-52 word. All have the same sign and exponent, so they are ordered
// as the words are, and minimum and maximum are one instruction each.
//
// Constant time in the words: loop bounds are public arguments, and no number is subnormal,
// infinite or NaN.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_DOUBLES)

// Loads or stores four elements from \at on: \a to \d. \last is the number of the fourth: 3, 5 or
// 6.
        .macro  four what, last, at, a, b, c, d
        .if \last == 3
        v\what\()mia \at, {\a, \b, \c, \d}
        .elseif \last == 5
        v\what\()mia \at, {\a, \b}
        v\what\()r \c, [\at, #32]
        v\what\()r \d, [\at, #40]
        .else
        v\what\()r \a, [\at]
        v\what\()r \b, [\at, #16]
        v\what\()r \c, [\at, #32]
        v\what\()r \d, [\at, #48]
        .endif
        .endm

// The lesser in \to, the greater in \other.
        .macro  exchange own, to, other
        vminnm.f64 \to, \own, \other
        vmaxnm.f64 \other, \own, \other
        .endm

// Compares four own elements with those at the next distance, r6 after r1.
        .macro  exchange_fours last, a, b, c, d, to_a, to_b, to_c, to_d
        add     r12, r1, r6
        lsr     r6, r6, #1
        four    ld, \last, r12, d4, d5, d6, d7
        exchange \a, \to_a, d4
        exchange \b, \to_b, d5
        exchange \c, \to_c, d6
        exchange \d, \to_d, d7
        four    st, \last, r12, d4, d5, d6, d7
        cmp     r6, r3
        .endm

// void girih_cortex_m_compare_fours_...(void* own, void* elements, size_t distance,
//                                       size_t end, size_t count, size_t stride)
//
// Compares four own elements with those at `distance`, half of it, a quarter, ... after four
// others, down to twice `end`. Then moves a stride further, `count` times in all. Distances and
// strides are in bytes. The four are numbers 0, 1, 2 and 3; 0, 1, 4 and 5; or 0, 2, 4 and 6.
        .macro  compare_fours last
        function compare_fours_\last
        push    {r4-r6, lr}
        vpush   {d8-d11}
        ldrd    r4, r5, [sp, #48]       // count, stride
1:      mov     r6, r2
        four    ld, \last, r0, d0, d1, d2, d3
2:      exchange_fours \last, d0, d1, d2, d3, d8, d9, d10, d11
        beq     3f
        exchange_fours \last, d8, d9, d10, d11, d0, d1, d2, d3
        bne     2b
        four    st, \last, r0, d0, d1, d2, d3
        b       4f
3:      four    st, \last, r0, d8, d9, d10, d11
4:      add     r0, r0, r5
        add     r1, r1, r5
        subs    r4, r4, #1
        bne     1b
        vpop    {d8-d11}
        pop     {r4-r6, pc}
        end_function compare_fours_\last
        .endm

        compare_fours 3
        compare_fours 5
        compare_fours 6
#endif  // GIRIH_ARM_DOUBLES
