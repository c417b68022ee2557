/// Words of 64 bits in RISC-V's vectors, one in each lane.
#pragma once

#include "isa/vector_isa.hpp"
#include "isa/vectors_128.hpp"

namespace girih::isa::rvv {

/// `States` derives from this, and StateLanes from `Base`.
template <class Base>
struct RotatedWords : Base {
    using typename Base::Words;

    /// An instruction with Zvkb, three without.
    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        if constexpr (bits == 0)
            return a;
        else
            return a << bits | a >> (64 - bits);
    }
};

struct TwoWords : RotatedWords<TwoStateLanes<TwoWords>> {};

}  // namespace girih::isa::rvv
