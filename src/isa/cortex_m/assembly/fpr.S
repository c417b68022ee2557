// IEEE 754's binary64 in integers for ARMv7E-M, rounded to nearest, ties to even: the operations of
// emulated_fpr.hpp, bit for bit.
//
// Numbers and results are 0, -0 or from 2^-400 to 2^400 in magnitude; integers have up to 53 bits.
// Falcon's numbers are far from these bounds: it starts from integers below 2^15 and roots of unity
// above 2^-10, and computes, between ten layers of sums, a square of a product, a quotient and a
// root. A sum that cancels is 0 or at least 2^-53 of its operands, and would have to cancel to the
// last bit seven times more. (A malformed key or a division by 0 may exceed the bounds. Any bits
// will do then: the key is refused, and the time of an operation does not depend on its operands.)
//
// Constant time: no branch, conditional instruction or load address depends on a number; shifts by
// registers, clz, sel and products take the same time for all operands. Every build of the images
// checks that these files have no branch (tools/branch_check).
//
// These functions have their own calling convention; fpr_calls.hpp and fpr_butterflies.S call them.
// A number is in r0 (low) and r1 (high), a second one in r2 and r3, the result in r0 and r1. They
// change r0 to r10, r12 and the flags, and use no stack.

#include "isa/cortex_m/assembly/fpr_macros.inc"

#if defined(GIRIH_ARM_DSP)

// ---- Sums

// Orders a (\ah:\al) and b (\bh:\bl): x, of larger magnitude, goes to r5:r4, and y to r7:r6. If
// magnitudes are equal, x is the positive one, so that a sum of 0 is positive. r8 is 0 if x is b,
// else -1.
        .macro  order ah, al, bh, bl
        lsl     r5, \bh, #1
        lsls    r4, \ah, #1             // C: a is negative
        sbcs    r6, \bl, \al            // |b| - |a| - 1, or 0 less if a is negative
        sbcs    r6, r5, r4              // C: not below 0, so x is b
        sbc     r8, r8, r8
        uadd8   r6, r8, r8              // GE: x is a
        sel     r4, \al, \bl
        sel     r5, \ah, \bh
        sel     r6, \bl, \al
        sel     r7, \bh, \ah
        .endm

// Puts the significand of x into r5:r4, with its highest bit at bit 62, and that of y into
// \high:\low, shifted right by r1, the difference of their exponents (0 to 63), with a sticky
// lowest bit. r12 is 0 if both are 0, and then so are both significands; else 1. (If y alone is 0,
// it counts as 2^-1023 and leaves a sticky bit, which rounding drops.) C is kept; r1, r6, r7 and
// r12 change.
        .macro  align high, low
        lsl     r5, r5, #10
        orr     r5, r5, r4, lsr #22
        bfi     r5, r12, #30, #2
        lsl     r4, r4, #10
        lsl     r7, r7, #11             // 2 y, which is halved at least once
        orr     r7, r7, r6, lsr #21
        bfi     r7, r12, #31, #1
        lsl     r6, r6, #11
        // y 2^(31 - shift modulo 32) in three words; the lowest becomes the sticky bit.
        mov     r12, #0x80000000
        ror     r12, r12, r1
        sbfx    r1, r1, #5, #1          // all ones for a word more
        uadd8   \low, r1, r1
        umull   r6, \low, r6, r12
        mov     \high, #0
        umlal   \low, \high, r7, r12
        and     r7, \low, r1
        orr     r6, r6, r7
        sel     \low, \high, \low
        bic     \high, \high, r1
        rsb     r7, r6, #0
        orr     r7, r7, r6
        orr     \low, \low, r7, lsr #31
        .endm

// a + b
        function add
        order   r1, r0, r3, r2
        ubfx    r3, r5, #20, #11
        ubfx    r1, r7, #20, #11
        sub     r1, r3, r1
        usat    r1, #6, r1
        usat    r12, #1, r3
        and     r9, r5, #0x80000000
        eor     r8, r5, r7
        asrs    r8, r8, #32             // all ones, and C, if signs differ
        align   r2, r0
        eor     r0, r0, r8
        eor     r2, r2, r8
        adcs    r0, r0, r4
        adc     r2, r2, r5
        normalize r2, r0, r3, r1, r4
        pack    r1, r2, r0, r3, r4
        orr     r1, r1, r9
        bx      lr
        end_function add

// a + b in r0 and r1, a - b in r2 and r3; changes r10 as well. One of them is the sum of
// magnitudes, which is normalized by at most one bit, and the other their difference.
        function add_and_subtract
        order   r1, r0, r3, r2
        ubfx    r0, r5, #20, #11
        ubfx    r1, r7, #20, #11
        sub     r1, r0, r1
        usat    r1, #6, r1
        usat    r12, #1, r0
        and     r3, r5, #0x80000000     // the sign of a + b
        eor     r8, r8, r5              // its highest bit: that of a - b, inverted
        eor     r9, r5, r7              // its highest bit: signs differ
        sub     r0, r0, r12
        align   r10, r2
        subs    r6, r4, r2
        sbc     r7, r5, r10
        adds    r4, r4, r2
        adc     r5, r5, r10
        // Shifts the sum r5:r4 right by 11 bits or 10, in three words, and rounds by the third, as
        // pack does. 0 has no exponent here.
        lsr     r1, r5, #31
        mov     r2, #0x400000
        lsr     r2, r2, r1
        umull   r4, r12, r4, r2
        mov     r10, #0
        umlal   r12, r10, r5, r2
        add     r1, r1, r0
        lsrs    r5, r12, #1
        sbcs    r4, r4, #0x80000000
        adcs    r4, r12, #0
        adc     r5, r10, r1, lsl #20
        add     r0, r0, #1
        normalize r7, r6, r0, r1, r2
        pack    r7, r7, r6, r0, r1
        // Exchanges the two results if signs differ.
        asr     r9, r9, #31
        uadd8   r9, r9, r9
        sel     r0, r6, r4
        sel     r1, r7, r5
        sel     r2, r4, r6
        sel     r7, r5, r7
        orr     r1, r1, r3
        and     r8, r8, #0x80000000
        eor     r8, r8, #0x80000000
        orr     r3, r7, r8
        bx      lr
        end_function add_and_subtract

// ---- Products

// The significand of \high:\low, 0 of 0; its exponent in \exponent.
        .macro  significand high, exponent, t
        ubfx    \exponent, \high, #20, #11
        usat    \t, #1, \exponent
        bfi     \high, \t, #20, #12
        .endm

// Makes the number r1:r0, without a sign, from the product of two significands in r2 (bits 96 to
// 105), r7, r6 and r5, and the sum of exponent fields in r4. The product is 0, or at least 2^104.
        .macro  pack_product
        subw    r4, r4, #1024           // one less than the field, if below 2^105
        lsr     r0, r2, #9              // 1 from 2^105 on
        add     r4, r4, r0
        mov     r3, #0x1000
        lsr     r3, r3, r0
        mov     r1, #0
        umull   r6, r0, r6, r3          // whose low 11 bits are 0
        usada8  r6, r5, r1, r6          // add four bytes: 0 if all of them are
        umlal   r0, r1, r7, r3
        mla     r1, r2, r3, r1
        sbfx    r2, r1, #20, #1         // 0 of a product that is
        and     r4, r4, r2
        lsrs    r2, r0, #1
        sbcs    r6, r6, #0x80000000
        adcs    r0, r0, #0
        adc     r1, r1, r4, lsl #20
        .endm

// a b
        function multiply
        eor     r12, r1, r3
        significand r1, r4, r6
        significand r3, r5, r6
        add     r4, r4, r5
        and     r12, r12, #0x80000000
        umull   r5, r6, r0, r2
        umull   r2, r7, r1, r2
        umaal   r6, r2, r0, r3
        umaal   r7, r2, r1, r3
        pack_product
        orr     r1, r1, r12
        bx      lr
        end_function multiply

// a^2
        function square
        significand r1, r4, r6
        lsl     r4, r4, #1
        umull   r5, r6, r0, r0
        umull   r2, r7, r0, r1
        umaal   r6, r2, r0, r1
        umaal   r7, r2, r1, r1
        pack_product
        bx      lr
        end_function square

// ---- Quotients and roots

// They are computed in three parts, each from the remainder R that the one before leaves, by a
// reciprocal with 28 correct bits. Parts are rounded down enough to keep R > 0; a comparison gives
// the last bit.

// \rh:\rl -= \q \bh:\bl, modulo 2^64.
        .macro  subtract_multiple rh, rl, q, bh, bl, t, u
        umull   \t, \u, \q, \bl
        mla     \u, \q, \bh, \u
        subs    \rl, \rl, \t
        sbc     \rh, \rh, \u
        .endm

// Sets C if \bh:\bl is at most R (\rh:\rl), and then subtracts it; \rl becomes 0 if nothing is
// left.
        .macro  subtract_last rh, rl, bh, bl, t
        subs    \bl, \rl, \bl
        sbcs    \bh, \rh, \bh
        sbc     \t, \t, \t
        uadd8   \t, \t, \t
        sel     \rl, \rl, \bl
        sel     \rh, \rh, \bh
        orr     \rl, \rl, \rh
        .endm

// a / b. For significands A and B, integers from 2^52 to 2^53, the quotient Q = A 2^54 / B, rounded
// down, is from 2^53 to 2^55. X is 2^83 / B.
        function divide
        eor     r12, r1, r3
        and     r12, r12, #0x80000000
        ubfx    r4, r1, #20, #11
        ubfx    r5, r3, #20, #11
        usat    r6, #1, r4
        rsb     r9, r6, #0              // 0 if a is 0
        mov     r6, #1
        bfi     r1, r6, #20, #12
        bfi     r3, r6, #20, #12
        sub     r4, r4, r5
        addw    r4, r4, #1021           // one less than the field, if Q < 2^54
        // x approximates 1 / d for d = B / 2^53, in units of 2^-30. It starts at 2.90625 - 2 d,
        // with the error e = 1 - d x below 0.094, and twice becomes x (1 + e + e^2), with error
        // e^3. (e is in units of 2^-32.)
        lsl     r5, r3, #11
        orr     r5, r5, r2, lsr #21
        mov     r6, #0xBA000000
        sub     r6, r6, r5, lsr #1
        .rept   2
        umull   r7, r8, r5, r6
        mvn     r8, r8, lsl #2
        smmla   r8, r8, r8, r8
        smmla   r6, r6, r8, r6
        .endr
        // Q1 = A 2^26 / B, less 1 to 2: R < 2.5 B < 2^55
        lsl     r7, r1, #11
        orr     r7, r7, r0, lsr #21
        umull   r8, r5, r7, r6
        lsr     r5, r5, #4
        sub     r5, r5, #1
        lsl     r1, r1, #26
        orr     r1, r1, r0, lsr #6
        lsl     r0, r0, #26
        subtract_multiple r1, r0, r5, r3, r2, r7, r8
        // Q2 = R 2^28 / B, less 3 to 14: R < 2^57
        lsl     r7, r1, #9
        orr     r7, r7, r0, lsr #23
        umull   r8, r7, r7, r6
        sub     r7, r7, #8
        lsl     r1, r1, #28
        orr     r1, r1, r0, lsr #4
        lsl     r0, r0, #28
        subtract_multiple r1, r0, r7, r3, r2, r8, r10
        // Q3 = R / B, less up to 1: R < 2 B
        lsl     r8, r1, #6
        orr     r8, r8, r0, lsr #26
        umull   r10, r8, r8, r6
        sub     r8, r8, #8
        lsr     r8, r8, #25
        subtract_multiple r1, r0, r8, r3, r2, r6, r10
        subtract_last r1, r0, r3, r2, r6
        adc     r7, r7, r8
        // Q in r3:r2, and the remainder in r0.
        lsl     r2, r5, #28
        adds    r2, r2, r7
        lsr     r3, r5, #4
        adc     r3, r3, #0
        // To 53 bits and a word for rounding, as in pack_product.
        lsr     r5, r3, #22
        add     r4, r4, r5
        mov     r6, #0x80000000
        lsr     r6, r6, r5
        mov     r1, #0
        umull   r2, r5, r2, r6
        usada8  r2, r0, r1, r2
        umlal   r5, r1, r3, r6
        lsrs    r6, r5, #1
        sbcs    r2, r2, #0x80000000
        adcs    r0, r5, #0
        adc     r1, r1, r4, lsl #20
        and     r0, r0, r9
        and     r1, r1, r9
        orr     r1, r1, r12
        bx      lr
        end_function divide

// The root of |a|. M is the significand as an integer, doubled if the exponent is odd: from 2^52 to
// 2^54. Q is the root of M 2^56, rounded down, from 2^54 to 2^55. w = M / 2^54, and y approximates
// 1 / sqrt w in units of 2^-30.
        function square_root
        ubfx    r4, r1, #20, #11
        usat    r5, #1, r4
        rsb     r9, r5, #0              // 0 if a is 0
        mov     r5, #1
        bfi     r1, r5, #20, #12
        and     r5, r4, #1
        rsb     r5, r5, #2
        umull   r0, r6, r0, r5
        mla     r1, r1, r5, r6
        addw    r4, r4, #1021
        lsr     r4, r4, #1              // one less than the field
        // y starts at 2.15625 - 1.25 w, with e = 1 - w y^2 below 0.19. Twice it becomes y (1 + e /
        // 2 + 3 e^2 / 8), with error 5 e^3 / 8, and then y (1 + e / 2).
        lsl     r5, r1, #10
        orr     r5, r5, r0, lsr #22
        mov     r6, #0x8A000000
        sub     r6, r6, r5, lsr #2
        sub     r6, r6, r5, lsr #4
        .rept   2
        umull   r7, r8, r6, r6
        umull   r7, r8, r5, r8
        mvn     r8, r8, lsl #4
        smmul   r7, r8, r8
        add     r7, r7, r7, lsl #1
        asr     r8, r8, #1
        add     r8, r8, r7, asr #3
        smmla   r6, r6, r8, r6
        .endr
        umull   r7, r8, r6, r6
        umull   r7, r8, r5, r8
        mvn     r8, r8, lsl #4
        asr     r8, r8, #1
        smmla   r6, r6, r8, r6
        // S1 = 2^28 sqrt w, less 1 to 5: R = 2^56 w - S1^2 < 2^32
        umull   r7, r5, r5, r6
        lsr     r5, r5, #2
        sub     r5, r5, #2
        lsl     r0, r0, #2
        mls     r0, r5, r5, r0
        // S2 = R y / 2, less 1 to 12: R < 2^60 (its low word is 0 before S2 is subtracted)
        umull   r8, r7, r0, r6
        sub     r7, r7, #4
        lsl     r1, r0, #22
        mov     r0, #0
        lsl     r2, r5, #28
        adds    r2, r2, r7
        lsr     r3, r5, #4
        adc     r3, r3, #0
        subtract_multiple r1, r0, r7, r3, r2, r8, r10
        // Q = 2^27 S1 + S2; 2 Q in r3:r2
        adds    r2, r2, r7
        adc     r3, r3, #0
        // S3 = R / 2 Q, less up to 1
        lsl     r8, r1, #4
        orr     r8, r8, r0, lsr #28
        umull   r10, r8, r8, r6
        sub     r8, r8, #16
        lsr     r8, r8, #26
        adds    r2, r2, r8
        adc     r3, r3, #0
        subtract_multiple r1, r0, r8, r3, r2, r6, r10
        adds    r2, r2, r8
        adc     r3, r3, #0
        // The last bit, if 2 Q + 1 is at most R.
        lsr     r5, r2, #1
        orr     r5, r5, r3, lsl #31
        lsr     r6, r3, #1
        add     r2, r2, #1              // 2 Q is even
        subtract_last r1, r0, r3, r2, r7
        adcs    r5, r5, #0
        adc     r6, r6, #0
        // Rounds by the two lowest bits and the remainder.
        mov     r2, #0
        lsls    r3, r5, #30
        usada8  r3, r0, r2, r3
        sbcs    r3, r3, #0x80000000
        lsr     r0, r5, #2
        orr     r0, r0, r6, lsl #30
        lsr     r1, r6, #2
        adcs    r0, r0, #0
        adc     r1, r1, r4, lsl #20
        and     r0, r0, r9
        and     r1, r1, r9
        bx      lr
        end_function square_root
#endif  // GIRIH_ARM_DSP
