/// The NEON engine: two Keccak states, four integers. Runs on every 64-bit Arm processor.
#pragma once

#include <cstddef>
#include <string_view>

#include "isa/native_fpr.hpp"
#include "isa/neon/integers.hpp"
#include "isa/neon/words.hpp"
#include "isa/scalar_words.hpp"

namespace girih::isa::neon {

struct Isa : FourIntegers<Isa> {
    static constexpr std::string_view name = "neon";
    static constexpr bool follows_specification = false;
    static constexpr bool has_aes = false;

    using SerialWords = ScalarWords<Isa>;
    using WideWords = TwoWords<Isa>;
    using HashWords = SerialWords;  ///< SHA-512: one message
    using Fpr = NativeFpr<Isa>;
    using CipherWords = WideWords;
};

}  // namespace girih::isa::neon
