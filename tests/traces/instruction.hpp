/// What can be seen of a machine instruction from outside: where it is, what memory it addresses,
/// and the operands that its time depends on.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace girih::traces {

/// What two traces differ in.
enum class Kind : std::uint8_t {
    path,     ///< the next instruction
    address,  ///< where memory is read or written, or how much of it
    mask,     ///< which lanes of memory are read or written
    operand,  ///< values of a division or a square root
};

/// A value that a trace contains besides the instruction's own address.
struct Observed {
    enum class Source : std::uint8_t {
        address,  ///< of the memory operand
        content,  ///< of the memory operand
        general,  ///< a general register
        vector,   ///< a vector register
        mask,     ///< a mask register
    };
    Kind kind;
    Source source;
    ZydisRegister name = ZYDIS_REGISTER_NONE;  ///< if it is a register
    std::uint8_t words = 1;                    ///< of eight bytes
    bool is_after = false;                     ///< read when the instruction is done
};

struct Instruction {
    std::uint64_t at;
    ZydisDecodedInstruction code;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    std::size_t memory;  ///< the operand that addresses memory; or no_memory
    std::array<Observed, 8> values;
    std::size_t value_count;

    static constexpr std::size_t no_memory = ZYDIS_MAX_OPERAND_COUNT;

    [[nodiscard]] std::span<const Observed> observed() const { return {values.data(), value_count}; }
    [[nodiscard]] std::uint64_t next() const { return at + code.length; }
    [[nodiscard]] bool is_call() const { return code.meta.category == ZYDIS_CATEGORY_CALL; }
    [[nodiscard]] bool is_return() const { return code.meta.category == ZYDIS_CATEGORY_RET; }
    [[nodiscard]] bool is_branch() const { return code.meta.category == ZYDIS_CATEGORY_COND_BR; }
    /// Whether a block ends here.
    [[nodiscard]] bool is_control() const
    {
        return is_call() || is_return() || is_branch() || code.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
    }
    [[nodiscard]] bool is_string() const { return code.meta.category == ZYDIS_CATEGORY_STRINGOP; }
};

/// Decodes what stands in memory. Allocates nothing. Ends the program if the instruction is unknown,
/// or one whose trace would be incomplete.
Instruction decode(std::uint64_t at);

/// In AT&T's syntax.
std::string disassembled(std::uint64_t at);

/// Ends the program, with a reason.
[[noreturn]] void refuse(const char* reason, std::uint64_t at);

}  // namespace girih::traces
