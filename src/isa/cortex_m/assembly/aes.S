// AES-256 on two blocks, bitsliced, for ARMv7-M: aes/two_blocks.hpp in assembly, for speed. About
// 230 instructions a round.
//
// The state's bits are in r1 to r8, the lowest in r1. Constant time: the only loop is over rounds.
// The stack is not wiped.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_UNALIGNED)

        .equ    return, 4 * 15          // after what the circuit spills
        .equ    sum_of_top, return + 4
        .equ    state, return + 8
        .equ    end, return + 12
        .equ    frame, return + 20      // with nine registers, a multiple of eight

// SBOX() (FIPS 197, Section 5.1.1) without its additive constant: Boyar and Peralta's circuit, in
// an order that spills few of its wires. Uses all registers but r0.
        .section .text.girih_cortex_m_aes, "ax", %progbits
        .type   substitute, %function
        .balign 4
substitute:
        str     lr, [sp, #return]
        eor     r10, r8, r2             // y13
        eor     r9, r7, r6              // t0
        eor     lr, r9, r1              // y1
        eor     r12, r8, r3             // y8
        eor     r11, lr, r2             // y5
        eor     r6, lr, r5              // y4
        eor     r2, r5, r3              // y14
        str     r6, [sp, #0]
        eor     r6, r10, r2             // y12
        eor     r4, r4, r6              // t1
        eor     r5, r8, r5              // y9
        eor     r7, r4, r7              // y20
        str     r2, [sp, #4]
        and     r2, r11, lr             // t8
        eor     r4, r4, r3              // y15
        and     r3, r6, r4              // t2
        str     r6, [sp, #8]
        eor     r6, r7, r5              // y11
        str     r7, [sp, #12]
        eor     r7, r4, r1              // y6
        str     r3, [sp, #16]
        eor     r3, r11, r12            // y3
        str     r11, [sp, #20]
        eor     r11, r4, r9             // y10
        eor     r9, r9, r6              // y16
        str     r4, [sp, #24]
        and     r4, r3, r7              // t3
        str     r3, [sp, #28]
        and     r3, r5, r6              // t12
        str     r7, [sp, #32]
        eor     r7, lr, r8              // y2
        eor     r8, r8, r9              // y18
        str     lr, [sp, #36]
        and     lr, r10, r9             // t7
        str     r5, [sp, #40]
        eor     r5, r10, r9             // y21
        str     r10, [sp, #44]
        eor     r10, r1, r6             // y7
        str     r9, [sp, #48]
        and     r9, r7, r10             // t10
        eor     r2, r2, lr              // t9
        eor     r9, r9, lr              // t11
        eor     lr, r11, r6             // y17
        str     r7, [sp, #52]
        ldr     r7, [sp, #4]
        str     r10, [sp, #56]
        and     r10, r7, lr             // t13
        eor     r10, r10, r3            // t14
        and     r7, r12, r11            // t15
        eor     r2, r2, r10             // t19
        eor     r7, r7, r3              // t16
        ldr     r3, [sp, #16]
        eor     r4, r4, r3              // t4
        eor     r2, r2, r5              // t23
        eor     r10, r4, r10            // t17
        ldr     r4, [sp, #0]
        and     r5, r4, r1              // t5
        eor     r3, r5, r3              // t6
        eor     r5, r3, r7              // t18
        eor     r3, r11, r12            // y19
        eor     r9, r9, r7              // t20
        ldr     r7, [sp, #12]
        eor     r10, r10, r7            // t21
        eor     r9, r9, r8              // t24
        and     r8, r10, r2             // t26
        eor     r3, r5, r3              // t22
        eor     r10, r10, r3            // t25
        eor     r7, r3, r8              // t31
        eor     r5, r2, r9              // t30
        and     r5, r7, r5              // t32
        eor     r8, r9, r8              // t27
        eor     r5, r5, r9              // t33
        eor     r2, r2, r5              // t34
        eor     r7, r8, r5              // t35
        and     r9, r9, r7              // t36
        eor     r7, r8, r9              // t38
        and     r4, r5, r4              // z11
        and     r8, r10, r8             // t28
        eor     r3, r8, r3              // t29
        eor     r8, r3, r5              // t42
        and     r7, r3, r7              // t39
        eor     r9, r9, r2              // t37
        eor     r10, r10, r7            // t40
        ldr     r7, [sp, #40]
        and     r2, r8, r7              // z15
        eor     r7, r10, r9             // t41
        and     r1, r5, r1              // z2
        and     r11, r7, r11            // z8
        str     r4, [sp, #40]
        eor     r4, r8, r7              // t45
        eor     r5, r5, r9              // t44
        and     r12, r7, r12            // z17
        and     r7, r8, r6              // z6
        ldr     r8, [sp, #4]
        and     r6, r4, r8              // z16
        and     lr, r4, lr              // z7
        ldr     r4, [sp, #36]
        and     r4, r10, r4             // z4
        eor     r8, r3, r10             // t43
        eor     r7, r7, lr              // t54
        str     r1, [sp, #36]
        ldr     r1, [sp, #20]
        and     r10, r10, r1            // z13
        ldr     r1, [sp, #48]
        and     r1, r8, r1              // z3
        eor     lr, lr, r11             // t52
        eor     r12, r6, r12            // t55
        ldr     r11, [sp, #32]
        and     r11, r9, r11            // z1
        str     r12, [sp, #32]
        ldr     r12, [sp, #56]
        and     r12, r3, r12            // z5
        str     r11, [sp, #56]
        ldr     r11, [sp, #8]
        and     r11, r5, r11            // z9
        eor     r2, r2, r6              // t46
        ldr     r6, [sp, #28]
        and     r9, r9, r6              // z10
        eor     r10, r12, r10           // t48
        ldr     r6, [sp, #44]
        and     r6, r8, r6              // z12
        ldr     r8, [sp, #24]
        and     r5, r5, r8              // z0
        eor     r11, r11, r9            // t49
        eor     r8, r1, r7              // t59
        ldr     r7, [sp, #52]
        and     r7, r3, r7              // z14
        eor     r3, r4, r2              // t58
        eor     r5, r5, r1              // t53
        eor     r4, r4, r8              // t64
        ldr     r1, [sp, #36]
        eor     r12, r1, r12            // t51
        eor     r1, r1, r6              // t50
        eor     r1, r1, r5              // t57
        eor     lr, lr, r3              // t62
        eor     r7, r7, r1              // t61
        eor     r11, r11, r3            // t63
        ldr     r3, [sp, #56]
        eor     r3, r3, r11             // t66
        eor     r1, r2, r1              // t60
        eor     r2, r6, r10             // t56
        eor     r1, r10, r1             // s7
        eor     r10, r7, lr             // t65
        eor     r6, r4, r10             // t67
        eor     r5, r5, r3              // s3
        eor     r7, r4, r5              // s1
        eor     r8, r8, r11             // s0
        eor     r4, r12, r3             // s4
        ldr     r11, [sp, #40]
        eor     r9, r9, r11             // t47
        eor     r3, r9, r10             // s5
        ldr     r9, [sp, #32]
        eor     r6, r9, r6              // s2
        eor     r2, r2, lr              // s6
        ldr     pc, [sp, #return]
        .size   substitute, . - substitute

// Rotates every byte right by \bits. \low masks the bits of each byte that stay within it.
        .macro  rotate_bytes to, from, bits, low, scratch
        and     \scratch, \from, #(0x01010101 * ((1 << \bits) - 1))
        and     \to, \low, \from, lsr #\bits
        orr     \to, \to, \scratch, lsl #(8 - \bits)
        .endm

// One bit of the next state, in place of \bit: the sum of the next row's bit, the two sums two rows
// below, the round key's bit, and the carry of {02}: the sum of the bit below, in \before. This
// bit's sum is left in \sum.
        .macro  mix bit, bits, before, sum, has_top
        .if \bits != 0
        rotate_bytes r9, \bit, \bits, r12, \sum
        eor     \sum, \bit, r9, ror #8
        ldr     \bit, [r0], #4
        eor     \bit, \bit, r9, ror #8
        eor     \bit, \bit, \before
        .else
        eor     \sum, \bit, \bit, ror #8
        ldr     r9, [r0], #4
        eor     r9, r9, \bit, ror #8
        eor     \bit, r9, \before
        .endif
        two_rows_down \bit, \sum, \bits, \before
        .if \has_top
        ldr     r9, [sp, #sum_of_top]
        eor     \bit, \bit, r9
        .endif
        .endm

        .macro  two_rows_down to, sum, bits, scratch
        .if \bits == 2 || \bits == 6
        rotate_bytes r9, \sum, 4, lr, \scratch
        eor     \to, \to, r9, ror #16
        .else
        eor     \to, \to, \sum, ror #16
        .endif
        .endm

// A round. Each further deferred shift of rows by one column rotates bytes by two more bits.
        .macro  full_round bits
        bl      substitute
        .if \bits != 0
        mov     r12, #(0x01010101 * (0xFF >> \bits))
        mov     lr, #0x0F0F0F0F
        rotate_bytes r9, r8, \bits, r12, r10
        eor     r10, r8, r9, ror #8
        .else
        eor     r10, r8, r8, ror #8
        .endif
        str     r10, [sp, #sum_of_top]
        mix     r1, \bits, r10, r11, 0
        mix     r2, \bits, r11, r10, 1
        mix     r3, \bits, r10, r11, 0
        mix     r4, \bits, r11, r10, 1
        mix     r5, \bits, r10, r11, 1
        mix     r6, \bits, r11, r10, 0
        mix     r7, \bits, r10, r11, 0
        ldr     r10, [sp, #sum_of_top]  // its sum is known already
        eor     r8, r8, r10
        eor     r8, r8, r11
        ldr     r9, [r0], #4
        eor     r8, r8, r9
        two_rows_down r8, r10, \bits, r11
        .endm

// void girih_cortex_m_aes_rounds(uint32_t* state, const uint32_t* keys, const uint32_t* last_keys)
//
// Rounds 2 to 14; the last has no MIXCOLUMNS(). SHIFTROWS() is deferred. Round 2 is the second of a
// group of four, and so is round 14.
        .global girih_cortex_m_aes_rounds
        .type   girih_cortex_m_aes_rounds, %function
        .balign 4
girih_cortex_m_aes_rounds:
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        str     r0, [sp, #state]
        str     r2, [sp, #end]
        mov     r9, r0
        mov     r0, r1
        ldm     r9, {r1-r8}
1:      full_round 4
        full_round 6
        full_round 0
        full_round 2
        ldr     r9, [sp, #end]
        cmp     r0, r9
        bne     1b
        bl      substitute
        .irp    bit, r1, r2, r3, r4, r5, r6, r7, r8
        ldr     r9, [r0], #4
        eor     \bit, \bit, r9
        .endr
        ldr     r9, [sp, #state]
        stm     r9, {r1-r8}
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        .size   girih_cortex_m_aes_rounds, . - girih_cortex_m_aes_rounds

// void girih_cortex_m_aes_substitute(uint32_t* state)
        .global girih_cortex_m_aes_substitute
        .type   girih_cortex_m_aes_substitute, %function
        .balign 4
girih_cortex_m_aes_substitute:
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        ldm     r0, {r1-r8}
        bl      substitute
        stm     r0, {r1-r8}
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        .size   girih_cortex_m_aes_substitute, . - girih_cortex_m_aes_substitute
#endif  // GIRIH_ARM_UNALIGNED
