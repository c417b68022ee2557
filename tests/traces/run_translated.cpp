#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "run.hpp"

/// What copied code and the translator tell each other.
struct GirihTracesContext {
    std::uint64_t rax, rcx;             // while a value is logged
    std::uint64_t log, log_end;         // the next word, and where the run is ended
    std::uint64_t target;               // where the program goes on
    std::uint64_t patch;                // the jump that always goes there; or 0
    std::uint64_t next;                 // the copy of it
    std::uint64_t stack, caller_stack;  // of the program, of run_translated
};

extern "C" {
[[gnu::visibility("hidden")]] GirihTracesContext girih_traces_context;
[[gnu::visibility("hidden")]] void* girih_traces_stack;
[[gnu::visibility("hidden")]] void* girih_traces_own_stack;
[[gnu::visibility("hidden")]] void girih_traces_dispatch();
[[gnu::visibility("hidden")]] int girih_traces_enter(const void* operation);
[[gnu::visibility("hidden")]] void girih_traces_leave();
[[gnu::visibility("hidden")]] void girih_traces_find();
}

// dispatch: finds the copy of the target and goes there, with all registers as they were. Flags go
// by lahf and seto: the red zone below the program's stack pointer is in use.
// enter, leave: calls the target as call_operation, on its own stack. It returns to address 0.
asm(R"(
    .text
    .hidden girih_traces_dispatch, girih_traces_enter, girih_traces_leave
    .globl girih_traces_dispatch, girih_traces_enter, girih_traces_leave
    .set context, girih_traces_context
girih_traces_dispatch:
    movq %rax, context(%rip)
    lahf
    seto %al
    movq %rsp, context+56(%rip)
    movq girih_traces_own_stack(%rip), %rsp
    .irp name, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, r15
    pushq %\name
    .endr
    call girih_traces_find
    .irp name, r15, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax
    popq %\name
    .endr
    addb $0x7f, %al
    sahf
    movq context+56(%rip), %rsp
    movq context(%rip), %rax
    jmp *context+48(%rip)

girih_traces_enter:
    .irp name, rbx, rbp, r12, r13, r14, r15
    pushq %\name
    .endr
    movq %rsp, context+64(%rip)
    movq girih_traces_stack(%rip), %rsp
    pushq $0
    jmp girih_traces_dispatch
girih_traces_leave:
    movq context+64(%rip), %rsp
    .irp name, r15, r14, r13, r12, rbp, rbx
    popq %\name
    .endr
    ret
)");

namespace girih::traces {
namespace {

constexpr std::size_t code_bytes = std::size_t{1} << 28;
constexpr std::size_t longest_copy = 1 << 16;  // of a block
constexpr std::size_t block_limit = 64;
constexpr unsigned table_bits = 20;
constexpr std::size_t operation_stack_bytes = std::size_t{1} << 24;
constexpr std::size_t own_stack_bytes = 1 << 20;
constexpr std::size_t state_bytes = 1 << 14;  // of the vectors

GirihTracesContext& context = girih_traces_context;

struct Copy {
    std::uint64_t at;
    std::uint8_t* code;
};
Copy* copies;  // a hash table
std::uint8_t* code_end;
std::uint8_t* out;
void* vector_state;

std::uint64_t address_of(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

/* ---- Writing instructions ---- */

ZydisEncoderOperand reg(ZydisRegister name)
{
    ZydisEncoderOperand operand{};
    operand.type = ZYDIS_OPERAND_TYPE_REGISTER;
    operand.reg.value = name;
    return operand;
}

ZydisEncoderOperand immediate(std::uint64_t value)
{
    ZydisEncoderOperand operand{};
    operand.type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
    operand.imm.u = value;
    return operand;
}

ZydisEncoderOperand memory(ZydisRegister base, std::int64_t displacement, std::size_t bytes = 8)
{
    ZydisEncoderOperand operand{};
    operand.type = ZYDIS_OPERAND_TYPE_MEMORY;
    operand.mem.base = base;
    operand.mem.displacement = displacement;
    operand.mem.size = static_cast<ZyanU16>(bytes);
    return operand;
}

ZydisEncoderOperand slot(const std::uint64_t& place)
{
    return memory(ZYDIS_REGISTER_RIP, static_cast<std::int64_t>(address_of(&place)));
}

constexpr ZydisRegister rax = ZYDIS_REGISTER_RAX;
constexpr ZydisRegister rcx = ZYDIS_REGISTER_RCX;

/// Writes an instruction, whose relative operands are given as addresses.
void write(ZydisMnemonic mnemonic, std::initializer_list<ZydisEncoderOperand> operands)
{
    ZydisEncoderRequest request{};
    request.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    request.mnemonic = mnemonic;
    for (const auto& operand : operands) request.operands[request.operand_count++] = operand;
    if (operands.size() == 1 && operands.begin()->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        request.branch_width = ZYDIS_BRANCH_WIDTH_32;
    ZyanUSize size = ZYDIS_MAX_INSTRUCTION_LENGTH;
    if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstructionAbsolute(&request, out, &size, address_of(out)))) {
        std::fprintf(stderr, "cannot write %s\n", ZydisMnemonicGetString(mnemonic));
        std::_Exit(3);
    }
    out += size;
}

void move(ZydisEncoderOperand to, ZydisEncoderOperand from) { write(ZYDIS_MNEMONIC_MOV, {to, from}); }

void save() { move(slot(context.rax), reg(rax)), move(slot(context.rcx), reg(rcx)); }
void restore() { move(reg(rcx), slot(context.rcx)), move(reg(rax), slot(context.rax)); }

/// lea or mov: rax from an operand of the instruction, or from what stands `offset` behind it.
void write_rax(ZydisMnemonic mnemonic, const Instruction& from, std::size_t number, std::int64_t offset = 0)
{
    const ZydisDecodedOperand& operand = from.operands[number];
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) return write(mnemonic, {reg(rax), reg(operand.reg.value)});
    const bool is_thread_local =
        operand.mem.segment == ZYDIS_REGISTER_FS || operand.mem.segment == ZYDIS_REGISTER_GS;
    if (is_thread_local && mnemonic != ZYDIS_MNEMONIC_LEA) refuse("unsupported operand", from.at);
    auto source = memory(operand.mem.base, operand.mem.disp.value + offset);
    if (operand.mem.base == ZYDIS_REGISTER_RIP) source.mem.displacement += static_cast<std::int64_t>(from.next());
    if (operand.mem.type != ZYDIS_MEMOP_TYPE_VSIB && operand.mem.index != ZYDIS_REGISTER_NONE) {
        source.mem.index = operand.mem.index;
        source.mem.scale = operand.mem.scale;
    }
    write(mnemonic, {reg(rax), source});
}

/* ---- Logging ---- */

/// A word of the log, `number` words behind the pointer in rcx.
ZydisEncoderOperand word(std::size_t number, std::size_t bytes = 8)
{
    return memory(rcx, static_cast<std::int64_t>(8 * number), bytes);
}

void log_vector(ZydisRegister name, std::size_t number)
{
    const std::size_t bytes = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, name) / 8U;
    const bool needs_evex = bytes == 64 || ZydisRegisterGetId(name) >= 16;
    write(needs_evex ? ZYDIS_MNEMONIC_VMOVDQU64 : ZYDIS_MNEMONIC_VMOVDQU, {word(number, bytes), reg(name)});
}

/// Writes code that logs a value as words from `number` on. It finds all registers as they were, but
/// for rax and rcx, which are saved.
void log_value(const Instruction& instruction, const Observed& value, std::size_t number)
{
    const auto from_rax = [&](std::size_t place) {
        move(reg(rcx), slot(context.log));
        move(word(place), reg(rax));
    };
    switch (value.source) {
        case Observed::Source::address:
            write_rax(ZYDIS_MNEMONIC_LEA, instruction, instruction.memory);
            return from_rax(number);
        case Observed::Source::content:
            for (std::size_t i = 0; i < value.words; ++i) {
                restore();
                write_rax(ZYDIS_MNEMONIC_LEA, instruction, instruction.memory, static_cast<std::int64_t>(8 * i));
                const bool is_short = instruction.operands[instruction.memory].size < 64;
                move(reg(is_short ? ZYDIS_REGISTER_EAX : rax), memory(rax, 0, is_short ? 4 : 8));
                from_rax(number + i);
            }
            return;
        case Observed::Source::general:
            move(reg(rax), value.name == rcx ? slot(context.rcx)
                           : value.name == rax ? slot(context.rax)
                                               : reg(value.name));
            return from_rax(number);
        case Observed::Source::vector:
            move(reg(rcx), slot(context.log));
            return log_vector(value.name, number);
        case Observed::Source::mask:
            move(reg(rcx), slot(context.log));
            return write(ZYDIS_MNEMONIC_KMOVQ, {word(number), reg(value.name)});
    }
}

void advance_log(std::size_t words)
{
    move(reg(rcx), slot(context.log));
    write(ZYDIS_MNEMONIC_LEA, {reg(rcx), word(words)});
    move(slot(context.log), reg(rcx));
}

/// Writes code that logs the values of an instruction before it, or after it.
void log_values(const Instruction& instruction, bool is_after)
{
    std::size_t words = 0;
    for (const Observed& value : instruction.observed()) {
        if (value.is_after != is_after) continue;
        words == 0 ? save() : restore();
        log_value(instruction, value, words);
        words += value.words;
    }
    if (words == 0) return;
    advance_log(words);
    restore();
}

void log_block(std::uint64_t at)
{
    save();
    move(reg(rax), immediate(at));
    move(reg(rcx), slot(context.log));
    move(word(0), reg(rax));
    advance_log(1);
    restore();
}

/* ---- Copying blocks ---- */

void write_dispatch()
{
    write(ZYDIS_MNEMONIC_JMP, {immediate(reinterpret_cast<std::uint64_t>(&girih_traces_dispatch))});
}

/// Writes a jump whose target is not known yet; returns its last four bytes, the distance.
std::uint8_t* write_open_jump(ZydisMnemonic mnemonic)
{
    write(mnemonic, {immediate(address_of(out))});
    return out - 4;
}

void set_distance(std::uint8_t* distance, const std::uint8_t* target)
{
    const auto value = static_cast<std::int32_t>(target - (distance + 4));
    std::memcpy(distance, &value, 4);
}

/// Lets a jump go to code that asks for the copy of `target`, and then has the jump go there.
void ask_for(std::uint8_t* jump, std::uint64_t target)
{
    set_distance(jump, out);
    move(slot(context.rax), reg(rax));
    move(reg(rax), immediate(target));
    move(slot(context.target), reg(rax));
    move(reg(rax), immediate(address_of(jump)));
    move(slot(context.patch), reg(rax));
    move(reg(rax), slot(context.rax));
    write_dispatch();
}

void push_return_address(const Instruction& call)
{
    move(reg(rax), immediate(call.next()));
    write(ZYDIS_MNEMONIC_PUSH, {reg(rax)});
}

/// A call pushes the original return address, so that the program sees its own addresses.
void copy_jump_or_call(const Instruction& instruction)
{
    const auto& target = instruction.operands[0];
    move(slot(context.rax), reg(rax));
    if (target.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        if (instruction.is_call()) push_return_address(instruction);
        move(reg(rax), slot(context.rax));
        ask_for(write_open_jump(ZYDIS_MNEMONIC_JMP),
                instruction.next() + static_cast<std::uint64_t>(target.imm.value.s));
        return;
    }
    write_rax(ZYDIS_MNEMONIC_MOV, instruction, 0);
    move(slot(context.target), reg(rax));
    if (instruction.is_call()) push_return_address(instruction);
    move(reg(rax), slot(context.rax));
    write_dispatch();
}

void copy_return(const Instruction& instruction)
{
    move(slot(context.rax), reg(rax));
    write(ZYDIS_MNEMONIC_POP, {reg(rax)});
    move(slot(context.target), reg(rax));
    move(reg(rax), slot(context.rax));
    if (instruction.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) refuse("unsupported return", instruction.at);
    write_dispatch();
}

void copy_branch(const Instruction& instruction)
{
    std::uint8_t* const taken = write_open_jump(instruction.code.mnemonic);
    std::uint8_t* const not_taken = write_open_jump(ZYDIS_MNEMONIC_JMP);
    ask_for(not_taken, instruction.next());
    ask_for(taken, instruction.next() + static_cast<std::uint64_t>(instruction.operands[0].imm.value.s));
}

/// As it stands, but for the distance to what it addresses relative to itself.
void copy_unchanged(const Instruction& instruction)
{
    std::memcpy(out, reinterpret_cast<const void*>(instruction.at), instruction.code.length);
    for (std::size_t i = 0; i < instruction.code.operand_count; ++i) {
        const auto& operand = instruction.operands[i];
        if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.base != ZYDIS_REGISTER_RIP) continue;
        const std::int64_t moved =
            operand.mem.disp.value + static_cast<std::int64_t>(instruction.at - address_of(out));
        const auto distance = static_cast<std::int32_t>(moved);
        if (distance != moved) refuse("out of reach of its copy", instruction.at);
        std::memcpy(out + instruction.code.raw.disp.offset, &distance, 4);
    }
    out += instruction.code.length;
}

std::uint8_t* copy_block(std::uint64_t at)
{
    if (out + longest_copy > code_end) refuse("no room for more code", at);
    std::uint8_t* const begin = out;
    log_block(at);
    for (std::size_t i = 0; i < block_limit; ++i) {
        const Instruction instruction = decode(at);
        log_values(instruction, false);
        if (instruction.is_branch()) return copy_branch(instruction), begin;
        if (instruction.is_return()) return copy_return(instruction), begin;
        if (instruction.is_control()) return copy_jump_or_call(instruction), begin;
        copy_unchanged(instruction);
        log_values(instruction, true);
        at = instruction.next();
    }
    ask_for(write_open_jump(ZYDIS_MNEMONIC_JMP), at);
    return begin;
}

/// The program's vectors are live, and the translator uses them, too.
[[gnu::noinline]] std::uint8_t* copy_block_aside(std::uint64_t at)
{
    asm volatile("xsave64 (%0)" ::"r"(vector_state), "a"(-1), "d"(-1) : "memory");
    std::uint8_t* const code = copy_block(at);
    asm volatile("xrstor64 (%0)" ::"r"(vector_state), "a"(-1), "d"(-1) : "memory");
    return code;
}

void* new_memory(std::size_t bytes, int protection = PROT_READ | PROT_WRITE)
{
    void* memory = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return memory;
}

void* new_stack(std::size_t bytes) { return static_cast<std::uint8_t*>(new_memory(bytes)) + bytes; }

}  // namespace

/// Runs between two blocks. Allocates nothing: the program may be within malloc.
extern "C" [[gnu::target("general-regs-only")]] void girih_traces_find()
{
    const std::uint64_t at = context.target;
    const bool is_full = context.log >= context.log_end;
    if (at == 0 || is_full) {
        context.next = reinterpret_cast<std::uint64_t>(&girih_traces_leave);
        return;
    }
    std::size_t place = (at * 0x9E3779B97F4A7C15) >> (64 - table_bits);
    while (copies[place].at != at && copies[place].at != 0) place = (place + 1) >> table_bits ? 0 : place + 1;
    if (copies[place].at == 0) copies[place] = {at, copy_block_aside(at)};
    const std::uint8_t* const code = copies[place].code;
    if (context.patch != 0) {
        auto* const distance = reinterpret_cast<std::uint8_t*>(context.patch);
        *reinterpret_cast<std::int32_t*>(distance) = static_cast<std::int32_t>(code - (distance + 4));
    }
    context.patch = 0;
    context.next = reinterpret_cast<std::uint64_t>(code);
}

void prepare_runs()
{
    out = static_cast<std::uint8_t*>(new_memory(code_bytes, PROT_READ | PROT_WRITE | PROT_EXEC));
    code_end = out + code_bytes;
    copies = static_cast<Copy*>(new_memory(sizeof(Copy) << table_bits));
    vector_state = new_memory(state_bytes);
    girih_traces_stack = new_stack(operation_stack_bytes);
    girih_traces_own_stack = new_stack(own_stack_bytes);
}

void run_translated(const Operation& operation, Log& log)
{
    log.block_limit = block_limit;
    context.log = address_of(log.words);
    context.log_end = address_of(log.words + log_capacity - log_reserve);
    context.target = reinterpret_cast<std::uint64_t>(&call_operation);
    context.patch = 0;
    log.result = girih_traces_enter(&operation);
    log.count = (context.log - address_of(log.words)) / 8;
    log.is_whole = context.log < context.log_end;
}

}  // namespace girih::traces
