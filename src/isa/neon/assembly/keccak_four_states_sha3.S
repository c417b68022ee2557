// girih_keccak_four_states, for cores with SHA-3's instructions (FEAT_SHA3).
//
// Made by tools/keccak_aarch64, which says how it works; tests/proofs/machine proves it.
// Constant time: no branch and no address depends on the states.
//
// Windows is left out, because its unwinder reads other tables.
#if defined(__aarch64__) && !defined(_WIN32)

#if defined(__APPLE__)
        .pushsection __TEXT,__text
        .private_extern _girih_keccak_four_states_sha3
        .globl _girih_keccak_four_states_sha3
        .p2align 6
_girih_keccak_four_states_sha3:
#else
        .pushsection .text.girih_keccak_four_states_sha3, "ax", %progbits
        .hidden girih_keccak_four_states_sha3
        .globl girih_keccak_four_states_sha3
        .type girih_keccak_four_states_sha3, %function
        .p2align 6
girih_keccak_four_states_sha3:
#endif
        .cfi_startproc
        hint #25                        // PACIASP: a landing pad, and signs the return
        .cfi_negate_ra_state
        sub sp, sp, #192
        .cfi_adjust_cfa_offset 192
        stp d8, d9, [sp, #32]
        .cfi_rel_offset 72, 32
        .cfi_rel_offset 73, 40
        stp d10, d11, [sp, #48]
        .cfi_rel_offset 74, 48
        .cfi_rel_offset 75, 56
        stp d12, d13, [sp, #64]
        .cfi_rel_offset 76, 64
        .cfi_rel_offset 77, 72
        stp d14, d15, [sp, #80]
        .cfi_rel_offset 78, 80
        .cfi_rel_offset 79, 88
        stp x19, x20, [sp, #96]
        .cfi_rel_offset 19, 96
        .cfi_rel_offset 20, 104
        stp x21, x22, [sp, #112]
        .cfi_rel_offset 21, 112
        .cfi_rel_offset 22, 120
        stp x23, x24, [sp, #128]
        .cfi_rel_offset 23, 128
        .cfi_rel_offset 24, 136
        stp x25, x26, [sp, #144]
        .cfi_rel_offset 25, 144
        .cfi_rel_offset 26, 152
        stp x27, x28, [sp, #160]
        .cfi_rel_offset 27, 160
        .cfi_rel_offset 28, 168
        stp x29, x30, [sp, #176]
        .cfi_rel_offset 29, 176
        .cfi_rel_offset 30, 184
        add x1, x0, #400
        stp x0, x1, [sp, #8]
#if defined(__APPLE__)
        adrp x1, girih_keccak_four_states_sha3_constants@PAGE
        add x1, x1, girih_keccak_four_states_sha3_constants@PAGEOFF
#else
        adrp x1, girih_keccak_four_states_sha3_constants
        add x1, x1, :lo12:girih_keccak_four_states_sha3_constants
#endif
        str x1, [sp]
        add x1, x0, #200
        ldr q25, [x0, #0]
        ldr q26, [x1, #0]
        zip1 v0.2d, v25.2d, v26.2d
        zip2 v1.2d, v25.2d, v26.2d
        ldr q27, [x0, #16]
        ldr q28, [x1, #16]
        zip1 v2.2d, v27.2d, v28.2d
        zip2 v3.2d, v27.2d, v28.2d
        ldr q25, [x0, #32]
        ldr q26, [x1, #32]
        zip1 v4.2d, v25.2d, v26.2d
        zip2 v5.2d, v25.2d, v26.2d
        ldr q27, [x0, #48]
        ldr q28, [x1, #48]
        zip1 v6.2d, v27.2d, v28.2d
        zip2 v7.2d, v27.2d, v28.2d
        ldr q25, [x0, #64]
        ldr q26, [x1, #64]
        zip1 v8.2d, v25.2d, v26.2d
        zip2 v9.2d, v25.2d, v26.2d
        ldr q27, [x0, #80]
        ldr q28, [x1, #80]
        zip1 v10.2d, v27.2d, v28.2d
        zip2 v11.2d, v27.2d, v28.2d
        ldr q25, [x0, #96]
        ldr q26, [x1, #96]
        zip1 v12.2d, v25.2d, v26.2d
        zip2 v13.2d, v25.2d, v26.2d
        ldr q27, [x0, #112]
        ldr q28, [x1, #112]
        zip1 v14.2d, v27.2d, v28.2d
        zip2 v15.2d, v27.2d, v28.2d
        ldr q25, [x0, #128]
        ldr q26, [x1, #128]
        zip1 v16.2d, v25.2d, v26.2d
        zip2 v17.2d, v25.2d, v26.2d
        ldr q27, [x0, #144]
        ldr q28, [x1, #144]
        zip1 v18.2d, v27.2d, v28.2d
        zip2 v19.2d, v27.2d, v28.2d
        ldr q25, [x0, #160]
        ldr q26, [x1, #160]
        zip1 v20.2d, v25.2d, v26.2d
        zip2 v21.2d, v25.2d, v26.2d
        ldr q27, [x0, #176]
        ldr q28, [x1, #176]
        zip1 v22.2d, v27.2d, v28.2d
        zip2 v23.2d, v27.2d, v28.2d
        ldr d24, [x0, #192]
        add x1, x1, #192
        ld1 {v24.d}[1], [x1]
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
        .inst 0xce052819  // eor3 v25.16b, v0.16b, v5.16b, v10.16b
        eor x26, x0, x5, ror #36
        eor x30, x4, x9
        eor v27.16b, v4.16b, v9.16b
        eor v28.16b, v14.16b, v19.16b
        eor x27, x26, x10, ror #31
        .inst 0xce062c3f  // eor3 v31.16b, v1.16b, v6.16b, v11.16b
        eor x28, x27, x15, ror #48
        .inst 0xce0f533a  // eor3 v26.16b, v25.16b, v15.16b, v20.16b
        eor x26, x30, x20
        eor v29.16b, v27.16b, v28.16b
        eor x29, x28, x21, ror #54
        eor x27, x26, x14, ror #36
        eor x30, x1, x16
        .inst 0xce1057f9  // eor3 v25.16b, v31.16b, v16.16b, v21.16b
        eor x28, x27, x25, ror #28
        eor x26, x30, x6, ror #44
        eor v30.16b, v29.16b, v24.16b
        eor x27, x26, x11, ror #58
        eor x30, x27, x22, ror #7
        .inst 0xce798fdb  // rax1 v27.2d, v30.2d, v25.2d
        eor x26, x28, x30, ror #63
        eor x27, x3, x19
        eor x0, x0, x26
        eor x5, x5, x26, ror #28
        eor x10, x10, x26, ror #33
        eor x15, x15, x26, ror #16
        eor x21, x21, x26, ror #10
        eor v0.16b, v0.16b, v27.16b
        .inst 0xce9b70bc  // xar v28.2d, v5.2d, v27.2d, #28
        eor v20.16b, v20.16b, v27.16b
        eor x26, x27, x8, ror #19
        .inst 0xce9bf55d  // xar v29.2d, v10.2d, v27.2d, #61
        eor v5.16b, v12.16b, v17.16b
        eor x27, x26, x13, ror #56
        .inst 0xce9b5dff  // xar v31.2d, v15.2d, v27.2d, #23
        eor x26, x27, x24, ror #7
        eor v27.16b, v3.16b, v8.16b
        eor v15.16b, v13.16b, v18.16b
        eor x27, x2, x7, ror #12
        eor x30, x30, x26, ror #63
        eor x27, x27, x12, ror #43
        eor x2, x2, x30, ror #12
        eor x7, x7, x30
        eor x26, x26, x29, ror #63
        eor v27.16b, v27.16b, v15.16b
        eor x27, x27, x17, ror #27
        eor x4, x4, x26
        eor x14, x14, x26, ror #28
        eor x20, x20, x26
        eor x25, x25, x26, ror #36
        eor v15.16b, v2.16b, v7.16b
        eor x27, x27, x23, ror #9
        eor x17, x17, x30, ror #49
        eor v27.16b, v27.16b, v23.16b
        eor x26, x9, x26
        eor x23, x23, x30, ror #3
        eor x29, x29, x27, ror #51
        eor v15.16b, v15.16b, v5.16b
        eor x30, x12, x30, ror #33
        eor x6, x6, x29, ror #20
        eor x11, x11, x29, ror #6
        eor x16, x16, x29
        eor x22, x22, x29, ror #57
        eor x27, x27, x28, ror #11
        .inst 0xce7b8f39  // rax1 v25.2d, v25.2d, v27.2d
        eor v15.16b, v15.16b, v22.16b
        eor x29, x1, x29
        eor x3, x3, x27, ror #52
        eor x13, x13, x27, ror #60
        eor x19, x19, x27, ror #52
        eor x28, x8, x27, ror #33
        .inst 0xce7a8f7b  // rax1 v27.2d, v27.2d, v26.2d
        .inst 0xce990842  // xar v2.2d, v2.2d, v25.2d, #2
        eor v7.16b, v7.16b, v25.16b
        eor x27, x24, x27, ror #45
        bic x8, x30, x6, ror #12
        bic x1, x0, x25, ror #14
        eor v22.16b, v22.16b, v25.16b
        bic x12, x19, x30, ror #9
        bic x9, x25, x19, ror #29
        .inst 0xce99c631  // xar v17.2d, v17.2d, v25.2d, #49
        bic x24, x6, x0
        eor x8, x0, x8, ror #52
        eor x12, x6, x12, ror #43
        eor v14.16b, v14.16b, v27.16b
        .inst 0xce995599  // xar v25.2d, v12.2d, v25.2d, #21
        eor x6, x1, x19, ror #43
        eor x19, x24, x25, ror #14
        .inst 0xce9b9484  // xar v4.2d, v4.2d, v27.2d, #37
        bic x1, x21, x20, ror #20
        eor x25, x30, x9, ror #26
        .inst 0xce9be265  // xar v5.2d, v19.2d, v27.2d, #56
        bic x24, x10, x26, ror #16
        eor x1, x13, x1, ror #5
        ldr x30, [sp]
        .inst 0xce9bcb13  // xar v19.2d, v24.2d, v27.2d, #50
        bic x9, x26, x3, ror #56
        .inst 0xce9bb13b  // xar v27.2d, v9.2d, v27.2d, #44
        eor x9, x23, x9, ror #44
        .inst 0xce6f8f5a  // rax1 v26.2d, v26.2d, v15.2d
        .inst 0xce7e8dfe  // rax1 v30.2d, v15.2d, v30.2d
        .inst 0xce9a50ca  // xar v10.2d, v6.2d, v26.2d, #20
        eor v16.16b, v16.16b, v26.16b
        ldr x30, [x30, #32]
        .inst 0xce9ad96b  // xar v11.2d, v11.2d, v26.2d, #54
        eor v13.16b, v13.16b, v30.16b
        eor v8.16b, v8.16b, v30.16b
        .inst 0xce9afab5  // xar v21.2d, v21.2d, v26.2d, #62
        .inst 0xce9afc3a  // xar v26.2d, v1.2d, v26.2d, #63
        .inst 0xce9e906f  // xar v15.2d, v3.2d, v30.2d, #36
        .inst 0xce9eae41  // xar v1.2d, v18.2d, v30.2d, #43
        eor x0, x8, x30
        .inst 0xce9e22fe  // xar v30.2d, v23.2d, v30.2d, #8
        bic v18.16b, v10.16b, v0.16b
        bic v9.16b, v27.16b, v15.16b
        bic x30, x23, x16, ror #19
        bic x8, x16, x10, ror #9
        bic v23.16b, v25.16b, v10.16b
        .inst 0xce21654c  // bcax v12.16b, v10.16b, v1.16b, v25.16b
        eor x10, x30, x10, ror #28
        .inst 0xce204c26  // bcax v6.16b, v1.16b, v0.16b, v19.16b
        eor v18.16b, v19.16b, v18.16b
        bic x30, x3, x23, ror #28
        eor v23.16b, v0.16b, v23.16b
        .inst 0xce330738  // bcax v24.16b, v25.16b, v19.16b, v1.16b
        eor x23, x16, x30, ror #17
        eor x16, x3, x24, ror #56
        bic x30, x7, x29, ror #5
        eor x3, x26, x8, ror #39
        bic x24, x11, x5, ror #16
        bic x26, x29, x21, ror #37
        bic x8, x13, x7, ror #27
        eor x24, x24, x4, ror #53
        eor x21, x21, x30, ror #22
        bic x30, x20, x13, ror #39
        eor x13, x20, x26, ror #7
        eor x20, x7, x30, ror #62
        bic x26, x17, x11, ror #48
        eor x7, x8, x29, ror #32
        bic x30, x5, x4, ror #37
        eor x5, x5, x26
        bic x29, x4, x27, ror #42
        bic x8, x22, x15, ror #2
        bic x26, x27, x17, ror #49
        eor x4, x17, x29, ror #37
        eor x8, x14, x8, ror #8
        eor x17, x26, x11, ror #33
        bic x29, x2, x22, ror #15
        eor x11, x30, x27, ror #15
        bic x26, x15, x14, ror #54
        eor x15, x15, x29, ror #47
        bic x30, x14, x28, ror #31
        bic x27, x28, x2, ror #26
        eor x14, x2, x30, ror #7
        eor x29, x0, x16, ror #36
        eor x2, x27, x22, ror #41
        eor x30, x29, x7, ror #31
        eor x22, x26, x28, ror #21
        eor x27, x30, x24, ror #48
        eor x26, x27, x14, ror #54
        eor x28, x19, x9
        ldr x30, [sp]
        eor x29, x28, x11
        eor x27, x29, x21, ror #36
        eor x28, x27, x2, ror #28
        eor x29, x12, x5
        eor x27, x29, x3, ror #44
        ldr q25, [x30, #0]
        eor x30, x27, x20, ror #58
        eor x29, x30, x22, ror #7
        eor x27, x28, x29, ror #63
        eor x30, x6, x4
        eor x0, x0, x27
        eor x16, x16, x27, ror #28
        eor x7, x7, x27, ror #33
        eor x24, x24, x27, ror #16
        eor x14, x14, x27, ror #10
        eor v0.16b, v23.16b, v25.16b
        eor x27, x30, x23, ror #19
        shl v25.2d, v16.2d, #45
        shl v23.2d, v22.2d, #61
        eor x30, x27, x13, ror #56
        eor x27, x30, x15, ror #7
        sri v25.2d, v16.2d, #19
        sri v23.2d, v22.2d, #3
        eor x30, x25, x10, ror #12
        eor x29, x29, x27, ror #63
        bic v16.16b, v29.16b, v27.16b
        eor x30, x30, x1, ror #43
        eor x25, x25, x29, ror #12
        eor x10, x10, x29
        eor x27, x27, x26, ror #63
        bic v3.16b, v25.16b, v29.16b
        bic v22.16b, v15.16b, v23.16b
        eor x30, x30, x17, ror #27
        .inst 0xce3767aa  // bcax v10.16b, v29.16b, v23.16b, v25.16b
        eor v9.16b, v23.16b, v9.16b
        eor x19, x19, x27
        eor x21, x21, x27, ror #28
        eor x11, x11, x27
        eor x30, x30, x8, ror #9
        eor x17, x17, x29, ror #49
        eor v16.16b, v15.16b, v16.16b
        eor x2, x2, x27, ror #36
        shl v29.2d, v7.2d, #6
        bic v23.16b, v11.16b, v28.16b
        eor x8, x8, x29, ror #3
        eor v22.16b, v25.16b, v22.16b
        eor v3.16b, v27.16b, v3.16b
        eor x27, x9, x27
        eor x26, x26, x30, ror #51
        .inst 0xce2257ef  // bcax v15.16b, v31.16b, v2.16b, v21.16b
        eor x29, x1, x29, ror #33
        eor x3, x3, x26, ror #20
        sri v29.2d, v7.2d, #58
        eor x20, x20, x26, ror #6
        eor x5, x5, x26
        shl v25.2d, v13.2d, #25
        eor x22, x22, x26, ror #57
        eor x30, x30, x28, ror #11
        eor x26, x12, x26
        eor x6, x6, x30, ror #52
        shl v27.2d, v20.2d, #18
        eor x13, x13, x30, ror #60
        eor x4, x4, x30, ror #52
        eor x28, x23, x30, ror #33
        eor v23.16b, v4.16b, v23.16b
        sri v25.2d, v13.2d, #39
        eor x30, x15, x30, ror #45
        bic x23, x29, x3, ror #12
        bic x12, x0, x2, ror #14
        bic x1, x4, x29, ror #9
        bic x9, x2, x4, ror #29
        sri v27.2d, v20.2d, #46
        bic x15, x3, x0
        eor x23, x0, x23, ror #52
        eor x1, x3, x1, ror #43
        bic v7.16b, v25.16b, v29.16b
        eor x3, x12, x4, ror #43
        .inst 0xce2567b3  // bcax v19.16b, v29.16b, v5.16b, v25.16b
        bic v1.16b, v27.16b, v5.16b
        .inst 0xce3d6b74  // bcax v20.16b, v27.16b, v29.16b, v26.16b
        eor x4, x15, x2, ror #14
        bic x12, x14, x11, ror #20
        .inst 0xce3a6cad  // bcax v13.16b, v5.16b, v26.16b, v27.16b
        eor x2, x29, x9, ror #26
        eor v7.16b, v26.16b, v7.16b
        bic x15, x7, x27, ror #16
        eor x12, x13, x12, ror #5
        shl v29.2d, v8.2d, #55
        eor v1.16b, v25.16b, v1.16b
        ldr x29, [sp]
        bic v27.16b, v28.16b, v4.16b
        bic x9, x27, x6, ror #56
        bic v5.16b, v17.16b, v11.16b
        eor x9, x8, x9, ror #44
        .inst 0xce247a24  // bcax v4.16b, v17.16b, v4.16b, v30.16b
        sri v29.2d, v8.2d, #9
        shl v25.2d, v14.2d, #39
        eor v5.16b, v28.16b, v5.16b
        .inst 0xce3e4571  // bcax v17.16b, v11.16b, v30.16b, v17.16b
        eor v11.16b, v30.16b, v27.16b
        sri v25.2d, v14.2d, #25
        .inst 0xce101c1c  // eor3 v28.16b, v0.16b, v16.16b, v7.16b
        eor v27.16b, v18.16b, v9.16b
        ldr x29, [x29, #40]
        bic v26.16b, v31.16b, v25.16b
        bic v14.16b, v25.16b, v29.16b
        .inst 0xce357f28  // bcax v8.16b, v25.16b, v21.16b, v31.16b
        eor v25.16b, v20.16b, v11.16b
        eor v14.16b, v2.16b, v14.16b
        .inst 0xce3d0aa2  // bcax v2.16b, v21.16b, v29.16b, v2.16b
        eor v31.16b, v27.16b, v25.16b
        eor v21.16b, v29.16b, v26.16b
        .inst 0xce173b9e  // eor3 v30.16b, v28.16b, v23.16b, v14.16b
        eor x0, x23, x29
        eor v29.16b, v31.16b, v2.16b
        .inst 0xce034d9a  // eor3 v26.16b, v12.16b, v3.16b, v19.16b
        bic x29, x8, x5, ror #19
        bic x23, x5, x7, ror #9
        eor x7, x29, x7, ror #28
        .inst 0xce05575c  // eor3 v28.16b, v26.16b, v5.16b, v21.16b
        bic x29, x6, x8, ror #28
        eor x8, x5, x29, ror #17
        .inst 0xce7c8fbb  // rax1 v27.2d, v29.2d, v28.2d
        eor x5, x6, x15, ror #56
        bic x29, x10, x26, ror #5
        eor x6, x27, x23, ror #39
        bic x15, x20, x16, ror #16
        eor v0.16b, v0.16b, v27.16b
        .inst 0xce9b7219  // xar v25.2d, v16.2d, v27.2d, #28
        eor v14.16b, v14.16b, v27.16b
        bic x27, x26, x14, ror #37
        bic x23, x13, x10, ror #27
        eor x15, x15, x19, ror #53
        .inst 0xce9bf4ff  // xar v31.2d, v7.2d, v27.2d, #61
        eor v16.16b, v1.16b, v17.16b
        eor x14, x14, x29, ror #22
        .inst 0xce9b5efa  // xar v26.2d, v23.2d, v27.2d, #23
        bic x29, x11, x13, ror #39
        eor v27.16b, v6.16b, v22.16b
        eor v23.16b, v13.16b, v4.16b
        eor x13, x11, x27, ror #7
        eor x11, x10, x29, ror #62
        bic x27, x17, x20, ror #48
        eor v27.16b, v27.16b, v23.16b
        eor x10, x23, x26, ror #32
        bic x29, x16, x19, ror #37
        eor v23.16b, v24.16b, v10.16b
        eor x16, x16, x27
        bic x26, x19, x30, ror #42
        bic x23, x22, x24, ror #2
        eor v27.16b, v27.16b, v15.16b
        bic x27, x30, x17, ror #49
        eor x19, x17, x26, ror #37
        eor x23, x21, x23, ror #8
        eor v23.16b, v23.16b, v16.16b
        eor x17, x27, x20, ror #33
        bic x26, x25, x22, ror #15
        .inst 0xce7b8f9c  // rax1 v28.2d, v28.2d, v27.2d
        eor x20, x29, x30, ror #15
        bic x27, x24, x21, ror #54
        eor v23.16b, v23.16b, v8.16b
        .inst 0xce7e8f7b  // rax1 v27.2d, v27.2d, v30.2d
        eor x24, x24, x26, ror #47
        bic x29, x21, x28, ror #31
        bic x30, x28, x25, ror #26
        .inst 0xce9c0b18  // xar v24.2d, v24.2d, v28.2d, #2
        eor v10.16b, v10.16b, v28.16b
        eor v8.16b, v8.16b, v28.16b
        eor x21, x25, x29, ror #7
        eor x26, x0, x5, ror #36
        .inst 0xce9cc631  // xar v17.2d, v17.2d, v28.2d, #49
        eor v20.16b, v20.16b, v27.16b
        eor x25, x30, x22, ror #41
        eor x29, x26, x10, ror #31
        .inst 0xce9c543c  // xar v28.2d, v1.2d, v28.2d, #21
        eor x22, x27, x28, ror #21
        eor x30, x29, x15, ror #48
        .inst 0xce9b9652  // xar v18.2d, v18.2d, v27.2d, #37
        eor x27, x30, x21, ror #54
        eor x28, x4, x9
        .inst 0xce9be170  // xar v16.2d, v11.2d, v27.2d, #56
        eor x26, x28, x20
        .inst 0xce9bc84b  // xar v11.2d, v2.2d, v27.2d, #50
        eor x29, x26, x14, ror #36
        eor x28, x1, x16
        .inst 0xce9bb13b  // xar v27.2d, v9.2d, v27.2d, #44
        eor x30, x29, x25, ror #28
        eor x26, x28, x6, ror #44
        .inst 0xce778fde  // rax1 v30.2d, v30.2d, v23.2d
        eor x29, x26, x11, ror #58
        .inst 0xce7d8efd  // rax1 v29.2d, v23.2d, v29.2d
        eor x28, x29, x22, ror #7
        .inst 0xce9e5067  // xar v7.2d, v3.2d, v30.2d, #20
        eor v5.16b, v5.16b, v30.16b
        eor x26, x30, x28, ror #63
        eor x29, x3, x19
        .inst 0xce9eda73  // xar v19.2d, v19.2d, v30.2d, #54
        eor v13.16b, v13.16b, v29.16b
        eor v22.16b, v22.16b, v29.16b
        eor x0, x0, x26
        eor x5, x5, x26, ror #28
        eor x10, x10, x26, ror #33
        eor x15, x15, x26, ror #16
        eor x21, x21, x26, ror #10
        .inst 0xce9efab5  // xar v21.2d, v21.2d, v30.2d, #62
        eor x26, x29, x8, ror #19
        .inst 0xce9efd9e  // xar v30.2d, v12.2d, v30.2d, #63
        eor x29, x26, x13, ror #56
        .inst 0xce9d90d7  // xar v23.2d, v6.2d, v29.2d, #36
        eor x26, x29, x24, ror #7
        .inst 0xce9dac8c  // xar v12.2d, v4.2d, v29.2d, #43
        eor x29, x2, x7, ror #12
        eor x28, x28, x26, ror #63
        .inst 0xce9d21fd  // xar v29.2d, v15.2d, v29.2d, #8
        bic v4.16b, v7.16b, v0.16b
        bic v9.16b, v27.16b, v23.16b
        eor x29, x29, x12, ror #43
        eor x2, x2, x28, ror #12
        eor x7, x7, x28
        eor x26, x26, x27, ror #63
        bic v15.16b, v28.16b, v7.16b
        .inst 0xce2c70e1  // bcax v1.16b, v7.16b, v12.16b, v28.16b
        eor x29, x29, x17, ror #27
        eor x4, x4, x26
        eor x14, x14, x26, ror #28
        eor x20, x20, x26
        eor x25, x25, x26, ror #36
        .inst 0xce202d83  // bcax v3.16b, v12.16b, v0.16b, v11.16b
        eor v4.16b, v11.16b, v4.16b
        eor x29, x29, x23, ror #9
        eor x17, x17, x28, ror #49
        eor x26, x9, x26
        eor v15.16b, v0.16b, v15.16b
        .inst 0xce2b3382  // bcax v2.16b, v28.16b, v11.16b, v12.16b
        eor x23, x23, x28, ror #3
        eor x27, x27, x29, ror #51
        eor x28, x12, x28, ror #33
        eor x6, x6, x27, ror #20
        eor x11, x11, x27, ror #6
        eor x16, x16, x27
        eor x22, x22, x27, ror #57
        eor x29, x29, x30, ror #11
        eor x27, x1, x27
        eor x3, x3, x29, ror #52
        eor x13, x13, x29, ror #60
        eor x19, x19, x29, ror #52
        eor x30, x8, x29, ror #33
        eor x29, x24, x29, ror #45
        bic x8, x28, x6, ror #12
        bic x1, x0, x25, ror #14
        bic x12, x19, x28, ror #9
        bic x9, x25, x19, ror #29
        bic x24, x6, x0
        eor x8, x0, x8, ror #52
        eor x12, x6, x12, ror #43
        eor x6, x1, x19, ror #43
        eor x19, x24, x25, ror #14
        bic x1, x21, x20, ror #20
        eor x25, x28, x9, ror #26
        bic x24, x10, x26, ror #16
        eor x1, x13, x1, ror #5
        ldr x28, [sp]
        bic x9, x26, x3, ror #56
        eor x9, x23, x9, ror #44
        ldr x28, [x28, #48]
        eor x0, x8, x28
        bic x28, x23, x16, ror #19
        bic x8, x16, x10, ror #9
        eor x10, x28, x10, ror #28
        bic x28, x3, x23, ror #28
        eor x23, x16, x28, ror #17
        eor x16, x3, x24, ror #56
        bic x28, x7, x27, ror #5
        eor x3, x26, x8, ror #39
        bic x24, x11, x5, ror #16
        bic x26, x27, x21, ror #37
        bic x8, x13, x7, ror #27
        eor x24, x24, x4, ror #53
        eor x21, x21, x28, ror #22
        bic x28, x20, x13, ror #39
        eor x13, x20, x26, ror #7
        eor x20, x7, x28, ror #62
        bic x26, x17, x11, ror #48
        eor x7, x8, x27, ror #32
        bic x28, x5, x4, ror #37
        eor x5, x5, x26
        bic x27, x4, x29, ror #42
        bic x8, x22, x15, ror #2
        bic x26, x29, x17, ror #49
        eor x4, x17, x27, ror #37
        eor x8, x14, x8, ror #8
        eor x17, x26, x11, ror #33
        bic x27, x2, x22, ror #15
        eor x11, x28, x29, ror #15
        bic x26, x15, x14, ror #54
        eor x15, x15, x27, ror #47
        bic x28, x14, x30, ror #31
        bic x29, x30, x2, ror #26
        eor x14, x2, x28, ror #7
        eor x27, x0, x16, ror #36
        eor x2, x29, x22, ror #41
        eor x28, x27, x7, ror #31
        eor x22, x26, x30, ror #21
        eor x29, x28, x24, ror #48
        eor x26, x29, x14, ror #54
        eor x30, x19, x9
        ldr x28, [sp]
        eor x27, x30, x11
        eor x29, x27, x21, ror #36
        eor x30, x29, x2, ror #28
        eor x27, x12, x5
        eor x29, x27, x3, ror #44
        ldr q28, [x28, #16]
        eor x28, x29, x20, ror #58
        eor x27, x28, x22, ror #7
        eor x29, x30, x27, ror #63
        eor x28, x6, x4
        eor x0, x0, x29
        eor x16, x16, x29, ror #28
        eor x7, x7, x29, ror #33
        eor x24, x24, x29, ror #16
        eor x14, x14, x29, ror #10
        eor v0.16b, v15.16b, v28.16b
        eor x29, x28, x23, ror #19
        shl v28.2d, v5.2d, #45
        shl v15.2d, v8.2d, #61
        eor x28, x29, x13, ror #56
        eor x29, x28, x15, ror #7
        sri v28.2d, v5.2d, #19
        sri v15.2d, v8.2d, #3
        eor x28, x25, x10, ror #12
        eor x27, x27, x29, ror #63
        bic v5.16b, v31.16b, v27.16b
        eor x28, x28, x1, ror #43
        eor x25, x25, x27, ror #12
        eor x10, x10, x27
        eor x29, x29, x26, ror #63
        bic v6.16b, v28.16b, v31.16b
        bic v8.16b, v23.16b, v15.16b
        eor x28, x28, x17, ror #27
        .inst 0xce2f73e7  // bcax v7.16b, v31.16b, v15.16b, v28.16b
        eor v9.16b, v15.16b, v9.16b
        eor x19, x19, x29
        eor x21, x21, x29, ror #28
        eor x11, x11, x29
        eor x28, x28, x8, ror #9
        eor x17, x17, x27, ror #49
        eor v5.16b, v23.16b, v5.16b
        eor x2, x2, x29, ror #36
        shl v31.2d, v10.2d, #6
        bic v15.16b, v19.16b, v25.16b
        eor x8, x8, x27, ror #3
        eor v8.16b, v28.16b, v8.16b
        eor v6.16b, v27.16b, v6.16b
        eor x29, x9, x29
        eor x26, x26, x28, ror #51
        .inst 0xce385757  // bcax v23.16b, v26.16b, v24.16b, v21.16b
        eor x27, x1, x27, ror #33
        eor x3, x3, x26, ror #20
        sri v31.2d, v10.2d, #58
        eor x20, x20, x26, ror #6
        eor x5, x5, x26
        shl v28.2d, v13.2d, #25
        eor x22, x22, x26, ror #57
        eor x28, x28, x30, ror #11
        eor x26, x12, x26
        eor x6, x6, x28, ror #52
        shl v27.2d, v14.2d, #18
        eor x13, x13, x28, ror #60
        eor x4, x4, x28, ror #52
        eor x30, x23, x28, ror #33
        eor v15.16b, v18.16b, v15.16b
        sri v28.2d, v13.2d, #39
        eor x28, x15, x28, ror #45
        bic x23, x27, x3, ror #12
        bic x12, x0, x2, ror #14
        bic x1, x4, x27, ror #9
        bic x9, x2, x4, ror #29
        sri v27.2d, v14.2d, #46
        bic x15, x3, x0
        eor x23, x0, x23, ror #52
        eor x1, x3, x1, ror #43
        bic v10.16b, v28.16b, v31.16b
        eor x3, x12, x4, ror #43
        .inst 0xce3073eb  // bcax v11.16b, v31.16b, v16.16b, v28.16b
        bic v12.16b, v27.16b, v16.16b
        .inst 0xce3f7b6e  // bcax v14.16b, v27.16b, v31.16b, v30.16b
        eor x4, x15, x2, ror #14
        bic x12, x14, x11, ror #20
        .inst 0xce3e6e0d  // bcax v13.16b, v16.16b, v30.16b, v27.16b
        eor x2, x27, x9, ror #26
        eor v10.16b, v30.16b, v10.16b
        bic x15, x7, x29, ror #16
        eor x12, x13, x12, ror #5
        shl v31.2d, v22.2d, #55
        eor v12.16b, v28.16b, v12.16b
        ldr x27, [sp]
        bic v27.16b, v25.16b, v18.16b
        bic x9, x29, x6, ror #56
        bic v16.16b, v17.16b, v19.16b
        eor x9, x8, x9, ror #44
        .inst 0xce327632  // bcax v18.16b, v17.16b, v18.16b, v29.16b
        sri v31.2d, v22.2d, #9
        shl v28.2d, v20.2d, #39
        eor v16.16b, v25.16b, v16.16b
        .inst 0xce3d4671  // bcax v17.16b, v19.16b, v29.16b, v17.16b
        eor v19.16b, v29.16b, v27.16b
        sri v28.2d, v20.2d, #25
        ldr x27, [x27, #56]
        bic v30.16b, v26.16b, v28.16b
        bic v20.16b, v28.16b, v31.16b
        .inst 0xce356b96  // bcax v22.16b, v28.16b, v21.16b, v26.16b
        eor v20.16b, v24.16b, v20.16b
        .inst 0xce3f62b8  // bcax v24.16b, v21.16b, v31.16b, v24.16b
        eor v21.16b, v31.16b, v30.16b
        eor x0, x23, x27
        bic x27, x8, x5, ror #19
        bic x23, x5, x7, ror #9
        eor x7, x27, x7, ror #28
        bic x27, x6, x8, ror #28
        eor x8, x5, x27, ror #17
        eor x5, x6, x15, ror #56
        bic x27, x10, x26, ror #5
        eor x6, x29, x23, ror #39
        bic x15, x20, x16, ror #16
        bic x29, x26, x14, ror #37
        bic x23, x13, x10, ror #27
        eor x15, x15, x19, ror #53
        eor x14, x14, x27, ror #22
        bic x27, x11, x13, ror #39
        eor x13, x11, x29, ror #7
        eor x11, x10, x27, ror #62
        bic x29, x17, x20, ror #48
        eor x10, x23, x26, ror #32
        bic x27, x16, x19, ror #37
        eor x16, x16, x29
        bic x26, x19, x28, ror #42
        bic x23, x22, x24, ror #2
        bic x29, x28, x17, ror #49
        eor x19, x17, x26, ror #37
        eor x23, x21, x23, ror #8
        eor x17, x29, x20, ror #33
        bic x26, x25, x22, ror #15
        eor x20, x27, x28, ror #15
        bic x29, x24, x21, ror #54
        eor x24, x24, x26, ror #47
        bic x27, x21, x30, ror #31
        bic x28, x30, x25, ror #26
        eor x21, x25, x27, ror #7
        eor x25, x28, x22, ror #41
        eor x22, x29, x30, ror #21
        ldr x29, [sp]
        ldr x30, [x29, #64]
        add x29, x29, #72
        str x29, [sp]
        cbz x30, 1b
        str x30, [sp, #24]
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
        add x30, x30, #200
        str x30, [sp, #16]
        ldr x30, [sp, #24]
        tbnz x30, #1, 2f
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
        b 1b
2:
        ldr x0, [sp, #8]
        add x1, x0, #200
        zip1 v25.2d, v0.2d, v1.2d
        zip2 v26.2d, v0.2d, v1.2d
        str q25, [x0, #0]
        str q26, [x1, #0]
        zip1 v27.2d, v2.2d, v3.2d
        zip2 v28.2d, v2.2d, v3.2d
        str q27, [x0, #16]
        str q28, [x1, #16]
        zip1 v25.2d, v4.2d, v5.2d
        zip2 v26.2d, v4.2d, v5.2d
        str q25, [x0, #32]
        str q26, [x1, #32]
        zip1 v27.2d, v6.2d, v7.2d
        zip2 v28.2d, v6.2d, v7.2d
        str q27, [x0, #48]
        str q28, [x1, #48]
        zip1 v25.2d, v8.2d, v9.2d
        zip2 v26.2d, v8.2d, v9.2d
        str q25, [x0, #64]
        str q26, [x1, #64]
        zip1 v27.2d, v10.2d, v11.2d
        zip2 v28.2d, v10.2d, v11.2d
        str q27, [x0, #80]
        str q28, [x1, #80]
        zip1 v25.2d, v12.2d, v13.2d
        zip2 v26.2d, v12.2d, v13.2d
        str q25, [x0, #96]
        str q26, [x1, #96]
        zip1 v27.2d, v14.2d, v15.2d
        zip2 v28.2d, v14.2d, v15.2d
        str q27, [x0, #112]
        str q28, [x1, #112]
        zip1 v25.2d, v16.2d, v17.2d
        zip2 v26.2d, v16.2d, v17.2d
        str q25, [x0, #128]
        str q26, [x1, #128]
        zip1 v27.2d, v18.2d, v19.2d
        zip2 v28.2d, v18.2d, v19.2d
        str q27, [x0, #144]
        str q28, [x1, #144]
        zip1 v25.2d, v20.2d, v21.2d
        zip2 v26.2d, v20.2d, v21.2d
        str q25, [x0, #160]
        str q26, [x1, #160]
        zip1 v27.2d, v22.2d, v23.2d
        zip2 v28.2d, v22.2d, v23.2d
        str q27, [x0, #176]
        str q28, [x1, #176]
        str d24, [x0, #192]
        add x1, x1, #192
        st1 {v24.d}[1], [x1]
        ldp d8, d9, [sp, #32]
        .cfi_restore 72
        .cfi_restore 73
        ldp d10, d11, [sp, #48]
        .cfi_restore 74
        .cfi_restore 75
        ldp d12, d13, [sp, #64]
        .cfi_restore 76
        .cfi_restore 77
        ldp d14, d15, [sp, #80]
        .cfi_restore 78
        .cfi_restore 79
        ldp x19, x20, [sp, #96]
        .cfi_restore 19
        .cfi_restore 20
        ldp x21, x22, [sp, #112]
        .cfi_restore 21
        .cfi_restore 22
        ldp x23, x24, [sp, #128]
        .cfi_restore 23
        .cfi_restore 24
        ldp x25, x26, [sp, #144]
        .cfi_restore 25
        .cfi_restore 26
        ldp x27, x28, [sp, #160]
        .cfi_restore 27
        .cfi_restore 28
        ldp x29, x30, [sp, #176]
        .cfi_restore 29
        .cfi_restore 30
        add sp, sp, #192
        .cfi_adjust_cfa_offset -192
        hint #29                        // AUTIASP
        .cfi_negate_ra_state
        ret
        .cfi_endproc
#if defined(__APPLE__)
        .popsection
        .pushsection __TEXT,__const
#else
        .size girih_keccak_four_states_sha3, . - girih_keccak_four_states_sha3
        .popsection
        .pushsection .rodata.girih_keccak_four_states_sha3, "a", %progbits
#endif
        .p2align 6
girih_keccak_four_states_sha3_constants:
        .quad 0x1, 0x1
        .quad 0x8082, 0x8082
        .quad 0x1, 0x8082, 0x800000000000808a, 0x8000000080008000
        .quad 0
        .quad 0x800000000000808a, 0x800000000000808a
        .quad 0x8000000080008000, 0x8000000080008000
        .quad 0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009
        .quad 0
        .quad 0x808b, 0x808b
        .quad 0x80000001, 0x80000001
        .quad 0x8a, 0x88, 0x80008009, 0x8000000a
        .quad 0
        .quad 0x8000000080008081, 0x8000000080008081
        .quad 0x8000000000008009, 0x8000000000008009
        .quad 0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003
        .quad 0
        .quad 0x8a, 0x8a
        .quad 0x88, 0x88
        .quad 0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a
        .quad 0
        .quad 0x80008009, 0x80008009
        .quad 0x8000000a, 0x8000000a
        .quad 0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008
        .quad 1
        .quad 0x8000808b, 0x8000808b
        .quad 0x800000000000008b, 0x800000000000008b
        .quad 0x1, 0x8082, 0x800000000000808a, 0x8000000080008000
        .quad 0
        .quad 0x8000000000008089, 0x8000000000008089
        .quad 0x8000000000008003, 0x8000000000008003
        .quad 0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009
        .quad 0
        .quad 0x8000000000008002, 0x8000000000008002
        .quad 0x8000000000000080, 0x8000000000000080
        .quad 0x8a, 0x88, 0x80008009, 0x8000000a
        .quad 0
        .quad 0x800a, 0x800a
        .quad 0x800000008000000a, 0x800000008000000a
        .quad 0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003
        .quad 0
        .quad 0x8000000080008081, 0x8000000080008081
        .quad 0x8000000000008080, 0x8000000000008080
        .quad 0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a
        .quad 0
        .quad 0x80000001, 0x80000001
        .quad 0x8000000080008008, 0x8000000080008008
        .quad 0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008
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
