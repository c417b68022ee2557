// Division steps (Bernstein and Yang, 2019) for ARMv7E-M. The functions of division_steps.hpp in
// assembly, for speed.
//
// Constant time: loop bounds are public arguments.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_DSP)

        .equ    to_first, 0             // of Rows
        .equ    to_second, 64
        .equ    modulus, 132

// Adds two coefficients of a row to three sums, over a window of four pairs.
        .macro  add_two s0, s1, s2, a, b, c, d
        smlad   \s0, r12, \a, \s0
        smlad   \s1, r12, \b, \s1
        smlad   \s2, r12, \c, \s2
        smlad   \s0, lr, \b, \s0
        smlad   \s1, lr, \c, \s1
        smlad   \s2, lr, \d, \s2
        .endm

// Coefficients \j and \j + 1 of both rows; then the window moves by two.
        .macro  both_rows j, a, b, c, d
        ldrd    r12, lr, [r1, #to_first + 4 * \j]
        add_two r2, r3, r4, \a, \b, \c, \d
        ldrd    r12, lr, [r1, #to_second + 4 * \j]
        add_two r5, r6, r7, \a, \b, \c, \d
        ldrd    \a, \b, [r0, #4 * (\j + 4)]
        .endm

        .macro  reduce sum
        smmulr  r8, \sum, lr
        mls     \sum, r8, r12, \sum
        .endm

// void girih_cortex_m_apply_steps(const Rows* rows, uint32_t* pairs, const uint32_t* end)
//
// r2 to r4 are three sums of the first row, r5 to r7 of the second, r8 to r11 the window.
        function apply_steps
        push    {r2, r4-r11, lr}
        mov     r12, r0
        mov     r0, r1
        mov     r1, r12
        cmp     r0, r2
        beq     2f
1:      ldm     r0, {r8-r11}
        ldrd    r12, lr, [r1, #to_first]
        smuad   r2, r12, r8
        smuad   r3, r12, r9
        smuad   r4, r12, r10
        smlad   r2, lr, r9, r2
        smlad   r3, lr, r10, r3
        smlad   r4, lr, r11, r4
        ldr     lr, [r1, #to_second + 4]
        smuad   r5, lr, r9
        smuad   r6, lr, r10
        smuad   r7, lr, r11
        ldrd    r8, r9, [r0, #16]
        both_rows 2, r10, r11, r8, r9
        both_rows 4, r8, r9, r10, r11
        both_rows 6, r10, r11, r8, r9
        both_rows 8, r8, r9, r10, r11
        both_rows 10, r10, r11, r8, r9
        both_rows 12, r8, r9, r10, r11
        both_rows 14, r10, r11, r8, r9
        ldr     lr, [r1, #to_second + 64]
        smlad   r5, lr, r8, r5
        smlad   r6, lr, r9, r6
        smlad   r7, lr, r10, r7
        ldrd    r12, lr, [r1, #modulus]
        reduce  r2
        reduce  r3
        reduce  r4
        reduce  r5
        reduce  r6
        reduce  r7
        pkhbt   r2, r2, r5, lsl #16
        pkhbt   r3, r3, r6, lsl #16
        pkhbt   r4, r4, r7, lsl #16
        ldr     r8, [sp]
        stm     r0!, {r2-r4}
        cmp     r0, r8
        bne     1b
2:      pop     {r2, r4-r11, pc}
        end_function apply_steps

// The next word's step: r4 and r5 are f, r2 and r3 are c; r12 and r6 become g + c f.
        .macro  add_multiple
        ldm     r0!, {r4-r7}
        and     r8, r4, r2              // c f
        eor     r9, r5, r3
        and     r9, r9, r8
        sel     r4, r6, r4
        sel     r5, r7, r5
        eor     r12, r6, r9             // Boothby and Bradshaw's sum
        eor     lr, r7, r8
        and     r6, r12, lr
        eor     r12, r12, r7
        eor     lr, lr, r9
        orr     r12, r12, lr
        .endm

// void girih_cortex_m_trit_step(Trits32* from, Trits32* end, uint32_t nonzero, uint32_t minus,
//                               uint32_t exchange)
//
// SEL takes g where adding the mask to itself has carried. r10 and r11 are g of the previous word,
// without its highest coefficient.
        function trit_step
        push    {r3-r11, lr}
        ldr     r4, [sp, #40]
        uadd8   r4, r4, r4
        ldrd    r10, r11, [r0, #-8]
1:      add_multiple
        orr     r10, r10, r12, lsl #31
        orr     r11, r11, r6, lsl #31
        strd    r10, r11, [r0, #-24]
        lsr     r10, r12, #1
        lsr     r11, r6, #1
        strd    r4, r5, [r0, #-16]
        cmp     r0, r1
        bne     1b
        strd    r10, r11, [r0, #-8]
        pop     {r3-r11, pc}
        end_function trit_step
#endif  // GIRIH_ARM_DSP
