// AES-256's rounds by a table for ARMv7-M: aes/table.hpp in assembly, for speed.
//
// Variable time on a processor with a data cache: for keys and blocks that are public.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_UNALIGNED)

// Adds the bytes of four columns to a column of the next state. \load reads a table entry or, in
// the last round, a byte of one; a rotation moves either to its row.
        .macro  column load, to, a, b, c, d
        uxtb    r11, \a
        ubfx    r12, \b, #8, #8
        \load   r11, [r2, r11, lsl #2]
        \load   r12, [r2, r12, lsl #2]
        eor     \to, \to, r11
        eor     \to, \to, r12, ror #24
        ubfx    r11, \c, #16, #8
        lsr     r12, \d, #24
        \load   r11, [r2, r11, lsl #2]
        \load   r12, [r2, r12, lsl #2]
        eor     \to, \to, r11, ror #16
        eor     \to, \to, r12, ror #8
        .endm

        .macro  columns load, t0, t1, t2, t3, s0, s1, s2, s3
        ldm     r1!, {\t0, \t1, \t2, \t3}
        column  \load, \t0, \s0, \s1, \s2, \s3
        column  \load, \t1, \s1, \s2, \s3, \s0
        column  \load, \t2, \s2, \s3, \s0, \s1
        column  \load, \t3, \s3, \s0, \s1, \s2
        .endm

// void girih_cortex_m_aes_vartime(uint8_t* block, const uint32_t* keys, const uint32_t* table,
//                                 const uint32_t* last_keys)
//
// The block may be unaligned; keys are four words for each of 15 rounds, from round 0 on.
        function aes_vartime
        push    {r3-r11, lr}
        mov     lr, r3
        ldm     r1!, {r7-r10}
        ldr     r3, [r0]
        ldr     r4, [r0, #4]
        ldr     r5, [r0, #8]
        ldr     r6, [r0, #12]
        eor     r7, r7, r3
        eor     r8, r8, r4
        eor     r9, r9, r5
        eor     r10, r10, r6
1:      columns ldr, r3, r4, r5, r6, r7, r8, r9, r10
        cmp     r1, lr
        beq     2f
        columns ldr, r7, r8, r9, r10, r3, r4, r5, r6
        b       1b
2:      add     r2, r2, #1              // the second byte of an entry is SUBBYTES()
        columns ldrb, r7, r8, r9, r10, r3, r4, r5, r6
        str     r7, [r0]
        str     r8, [r0, #4]
        str     r9, [r0, #8]
        str     r10, [r0, #12]
        pop     {r3-r11, pc}
        end_function aes_vartime
#endif  // GIRIH_ARM_UNALIGNED
