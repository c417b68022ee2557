/* Runs one instruction on this processor, from a given state of its registers. */

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

struct state {
    uint64_t general[16]; /* rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, ... */
    uint64_t flags;
    uint64_t masks[8];
    uint64_t unused[7];
    uint8_t vectors[32][64];
};

/* Only run_state uses these; rsp is the instruction's own meanwhile. */
uint64_t caller_stack, state_address, code_address, kept_rax;

#define ALL16(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define UPPER16(X) \
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define LOAD(n) "vmovdqu64 256+64*" #n "(%rax), %zmm" #n "\n"
#define STORE(n) "vmovdqu64 %zmm" #n ", 256+64*" #n "(%rax)\n"
#define LOAD_MASK(n) "kmovq 136+8*" #n "(%rax), %k" #n "\n"
#define STORE_MASK(n) "kmovq %k" #n ", 136+8*" #n "(%rax)\n"
#define ALL8(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

void run_state(void);
__asm__(
    ".text\n.globl run_state\nrun_state:\n"
    "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, caller_stack(%rip)\nmov state_address(%rip), %rax\n"
    ALL16(LOAD) UPPER16(LOAD) ALL8(LOAD_MASK)
    "mov 8(%rax), %rcx\nmov 16(%rax), %rdx\nmov 24(%rax), %rbx\nmov 32(%rax), %rsp\nmov 40(%rax), %rbp\n"
    "mov 48(%rax), %rsi\nmov 56(%rax), %rdi\nmov 64(%rax), %r8\nmov 72(%rax), %r9\nmov 80(%rax), %r10\n"
    "mov 88(%rax), %r11\nmov 96(%rax), %r12\nmov 104(%rax), %r13\nmov 112(%rax), %r14\nmov 120(%rax), %r15\n"
    "mov (%rax), %rax\njmp *code_address(%rip)\n"
    ".globl run_back\nrun_back:\n"
    "mov %rax, kept_rax(%rip)\nmov state_address(%rip), %rax\nmov %rsp, 32(%rax)\nmov caller_stack(%rip), %rsp\n"
    "pushfq\npop 128(%rax)\n"
    ALL16(STORE) UPPER16(STORE) ALL8(STORE_MASK)
    "mov %rcx, 8(%rax)\nmov %rdx, 16(%rax)\nmov %rbx, 24(%rax)\nmov %rbp, 40(%rax)\n"
    "mov %rsi, 48(%rax)\nmov %rdi, 56(%rax)\nmov %r8, 64(%rax)\nmov %r9, 72(%rax)\nmov %r10, 80(%rax)\n"
    "mov %r11, 88(%rax)\nmov %r12, 96(%rax)\nmov %r13, 104(%rax)\nmov %r14, 112(%rax)\nmov %r15, 120(%rax)\n"
    "mov kept_rax(%rip), %rcx\nmov %rcx, (%rax)\nvzeroupper\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");
void run_back(void);

/* Two pages side by side: the first for code, the second for the instruction's memory. */
uint8_t* make_pages(void)
{
    void* pages = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? 0 : pages;
}

/* The instruction of `size` bytes at `place`, and behind it a jump back. */
void run_instruction(uint8_t* place, const uint8_t* code, uint64_t size, struct state* state)
{
    static const uint8_t jump[6] = {0xFF, 0x25}; /* jmp *0(%rip) */
    const uint64_t back = (uint64_t)run_back;
    memcpy(place, code, size);
    memcpy(place + size, jump, sizeof jump);
    memcpy(place + size + sizeof jump, &back, sizeof back);
    state_address = (uint64_t)state;
    code_address = (uint64_t)place;
    run_state();
}
