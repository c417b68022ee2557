// ML-DSA's number-theoretic transform (FIPS 204, Algorithm 41) and its inverse (Algorithm 42) for
// ARMv7E-M with a floating-point unit, in place, on 256 signed words.
//
//     void girih_cortex_m_ml_dsa_ntt(int32_t* w, const int32_t* zetas);
//     void girih_cortex_m_ml_dsa_inverse_ntt(int32_t* w, const int32_t* zetas);
//
// They are ntt and inverse_ntt of ml_dsa/small/parts.hpp in assembly, with the same bounds: the
// first adds q to magnitudes in each of its eight layers; the second takes and returns magnitudes
// of at most q, and multiplies by R / 256, for R = 2^32.
//
// zetas are in Montgomery form, in the order of use (ordered_zetas there): two for the end of the
// inverse; seven for the first three layers; three for each of the 8 blocks of the next two layers;
// seven for each of the 32 blocks of the last three. The inverse reads them backwards: in a layer
// of N blocks, 1 / zeta of block i is minus zeta of block N - 1 - i.
//
// A value is loaded and stored three times, for three, two and three layers. Eight values are in r4
// to r11; anything else is kept in registers of the floating-point unit.
//
// Constant time.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_DSP_AND_FLOATS)

modulus .req    r2              // q
inverse .req    r3              // -1 / q modulo R
low     .req    r12             // of a product
zeta    .req    lr

// \b = \b zeta / R modulo q, below q in magnitude, for |b zeta| < 2^31 q: the low half of b zeta +
// m q is 0 for m = b zeta (-1 / q) modulo R, and the high half is the result. (FIPS 204, Algorithm
// 49)
        .macro  multiply b, m
        smull   low, \b, \b, zeta
        mul     \m, low, inverse
        smlal   low, \b, \m, modulus
        .endm

// (a, b) becomes (a + zeta b, a - zeta b).
        .macro  part a, b, m
        multiply \b, \m
        add     \a, \a, \b
        sub     \b, \a, \b, lsl #1
        .endm

// (a, b) becomes (a + b, (b - a) zeta).
        .macro  join a, b, m
        add     \a, \a, \b
        rsb     \b, \a, \b, lsl #1
        multiply \b, \m
        .endm

// Eight values, \apart bytes apart.
        .macro  load_eight apart
        ldr     r4, [r0]
        ldr     r5, [r0, #\apart]
        ldr     r6, [r0, #2*\apart]
        ldr     r7, [r0, #3*\apart]
        ldr     r8, [r0, #4*\apart]
        ldr     r9, [r0, #5*\apart]
        ldr     r10, [r0, #6*\apart]
        ldr     r11, [r0, #7*\apart]
        .endm
        .macro  store_eight apart
        str     r5, [r0, #\apart]
        str     r6, [r0, #2*\apart]
        str     r7, [r0, #3*\apart]
        str     r8, [r0, #4*\apart]
        str     r9, [r0, #5*\apart]
        str     r10, [r0, #6*\apart]
        str     r11, [r0, #7*\apart]
        str     r4, [r0], #4
        .endm

// Two adjacent values in each of four blocks of 8.
        .macro  load_pairs
        ldrd    r4, r5, [r0]
        ldrd    r6, r7, [r0, #32]
        ldrd    r8, r9, [r0, #64]
        ldrd    r10, r11, [r0, #96]
        .endm
        .macro  store_pairs
        strd    r6, r7, [r0, #32]
        strd    r8, r9, [r0, #64]
        strd    r10, r11, [r0, #96]
        strd    r4, r5, [r0], #8
        .endm

// Branches to \label until r0 reaches the address in \end.
        .macro  until end, label
        vmov    low, \end
        cmp     r0, low
        bne     \label
        .endm

        .macro  begin
        push    {r4-r11, lr}
        movw    modulus, #0xE001                // 8380417
        movt    modulus, #0x007F
        movw    inverse, #0xDFFF                // -1 / q: q times it is 2^32 k - 1
        movt    inverse, #0xFC7F
        .endm

        function ml_dsa_ntt
        begin
        add     r1, r1, #8
        vldmia  r1!, {s1-s7}
        vmov    s8, r1
        // 128, 64 and 32 apart.
        add     r1, r0, #128
        vmov    s0, r1
forward_first:
        load_eight 128
        vmov    zeta, s1
        part    r4, r8, r1
        part    r5, r9, r1
        part    r6, r10, r1
        part    r7, r11, r1
        vmov    zeta, s2
        part    r4, r6, r1
        part    r5, r7, r1
        vmov    zeta, s3
        part    r8, r10, r1
        part    r9, r11, r1
        vmov    zeta, s4
        part    r4, r5, r1
        vmov    zeta, s5
        part    r6, r7, r1
        vmov    zeta, s6
        part    r8, r9, r1
        vmov    zeta, s7
        part    r10, r11, r1
        store_eight 128
        until   s0, forward_first

        // 16 and 8 apart: blocks of 32, two adjacent values at a time.
        sub     r0, r0, #128
        add     r1, r0, #1024
        vmov    s4, r1
forward_block:
        vmov    r1, s8
        vldmia  r1!, {s1-s3}
        vmov    s8, r1
        add     r1, r0, #32
        vmov    s0, r1
forward_middle:
        load_pairs
        vmov    zeta, s1
        part    r4, r8, r1
        part    r5, r9, r1
        part    r6, r10, r1
        part    r7, r11, r1
        vmov    zeta, s2
        part    r4, r6, r1
        part    r5, r7, r1
        vmov    zeta, s3
        part    r8, r10, r1
        part    r9, r11, r1
        store_pairs
        until   s0, forward_middle
        add     r0, r0, #96
        until   s4, forward_block

        // 4, 2 and 1 apart: blocks of 8.
        sub     r0, r0, #1024
        vmov    r1, s8
forward_last:
        ldm     r0, {r4-r11}
        vmov    s0, r0
        ldr     zeta, [r1], #4
        part    r4, r8, r0
        part    r5, r9, r0
        part    r6, r10, r0
        part    r7, r11, r0
        ldr     zeta, [r1], #4
        part    r4, r6, r0
        part    r5, r7, r0
        ldr     zeta, [r1], #4
        part    r8, r10, r0
        part    r9, r11, r0
        ldr     zeta, [r1], #4
        part    r4, r5, r0
        ldr     zeta, [r1], #4
        part    r6, r7, r0
        ldr     zeta, [r1], #4
        part    r8, r9, r0
        ldr     zeta, [r1], #4
        part    r10, r11, r0
        vmov    r0, s0
        stm     r0!, {r4-r11}
        until   s4, forward_last
        pop     {r4-r11, pc}
        end_function ml_dsa_ntt

        function ml_dsa_inverse_ntt
        begin
        add     r4, r0, #1024
        vmov    s4, r4
        add     r1, r1, #4 * 257                // after the last
        // 1, 2 and 4 apart.
inverse_last:
        ldm     r0, {r4-r11}
        vmov    s0, r0
        ldr     zeta, [r1, #-4]!
        join    r4, r5, r0
        ldr     zeta, [r1, #-4]!
        join    r6, r7, r0
        ldr     zeta, [r1, #-4]!
        join    r8, r9, r0
        ldr     zeta, [r1, #-4]!
        join    r10, r11, r0
        ldr     zeta, [r1, #-4]!
        join    r4, r6, r0
        join    r5, r7, r0
        ldr     zeta, [r1, #-4]!
        join    r8, r10, r0
        join    r9, r11, r0
        ldr     zeta, [r1, #-4]!
        join    r4, r8, r0
        join    r5, r9, r0
        join    r6, r10, r0
        join    r7, r11, r0
        vmov    r0, s0
        stm     r0!, {r4-r11}
        until   s4, inverse_last

        // 8 and 16 apart.
        sub     r0, r0, #1024
        vmov    s8, r1
inverse_block:
        vmov    r1, s8
        vldmdb  r1!, {s1-s3}
        vmov    s8, r1
        add     r1, r0, #32
        vmov    s0, r1
inverse_middle:
        load_pairs
        vmov    zeta, s3
        join    r4, r6, r1
        join    r5, r7, r1
        vmov    zeta, s2
        join    r8, r10, r1
        join    r9, r11, r1
        vmov    zeta, s1
        join    r4, r8, r1
        join    r5, r9, r1
        join    r6, r10, r1
        join    r7, r11, r1
        store_pairs
        until   s0, inverse_middle
        add     r0, r0, #96
        until   s4, inverse_block

        // 32, 64 and 128 apart. The last layer's zeta includes the factor R / 256; sums are
        // multiplied by that factor alone.
        sub     r0, r0, #1024
        vmov    r1, s8
        vldmdb  r1!, {s1-s7}
        vldmdb  r1!, {s8-s9}
        add     r1, r0, #128
        vmov    s0, r1
inverse_first:
        load_eight 128
        vmov    zeta, s7
        join    r4, r5, r1
        vmov    zeta, s6
        join    r6, r7, r1
        vmov    zeta, s5
        join    r8, r9, r1
        vmov    zeta, s4
        join    r10, r11, r1
        vmov    zeta, s3
        join    r4, r6, r1
        join    r5, r7, r1
        vmov    zeta, s2
        join    r8, r10, r1
        join    r9, r11, r1
        vmov    zeta, s9
        join    r4, r8, r1
        join    r5, r9, r1
        join    r6, r10, r1
        join    r7, r11, r1
        vmov    zeta, s8
        multiply r4, r1
        multiply r5, r1
        multiply r6, r1
        multiply r7, r1
        store_eight 128
        until   s0, inverse_first
        pop     {r4-r11, pc}
        end_function ml_dsa_inverse_ntt
#endif  // GIRIH_ARM_DSP_AND_FLOATS
