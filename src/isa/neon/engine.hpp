/// The NEON engine: four Keccak states, four integers. Runs on every 64-bit Arm processor.
#pragma once

#include <string_view>
#include <type_traits>

#include "isa/neon/aes.hpp"
#include "isa/neon/integers.hpp"
#include "isa/neon/sha512.hpp"
#include "isa/neon/words.hpp"

namespace girih::isa::neon {

struct Isa : FourIntegers<Isa> {
    static constexpr std::string_view name = "neon";
    using WideWords = std::conditional_t<has_keccak_assembly, FourStates, TwoWords>;
    using SerialWords = SerialState<Isa>;
    using CipherWords = TwoWords;
    using AesInstructions = neon::AesInstructions<Isa>;
    struct HashWords : SerialWords {
        using Sha512Instructions = neon::Sha512Instructions<Isa>;
    };
};

}  // namespace girih::isa::neon
