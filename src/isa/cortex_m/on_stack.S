// void girih_on_stack(void* memory, size_t bytes, void (*function)(void*), void* argument)
//
// Calls the function with the stack pointer at the end of the memory. Where the processor has stack
// limits (ARMv8-M with its main extension), the limit of the stack in use is the beginning of the
// memory during the call, and 0 while the pointer moves.

        .syntax unified
        .thumb
        .section .text.girih_on_stack, "ax", %progbits
        .balign 4
        .global girih_on_stack
        .type   girih_on_stack, %function
girih_on_stack:
        push    {r4-r6, lr}
        mov     r4, sp
        adds    r1, r0, r1
        lsrs    r1, r1, #3
        lsls    r1, r1, #3
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
        adds    r0, r0, #7
        bic     r0, r0, #7
        movs    r5, #0
        mrs     r6, CONTROL             // SPSEL: whether the process stack is in use
        tst     r6, #2
        ite     ne
        mrsne   r6, PSPLIM
        mrseq   r6, MSPLIM
        ite     ne
        msrne   PSPLIM, r5
        msreq   MSPLIM, r5
        mov     sp, r1
        ite     ne
        msrne   PSPLIM, r0
        msreq   MSPLIM, r0
        mov     r0, r3
        blx     r2
        mrs     r0, CONTROL
        tst     r0, #2
        ite     ne
        msrne   PSPLIM, r5
        msreq   MSPLIM, r5
        mov     sp, r4
        ite     ne
        msrne   PSPLIM, r6
        msreq   MSPLIM, r6
#else
        mov     r0, r3
        mov     sp, r1
        blx     r2
        mov     sp, r4
#endif
        pop     {r4-r6, pc}
        .size   girih_on_stack, . - girih_on_stack
