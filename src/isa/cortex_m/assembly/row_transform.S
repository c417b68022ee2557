// Transforms and products of rows modulo q = 4591 for ARMv7E-M, in constant time:
// ntru_prime/kernels/words/product_modulo_q.hpp in assembly, for speed. Words are two residues,
// as signed 16-bit integers.
#include "isa/cortex_m/assembly/processor.inc"
#if defined(GIRIH_ARM_DSP_AND_FLOATS)

        .equ    row, 36                 // bytes of 18 coefficients
        .equ    half, 45 * row          // of the rows

// Both halves of a times the factor f (RowTransform::multiply): q is in \q, and 2^15 in lr.
        .macro  times a, f, q, t
        smulwb  \t, \f, \a
        smulwt  \a, \f, \a
        smlabb  \t, \t, \q, lr
        smlabb  \a, \a, \q, lr
        pkhtb   \a, \a, \t, asr #16
        .endm

// Two numbers times the factor f, in the word \low. 2^15 is in \round.
        .macro  times_each low, high, f, q, round
        mul     \low, \low, \f
        mul     \high, \high, \f
        smlatb  \low, \low, \q, \round
        smlatb  \high, \high, \q, \round
        pkhtb   \low, \high, \low, asr #16
        .endm

// a f + b g.
        .macro  sum_of_products to, a, f, b, g, q, t
        smulwb  \t, \f, \a
        smulwt  \to, \f, \a
        smlawb  \t, \g, \b, \t
        smlawt  \to, \g, \b, \to
        smlabb  \t, \t, \q, lr
        smlabb  \to, \to, \q, lr
        pkhtb   \to, \to, \t, asr #16
        .endm

// A transform of three. The first result is in \first, and a0 becomes free. omega is in r12.
        .macro  three a0, a1, a2, first
        ssub16  r10, \a1, \a2
        times   r10, r12, r0, \first
        sadd16  \first, \a0, \a1
        ssub16  \a1, \a0, \a1
        sadd16  \first, \first, \a2
        ssub16  \a0, \a0, \a2
        ssub16  \a2, \a1, r10
        sadd16  \a1, \a0, r10
        .endm

// void girih_cortex_m_transform_nines(uint32_t* rows, const uint32_t* factors, const uint32_t* end)
//
// Groups of nine rows, up to the end. The factors are omega, three twiddle factors, and 1.
        function transform_nines
        push    {r2-r11, lr}
        mov     r10, r0
        vldmia  r1, {s0-s4}
        movw    r0, #4591
        mov     lr, #1 << 15
1:      add     r11, r10, #row
        vmov    s5, r11
2:      ldr     r1, [r10]
        ldr     r2, [r10, #row]
        ldr     r3, [r10, #2 * row]
        ldr     r4, [r10, #3 * row]
        ldr     r5, [r10, #4 * row]
        ldr     r6, [r10, #5 * row]
        ldr     r7, [r10, #6 * row]
        ldr     r8, [r10, #7 * row]
        ldr     r9, [r10, #8 * row]
        vmov    s6, r10
        vmov    r12, s0
        three   r1, r4, r7, r11
        three   r2, r5, r8, r1
        three   r3, r6, r9, r2
        vmov    r12, s1
        times   r5, r12, r0, r10
        vmov    r12, s2
        times   r6, r12, r0, r10
        times   r8, r12, r0, r10
        vmov    r12, s3
        times   r9, r12, r0, r10
        vmov    r12, s0
        three   r11, r1, r2, r3
        three   r4, r5, r6, r11
        three   r7, r8, r9, r4
        vmov    r12, s4
        times   r3, r12, r0, r10
        vmov    r10, s6
        str     r11, [r10, #row]
        str     r4, [r10, #2 * row]
        str     r1, [r10, #3 * row]
        str     r5, [r10, #4 * row]
        str     r8, [r10, #5 * row]
        str     r2, [r10, #6 * row]
        str     r6, [r10, #7 * row]
        str     r9, [r10, #8 * row]
        str     r3, [r10], #4
        vmov    r11, s5
        cmp     r10, r11
        bne     2b
        ldr     r11, [sp]
        add     r10, r10, #8 * row
        cmp     r10, r11
        bne     1b
        pop     {r2-r11, pc}
        end_function transform_nines

// void girih_cortex_m_transform_fives(uint32_t* rows, const uint32_t* factors, const uint32_t* end)
//
// Groups of five rows, nine rows apart; their first rows are those up to the end. The factors are
// 1, two cosines, and two sines.
        function transform_fives
        push    {r2-r11, lr}
        vldmia  r1, {s0-s4}
        vmov    s5, r2
        movw    r12, #4591
        mov     lr, #1 << 15
1:      ldr     r1, [r0]
        ldr     r2, [r0, #9 * row]
        ldr     r3, [r0, #18 * row]
        ldr     r4, [r0, #27 * row]
        ldr     r5, [r0, #36 * row]
        vmov    r9, s0
        times   r1, r9, r12, r11
        sadd16  r6, r2, r5
        ssub16  r2, r2, r5
        sadd16  r5, r3, r4
        ssub16  r3, r3, r4
        sum_of_products r4, r6, r9, r5, r9, r12, r11
        vmov    r9, r10, s1, s2
        sadd16  r8, r4, r1
        sum_of_products r4, r6, r9, r5, r10, r12, r11
        sum_of_products r7, r6, r10, r5, r9, r12, r11
        vmov    r9, r10, s3, s4
        sadd16  r4, r4, r1
        sadd16  r7, r7, r1
        sum_of_products r6, r2, r9, r3, r10, r12, r11
        rsb     r9, r9, #0
        sum_of_products r5, r2, r10, r3, r9, r12, r11
        sadd16  r2, r4, r6
        ssub16  r4, r4, r6
        sadd16  r3, r7, r5
        ssub16  r7, r7, r5
        str     r2, [r0, #9 * row]
        str     r3, [r0, #18 * row]
        str     r7, [r0, #27 * row]
        str     r4, [r0, #36 * row]
        str     r8, [r0], #4
        vmov    r11, s5
        cmp     r0, r11
        bne     1b
        pop     {r2-r11, pc}
        end_function transform_fives

// Stores the row in r3 to r11 to its place, and to the second half with its sign changed if it is
// odd; r12 is 0.
        .macro  store_rows is_odd
        ldrh    lr, [r2], #2
        add     lr, r0, lr
        stm     lr, {r3-r11}
        add     lr, lr, #half
        .if \is_odd
        .irp    word, r3, r4, r5, r6, r7, r8, r9, r10, r11
        ssub16  \word, r12, \word
        .endr
        .endif
        stm     lr, {r3-r11}
        .endm

// Four coefficients of 8 bits.
        .macro  four_bytes low, high
        ldr     lr, [r1], #4
        sxtb16  \low, lr
        sxtb16  lr, lr, ror #8
        pkhtb   \high, lr, \low, asr #16
        pkhbt   \low, \low, lr, lsl #16
        .endm

        .macro  load_row_8
        four_bytes r3, r4
        four_bytes r5, r6
        four_bytes r7, r8
        four_bytes r9, r10
        ldrsb   r11, [r1], #1
        ldrsb   lr, [r1], #1
        pkhbt   r11, r11, lr, lsl #16
        .endm

        .macro  load_row_16
        ldm     r1!, {r3-r11}
        .endm

// void girih_cortex_m_place_rows_...(uint32_t* values, const int16_t* coefficients,
//                                    const uint16_t* places, const uint16_t* end)
//
// Copies rows of coefficients of 16 or 8 bits, two at a time, to their places, and to the second
// half with the sign of the second row changed.
        .macro  place_rows bits
        function place_rows_\bits
        push    {r3-r11, lr}
        mov     r12, #0
1:      load_row_\bits
        store_rows 0
        load_row_\bits
        store_rows 1
        ldr     lr, [sp]
        cmp     r2, lr
        bne     1b
        pop     {r3-r11, pc}
        end_function place_rows_\bits
        .endm

        place_rows 8
        place_rows 16

// void girih_cortex_m_join_rows(uint32_t* product, const uint32_t* values, const uint16_t* end,
//                               const uint16_t* places)
//
// Sums and differences of rows of both halves, from the last place down to the end: one goes to the
// next row of the first half, the other to the next row of the second half, alternately.
        function join_rows
        push    {r2-r11, lr}
        add     r12, r0, #half
1:      ldrh    r2, [r3, #-2]!
        add     r2, r1, r2
        add     lr, r2, #half
        .rept   3
        ldm     r2!, {r4-r6}
        ldm     lr!, {r7-r9}
        sadd16  r10, r4, r7
        ssub16  r7, r4, r7
        sadd16  r11, r5, r8
        ssub16  r8, r5, r8
        sadd16  r4, r6, r9
        ssub16  r9, r6, r9
        str     r10, [r0], #4
        str     r11, [r0], #4
        str     r4, [r0], #4
        stm     r12!, {r7-r9}
        .endr
        mov     r4, r0
        mov     r0, r12
        mov     r12, r4
        ldr     r2, [sp]
        cmp     r3, r2
        bne     1b
        pop     {r2-r11, pc}
        end_function join_rows

// Folds two coefficients in \low: \high has the one below them and the first one above; the lower
// half of \next is the second one above.
        .macro  fold_two low, high, next
        sxth    r12, \low
        smlad   r12, \high, r6, r12
        asr     lr, \low, #16
        sxtah   lr, lr, \next
        add     lr, lr, \high, asr #16
        times_each r12, lr, r3, r4, r5
        str     r12, [r0], #4
        .endm

// void girih_cortex_m_fold_rows(int16_t* folded, const int16_t* low, const int16_t* high,
//                               const int16_t* end, uint32_t factor)
//
// The sums low[i] + high[i] + high[i + 1], without high[0], times the factor, modulo q, for i from
// `low` to the end. Four at a time.
        function fold_rows
        push    {r3-r11, lr}
        ldr     r3, [sp, #40]
        movw    r4, #4591
        mov     r5, #1 << 15
        mov     r6, #0x00010001
        ldr     r9, [r2], #4
        bfc     r9, #0, #16
1:      ldm     r1!, {r7, r8}
        ldm     r2!, {r10, r11}
        fold_two r7, r9, r10
        fold_two r8, r10, r11
        mov     r9, r11
        ldr     r12, [sp]
        cmp     r1, r12
        bne     1b
        pop     {r3-r11, pc}
        end_function fold_rows

// The stack of girih_cortex_m_multiply_rows.
        .equ    words, row / 4
        .equ    pairs, 0                // for each j: a_2j and a_(2j - 1), and a_2j and a_(2j + 1)
        .equ    second, 8 * words       // b times y; its first word is not used
        .equ    second_b, second + 4 * words
        .equ    frame, second_b + 4 * words + 4

// Adds the products of pair \j of a with the words \b0, \b1 and \b2 to r0 and r1, r2 and r3, r4 and
// r5. r6 is for even coefficients, r7 for odd ones.
        .macro  three_products j, b0, b1, b2
        ldrd    r6, r7, [sp, #pairs + 8 * (\j)]
        .if \j == 0
        smuad   r0, r6, \b0
        smuadx  r1, r7, \b0
        smuad   r2, r6, \b1
        smuadx  r3, r7, \b1
        smuad   r4, r6, \b2
        smuadx  r5, r7, \b2
        .else
        smlad   r0, r6, \b0, r0
        smladx  r1, r7, \b0, r1
        smlad   r2, r6, \b1, r2
        smladx  r3, r7, \b1, r3
        smlad   r4, r6, \b2, r4
        smladx  r5, r7, \b2, r5
        .endif
        .endm

        .macro  load_second low, high, number
        ldrd    \low, \high, [sp, #second_b + 4 * (\number)]
        .endm

// Words \k, \k + 1 and \k + 2 of the product. q is in r12, and 2^15 in lr.
        .macro  three_words k
        load_second r8, r9, \k + 1
        load_second r10, r11, \k - 1
        three_products 0, r11, r8, r9
        three_products 1, r10, r11, r8
        load_second r8, r9, \k - 3
        three_products 2, r9, r10, r11
        three_products 3, r8, r9, r10
        load_second r10, r11, \k - 5
        three_products 4, r11, r8, r9
        three_products 5, r10, r11, r8
        load_second r8, r9, \k - 7
        three_products 6, r9, r10, r11
        three_products 7, r8, r9, r10
        ldr     r11, [sp, #second_b + 4 * (\k - 8)]
        three_products 8, r11, r8, r9
        vmov    r6, r7, s4, s5
        times_each r0, r1, r6, r12, lr
        times_each r2, r3, r6, r12, lr
        times_each r4, r5, r6, r12, lr
        str     r0, [r7], #4
        str     r2, [r7], #4
        str     r4, [r7], #4
        vmov    s5, r7
        .endm

// Stores word \j of a, and the pair with the upper half of \before, the word below it.
        .macro  store_pair j, before, word
        pkhbt   r2, \word, \before
        strd    r2, \word, [sp, #pairs + 8 * (\j)]
        .endm

// void girih_cortex_m_multiply_rows(uint32_t* a, const uint32_t* b, const uint32_t* turns,
//                                   const uint32_t* end, uint32_t inverse)
//
// Products of rows of nine words modulo x^18 - y, in place of a; `turns` are the factors of y, up
// to the end. The inverse is that of q modulo 2^32.
        function multiply_rows
        push    {r4-r11, lr}
        ldr     r4, [sp, #36]
        sub     sp, sp, #frame
        vmov    s2, s3, r1, r2
        vmov    s4, s5, r4, r0
        vmov    s6, r3
        movw    r12, #4591
        mov     lr, #1 << 15
1:      vmov    r1, r2, s2, s3
        ldm     r1!, {r3-r11}
        ldr     r0, [r2], #4
        vmov    s2, s3, r1, r2
        add     r2, sp, #second_b
        stm     r2, {r3-r11}
        .irp    word, r4, r5, r6, r7, r8, r9, r10, r11
        times   \word, r0, r12, r2
        .endr
        add     r2, sp, #second + 4
        stm     r2, {r4-r11}
        vmov    r1, s5
        ldm     r1, {r3-r11}
        smulwt  r1, r0, r11             // a_(-1), in the upper half
        smlabb  r1, r1, r12, lr
        store_pair 0, r1, r3
        store_pair 1, r3, r4
        store_pair 2, r4, r5
        store_pair 3, r5, r6
        store_pair 4, r6, r7
        store_pair 5, r7, r8
        store_pair 6, r8, r9
        store_pair 7, r9, r10
        store_pair 8, r10, r11
        three_words 0
        three_words 3
        three_words 6
        vmov    r0, s3
        vmov    r1, s6
        cmp     r0, r1
        bne     1b
        add     sp, sp, #frame
        pop     {r4-r11, pc}
        end_function multiply_rows
#endif  // GIRIH_ARM_DSP_AND_FLOATS
