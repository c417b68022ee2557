// Keccak-f[1600] (FIPS 202, Section 3.3) for ARMv7-M, on words with even and odd bits in separate
// halves: to rotate a word by r bits, rotate its halves by r / 2, and exchange them if r is odd.
//
// The state is 25 even halves and then 25 odd ones, word (x, y) at 5 y + x. A round copies it to
// the stack with theta's parities added, and gathers the words of each row after rho and pi from
// there; chi writes the row back. One round, 24 times: about 8,800 instructions in less than 2 KB.
//
// Constant time.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_THUMB2)

        .equ    copy, 0
        .equ    constant, 200           // address of the next round constant
        .equ    state, 204              // address of the state
        .equ    frame, 212              // with the nine registers, a multiple of eight
        .equ    odd, 100                // from an even half to its odd one

// \row ^= the next row at r12, for the even halves (r0 to r4).
        .macro  add_even_row
        ldm     r12!, {r5-r9}
        eor     r0, r0, r5
        eor     r1, r1, r6
        eor     r2, r2, r7
        eor     r3, r3, r8
        eor     r4, r4, r9
        .endm

// \row ^= the next row at r12, for the odd halves (r5 to r9).
        .macro  add_odd_row
        ldm     r12!, {r10, r11, lr}
        eor     r5, r5, r10
        eor     r6, r6, r11
        eor     r7, r7, lr
        ldm     r12!, {r10, r11}
        eor     r8, r8, r10
        eor     r9, r9, r11
        .endm

// Two halves of the state (at r12), with their columns' parities, to the copy.
        .macro  add_parities at, low, high, parity, next_parity
        ldrd    \low, \high, [r12, #4 * (\at)]
        eor     \low, \low, \parity
        eor     \high, \high, \next_parity
        strd    \low, \high, [sp, #copy + 4 * (\at)]
        .endm

// A half of the word at 5 \y + \x, rotated left by \rotation bits.
        .macro  gather to, half, x, y, rotation
        ldr     \to, [sp, #copy + \half + 4 * (5 * \y + \x)]
        .if     \rotation
        ror     \to, \to, #32 - \rotation
        .endif
        .endm

// The words D that theta adds, in the registers that are free by then.
de0     .req    r4
de1     .req    r10
de2     .req    r1
de3     .req    r2
de4     .req    r3
do0     .req    r9
do1     .req    r5
do2     .req    r6
do3     .req    r7
do4     .req    r8

        function keccak
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        str     r0, [sp, #state]
        ldr     lr, =constants
        str     lr, [sp, #constant]

one_round:
        // theta: the parities of the columns, even ones in r0 to r4, odd ones in r5 to r9.
        ldr     r12, [sp, #state]
        ldm     r12!, {r0-r4}
        .rept   4
        add_even_row
        .endr
        ldm     r12!, {r5-r9}
        .rept   4
        add_odd_row
        .endr
        // D[x] = C[x - 1] ^ (C[x + 1] rotated by 1): each sum replaces a parity that is no longer
        // needed.
        eor     de1, r0, r7, ror #31
        eor     do3, r7, r4
        eor     de0, r4, r6, ror #31
        eor     do2, r6, r3
        eor     de4, r3, r5, ror #31
        eor     do1, r5, r2
        eor     de3, r2, r9, ror #31
        eor     do0, r9, r1
        eor     de2, r1, r8, ror #31
        eor     do4, r8, r0
        ldr     r12, [sp, #state]
        .set    i, 0
        .rept   2
        add_parities i+0, r0, r11, de0, de1
        add_parities i+2, r0, r11, de2, de3
        add_parities i+4, r0, r11, de4, de0
        add_parities i+6, r0, r11, de1, de2
        add_parities i+8, r0, r11, de3, de4
        .set    i, i + 10
        .endr
        add_parities 20, r0, r11, de0, de1
        add_parities 22, r0, r11, de2, de3
        add_parities 24, r0, r11, de4, do0
        .set    i, 26
        .rept   2
        add_parities i+0, r0, r11, do1, do2
        add_parities i+2, r0, r11, do3, do4
        add_parities i+4, r0, r11, do0, do1
        add_parities i+6, r0, r11, do2, do3
        add_parities i+8, r0, r11, do4, do0
        .set    i, i + 10
        .endr
        add_parities 46, r0, r11, do1, do2
        add_parities 48, r0, r11, do3, do4

        // rho, pi, chi, a row at a time: row y takes at x the word b[x] that was at (x + 3 y, x),
        // and becomes b[x] ^ (~b[x + 1] & b[x + 2]). An instruction can rotate one operand, and a
        // product's rotation can wait for the sum. So two of five words need no rotation of their
        // own: of b[x] and b[x + 2], one has to be rotated before, and rotating three of five
        // covers all five sums.
        add     r11, r12, #odd          // r12 is still at the even halves
        ldr     lr, [sp, #constant]
        gather  r0, 0, 0, 0, 0
        gather  r1, 0, 1, 1, 0
        gather  r2, odd, 2, 2, 0
        gather  r3, odd, 3, 3, 11
        gather  r4, 0, 4, 4, 7
        bic     r5, r2, r1
        bic     r6, r3, r2, ror #10
        bic     r7, r4, r3
        bic     r8, r0, r4
        bic     r9, r1, r0, ror #22
        eor     r5, r0, r5, ror #10
        eor     r6, r6, r1, ror #10
        eor     r7, r7, r2, ror #10
        eor     r8, r8, r3
        eor     r9, r4, r9, ror #10
        ldr     r10, [lr], #4           // iota
        eor     r5, r5, r10
        stm     r12!, {r5-r9}
        gather  r0, odd, 0, 0, 0
        gather  r1, odd, 1, 1, 0
        gather  r2, 0, 2, 2, 0
        gather  r3, 0, 3, 3, 10
        gather  r4, odd, 4, 4, 7
        bic     r5, r2, r1, ror #31
        bic     r6, r3, r2, ror #11
        bic     r7, r4, r3
        bic     r8, r0, r4
        bic     r9, r1, r0, ror #22
        eor     r5, r0, r5, ror #11
        eor     r6, r6, r1, ror #10
        eor     r7, r7, r2, ror #11
        eor     r8, r8, r3
        eor     r9, r4, r9, ror #10
        ldr     r10, [lr], #4           // iota
        eor     r5, r5, r10
        stm     r11!, {r5-r9}
        gather  r0, 0, 3, 0, 0
        gather  r1, 0, 4, 1, 0
        gather  r2, odd, 0, 2, 2
        gather  r3, odd, 1, 3, 23
        gather  r4, odd, 2, 4, 31
        bic     r5, r2, r1, ror #22
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #14
        bic     r9, r1, r0, ror #28
        eor     r5, r5, r0, ror #18
        eor     r6, r6, r1, ror #22
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #18
        eor     r9, r4, r9, ror #22
        stm     r12!, {r5-r9}
        gather  r0, odd, 3, 0, 0
        gather  r1, odd, 4, 1, 0
        gather  r2, 0, 0, 2, 1
        gather  r3, 0, 1, 3, 22
        gather  r4, 0, 2, 4, 30
        bic     r5, r2, r1, ror #22
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #14
        bic     r9, r1, r0, ror #28
        eor     r5, r5, r0, ror #18
        eor     r6, r6, r1, ror #22
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #18
        eor     r9, r4, r9, ror #22
        stm     r11!, {r5-r9}
        gather  r0, odd, 1, 0, 0
        gather  r1, 0, 2, 1, 0
        gather  r2, odd, 3, 2, 13
        gather  r3, 0, 4, 3, 4
        gather  r4, 0, 0, 4, 9
        bic     r5, r2, r1, ror #29
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #1
        bic     r9, r1, r0, ror #2
        eor     r5, r5, r0, ror #31
        eor     r6, r6, r1, ror #29
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #31
        eor     r9, r4, r9, ror #29
        stm     r12!, {r5-r9}
        gather  r0, 0, 1, 0, 0
        gather  r1, odd, 2, 1, 0
        gather  r2, 0, 3, 2, 0
        gather  r3, odd, 4, 3, 4
        gather  r4, odd, 0, 4, 9
        bic     r5, r2, r1, ror #9
        bic     r6, r3, r2, ror #20
        bic     r7, r4, r3
        bic     r8, r0, r4
        bic     r9, r1, r0, ror #3
        eor     r5, r0, r5, ror #20
        eor     r6, r6, r1, ror #29
        eor     r7, r7, r2, ror #20
        eor     r8, r8, r3
        eor     r9, r4, r9, ror #29
        stm     r11!, {r5-r9}
        gather  r0, odd, 4, 0, 0
        gather  r1, 0, 0, 1, 0
        gather  r2, 0, 1, 2, 5
        gather  r3, odd, 2, 3, 8
        gather  r4, 0, 3, 4, 28
        bic     r5, r2, r1, ror #14
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #14
        bic     r9, r1, r0, ror #4
        eor     r5, r5, r0, ror #18
        eor     r6, r6, r1, ror #14
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #18
        eor     r9, r4, r9, ror #14
        stm     r12!, {r5-r9}
        gather  r0, 0, 4, 0, 0
        gather  r1, odd, 0, 1, 0
        gather  r2, odd, 1, 2, 5
        gather  r3, 0, 2, 3, 7
        gather  r4, odd, 3, 4, 28
        bic     r5, r2, r1, ror #14
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #13
        bic     r9, r1, r0, ror #5
        eor     r5, r5, r0, ror #19
        eor     r6, r6, r1, ror #14
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #19
        eor     r9, r4, r9, ror #14
        stm     r11!, {r5-r9}
        gather  r0, 0, 2, 0, 0
        gather  r1, odd, 3, 1, 0
        gather  r2, odd, 4, 2, 20
        gather  r3, odd, 0, 3, 21
        gather  r4, 0, 1, 4, 1
        bic     r5, r2, r1, ror #4
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #31
        bic     r9, r1, r0, ror #29
        eor     r5, r5, r0, ror #1
        eor     r6, r6, r1, ror #4
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #1
        eor     r9, r4, r9, ror #4
        stm     r12!, {r5-r9}
        gather  r0, odd, 2, 0, 0
        gather  r1, 0, 3, 1, 0
        gather  r2, 0, 4, 2, 19
        gather  r3, 0, 0, 3, 20
        gather  r4, odd, 1, 4, 1
        bic     r5, r2, r1, ror #5
        bic     r6, r3, r2
        bic     r7, r4, r3
        bic     r8, r0, r4, ror #31
        bic     r9, r1, r0, ror #28
        eor     r5, r5, r0, ror #1
        eor     r6, r6, r1, ror #5
        eor     r7, r7, r2
        eor     r8, r3, r8, ror #1
        eor     r9, r4, r9, ror #5
        stm     r11!, {r5-r9}
        str     lr, [sp, #constant]
        ldr     r0, =constants_end
        cmp     lr, r0
        bne     one_round

        // Wipes the last round's copy.
        movs    r0, #0
        movs    r1, #0
        .set    i, 0
        .rept   25
        strd    r0, r1, [sp, #copy + 8 * i]
        .set    i, i + 1
        .endr
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        .ltorg
        end_function keccak

// iota: each round's constant (FIPS 202, Section 3.2.5), even half and odd half.
        .section .rodata.girih_cortex_m_keccak, "a", %progbits
        .balign 4
constants:
        .word   0x00000001, 0x00000000
        .word   0x00000000, 0x00000089
        .word   0x00000000, 0x8000008B
        .word   0x00000000, 0x80008080
        .word   0x00000001, 0x0000008B
        .word   0x00000001, 0x00008000
        .word   0x00000001, 0x80008088
        .word   0x00000001, 0x80000082
        .word   0x00000000, 0x0000000B
        .word   0x00000000, 0x0000000A
        .word   0x00000001, 0x00008082
        .word   0x00000000, 0x00008003
        .word   0x00000001, 0x0000808B
        .word   0x00000001, 0x8000000B
        .word   0x00000001, 0x8000008A
        .word   0x00000001, 0x80000081
        .word   0x00000000, 0x80000081
        .word   0x00000000, 0x80000008
        .word   0x00000000, 0x00000083
        .word   0x00000000, 0x80008003
        .word   0x00000001, 0x80008088
        .word   0x00000000, 0x80000088
        .word   0x00000001, 0x00008000
        .word   0x00000000, 0x80008082
constants_end:
#endif  // GIRIH_ARM_THUMB2
