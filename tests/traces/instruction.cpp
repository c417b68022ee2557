#include "instruction.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace girih::traces {
namespace {

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

bool takes_variable_time(std::string_view mnemonic)
{
    constexpr std::array<std::string_view, 9> starts{"div",   "idiv",  "vdiv", "sqrt", "vsqrt",
                                                     "fdiv", "fidiv", "fsqrt", "fprem"};
    return std::ranges::any_of(starts, [&](auto start) { return mnemonic.starts_with(start); });
}

/// Instructions that compilers do not write, and that the translation does not know.
bool is_unsupported(const Instruction& instruction, std::string_view mnemonic)
{
    const bool indexes_bits = mnemonic.starts_with("bt") && instruction.memory == 0 &&
                              instruction.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
    return mnemonic.starts_with("loop") || mnemonic == "jrcxz" || mnemonic == "jecxz" || mnemonic == "xlat" ||
           mnemonic.starts_with("fdiv") || mnemonic.starts_with("fsqrt") || indexes_bits;
}

ZydisRegister whole(ZydisRegister name)
{
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
}

bool is_general(ZydisRegister name) { return ZydisRegisterGetClass(whole(name)) == ZYDIS_REGCLASS_GPR64; }

bool is_vector(ZydisRegister name)
{
    const auto kind = ZydisRegisterGetClass(name);
    return kind == ZYDIS_REGCLASS_XMM || kind == ZYDIS_REGCLASS_YMM || kind == ZYDIS_REGCLASS_ZMM;
}

Observed vector_value(Kind kind, ZydisRegister name)
{
    const auto bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, name);
    return {kind, Observed::Source::vector, name, static_cast<std::uint8_t>(bits / 64)};
}

/// Whether a memory operand's address is more than a constant.
bool is_variable(const ZydisDecodedOperandMem& memory)
{
    const bool is_relative = memory.base == ZYDIS_REGISTER_RIP || memory.base == ZYDIS_REGISTER_NONE;
    return !is_relative || memory.index != ZYDIS_REGISTER_NONE;
}

/// Collects the values of one instruction.
class Observation {
  public:
    Observation(Instruction& instruction, std::string_view mnemonic)
        : instruction_(instruction),
          is_slow_(takes_variable_time(mnemonic)),
          has_lanes_in_a_vector_(mnemonic.find("maskmov") != mnemonic.npos)
    {
    }

    void add_all()
    {
        const std::size_t count = instruction_.code.operand_count;
        for (std::size_t i = 0; i < count; ++i) {
            const ZydisDecodedOperand& operand = instruction_.operands[i];
            if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) add_memory(operand);
            if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) add_register(operand, i);
        }
        constexpr auto repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
        if (!instruction_.is_string() || (instruction_.code.attributes & repeats) == 0) return;
        add({Kind::address, Observed::Source::general, ZYDIS_REGISTER_RCX});
        // How far a comparison went.
        if ((instruction_.code.attributes & (ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0)
            add({Kind::address, Observed::Source::general, ZYDIS_REGISTER_RCX, 1, true});
    }

  private:
    void add(Observed value)
    {
        if (instruction_.value_count == instruction_.values.size()) refuse("too many operands", instruction_.at);
        instruction_.values[instruction_.value_count++] = value;
    }

    void add_memory(const ZydisDecodedOperand& operand)
    {
        if (instruction_.is_string()) return add({Kind::address, Observed::Source::general, operand.mem.base});
        const bool is_hidden = instruction_.memory == Instruction::no_memory ||
                               &operand != &instruction_.operands[instruction_.memory];
        if (is_hidden) return;  // the stack, of a call
        if (is_variable(operand.mem)) add({Kind::address, Observed::Source::address});
        if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) add(vector_value(Kind::address, operand.mem.index));
        const auto words = static_cast<std::uint8_t>(std::max(1, operand.size / 64));
        if (is_slow_) add({Kind::operand, Observed::Source::content, ZYDIS_REGISTER_NONE, words});
    }

    void add_register(const ZydisDecodedOperand& operand, std::size_t number)
    {
        const ZydisRegister name = operand.reg.value;
        const bool has_memory = instruction_.memory != Instruction::no_memory;
        const bool gathers =
            has_memory && instruction_.operands[instruction_.memory].mem.type == ZYDIS_MEMOP_TYPE_VSIB &&
            instruction_.code.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;  // lanes by a vector's signs
        if (operand.encoding == ZYDIS_OPERAND_ENCODING_MASK) {
            if (has_memory && name != ZYDIS_REGISTER_K0) add({Kind::mask, Observed::Source::mask, name});
        } else if (is_vector(name) && number > 0 && (gathers || (has_lanes_in_a_vector_ && number == 1))) {
            add(vector_value(Kind::mask, name));
        } else if (is_slow_ && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
            if (is_vector(name)) add(vector_value(Kind::operand, name));
            if (is_general(name)) add({Kind::operand, Observed::Source::general, whole(name)});
        }
    }

    Instruction& instruction_;
    bool is_slow_;
    bool has_lanes_in_a_vector_;
};

}  // namespace

void refuse(const char* reason, std::uint64_t at)
{
    std::fprintf(stderr, "%s: %s at %#llx\n", reason, disassembled(at).c_str(),
                 static_cast<unsigned long long>(at));
    std::_Exit(3);
}

Instruction decode(std::uint64_t at)
{
    Instruction instruction;
    instruction.at = at;
    instruction.memory = Instruction::no_memory;
    instruction.value_count = 0;
    if (!decode_whole(at, instruction)) refuse("unknown instruction", at);
    const std::string_view mnemonic = ZydisMnemonicGetString(instruction.code.mnemonic);
    const bool touches_nothing = mnemonic == "nop" || mnemonic == "lea" || mnemonic.starts_with("endbr");
    for (std::size_t i = 0; i < instruction.code.operand_count && !touches_nothing; ++i) {
        const ZydisDecodedOperand& operand = instruction.operands[i];
        const bool is_visible = operand.visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN;
        if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && is_visible) instruction.memory = i;
    }
    if (is_unsupported(instruction, mnemonic)) refuse("unsupported instruction", at);
    Observation(instruction, mnemonic).add_all();
    return instruction;
}

std::string disassembled(std::uint64_t at)
{
    static const ZydisFormatter formatter = [] {
        ZydisFormatter made;
        ZydisFormatterInit(&made, ZYDIS_FORMATTER_STYLE_ATT);
        return made;
    }();
    Instruction instruction;
    std::array<char, 200> text{};
    if (!decode_whole(at, instruction)) return "?";
    ZydisFormatterFormatInstruction(&formatter, &instruction.code, instruction.operands.data(),
                                    instruction.code.operand_count_visible, text.data(), text.size(),
                                    ZYDIS_RUNTIME_ADDRESS_NONE, nullptr);
    return text.data();
}

}  // namespace girih::traces
