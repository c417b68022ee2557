/// The engine of RISC-V's vector extension for registers of 256 bits or more.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/rvv/vectors.hpp"
#include "isa/rvv/words.hpp"

namespace girih::isa::rvv256 {

using Words256 = std::uint64_t __attribute__((vector_size(32)));
struct FourWords : rvv::RotatedWords<FourStateLanes<FourWords, Words256>> {
    [[nodiscard]] static Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }
};

struct Isa : rvv::Vectors<Isa> {
    static constexpr std::string_view name = "rvv256";
    using WideWords = FourWords;
    using CipherWords = FourWords;
};

}  // namespace girih::isa::rvv256
