// Conversions between the numbers of fpr.S and integers, and Falcon's base sampler. The calling
// convention is that of fpr.S. Constant time, as there.

#include "isa/cortex_m/assembly/fpr_macros.inc"

#if defined(GIRIH_ARM_DSP)

// ---- Integers

// The number for a 32-bit integer in r0.
        function of_word
        and     r3, r0, #0x80000000
        eor     r0, r0, r0, asr #31
        add     r0, r0, r3, lsr #31
        clz     r2, r0
        lsl     r0, r0, r2
        rsb     r2, r2, #1040           // 1023 + 31 - 1, less the shift
        add     r2, r2, #13
        and     r2, r2, r0, asr #31
        lsr     r1, r0, #11
        lsl     r0, r0, #21
        add     r1, r1, r2, lsl #20
        orr     r1, r1, r3
        bx      lr
        end_function of_word

// The number for a 64-bit integer, rounded if that has more than 53 bits.
        function of_integer
        and     r9, r1, #0x80000000
        eor     r0, r0, r1, asr #31
        eor     r2, r1, r1, asr #31
        adds    r0, r0, r9, lsr #31
        adc     r2, r2, #0
        movw    r3, #1085               // 1023 + 63 - 1
        normalize r2, r0, r3, r1, r4
        pack    r1, r2, r0, r3, r4
        orr     r1, r1, r9
        bx      lr
        end_function of_integer

// The significand of r1:r0, with its highest bit at bit 62, and in r2 the right shift, 0 to 63,
// that leaves its integer part; also for 0.
        .macro  align_integer
        ubfx    r2, r1, #20, #11
        movw    r3, #1085
        sub     r2, r3, r2
        usat    r2, #6, r2
        lsl     r1, r1, #10
        orr     r1, r1, r0, lsr #22
        orr     r1, r1, #0xC0000000
        eor     r1, r1, #0x80000000
        lsl     r0, r0, #10
        .endm
        .macro  shift_right h, l, shift, t
        rsb     \t, \shift, #32
        lsr     \l, \l, \shift
        lsl     \t, \h, \t
        orr     \l, \l, \t
        sub     \t, \shift, #32
        lsr     \t, \h, \t
        orr     \l, \l, \t
        lsr     \h, \h, \shift
        .endm

// a rounded towards 0; |a| < 2^63.
        function truncate
        asr     r4, r1, #31
        align_integer
        shift_right r1, r0, r2, r3
        eor     r0, r0, r4
        eor     r1, r1, r4
        subs    r0, r0, r4
        sbc     r1, r1, r4
        bx      lr
        end_function truncate

// a rounded towards minus infinity; |a| < 2^63. For a negative number, the bitwise inverse of |a| -
// tiny, rounded down.
        function floor
        ubfx    r4, r1, #20, #11
        usat    r4, #1, r4
        rsb     r4, r4, #0
        and     r4, r4, r1, asr #31     // all ones for a negative number, not for -0
        align_integer
        adds    r0, r0, r4
        adc     r1, r1, r4
        shift_right r1, r0, r2, r3
        eor     r0, r0, r4
        eor     r1, r1, r4
        bx      lr
        end_function floor

// ---- Falcon's base sampler

// Counts the numbers above r0, r1, r2 among 18 numbers of 72 bits at r3, three words each, lowest
// first.
        function count_above
        mov     r12, #0
        .rept   18
        ldm     r3!, {r4-r6}
        subs    r4, r0, r4
        sbcs    r4, r1, r5
        sbcs    r4, r2, r6
        sbc     r12, r12, #0            // one less if the difference is below 0
        .endr
        rsb     r0, r12, #0
        bx      lr
        end_function count_above
#endif  // GIRIH_ARM_DSP
