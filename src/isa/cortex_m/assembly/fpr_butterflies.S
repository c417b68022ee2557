// Butterflies of Falcon's transforms, by the sums and products of fpr.S. Constant time, as those
// are. These functions have C's calling convention.

#include "isa/cortex_m/assembly/fpr_macros.inc"

#if defined(GIRIH_ARM_DSP)

// ---- Butterflies, for C: on six numbers of 64 bits, a (real, imaginary), b, and zeta.

        .equ    a, 0
        .equ    b, 16
        .equ    zeta, 32
        .equ    frame, 20               // room for two numbers, and with nine registers a multiple of 8

        .macro  enter name
        function \name
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        mov     r11, r0
        .endm
        .macro  leave name
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        end_function \name
        .endm
        .macro  multiply_at x, y
        ldrd    r0, r1, [r11, #\x]
        ldrd    r2, r3, [r11, #\y]
        bl      girih_cortex_m_multiply
        .endm

// (a, b) to (a + b zeta, a - b zeta).
        enter   butterfly
        multiply_at b, zeta
        strd    r0, r1, [sp]
        multiply_at b + 8, zeta + 8
        ldrd    r2, r3, [sp]
        eor     r1, r1, #0x80000000
        bl      girih_cortex_m_add
        strd    r0, r1, [sp]            // the real part of b zeta
        multiply_at b, zeta + 8
        strd    r0, r1, [sp, #8]
        multiply_at b + 8, zeta
        ldrd    r2, r3, [sp, #8]
        bl      girih_cortex_m_add
        mov     r2, r0
        mov     r3, r1
        ldrd    r0, r1, [r11, #a + 8]
        bl      girih_cortex_m_add_and_subtract
        strd    r0, r1, [r11, #a + 8]
        strd    r2, r3, [r11, #b + 8]
        ldrd    r0, r1, [r11, #a]
        ldrd    r2, r3, [sp]
        bl      girih_cortex_m_add_and_subtract
        strd    r0, r1, [r11, #a]
        strd    r2, r3, [r11, #b]
        leave   butterfly

// b to b times the conjugate of zeta.
        .macro  multiply_by_conjugate
        multiply_at b, zeta
        strd    r0, r1, [sp]
        multiply_at b + 8, zeta + 8
        ldrd    r2, r3, [sp]
        bl      girih_cortex_m_add
        strd    r0, r1, [sp]
        multiply_at b, zeta + 8
        eor     r1, r1, #0x80000000
        strd    r0, r1, [sp, #8]
        multiply_at b + 8, zeta
        ldrd    r2, r3, [sp, #8]
        bl      girih_cortex_m_add
        strd    r0, r1, [r11, #b + 8]
        ldrd    r0, r1, [sp]
        strd    r0, r1, [r11, #b]
        .endm

// (a, b) to (a + b, (a - b) times the conjugate of zeta).
        enter   inverse_butterfly
        ldrd    r0, r1, [r11, #a]
        ldrd    r2, r3, [r11, #b]
        bl      girih_cortex_m_add_and_subtract
        strd    r0, r1, [r11, #a]
        strd    r2, r3, [r11, #b]
        ldrd    r0, r1, [r11, #a + 8]
        ldrd    r2, r3, [r11, #b + 8]
        bl      girih_cortex_m_add_and_subtract
        strd    r0, r1, [r11, #a + 8]
        strd    r2, r3, [r11, #b + 8]
        multiply_by_conjugate
        leave   inverse_butterfly
#endif  // GIRIH_ARM_DSP
