/// The engine of RISC-V's vector extension for registers of any length from 128 bits on.
#pragma once

#include <string_view>

#include "isa/rvv/vectors.hpp"
#include "isa/rvv/words.hpp"

namespace girih::isa::rvv {

struct Isa : Vectors<Isa> {
    static constexpr std::string_view name = "rvv";
    /// Keccak's states one after the other: in two lanes they take longer (C908: 2,400 cycles a
    /// state in vectors, 1,770 by rotations of Zbb; published figures).
    using WideWords = SerialWords;
    using CipherWords = TwoWords;
};

}  // namespace girih::isa::rvv
