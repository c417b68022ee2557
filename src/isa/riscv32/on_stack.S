// void girih_on_stack(void* memory, size_t bytes, void (*function)(void*), void* argument)
//
// Calls the function with the stack pointer at the end of the memory.

        .section .text.girih_on_stack, "ax", %progbits
        .global girih_on_stack
        .type   girih_on_stack, %function
girih_on_stack:
        addi    sp, sp, -16
        sw      ra, 12(sp)
        sw      s0, 8(sp)
        mv      s0, sp
        add     a1, a0, a1
        andi    sp, a1, -16
        mv      a0, a3
        jalr    a2
        mv      sp, s0
        lw      ra, 12(sp)
        lw      s0, 8(sp)
        addi    sp, sp, 16
        ret
        .size   girih_on_stack, . - girih_on_stack
