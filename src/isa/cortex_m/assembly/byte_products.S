// Products of polynomials of four coefficients a word for ARMv7E-M. This is
// ntru_prime/kernels/words/product_modulo_3.hpp in assembly, for speed.
//
// Constant time.

#include "isa/cortex_m/assembly/processor.inc"

#if defined(GIRIH_ARM_DSP)

        .equ    b_words, 0              // a copy of b
        .equ    next_a, 96
        .equ    end_of_rows, 100
        .equ    end_a, 104
        .equ    frame, 108

// A column of four rows: the product's word in \to, and the previous column's carry in r9. \b0 to
// \b3 are its words of b; b0 is loaded from number \number on.
        .macro  column number, to, b0, b1, b2, b3
        ldr     \b0, [sp, #b_words + 4 * (\number)]
        umaal   \to, r9, r1, \b0
        .if \number > 0
        umlal   \to, r9, r2, \b1
        .endif
        .if \number > 1
        umlal   \to, r9, r3, \b2
        .endif
        .if \number > 2
        umlal   \to, r9, r4, \b3
        .endif
        .endm

// The rows of four words of a (r1 to r4): added to 24 words at r0, and stored to the 4 above.
        .macro  four_rows
        mov     r9, #0
        .irp    first, 0, 4, 8, 12, 16, 20
        ldm     r0, {r5-r8}
        column  \first, r5, r10, lr, r12, r11
        column  \first + 1, r6, r11, r10, lr, r12
        column  \first + 2, r7, r12, r11, r10, lr
        column  \first + 3, r8, lr, r12, r11, r10
        stm     r0!, {r5-r8}
        .endr
        mov     r5, #0
        mov     r6, #0
        mov     r7, #0
        umaal   r5, r9, r2, lr
        umlal   r5, r9, r3, r12
        umlal   r5, r9, r4, r11
        umaal   r6, r9, r3, lr
        umlal   r6, r9, r4, r12
        umaal   r7, r9, r4, lr
        stm     r0, {r5-r7, r9}
        sub     r0, r0, #4 * 20
        .endm

// Replaces each byte of 36 words from r0 on by the sum of its two halves.
        .macro  shorten
        mov     r11, #0x0F0F0F0F
        add     r12, r0, #4 * 36
1:      ldm     r0, {r1-r9}
        .irp    word, r1, r2, r3, r4, r5, r6, r7, r8, r9
        and     r10, r11, \word, lsr #4
        and     \word, \word, r11
        add     \word, \word, r10
        .endr
        stm     r0!, {r1-r9}
        cmp     r0, r12
        bne     1b
        .endm

// void girih_cortex_m_multiply_bytes(uint32_t* product, const uint32_t* a, const uint32_t* b)
//
// a and b are 24 words of bytes of at most 2. The product, which may not overlap them, is 48 words
// of bytes of at most 30, which are coefficients modulo 3.
//
// Twelve rows at a time: bytes are sums of up to 48 products, at most 192, or 222 with the reduced
// ones. So no byte overflows.
        function multiply_bytes
        push    {r4-r11, lr}
        sub     sp, sp, #frame
        mov     r12, sp
        .rept   3
        ldm     r2!, {r3-r10}
        stm     r12!, {r3-r10}
        .endr
        mov     r12, r0
        .irp    word, r3, r4, r5, r6, r7, r8, r9, r10
        mov     \word, #0
        .endr
        .rept   3
        stm     r12!, {r3-r10}
        .endr
        mov     r9, r1
        add     r10, r9, #4 * 24
        str     r10, [sp, #end_a]
2:      add     r10, r9, #4 * 12
        str     r10, [sp, #end_of_rows]
3:      ldm     r9!, {r1-r4}
        str     r9, [sp, #next_a]
        four_rows
        ldrd    r9, r10, [sp, #next_a]
        cmp     r9, r10
        bne     3b
        sub     r0, r0, #4 * 12
        shorten
        sub     r0, r0, #4 * 24
        ldr     r9, [sp, #next_a]
        ldr     r10, [sp, #end_a]
        cmp     r9, r10
        bne     2b
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        end_function multiply_bytes

// The sum modulo 3, in place of a.
        .macro  add_modulo_3 a, b
        add     \a, \a, \b
        usub8   r12, \a, lr
        sel     \a, r12, \a
        .endm

// void girih_cortex_m_add_bytes(uint32_t* sum, const uint32_t* a, const uint32_t* b,
//                               const uint32_t* end)
//
// The sums modulo 3 of bytes of at most 2, four words at a time up to the end of a.
        function add_bytes
        push    {r4-r11, lr}
        mov     lr, #0x03030303
1:      ldm     r1!, {r4-r7}
        ldm     r2!, {r8-r11}
        add_modulo_3 r4, r8
        add_modulo_3 r5, r9
        add_modulo_3 r6, r10
        add_modulo_3 r7, r11
        stm     r0!, {r4-r7}
        cmp     r1, r3
        bne     1b
        pop     {r4-r11, pc}
        end_function add_bytes

// \a + 2 (\b + \c) + \d, with the halves of each byte added.
        .macro  join_word a, b, c, d
        add     \b, \b, \c
        add     \a, \a, \d
        add     \a, \a, \b, lsl #1
        and     \b, lr, \a, lsr #4
        and     \a, \a, lr
        add     \a, \a, \b
        .endm

// void girih_cortex_m_join_products(uint32_t* product, const uint32_t* middle, size_t half)
//
// Karatsuba's last step. `product` holds the products of the lower and of the upper halves, 2
// `half` words each, and `middle` that of their sums. Bytes are at most 30 before and after.
        function join_products
        push    {r4-r11, lr}
        lsl     r6, r2, #2
        mov     r4, r1
        add     r5, r4, r6
        add     r1, r0, r6
        add     r2, r1, r6
        add     r3, r2, r6
        mov     r6, r1
        mov     lr, #0x0F0F0F0F
1:      ldr     r7, [r0], #4            // low 0 and 1, high 0 and 1, middle 0 and 1
        ldr     r8, [r1]
        ldr     r9, [r2]
        ldr     r10, [r3], #4
        ldr     r11, [r4], #4
        ldr     r12, [r5], #4
        join_word r11, r7, r9, r8
        join_word r12, r8, r10, r9
        str     r11, [r1], #4
        str     r12, [r2], #4
        cmp     r0, r6
        bne     1b
        pop     {r4-r11, pc}
        end_function join_products
#endif  // GIRIH_ARM_DSP
