#include <cpuid.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstring>

#include "run.hpp"

extern "C" {
[[gnu::visibility("hidden")]] int girih_traces_step(int (*)(const void*), const void*);
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
Instruction last;  // whose values after it are still to be read

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
        switch (value.source) {
            case Observed::Source::address: *to = address_of(instruction); break;
            case Observed::Source::content: read_content(instruction, value, to); break;
            case Observed::Source::general: *to = general_register(value.name); break;
            case Observed::Source::vector: read_vector(number, value.words, to); break;
            case Observed::Source::mask: copy_component(5, 8 * number, 8, to); break;
        }
    }

  private:
    [[nodiscard]] std::uint64_t general_register(ZydisRegister name) const
    {
        if (name == ZYDIS_REGISTER_NONE) return 0;
        return static_cast<std::uint64_t>(
            machine_.gregs[general[static_cast<std::size_t>(ZydisRegisterGetId(name))]]);
    }

    [[nodiscard]] std::uint64_t address_of(const Instruction& instruction) const
    {
        const auto& memory = instruction.operands[instruction.memory].mem;
        const bool is_gather = memory.type == ZYDIS_MEMOP_TYPE_VSIB;
        const std::uint64_t base =
            memory.base == ZYDIS_REGISTER_RIP ? instruction.next() : general_register(memory.base);
        const std::uint64_t index = is_gather ? 0 : general_register(memory.index) * memory.scale;
        return base + index + static_cast<std::uint64_t>(memory.disp.value);
    }

    void read_content(const Instruction& instruction, const Observed& value, std::uint64_t* to) const
    {
        *to = 0;
        const std::size_t bytes = instruction.operands[instruction.memory].size < 64 ? 4 : 8U * value.words;
        std::memcpy(to, reinterpret_cast<const void*>(address_of(instruction)), bytes);
    }

    /// Bytes of a component of the extended state (XSAVE), which is absent if all of it is 0.
    void copy_component(unsigned component, std::size_t offset, std::size_t bytes, std::uint64_t* to) const
    {
        unsigned size = 0, start = 160, unused = 0;
        if (component != 1) __get_cpuid_count(0xD, component, &size, &start, &unused, &unused);
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

void note(const State& state, const Instruction& instruction, bool is_after)
{
    for (const Observed& value : instruction.observed()) {
        if (value.is_after != is_after) continue;
        state.read(instruction, value, log->words + log->count);
        log->count += value.words;
    }
}

void on_trap(int, siginfo_t*, void* context)
{
    mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    const auto at = static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
    const bool is_repetition = last.at == at && last.is_string();
    if (is_repetition) return;
    const State state{machine};
    if (last.at != 0) note(state, last, true);
    const bool is_done = at == reinterpret_cast<std::uint64_t>(girih_traces_stepped);
    log->is_whole = log->count < log_capacity - log_reserve;
    if (is_done || !log->is_whole) {
        machine.gregs[REG_EFL] &= ~trap_flag;
        return;
    }
    last = decode(at);
    log->words[log->count++] = at;
    note(state, last, false);
}

}  // namespace

void run_stepped(const Operation& operation, Log& to)
{
    constexpr std::size_t stack_bytes = 1 << 16;
    stack_t stack{};
    stack.ss_size = stack_bytes;
    stack.ss_sp = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTRAP, &action, nullptr);
    log = &to;
    log->count = 0;
    log->block_limit = 1;
    last.at = 0;
    log->result = girih_traces_step(call_operation, &operation);
}

}  // namespace girih::traces
