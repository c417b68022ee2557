/// Traces of operations: what can be seen from outside of each instruction that ran.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <vector>

namespace girih::traces {

/// A way in which two traces differ.
enum class Kind : std::uint8_t {
    address,  ///< where memory is read or written, or how much of it
    mask,     ///< which lanes of memory are read or written
    operand,  ///< values of a division or a square root
    path,     ///< the next instruction
};

/// A value that a trace has of an instruction, besides the instruction's own address.
struct Observed {
    enum class Source : std::uint8_t { address, content, general, vector, mask };  // of memory; registers
    Kind kind;
    Source source;
    ZydisRegister name = ZYDIS_REGISTER_NONE;  ///< if it is a register
    std::uint8_t words = 1;                    ///< of eight bytes
    std::uint64_t used = ~std::uint64_t{0};    ///< the bits of each word that the instruction reads
};

struct Instruction {
    std::uint64_t at;
    ZydisDecodedInstruction code;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    int memory;  ///< the number of the visible operand in memory; -1: none
    std::array<Observed, 8> observed;
    std::size_t observed_count;

    [[nodiscard]] std::uint64_t next() const { return at + code.length; }
    [[nodiscard]] bool is(ZydisInstructionCategory category) const { return code.meta.category == category; }
    /// Whether a block ends here.
    [[nodiscard]] bool is_control() const
    {
        return is(ZYDIS_CATEGORY_CALL) || is(ZYDIS_CATEGORY_RET) || is(ZYDIS_CATEGORY_COND_BR) ||
               is(ZYDIS_CATEGORY_UNCOND_BR);
    }
    [[nodiscard]] const ZydisDecodedOperand& memory_operand() const
    {
        return operands[static_cast<std::size_t>(memory)];
    }
};

/// Decodes an instruction in memory; allocates nothing. Ends the program if it is unknown, or if
/// its trace would be incomplete.
Instruction decode(std::uint64_t at);
[[noreturn]] void refuse(const char* reason, std::uint64_t at);

/// The log of a run, in memory that a child process shares: for each block of instructions its
/// address, then the observed values of its instructions.
struct Log {
    static constexpr std::size_t capacity = std::size_t{1} << 27, reserve = 1 << 12;  // words

    std::size_t count, block_limit;  // of words; of instructions in a block
    std::uint64_t is_whole, result;  // of the operation
    std::array<std::uint64_t, capacity> words;
};

/// A call of a function of the library.
struct Operation {
    std::uint64_t (*function)(...);
    std::array<std::uint64_t, 12> arguments;
};

/// At nearly its own speed: each block of instructions is copied, when it is first reached, behind
/// code that logs its address and the observed values; the copies run. Later runs use them as well.
void run_translated(const Operation& operation, Log& log);

/// One instruction at a time, by the processor's trap flag: slow, and simple enough to be trusted.
void run_stepped(const Operation& operation, Log& log);

/// The operation itself, and the stack that both run it on, so that addresses are the same.
extern "C" [[gnu::visibility("hidden")]] void* girih_traces_stack;
std::uint64_t call(const Operation* operation);

}  // namespace girih::traces
