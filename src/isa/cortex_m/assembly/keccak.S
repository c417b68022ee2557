// Keccak-f[1600] (FIPS 202, Section 3.3) for ARMv7-M, on words with even and odd bits in separate
// halves: to rotate a word by r bits, rotate its halves by r / 2, and exchange them if r is odd.
//
// The state is 25 even halves and then 25 odd ones, word (x, y) at 5 y + x. A round gathers the
// words of each row after theta, rho and pi from one state; chi writes the row to another one, on
// the stack, and the next round goes back. One round's code, 24 times.
//
// Constant time.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_THUMB2)

        .equ    copy, 0
        .equ    target, 200             // addresses of the state that the round writes, and of its
                                        // constants
        .equ    frame, 212              // with the nine registers, a multiple of eight
        .equ    even, 0
        .equ    odd, 100                // from an even half to its odd one

// Where theta's words D are in the target: in its last rows, the even one and the odd one, which
// are written last. Each of these rows holds the five words that it needs itself, in the order of
// the registers.
        .equ    D_even_2, 80
        .equ    D_odd_3, 84
        .equ    D_odd_4, 88
        .equ    D_odd_0, 92
        .equ    D_even_1, 96
        .equ    D_even_3, 180
        .equ    D_even_4, 184
        .equ    D_even_0, 188
        .equ    D_odd_1, 192
        .equ    D_odd_2, 196

// \row ^= the next row at r12, for the even halves (r0 to r4).
        .macro  add_even_row
        ldm     r12!, {r5-r9}
        eors    r0, r0, r5
        eors    r1, r1, r6
        eors    r2, r2, r7
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

// r0 to r4 become the words b[0] to b[4] of a row before their rotation: b[y] is the half \h of the
// state's word (\x, y), with D. Loads that follow one another overlap, so all ten come first.
        .macro  gather_row h0, x0, h1, x1, h2, x2, h3, x3, h4, x4
        ldr     r0, [r10, #\h0 + 4 * \x0]
        ldr     r1, [r10, #\h1 + 4 * (5 + \x1)]
        ldr     r2, [r10, #\h2 + 4 * (10 + \x2)]
        ldr     r3, [r10, #\h3 + 4 * (15 + \x3)]
        ldr     r4, [r10, #\h4 + 4 * (20 + \x4)]
        ldr     r5, [r12, #D_\h0\()_\x0 - stored]
        ldr     r6, [r12, #D_\h1\()_\x1 - stored]
        ldr     r7, [r12, #D_\h2\()_\x2 - stored]
        ldr     r8, [r12, #D_\h3\()_\x3 - stored]
        ldr     r9, [r12, #D_\h4\()_\x4 - stored]
        eors    r0, r0, r5
        eors    r1, r1, r6
        eors    r2, r2, r7
        eor     r3, r3, r8
        eor     r4, r4, r9
        .endm

// Stores a row, the even halves at r12, the odd ones at r11.
        .macro  store_even_row
        stm     r12!, {r5-r9}
        .set    stored, stored + 20
        .endm
        .macro  store_odd_row
        stm     r11!, {r5-r9}
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
        mov     r12, r0
        mov     r10, sp
        ldr     lr, =constants

one_round:
        strd    r10, lr, [sp, #target]
        // theta: the parities of the columns, even ones in r0 to r4, odd ones in r5 to r9.
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
        eors    do3, r7, r4
        eor     de0, r4, r6, ror #31
        eors    do2, r6, r3
        eor     de4, r3, r5, ror #31
        eors    do1, r5, r2
        eor     de3, r2, r9, ror #31
        eor     do0, r9, r1
        eor     de2, r1, r8, ror #31
        eor     do4, r8, r0
        ldrd    r11, lr, [sp, #target]
        add     r0, r11, #D_even_2
        stm     r0!, {de2, do3, do4, do0, de1}
        add     r0, r0, #D_even_3 - D_even_2 - 20
        stm     r0, {de3, de4, de0, do1, do2}

        // rho, pi, chi, a row at a time: row y takes at x the word b[x] that was at (x + 3 y, x),
        // and becomes b[x] ^ (~b[x + 1] & b[x + 2]). An instruction can rotate one operand, and a
        // product's rotation can wait for the sum. So two of five words need no rotation of their
        // own: of b[x] and b[x + 2], one has to be rotated before, and rotating three of five
        // covers all five sums.
        sub     r10, r12, #200          // the state
        mov     r12, r11
        add     r11, r11, #odd
        .set    stored, 0
        gather_row even, 0, even, 1, odd, 2, odd, 3, even, 4
        ror     r3, r3, #32 - 11
        ror     r4, r4, #32 - 7
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
        ldr     r0, [lr], #4            // iota
        eors    r5, r5, r0
        store_even_row
        gather_row odd, 0, odd, 1, even, 2, even, 3, odd, 4
        ror     r3, r3, #32 - 10
        ror     r4, r4, #32 - 7
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
        ldr     r0, [lr], #4            // iota
        eors    r5, r5, r0
        store_odd_row
        gather_row even, 3, even, 4, odd, 0, odd, 1, odd, 2
        ror     r2, r2, #32 - 2
        ror     r3, r3, #32 - 23
        ror     r4, r4, #32 - 31
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
        store_even_row
        gather_row odd, 3, odd, 4, even, 0, even, 1, even, 2
        ror     r2, r2, #32 - 1
        ror     r3, r3, #32 - 22
        ror     r4, r4, #32 - 30
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
        store_odd_row
        gather_row odd, 1, even, 2, odd, 3, even, 4, even, 0
        ror     r2, r2, #32 - 13
        ror     r3, r3, #32 - 4
        ror     r4, r4, #32 - 9
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
        store_even_row
        gather_row even, 1, odd, 2, even, 3, odd, 4, odd, 0
        ror     r3, r3, #32 - 4
        ror     r4, r4, #32 - 9
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
        store_odd_row
        gather_row odd, 4, even, 0, even, 1, odd, 2, even, 3
        ror     r2, r2, #32 - 5
        ror     r3, r3, #32 - 8
        ror     r4, r4, #32 - 28
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
        store_even_row
        gather_row even, 4, odd, 0, odd, 1, even, 2, odd, 3
        ror     r2, r2, #32 - 5
        ror     r3, r3, #32 - 7
        ror     r4, r4, #32 - 28
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
        store_odd_row
        gather_row even, 2, odd, 3, odd, 4, odd, 0, even, 1
        ror     r2, r2, #32 - 20
        ror     r3, r3, #32 - 21
        ror     r4, r4, #32 - 1
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
        store_even_row
        gather_row odd, 2, even, 3, even, 4, even, 0, odd, 1
        ror     r2, r2, #32 - 19
        ror     r3, r3, #32 - 20
        ror     r4, r4, #32 - 1
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
        store_odd_row
        // The next round writes to the state that this one has read.
        sub     r12, r12, #odd
        ldr     r0, =constants_end
        cmp     lr, r0
        bne     one_round

        // Wipes the copy.
        .irp    half, r0, r1, r2, r3, r4, r5, r6, r7
        movs    \half, #0
        .endr
        mov     r8, r0
        mov     r9, r0
        mov     r12, sp
        .rept   5
        stm     r12!, {r0-r9}
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
