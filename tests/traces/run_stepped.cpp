#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>

#include "trace.hpp"

extern "C" {
[[gnu::visibility("hidden")]] std::uint64_t girih_traces_step(
    std::uint64_t (*)(const girih::traces::Operation*), const girih::traces::Operation*);
[[gnu::visibility("hidden")]] extern const char girih_traces_stepped[];
}

asm(R"(
    .text
    .hidden girih_traces_step, girih_traces_stepped
    .globl girih_traces_step, girih_traces_stepped
girih_traces_step:
    pushq %rbp
    movq %rsp, %rbp
    movq %rdi, %rax
    movq %rsi, %rdi
    movq girih_traces_stack(%rip), %rsp
    pushfq
    orq $0x100, (%rsp)
    popfq
    call *%rax
girih_traces_stepped:
    movq %rbp, %rsp
    popq %rbp
    ret
)");

namespace girih::traces {
namespace {

constexpr std::array general{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
constexpr greg_t trap_flag = 0x100;

Log* log;
Instruction last;

/// The processor's state before the next instruction, as the signal's frame has it.
class State {
  public:
    explicit State(mcontext_t& machine)
        : machine_(machine), area_(reinterpret_cast<const std::uint8_t*>(machine.fpregs))
    {
        std::memcpy(&present_, area_ + 512, sizeof present_);
    }

    void read(const Instruction& instruction, const Observed& value, std::uint64_t* to) const
    {
        const auto number = static_cast<unsigned>(ZydisRegisterGetId(value.name));
        const auto* const address = instruction.memory < 0 ? nullptr : address_of(instruction);
        const bool is_short = instruction.memory >= 0 && instruction.memory_operand().size < 64;
        *to = 0;
        switch (value.source) {
            case Observed::Source::address:
                *to = reinterpret_cast<std::uint64_t>(address);
                break;
            case Observed::Source::content:
                std::memcpy(to, address, is_short ? 4U : 8U * value.words);
                break;
            case Observed::Source::general:
                *to = general_register(value.name);
                break;
            case Observed::Source::vector:
                read_vector(number, value.words, to);
                break;
            case Observed::Source::mask:
                copy_component(5, 8 * number, 8, to);
                break;
        }
    }

  private:
    [[nodiscard]] std::uint64_t general_register(ZydisRegister name) const
    {
        if (name == ZYDIS_REGISTER_NONE) return 0;
        return static_cast<std::uint64_t>(
            machine_.gregs[general[static_cast<std::size_t>(ZydisRegisterGetId(name))]]);
    }

    [[nodiscard]] const void* address_of(const Instruction& instruction) const
    {
        const auto& memory = instruction.memory_operand().mem;
        const bool is_relative = memory.base == ZYDIS_REGISTER_RIP;
        std::uint64_t address = is_relative ? instruction.next() : general_register(memory.base);
        address += static_cast<std::uint64_t>(memory.disp.value);
        if (memory.type != ZYDIS_MEMOP_TYPE_VSIB) address += general_register(memory.index) * memory.scale;
        return reinterpret_cast<const void*>(address);
    }

    /// Bytes of a component of the extended state (XSAVE), which is absent if all of it is 0.
    void copy_component(unsigned component, std::size_t offset, std::size_t bytes, std::uint64_t* to) const
    {
        unsigned leaf = 0xD, start = 160, index = component, unused = 0;
        if (component != 1) asm("cpuid" : "+a"(leaf), "=b"(start), "+c"(index), "=d"(unused));
        std::memset(to, 0, bytes);
        if ((present_ >> component & 1) != 0) std::memcpy(to, area_ + start + offset, bytes);
    }

    void read_vector(unsigned number, std::size_t words, std::uint64_t* to) const
    {
        if (number >= 16) return copy_component(7, 64 * (number - 16), 8 * words, to);
        copy_component(1, 16 * number, 16, to);
        if (words > 2) copy_component(2, 16 * number, 16, to + 2);
        if (words > 4) copy_component(6, 32 * number, 32, to + 4);
    }

    mcontext_t& machine_;
    const std::uint8_t* area_;
    std::uint64_t present_ = 0;
};

void on_trap(int, siginfo_t*, void* context)
{
    mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    const auto at = static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
    const bool is_repetition = last.at == at && last.is(ZYDIS_CATEGORY_STRINGOP);
    if (is_repetition) return;
    log->is_whole = log->count < Log::capacity - Log::reserve;
    if (at == reinterpret_cast<std::uint64_t>(girih_traces_stepped) || !log->is_whole) {
        machine.gregs[REG_EFL] &= ~trap_flag;
        return;
    }
    const State state{machine};
    last = decode(at);
    log->words[log->count++] = at;
    for (std::size_t i = 0; i < last.observed_count; ++i) {
        state.read(last, last.observed[i], &log->words[log->count]);
        log->count += last.observed[i].words;
    }
}

}  // namespace

void run_stepped(const Operation& operation, Log& to)
{
    stack_t stack{};
    stack.ss_size = 1 << 16;
    stack.ss_sp = mmap(nullptr, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTRAP, &action, nullptr);
    log = &to;
    log->count = 0;
    log->block_limit = 1;
    last.at = 0;
    log->result = girih_traces_step(call, &operation);
}

}  // namespace girih::traces
