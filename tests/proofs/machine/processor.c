/* Runs single instructions, and functions, on the processor that it is compiled for. Commands come
 * from the standard input: three words (a kind, an address and a size) and what the kind needs.
 *
 *   w: writes the bytes that follow to an address      r: answers with the bytes there
 *   m: answers with the address of new memory          s: runs the instruction in the slot
 *   c: calls the function at an address, with the arguments in `arguments`
 *
 * First it says where the state, the slot, the instruction's memory, the arguments, memcpy,
 * memmove and memset are. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
enum { general_registers = 16, vector_bytes = 64 }; /* rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, ... */
#else
enum { general_registers = 32, vector_bytes = 16 }; /* x0, ..., x30, sp */
#endif

struct state {
    uint64_t general[general_registers];
    uint64_t flags;
    uint64_t masks[8];
    uint64_t unused[7];
    uint8_t vectors[32][vector_bytes];
};

struct state state __attribute__((aligned(64)));
uint8_t scratch[4096] __attribute__((aligned(4096)));
uint64_t arguments[8];
/* Only run_state uses these; the stack pointer is the instruction's own meanwhile. */
uint64_t caller[2];

void run_state(void);
extern uint8_t slot[];

#define ALL16(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define UPPER16(X) \
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

#if defined(__x86_64__)
#    define LOAD(n) "vmovdqu64 256+64*" #n "(%rax), %zmm" #n "\n"
#    define STORE(n) "vmovdqu64 %zmm" #n ", 256+64*" #n "(%rax)\n"
#    define LOAD_MASK(n) "kmovq 136+8*" #n "(%rax), %k" #n "\n"
#    define STORE_MASK(n) "kmovq %k" #n ", 136+8*" #n "(%rax)\n"
#    define ALL8(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
__asm__(
    ".text\n.globl run_state\nrun_state:\n"
    "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, caller(%rip)\nlea state(%rip), %rax\n"
    ALL16(LOAD) UPPER16(LOAD) ALL8(LOAD_MASK)
    "pushq 128(%rax)\npopfq\n" /* which the moves that follow keep */
    "mov 8(%rax), %rcx\nmov 16(%rax), %rdx\nmov 24(%rax), %rbx\nmov 32(%rax), %rsp\nmov 40(%rax), %rbp\n"
    "mov 48(%rax), %rsi\nmov 56(%rax), %rdi\nmov 64(%rax), %r8\nmov 72(%rax), %r9\nmov 80(%rax), %r10\n"
    "mov 88(%rax), %r11\nmov 96(%rax), %r12\nmov 104(%rax), %r13\nmov 112(%rax), %r14\nmov 120(%rax), %r15\n"
    "mov (%rax), %rax\n"
    ".globl slot\nslot:\n.fill 16, 1, 0x90\n"
    "mov %rax, caller+8(%rip)\nlea state(%rip), %rax\nmov %rsp, 32(%rax)\nmov caller(%rip), %rsp\n"
    "pushfq\npop 128(%rax)\n"
    ALL16(STORE) UPPER16(STORE) ALL8(STORE_MASK)
    "mov %rcx, 8(%rax)\nmov %rdx, 16(%rax)\nmov %rbx, 24(%rax)\nmov %rbp, 40(%rax)\n"
    "mov %rsi, 48(%rax)\nmov %rdi, 56(%rax)\nmov %r8, 64(%rax)\nmov %r9, 72(%rax)\nmov %r10, 80(%rax)\n"
    "mov %r11, 88(%rax)\nmov %r12, 96(%rax)\nmov %r13, 104(%rax)\nmov %r14, 112(%rax)\nmov %r15, 120(%rax)\n"
    "mov caller+8(%rip), %rcx\nmov %rcx, (%rax)\nvzeroupper\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");
#else
#    define LOAD(n) "ldr q" #n ", [x0, #384+16*" #n "]\n"
#    define STORE(n) "str q" #n ", [x0, #384+16*" #n "]\n"
// clang-format off
#    define PAIRS(X) \
        X(2, 3) X(4, 5) X(6, 7) X(8, 9) X(10, 11) X(12, 13) X(14, 15) X(16, 17) X(18, 19) \
        X(20, 21) X(22, 23) X(24, 25) X(26, 27) X(28, 29)
// clang-format on
#    define LOAD_PAIR(a, b) "ldp x" #a ", x" #b ", [x0, #8*" #a "]\n"
#    define STORE_PAIR(a, b) "stp x" #a ", x" #b ", [x0, #8*" #a "]\n"
#    define ADDRESS(name) "adrp x0, " #name "\nadd x0, x0, :lo12:" #name "\n"
/* x0 goes through the thread's pointer. */
__asm__(
    ".text\n.globl run_state\nrun_state:\n"
    "stp x29, x30, [sp, #-160]!\nstp x19, x20, [sp, #16]\nstp x21, x22, [sp, #32]\nstp x23, x24, [sp, #48]\n"
    "stp x25, x26, [sp, #64]\nstp x27, x28, [sp, #80]\nstp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\n"
    "stp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
    ADDRESS(caller) "mov x1, sp\nmrs x2, tpidr_el0\nstp x1, x2, [x0]\n"
    ADDRESS(state) ALL16(LOAD) UPPER16(LOAD)
    "ldp x1, x2, [x0, #248]\nmov sp, x1\nmsr nzcv, x2\n"
    PAIRS(LOAD_PAIR) "ldr x30, [x0, #240]\nldp x0, x1, [x0]\n"
    ".globl slot\nslot:\nnop\n"
    "msr tpidr_el0, x0\n" ADDRESS(state) PAIRS(STORE_PAIR) "str x30, [x0, #240]\n"
    "mrs x2, tpidr_el0\nstp x2, x1, [x0]\nmov x1, sp\nmrs x2, nzcv\nstp x1, x2, [x0, #248]\n"
    ALL16(STORE) UPPER16(STORE)
    ADDRESS(caller) "ldp x1, x2, [x0]\nmov sp, x1\nmsr tpidr_el0, x2\n"
    "ldp x19, x20, [sp, #16]\nldp x21, x22, [sp, #32]\nldp x23, x24, [sp, #48]\n"
    "ldp x25, x26, [sp, #64]\nldp x27, x28, [sp, #80]\nldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\n"
    "ldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\nldp x29, x30, [sp], #160\nret\n");
#endif

static void answer(const void* from, uint64_t size)
{
    fwrite(from, 1, size, stdout);
    fflush(stdout);
}

static void* new_memory(uint64_t size)
{
    return mmap(0, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{
    const uint64_t places[] = {(uint64_t)&state, (uint64_t)slot,    (uint64_t)scratch, (uint64_t)arguments,
                               (uint64_t)memcpy, (uint64_t)memmove, (uint64_t)memset};
    const uint64_t page = (uint64_t)slot & ~UINT64_C(4095);
    if (mprotect((void*)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 1;
    answer(places, sizeof places);
    /* g++ lets a local function count on the alignment of its callers' stack. */
    char aligned[64] __attribute__((aligned(64)));
    __asm__ volatile("" : "=m"(aligned));
    uint64_t command[3];
    while (fread(command, sizeof command, 1, stdin) == 1) {
        char* address = (char*)command[1];
        const uint64_t size = command[2], *a = arguments;
        if (command[0] == 'w') {
            if (size != 0 && fread(address, size, 1, stdin) != 1) return 1;
            __builtin___clear_cache(address, address + size);
        } else if (command[0] == 'r') {
            answer(address, size);
        } else if (command[0] == 'm') {
            address = new_memory(size);
            answer(&address, sizeof address);
        } else if (command[0] == 's') {
            run_state();
        } else {
            ((void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t))address)(a[0], a[1], a[2],
                                                                                            a[3], a[4], a[5]);
        }
    }
    return 0;
}
