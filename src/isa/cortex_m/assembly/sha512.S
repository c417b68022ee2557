// SHA-512's compression (FIPS 180-4, Section 6.4.2) for ARMv7-M. This is sha2/lanes.hpp in
// assembly, for speed: about 7,000 instructions a block.
//
// A step computes two new words, a and e; the others only change names. So words stay in place, and
// r0, from which they are counted, moves down: the new a is stored below, and the new e in place of
// d. The message schedule is stored downwards as well, so that its next word is always at the same
// distance from r0.
//
// Constant time.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_UNALIGNED)

        .equ    steps, 80
        .equ    top, 8 * steps          // the initial place of the words
        .equ    schedule, 704           // from r0 to the schedule's next word, after the eight words
        .equ    local, top + schedule + 8
        .equ    state, local            // the arguments
        .equ    blocks, local + 4
        .equ    count, local + 8
        .equ    constants, local + 12
        .equ    frame, local + 20       // with nine registers, a multiple of eight

// A half of the sum of three rotated words. For each word, \low is the half whose bits move down by
// n, and \high the half whose bits come in from above.
        .macro  rotated to, low1, high1, n1, low2, high2, n2, low3, high3, n3
        lsr     \to, \low1, #\n1
        eor     \to, \to, \high1, lsl #32 - (\n1)
        eor     \to, \to, \low2, lsr #(\n2)
        eor     \to, \to, \high2, lsl #32 - (\n2)
        eor     \to, \to, \low3, lsr #(\n3)
        eor     \to, \to, \high3, lsl #32 - (\n3)
        .endm

// A half of the sum of two rotated words and a shifted one, where no bits come in from above.
        .macro  rotated_and_shifted to, low1, high1, n1, low2, high2, n2, low3, n3
        lsr     \to, \low1, #\n1
        eor     \to, \to, \high1, lsl #32 - (\n1)
        eor     \to, \to, \low2, lsr #(\n2)
        eor     \to, \to, \high2, lsl #32 - (\n2)
        eor     \to, \to, \low3, lsr #(\n3)
        .endm

        .macro  add_to s0, s1, x0, x1
        adds    \s0, \s0, \x0
        adc     \s1, \s1, \x1
        .endm

// The schedule's next word W_t, stored at r0; it replaces c, which is W_(t-2). a is W_(t-16); b
// becomes W_(t-15).
        .macro  extend a0, a1, b0, b1, c0, c1
        ldrd    \b0, \b1, [r0, #8 * 15]
        ldrd    r10, r11, [r0, #8 * 7]
        add_to  \a0, \a1, r10, r11
        rotated  r10, \b0, \b1, 1, \b0, \b1, 8, \b0, \b1, 7
        rotated_and_shifted r11, \b1, \b0, 1, \b1, \b0, 8, \b1, 7
        add_to  \a0, \a1, r10, r11
        rotated  r10, \c0, \c1, 19, \c1, \c0, (61-32), \c0, \c1, 6
        rotated_and_shifted r11, \c1, \c0, 19, \c0, \c1, (61-32), \c1, 6
        adds    \c0, \a0, r10
        adc     \c1, \a1, r11
        strd    \c0, \c1, [r0], #-8
        .endm

// A step. e is in r4 and r5, a in a0 and a1, and b ^ c in m0 and m1. Afterwards, a is in t0 and t1,
// and b ^ c in n0 and n1.
        .macro  step a0, a1, t0, t1, m0, m1, n0, n1
        ldrd    \t0, \t1, [r0, #8 * 7]
        ldrd    r10, r11, [r0, #8 * 5]
        ldrd    \n0, \n1, [r0, #8 * 6]
        eor     r10, r10, \n0           // Ch
        eor     r11, r11, \n1
        and     r10, r10, r4
        and     r11, r11, r5
        eor     r10, r10, \n0
        eor     r11, r11, \n1
        add_to  \t0, \t1, r10, r11
        rotated  r10, r4, r5, 14, r4, r5, 18, r5, r4, (41-32)
        rotated  r11, r5, r4, 14, r5, r4, 18, r4, r5, (41-32)
        add_to  \t0, \t1, r10, r11
        ldrd    r10, r11, [r1], #8
        ldrd    \n0, \n1, [r0, #schedule]
        add_to  \t0, \t1, r10, r11
        add_to  \t0, \t1, \n0, \n1
        ldrd    r10, r11, [r0, #8 * 3]
        adds    r4, r10, \t0
        adc     r5, r11, \t1
        strd    r4, r5, [r0, #8 * 3]
        rotated  r10, \a0, \a1, 28, \a1, \a0, (34-32), \a1, \a0, (39-32)
        rotated  r11, \a1, \a0, 28, \a0, \a1, (34-32), \a0, \a1, (39-32)
        add_to  \t0, \t1, r10, r11
        ldrd    r10, r11, [r0, #8 * 1]
        eor     \n0, \a0, r10
        eor     \n1, \a1, r11
        and     \m0, \m0, \n0           // Maj is b, except where both a and c differ from it
        and     \m1, \m1, \n1
        eor     \m0, \m0, r10
        eor     \m1, \m1, r11
        add_to  \t0, \t1, \m0, \m1
        strd    \t0, \t1, [r0, #-8]!
        .endm

// void girih_cortex_m_sha512(uint64_t* state, const uint8_t* blocks, size_t count,
//                            const uint64_t* constants)
//
// At least one block. The stack is left zeroed, except for saved registers.
        function sha512
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        str     r0, [sp, #state]
        str     r1, [sp, #blocks]
        str     r2, [sp, #count]
        str     r3, [sp, #constants]
1:      ldr     r1, [sp, #blocks]
        add     r0, sp, #top + schedule
        add     r12, r0, #-8 * 16
2:      ldr     r3, [r1], #4            // unaligned
        ldr     r2, [r1], #4
        rev     r3, r3
        rev     r2, r2
        strd    r2, r3, [r0], #-8
        cmp     r0, r12
        bne     2b
        str     r1, [sp, #blocks]
        ldrd    r2, r3, [r0, #8 * 16]
        ldrd    r4, r5, [r0, #8 * 2]
        ldrd    r6, r7, [r0, #8 * 1]
        add     r12, sp, #top + schedule - 8 * steps
3:      extend  r2, r3, r8, r9, r4, r5
        extend  r8, r9, r2, r3, r6, r7
        cmp     r0, r12
        bne     3b
        ldr     r12, [sp, #state]
        add     r0, sp, #top
        ldm     r12!, {r2-r9}
        stm     r0!, {r2-r9}
        ldm     r12, {r2-r9}
        stm     r0, {r2-r9}
        mov     r4, r2
        mov     r5, r3
        ldrd    r2, r3, [r0, #-32]!
        ldrd    r8, r9, [r0, #8 * 1]
        ldrd    r6, r7, [r0, #8 * 2]
        eor     r6, r6, r8
        eor     r7, r7, r9
        ldr     r1, [sp, #constants]
4:      step    r2, r3, r8, r9, r6, r7, r12, lr
        step    r8, r9, r2, r3, r12, lr, r6, r7
        cmp     sp, r0
        bne     4b
        ldr     r1, [sp, #state]
        add     r12, sp, #8 * 8
5:      ldm     r0!, {r2-r5}
        ldm     r1, {r6-r9}
        add_to  r6, r7, r2, r3
        add_to  r8, r9, r4, r5
        stm     r1!, {r6-r9}
        cmp     r0, r12
        bne     5b
        ldr     r2, [sp, #count]
        subs    r2, r2, #1
        str     r2, [sp, #count]
        bne     1b
        mov     r3, r2                  // 0
        mov     r4, r2
        mov     r5, r2
        mov     r0, sp
        add     r1, sp, #local
6:      stm     r0!, {r2-r5}
        cmp     r0, r1
        blo     6b
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        end_function sha512
#endif  // GIRIH_ARM_UNALIGNED
