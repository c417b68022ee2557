/// The NEON engine: two Keccak states, four integers. Runs on every 64-bit Arm processor.
#pragma once

#include <string_view>

#include "isa/neon/integers.hpp"
#include "isa/neon/words.hpp"

namespace girih::isa::neon {

struct Isa : FourIntegers<Isa> {
    static constexpr std::string_view name = "neon";
    using WideWords = TwoWords;
    using CipherWords = WideWords;
};

}  // namespace girih::isa::neon
