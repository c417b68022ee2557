#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "trace.hpp"

/// State that copied code shares with the translator.
struct GirihTracesContext {
    std::uint64_t rax, rcx;             // while a value is logged
    std::uint64_t target, next;         // where the program goes on, and the copy of it
    std::uint64_t stack, caller_stack;  // of the program, of run_translated
    std::uint64_t log, log_end;         // the next word, and where the run is ended
};

extern "C" {
[[gnu::visibility("hidden")]] GirihTracesContext girih_traces_context;
[[gnu::visibility("hidden")]] void* girih_traces_stack;
[[gnu::visibility("hidden")]] void* girih_traces_own_stack;
[[gnu::visibility("hidden")]] void girih_traces_dispatch();
[[gnu::visibility("hidden")]] std::uint64_t girih_traces_enter(const girih::traces::Operation*);
[[gnu::visibility("hidden")]] void girih_traces_leave();
[[gnu::visibility("hidden")]] void girih_traces_find();
}

// dispatch: finds the copy of the target and goes there, with all registers as they were. Flags go
// by lahf and seto: the red zone below the program's stack pointer is in use.
// enter, leave: calls the target, on its own stack. It returns to address 0.
asm(R"(
    .text
    .hidden girih_traces_dispatch, girih_traces_enter, girih_traces_leave
    .globl girih_traces_dispatch, girih_traces_enter, girih_traces_leave
    .set context, girih_traces_context
girih_traces_dispatch:
    movq %rax, context(%rip)
    lahf
    seto %al
    movq %rsp, context+32(%rip)
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
    movq context+32(%rip), %rsp
    movq context(%rip), %rax
    jmp *context+24(%rip)

girih_traces_enter:
    .irp name, rbx, rbp, r12, r13, r14, r15
    pushq %\name
    .endr
    movq %rsp, context+40(%rip)
    movq girih_traces_stack(%rip), %rsp
    pushq $0
    jmp girih_traces_dispatch
girih_traces_leave:
    movq context+40(%rip), %rsp
    .irp name, r15, r14, r13, r12, rbp, rbx
    popq %\name
    .endr
    ret
)");

namespace girih::traces {
namespace {

constexpr std::size_t code_bytes = std::size_t{1} << 28, longest_copy = 1 << 16;  // of a block
constexpr std::size_t block_limit = 64;
constexpr unsigned table_bits = 20;

GirihTracesContext& context = girih_traces_context;

struct Copy {
    std::uint64_t at;
    std::uint8_t* code;
};
Copy* copies;  // a hash table
std::uint8_t *out, *out_end;
void* vector_state;

std::uint64_t number_of(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

/* ---- Writing instructions ---- */

constexpr ZydisRegister rax = ZYDIS_REGISTER_RAX, rcx = ZYDIS_REGISTER_RCX;

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

ZydisEncoderOperand memory(ZydisRegister base, std::uint64_t displacement, std::size_t bytes = 8)
{
    ZydisEncoderOperand operand{};
    operand.type = ZYDIS_OPERAND_TYPE_MEMORY;
    operand.mem.base = base;
    operand.mem.displacement = static_cast<std::int64_t>(displacement);
    operand.mem.size = static_cast<ZyanU16>(bytes);
    return operand;
}

ZydisEncoderOperand slot(const std::uint64_t& place) { return memory(ZYDIS_REGISTER_RIP, number_of(&place)); }

/// Writes an instruction, whose relative operands are given as addresses.
void write(ZydisMnemonic mnemonic, std::initializer_list<ZydisEncoderOperand> operands)
{
    ZydisEncoderRequest request{};
    request.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    request.mnemonic = mnemonic;
    for (const auto& operand : operands) request.operands[request.operand_count++] = operand;
    if (operands.begin()->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) request.branch_width = ZYDIS_BRANCH_WIDTH_32;
    ZyanUSize size = ZYDIS_MAX_INSTRUCTION_LENGTH;
    if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstructionAbsolute(&request, out, &size, number_of(out))))
        std::abort();
    out += size;
}

void move(ZydisEncoderOperand to, ZydisEncoderOperand from) { write(ZYDIS_MNEMONIC_MOV, {to, from}); }
void save() { move(slot(context.rax), reg(rax)), move(slot(context.rcx), reg(rcx)); }
void restore() { move(reg(rcx), slot(context.rcx)), move(reg(rax), slot(context.rax)); }

/// lea or mov: rax from an operand of the instruction, or from what stands `offset` behind it.
void write_rax(ZydisMnemonic mnemonic, const Instruction& from, const ZydisDecodedOperand& operand,
               std::uint64_t offset = 0)
{
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) return move(reg(rax), reg(operand.reg.value));
    const auto& place = operand.mem;
    const bool is_thread_local = place.segment == ZYDIS_REGISTER_FS || place.segment == ZYDIS_REGISTER_GS;
    if (is_thread_local && mnemonic != ZYDIS_MNEMONIC_LEA) refuse("unsupported operand", from.at);
    if (place.base == ZYDIS_REGISTER_RIP) offset += from.next();
    auto source = memory(place.base, static_cast<std::uint64_t>(place.disp.value) + offset);
    if (place.type != ZYDIS_MEMOP_TYPE_VSIB && place.index != ZYDIS_REGISTER_NONE) {
        source.mem.index = place.index;
        source.mem.scale = place.scale;
    }
    write(mnemonic, {reg(rax), source});
}

/* ---- Logging ---- */

/// A word of the log, `number` words behind the pointer in rcx.
ZydisEncoderOperand word(std::size_t number, std::size_t bytes = 8) { return memory(rcx, 8 * number, bytes); }

/// Writes code that logs a value as words from `number` on. It finds all registers as they were,
/// but for rax and rcx, which are saved and restored.
void log_value(const Instruction& instruction, const Observed& value, std::size_t number)
{
    const auto point_to_log = [] { move(reg(rcx), slot(context.log)); };
    const auto log_rax = [&](std::size_t place) { point_to_log(), move(word(place), reg(rax)); };
    const bool is_wide = value.words == 8 || ZydisRegisterGetId(value.name) >= 16;
    const std::size_t bytes = 8U * value.words;
    switch (value.source) {
        case Observed::Source::address:
            write_rax(ZYDIS_MNEMONIC_LEA, instruction, instruction.memory_operand());
            return log_rax(number);
        case Observed::Source::content:
            for (std::size_t i = 0; i < value.words; ++i) {
                restore();
                write_rax(ZYDIS_MNEMONIC_LEA, instruction, instruction.memory_operand(), 8 * i);
                const bool is_short = instruction.memory_operand().size < 64;
                move(reg(is_short ? ZYDIS_REGISTER_EAX : rax), memory(rax, 0, is_short ? 4 : 8));
                log_rax(number + i);
            }
            return;
        case Observed::Source::general:
            move(reg(rax), value.name == rcx   ? slot(context.rcx)
                           : value.name == rax ? slot(context.rax)
                                               : reg(value.name));
            return log_rax(number);
        case Observed::Source::vector:
            point_to_log();
            if (is_wide)
                return write(ZYDIS_MNEMONIC_VMOVDQU64,
                             {word(number, bytes), reg(ZYDIS_REGISTER_K0), reg(value.name)});
            return write(ZYDIS_MNEMONIC_VMOVDQU, {word(number, bytes), reg(value.name)});
        case Observed::Source::mask:
            point_to_log();
            return write(ZYDIS_MNEMONIC_KMOVQ, {word(number), reg(value.name)});
    }
}

void advance_log(std::size_t words)
{
    move(reg(rcx), slot(context.log));
    write(ZYDIS_MNEMONIC_LEA, {reg(rcx), word(words)});
    move(slot(context.log), reg(rcx));
    restore();
}

/// Writes code that logs the values of an instruction.
void log_values(const Instruction& instruction)
{
    std::size_t words = 0;
    for (std::size_t i = 0; i < instruction.observed_count; ++i) {
        words == 0 ? save() : restore();
        log_value(instruction, instruction.observed[i], words);
        words += instruction.observed[i].words;
    }
    if (words != 0) advance_log(words);
}

void log_block(std::uint64_t at)
{
    save();
    move(reg(rax), immediate(at));
    move(reg(rcx), slot(context.log));
    move(word(0), reg(rax));
    advance_log(1);
}

/* ---- Copying blocks ---- */

/// Writes a jump; returns its last four bytes, the distance.
std::uint8_t* jump(ZydisMnemonic mnemonic, void (*target)())
{
    write(mnemonic, {immediate(reinterpret_cast<std::uint64_t>(target))});
    return out - 4;
}

void set_distance(std::uint8_t* distance, std::int64_t value)
{
    const auto narrow = static_cast<std::int32_t>(value);
    if (narrow != value) refuse("out of reach of its copy", number_of(distance));
    std::memcpy(distance, &narrow, 4);
}

void go_on_at(std::uint64_t target)
{
    move(slot(context.rax), reg(rax));
    move(reg(rax), immediate(target));
    move(slot(context.target), reg(rax));
    move(reg(rax), slot(context.rax));
    jump(ZYDIS_MNEMONIC_JMP, girih_traces_dispatch);
}

/// The program sees its own addresses: a call pushes the original one to return to.
void copy_control(const Instruction& instruction)
{
    const auto& operand = instruction.operands[0];
    const bool is_direct = operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.imm.is_relative;
    const bool is_return = instruction.is(ZYDIS_CATEGORY_RET);
    if (is_return && instruction.code.operand_count_visible != 0)
        refuse("unsupported return", instruction.at);
    const std::uint64_t target = instruction.next() + operand.imm.value.u;
    if (instruction.is(ZYDIS_CATEGORY_COND_BR)) {
        std::uint8_t* const taken = jump(instruction.code.mnemonic, girih_traces_dispatch);
        go_on_at(instruction.next());
        set_distance(taken, out - (taken + 4));
        return go_on_at(target);
    }
    move(slot(context.rax), reg(rax));
    if (is_return)
        write(ZYDIS_MNEMONIC_POP, {reg(rax)});
    else if (is_direct)
        move(reg(rax), immediate(target));
    else
        write_rax(ZYDIS_MNEMONIC_MOV, instruction, operand);
    move(slot(context.target), reg(rax));
    if (instruction.is(ZYDIS_CATEGORY_CALL)) {
        move(reg(rax), immediate(instruction.next()));
        write(ZYDIS_MNEMONIC_PUSH, {reg(rax)});
    }
    move(reg(rax), slot(context.rax));
    jump(ZYDIS_MNEMONIC_JMP, girih_traces_dispatch);
}

/// Copies an instruction, and corrects the distance to what it addresses relative to itself.
void copy_unchanged(const Instruction& instruction)
{
    std::memcpy(out, reinterpret_cast<const void*>(instruction.at), instruction.code.length);
    for (std::size_t i = 0; i < instruction.code.operand_count; ++i) {
        const auto& operand = instruction.operands[i];
        if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.base != ZYDIS_REGISTER_RIP) continue;
        const std::int64_t moved =
            operand.mem.disp.value + static_cast<std::int64_t>(instruction.at - number_of(out));
        set_distance(out + instruction.code.raw.disp.offset, moved);
    }
    out += instruction.code.length;
}

std::uint8_t* copy_block(std::uint64_t at)
{
    if (out + longest_copy > out_end) refuse("no room for more code", at);
    std::uint8_t* const begin = out;
    log_block(at);
    for (std::size_t i = 0; i < block_limit; ++i) {
        const Instruction instruction = decode(at);
        log_values(instruction);
        if (instruction.is_control()) return copy_control(instruction), begin;
        copy_unchanged(instruction);
        at = instruction.next();
    }
    go_on_at(at);
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

std::uint8_t* new_memory(std::size_t bytes, int protection = PROT_READ | PROT_WRITE)
{
    void* memory = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return static_cast<std::uint8_t*>(memory);
}

}  // namespace

/// Runs between two blocks. Allocates nothing: the program may be within malloc.
extern "C" [[gnu::target("general-regs-only")]] void girih_traces_find()
{
    const std::uint64_t at = context.target;
    if (at == 0 || context.log >= context.log_end) {
        context.next = reinterpret_cast<std::uint64_t>(&girih_traces_leave);
        return;
    }
    std::size_t place = (at * 0x9E3779B97F4A7C15) >> (64 - table_bits);
    while (copies[place].at != at && copies[place].at != 0)
        place = (place + 1) % (std::size_t{1} << table_bits);
    if (copies[place].at == 0) copies[place] = {at, copy_block_aside(at)};
    context.next = number_of(copies[place].code);
}

void run_translated(const Operation& operation, Log& log)
{
    log.block_limit = block_limit;
    context.log = number_of(log.words.data());
    context.log_end = number_of(log.words.data() + Log::capacity - Log::reserve);
    context.target = reinterpret_cast<std::uint64_t>(&call);
    log.result = girih_traces_enter(&operation);
    log.count = (context.log - number_of(log.words.data())) / 8;
    log.is_whole = context.log < context.log_end;
}

/// To be called once, when all libraries are loaded: the copied code reaches their data.
extern "C" void girih_traces_prepare()
{
    out = new_memory(code_bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
    out_end = out + code_bytes;
    copies = reinterpret_cast<Copy*>(new_memory(sizeof(Copy) << table_bits));
    vector_state = new_memory(1 << 14);
    girih_traces_stack = new_memory(1 << 24) + (1 << 24);
    girih_traces_own_stack = new_memory(1 << 20) + (1 << 20);
}

}  // namespace girih::traces
