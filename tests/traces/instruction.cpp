#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "trace.hpp"

namespace girih::traces {
namespace {

using Source = Observed::Source;

bool decode_whole(std::uint64_t at, Instruction& to)
{
    static const ZydisDecoder decoder = [] {
        ZydisDecoder made;
        ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        return made;
    }();
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<const void*>(at),
                                               ZYDIS_MAX_INSTRUCTION_LENGTH, &to.code, to.operands.data()));
}

bool starts_with_any(std::string_view mnemonic, std::initializer_list<std::string_view> starts)
{
    return std::ranges::any_of(starts, [&](std::string_view start) { return mnemonic.starts_with(start); });
}

ZydisRegister whole(ZydisRegister name)
{
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
}

/// Collects the observed values of one instruction.
class Observation {
  public:
    explicit Observation(Instruction& instruction)
        : instruction_(instruction), mnemonic_(ZydisMnemonicGetString(instruction.code.mnemonic))
    {
        instruction_.memory = -1;
        instruction_.observed_count = 0;
        const bool touches_nothing = starts_with_any(mnemonic_, {"nop", "lea", "endbr"});
        for (int i = 0; i < instruction_.code.operand_count && !touches_nothing; ++i) {
            const auto& operand = instruction_.operands[static_cast<std::size_t>(i)];
            const bool is_hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;  // the stack
            if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && !is_hidden) instruction_.memory = i;
        }
        refuse_unsupported();
        for (std::size_t i = 0; i < instruction_.code.operand_count; ++i) add(instruction_.operands[i], i);
        const bool repeats = (instruction_.code.attributes & ZYDIS_ATTRIB_HAS_REP) != 0;
        if (repeats) add({Kind::address, Source::general, ZYDIS_REGISTER_RCX});
    }

  private:
    void add(Observed value)
    {
        if (instruction_.observed_count == 8) refuse("too many operands", instruction_.at);
        instruction_.observed[instruction_.observed_count++] = value;
    }

    void add_vector(Kind kind, ZydisRegister name)
    {
        const auto bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, name);
        add({kind, Source::vector, name, static_cast<std::uint8_t>(bits / 64)});
    }

    void add(const ZydisDecodedOperand& operand, std::size_t number)
    {
        const bool is_string = instruction_.is(ZYDIS_CATEGORY_STRINGOP);
        const bool is_memory =
            instruction_.memory >= 0 && number == static_cast<std::size_t>(instruction_.memory);
        if (is_string && operand.type == ZYDIS_OPERAND_TYPE_MEMORY)
            add({Kind::address, Source::general, operand.mem.base});
        else if (is_memory)
            add_memory(operand);
        else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER)
            add_register(operand, number);
    }

    void add_memory(const ZydisDecodedOperand& operand)
    {
        const auto& memory = operand.mem;
        const bool is_constant = memory.base == ZYDIS_REGISTER_RIP || memory.base == ZYDIS_REGISTER_NONE;
        if (!is_constant || memory.index != ZYDIS_REGISTER_NONE) add({Kind::address, Source::address});
        if (memory.type == ZYDIS_MEMOP_TYPE_VSIB) add_vector(Kind::address, memory.index);
        const auto words = static_cast<std::uint8_t>(std::max(1, operand.size / 64));
        if (is_slow()) add({Kind::operand, Source::content, ZYDIS_REGISTER_NONE, words});
    }

    void add_register(const ZydisDecodedOperand& operand, std::size_t number)
    {
        const ZydisRegister name = operand.reg.value;
        const bool is_vector = ZydisRegisterGetClass(whole(name)) == ZYDIS_REGCLASS_ZMM;
        if (operand.encoding == ZYDIS_OPERAND_ENCODING_MASK) {
            if (instruction_.memory >= 0 && name != ZYDIS_REGISTER_K0)
                add({Kind::mask, Source::mask, name, 1, mask_bits()});
        } else if (is_vector && has_lanes_in_a_vector(number)) {
            add_vector(Kind::mask, name);
        } else if (is_slow() && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
            if (is_vector) add_vector(Kind::operand, name);
            const bool is_general = ZydisRegisterGetClass(whole(name)) == ZYDIS_REGCLASS_GPR64;
            if (is_general) add({Kind::operand, Source::general, whole(name)});
        }
    }

    /// The bits of its mask register that an instruction reads: one for each lane of its longest
    /// operand. (Compilers leave in the others whatever stood beside the flags of the lanes.)
    [[nodiscard]] std::uint64_t mask_bits() const
    {
        constexpr unsigned all = 64;
        unsigned lanes = 1;
        for (std::size_t i = 0; i < instruction_.code.operand_count_visible; ++i) {
            const auto& operand = instruction_.operands[i];
            if (operand.element_size > 64) return ~std::uint64_t{0};
            if (operand.element_size != 1) lanes = std::max(lanes, unsigned{operand.element_count});
        }
        return ~std::uint64_t{0} >> (all - std::min(lanes, all));
    }

    /// AVX2's masked moves and gathers: the sign of each lane of this operand.
    [[nodiscard]] bool has_lanes_in_a_vector(std::size_t number) const
    {
        const bool gathers = mnemonic_.find("gather") != mnemonic_.npos &&
                             instruction_.code.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
        return (gathers && number == 2) || (mnemonic_.find("maskmov") != mnemonic_.npos && number == 1);
    }

    [[nodiscard]] bool is_slow() const
    {
        return starts_with_any(mnemonic_, {"div", "idiv", "vdiv", "sqrt", "vsqrt"});
    }

    /// Instructions that the translation does not know, and that no library has so far.
    void refuse_unsupported() const
    {
        const bool compares_strings =
            (instruction_.code.attributes & (ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
        const bool indexes_bits = starts_with_any(mnemonic_, {"bt"}) && instruction_.memory == 0 &&
                                  instruction_.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
        if (compares_strings || indexes_bits ||
            starts_with_any(mnemonic_, {"loop", "jrcxz", "jecxz", "xlat", "fdiv", "fidiv", "fsqrt", "fprem"}))
            refuse("unsupported instruction", instruction_.at);
    }

    Instruction& instruction_;
    std::string_view mnemonic_;
};

}  // namespace

void refuse(const char* reason, std::uint64_t at)
{
    std::fprintf(stderr, "%s at %#llx\n", reason, static_cast<unsigned long long>(at));
    std::_Exit(3);
}

Instruction decode(std::uint64_t at)
{
    Instruction instruction;
    instruction.at = at;
    if (!decode_whole(at, instruction)) refuse("unknown instruction", at);
    Observation{instruction};
    return instruction;
}

}  // namespace girih::traces
