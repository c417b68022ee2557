// void girih_keccak_one_state(uint64_t state[25]): Keccak-f[1600].
//
// Made by tools/keccak_aarch64, which says how it works; tests/proofs/machine proves it.
// Constant time: no branch and no address depends on the states.
//
// Windows is left out, because its unwinder reads other tables.
#if defined(__aarch64__) && !defined(_WIN32)

#if defined(__APPLE__)
        .pushsection __TEXT,__text
        .private_extern _girih_keccak_one_state
        .globl _girih_keccak_one_state
        .p2align 6
_girih_keccak_one_state:
#else
        .pushsection .text.girih_keccak_one_state, "ax", %progbits
        .hidden girih_keccak_one_state
        .globl girih_keccak_one_state
        .type girih_keccak_one_state, %function
        .p2align 6
girih_keccak_one_state:
#endif
        .cfi_startproc
        hint #25                        // PACIASP: a landing pad, and signs the return
        .cfi_negate_ra_state
        sub sp, sp, #128
        .cfi_adjust_cfa_offset 128
        stp x19, x20, [sp, #32]
        .cfi_rel_offset 19, 32
        .cfi_rel_offset 20, 40
        stp x21, x22, [sp, #48]
        .cfi_rel_offset 21, 48
        .cfi_rel_offset 22, 56
        stp x23, x24, [sp, #64]
        .cfi_rel_offset 23, 64
        .cfi_rel_offset 24, 72
        stp x25, x26, [sp, #80]
        .cfi_rel_offset 25, 80
        .cfi_rel_offset 26, 88
        stp x27, x28, [sp, #96]
        .cfi_rel_offset 27, 96
        .cfi_rel_offset 28, 104
        stp x29, x30, [sp, #112]
        .cfi_rel_offset 29, 112
        .cfi_rel_offset 30, 120
        str x0, [sp, #16]
#if defined(__APPLE__)
        adrp x1, girih_keccak_one_state_constants@PAGE
        add x1, x1, girih_keccak_one_state_constants@PAGEOFF
#else
        adrp x1, girih_keccak_one_state_constants
        add x1, x1, :lo12:girih_keccak_one_state_constants
#endif
        str x1, [sp]
        ldr x30, [sp, #16]
        ldr x0, [x30, #0]
        ldr x1, [x30, #8]
        ldr x2, [x30, #16]
        ror x2, x2, #12
        ldr x3, [x30, #24]
        ldr x4, [x30, #32]
        ldr x5, [x30, #40]
        ror x5, x5, #28
        ldr x6, [x30, #48]
        ror x6, x6, #20
        ldr x7, [x30, #56]
        ldr x8, [x30, #64]
        ror x8, x8, #45
        ldr x9, [x30, #72]
        ldr x10, [x30, #80]
        ror x10, x10, #33
        ldr x11, [x30, #88]
        ror x11, x11, #6
        ldr x12, [x30, #96]
        ror x12, x12, #33
        ldr x13, [x30, #104]
        ror x13, x13, #8
        ldr x14, [x30, #112]
        ror x14, x14, #28
        ldr x15, [x30, #120]
        ror x15, x15, #16
        ldr x16, [x30, #128]
        ldr x17, [x30, #136]
        ror x17, x17, #49
        ldr x19, [x30, #144]
        ldr x20, [x30, #152]
        ldr x21, [x30, #160]
        ror x21, x21, #10
        ldr x22, [x30, #168]
        ror x22, x22, #57
        ldr x23, [x30, #176]
        ror x23, x23, #3
        ldr x24, [x30, #184]
        ror x24, x24, #57
        ldr x25, [x30, #192]
        ror x25, x25, #36
        .p2align 5
1:
        eor x26, x0, x5, ror #36
        eor x30, x4, x9
        eor x27, x26, x10, ror #31
        eor x26, x30, x20
        eor x28, x27, x15, ror #48
        eor x30, x1, x16
        eor x27, x26, x14, ror #36
        eor x29, x28, x21, ror #54
        eor x28, x27, x25, ror #28
        eor x26, x30, x6, ror #44
        eor x27, x26, x11, ror #58
        eor x30, x27, x22, ror #7
        eor x27, x3, x19
        eor x26, x28, x30, ror #63
        eor x0, x0, x26
        eor x5, x5, x26, ror #28
        eor x10, x10, x26, ror #33
        eor x15, x15, x26, ror #16
        eor x21, x21, x26, ror #10
        eor x26, x27, x8, ror #19
        eor x27, x26, x13, ror #56
        eor x26, x27, x24, ror #7
        eor x27, x2, x7, ror #12
        eor x30, x30, x26, ror #63
        eor x27, x27, x12, ror #43
        eor x2, x2, x30, ror #12
        eor x7, x7, x30
        eor x27, x27, x17, ror #27
        eor x17, x17, x30, ror #49
        eor x27, x27, x23, ror #9
        eor x23, x23, x30, ror #3
        eor x30, x12, x30, ror #33
        eor x26, x26, x29, ror #63
        eor x29, x29, x27, ror #51
        eor x4, x4, x26
        eor x14, x14, x26, ror #28
        eor x20, x20, x26
        eor x25, x25, x26, ror #36
        eor x26, x9, x26
        eor x6, x6, x29, ror #20
        eor x11, x11, x29, ror #6
        eor x16, x16, x29
        eor x22, x22, x29, ror #57
        eor x29, x1, x29
        eor x27, x27, x28, ror #11
        bic x1, x0, x25, ror #14
        eor x3, x3, x27, ror #52
        eor x13, x13, x27, ror #60
        eor x19, x19, x27, ror #52
        eor x28, x8, x27, ror #33
        eor x27, x24, x27, ror #45
        bic x8, x30, x6, ror #12
        bic x24, x6, x0
        bic x12, x19, x30, ror #9
        eor x8, x0, x8, ror #52
        bic x9, x25, x19, ror #29
        eor x12, x6, x12, ror #43
        eor x6, x1, x19, ror #43
        eor x19, x24, x25, ror #14
        eor x25, x30, x9, ror #26
        ldr x30, [sp]
        bic x24, x10, x26, ror #16
        bic x9, x26, x3, ror #56
        bic x1, x21, x20, ror #20
        eor x9, x23, x9, ror #44
        eor x1, x13, x1, ror #5
        ldr x30, [x30, #0]
        eor x0, x8, x30
        bic x30, x23, x16, ror #19
        bic x8, x16, x10, ror #9
        eor x10, x30, x10, ror #28
        bic x30, x3, x23, ror #28
        eor x23, x16, x30, ror #17
        eor x16, x3, x24, ror #56
        eor x3, x26, x8, ror #39
        bic x30, x7, x29, ror #5
        bic x26, x29, x21, ror #37
        eor x21, x21, x30, ror #22
        bic x30, x20, x13, ror #39
        bic x8, x13, x7, ror #27
        eor x13, x20, x26, ror #7
        eor x20, x7, x30, ror #62
        eor x7, x8, x29, ror #32
        bic x26, x17, x11, ror #48
        bic x24, x11, x5, ror #16
        bic x30, x5, x4, ror #37
        eor x5, x5, x26
        bic x29, x4, x27, ror #42
        bic x26, x27, x17, ror #49
        eor x24, x24, x4, ror #53
        eor x4, x17, x29, ror #37
        eor x17, x26, x11, ror #33
        eor x11, x30, x27, ror #15
        bic x29, x2, x22, ror #15
        bic x8, x22, x15, ror #2
        bic x26, x15, x14, ror #54
        eor x15, x15, x29, ror #47
        bic x30, x14, x28, ror #31
        bic x27, x28, x2, ror #26
        eor x8, x14, x8, ror #8
        eor x14, x2, x30, ror #7
        eor x2, x27, x22, ror #41
        eor x22, x26, x28, ror #21
        eor x29, x0, x16, ror #36
        eor x28, x19, x9
        eor x30, x29, x7, ror #31
        eor x29, x28, x11
        eor x27, x30, x24, ror #48
        eor x28, x12, x5
        eor x30, x29, x21, ror #36
        eor x26, x27, x14, ror #54
        eor x27, x30, x2, ror #28
        eor x29, x28, x3, ror #44
        eor x30, x29, x20, ror #58
        eor x28, x30, x22, ror #7
        eor x30, x6, x4
        eor x29, x27, x28, ror #63
        eor x0, x0, x29
        eor x16, x16, x29, ror #28
        eor x7, x7, x29, ror #33
        eor x24, x24, x29, ror #16
        eor x14, x14, x29, ror #10
        eor x29, x30, x23, ror #19
        eor x30, x29, x13, ror #56
        eor x29, x30, x15, ror #7
        eor x30, x25, x10, ror #12
        eor x28, x28, x29, ror #63
        eor x30, x30, x1, ror #43
        eor x25, x25, x28, ror #12
        eor x10, x10, x28
        eor x30, x30, x17, ror #27
        eor x17, x17, x28, ror #49
        eor x30, x30, x8, ror #9
        eor x8, x8, x28, ror #3
        eor x28, x1, x28, ror #33
        eor x29, x29, x26, ror #63
        eor x26, x26, x30, ror #51
        eor x19, x19, x29
        eor x21, x21, x29, ror #28
        eor x11, x11, x29
        eor x2, x2, x29, ror #36
        eor x29, x9, x29
        eor x3, x3, x26, ror #20
        eor x20, x20, x26, ror #6
        eor x5, x5, x26
        eor x22, x22, x26, ror #57
        eor x26, x12, x26
        eor x30, x30, x27, ror #11
        bic x12, x0, x2, ror #14
        eor x6, x6, x30, ror #52
        eor x13, x13, x30, ror #60
        eor x4, x4, x30, ror #52
        eor x27, x23, x30, ror #33
        eor x30, x15, x30, ror #45
        bic x23, x28, x3, ror #12
        bic x15, x3, x0
        bic x1, x4, x28, ror #9
        eor x23, x0, x23, ror #52
        bic x9, x2, x4, ror #29
        eor x1, x3, x1, ror #43
        eor x3, x12, x4, ror #43
        eor x4, x15, x2, ror #14
        eor x2, x28, x9, ror #26
        ldr x28, [sp]
        bic x15, x7, x29, ror #16
        bic x9, x29, x6, ror #56
        bic x12, x14, x11, ror #20
        eor x9, x8, x9, ror #44
        eor x12, x13, x12, ror #5
        ldr x28, [x28, #8]
        eor x0, x23, x28
        bic x28, x8, x5, ror #19
        bic x23, x5, x7, ror #9
        eor x7, x28, x7, ror #28
        bic x28, x6, x8, ror #28
        eor x8, x5, x28, ror #17
        eor x5, x6, x15, ror #56
        eor x6, x29, x23, ror #39
        bic x28, x10, x26, ror #5
        bic x29, x26, x14, ror #37
        eor x14, x14, x28, ror #22
        bic x28, x11, x13, ror #39
        bic x23, x13, x10, ror #27
        eor x13, x11, x29, ror #7
        eor x11, x10, x28, ror #62
        eor x10, x23, x26, ror #32
        bic x29, x17, x20, ror #48
        bic x15, x20, x16, ror #16
        bic x28, x16, x19, ror #37
        eor x16, x16, x29
        bic x26, x19, x30, ror #42
        bic x29, x30, x17, ror #49
        eor x15, x15, x19, ror #53
        eor x19, x17, x26, ror #37
        eor x17, x29, x20, ror #33
        eor x20, x28, x30, ror #15
        bic x26, x25, x22, ror #15
        bic x23, x22, x24, ror #2
        bic x29, x24, x21, ror #54
        eor x24, x24, x26, ror #47
        bic x28, x21, x27, ror #31
        bic x30, x27, x25, ror #26
        eor x23, x21, x23, ror #8
        eor x21, x25, x28, ror #7
        eor x25, x30, x22, ror #41
        eor x22, x29, x27, ror #21
        ldr x29, [sp]
        ldr x30, [x29, #16]
        add x29, x29, #24
        str x29, [sp]
        cbz x30, 1b
        ldr x30, [sp, #16]
        str x0, [x30, #0]
        str x1, [x30, #8]
        ror x29, x2, #52
        str x29, [x30, #16]
        str x3, [x30, #24]
        str x4, [x30, #32]
        ror x29, x5, #36
        str x29, [x30, #40]
        ror x29, x6, #44
        str x29, [x30, #48]
        str x7, [x30, #56]
        ror x29, x8, #19
        str x29, [x30, #64]
        str x9, [x30, #72]
        ror x29, x10, #31
        str x29, [x30, #80]
        ror x29, x11, #58
        str x29, [x30, #88]
        ror x29, x12, #31
        str x29, [x30, #96]
        ror x29, x13, #56
        str x29, [x30, #104]
        ror x29, x14, #36
        str x29, [x30, #112]
        ror x29, x15, #48
        str x29, [x30, #120]
        str x16, [x30, #128]
        ror x29, x17, #15
        str x29, [x30, #136]
        str x19, [x30, #144]
        str x20, [x30, #152]
        ror x29, x21, #54
        str x29, [x30, #160]
        ror x29, x22, #7
        str x29, [x30, #168]
        ror x29, x23, #61
        str x29, [x30, #176]
        ror x29, x24, #7
        str x29, [x30, #184]
        ror x29, x25, #28
        str x29, [x30, #192]
        ldp x19, x20, [sp, #32]
        .cfi_restore 19
        .cfi_restore 20
        ldp x21, x22, [sp, #48]
        .cfi_restore 21
        .cfi_restore 22
        ldp x23, x24, [sp, #64]
        .cfi_restore 23
        .cfi_restore 24
        ldp x25, x26, [sp, #80]
        .cfi_restore 25
        .cfi_restore 26
        ldp x27, x28, [sp, #96]
        .cfi_restore 27
        .cfi_restore 28
        ldp x29, x30, [sp, #112]
        .cfi_restore 29
        .cfi_restore 30
        add sp, sp, #128
        .cfi_adjust_cfa_offset -128
        hint #29                        // AUTIASP
        .cfi_negate_ra_state
        ret
        .cfi_endproc
#if defined(__APPLE__)
        .popsection
        .pushsection __TEXT,__const
#else
        .size girih_keccak_one_state, . - girih_keccak_one_state
        .popsection
        .pushsection .rodata.girih_keccak_one_state, "a", %progbits
#endif
        .p2align 6
girih_keccak_one_state_constants:
        .quad 0x1, 0x8082
        .quad 0
        .quad 0x800000000000808a, 0x8000000080008000
        .quad 0
        .quad 0x808b, 0x80000001
        .quad 0
        .quad 0x8000000080008081, 0x8000000000008009
        .quad 0
        .quad 0x8a, 0x88
        .quad 0
        .quad 0x80008009, 0x8000000a
        .quad 0
        .quad 0x8000808b, 0x800000000000008b
        .quad 0
        .quad 0x8000000000008089, 0x8000000000008003
        .quad 0
        .quad 0x8000000000008002, 0x8000000000000080
        .quad 0
        .quad 0x800a, 0x800000008000000a
        .quad 0
        .quad 0x8000000080008081, 0x8000000000008080
        .quad 0
        .quad 0x80000001, 0x8000000080008008
        .quad 2
        .popsection

// The notes of a file of its own; in assembly inside C++ they would speak for the C++.
#if defined(__ELF__) && defined(__ASSEMBLER__)
        .section .note.GNU-stack, "", %progbits
        .section .note.gnu.property, "a", %note
        .p2align 3
        .long 4, 16, 5                  // bytes of name and value, NT_GNU_PROPERTY_TYPE_0
        .asciz "GNU"
        .long 0xc0000000, 4, 3, 0       // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI, PAC
#endif

#endif
