/// Vectors of coefficients under one set of names: an engine's 32-bit integers here, its 16-bit
/// integers in its ShortLanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/isa.hpp"

namespace girih::module_lattice {

/// The engine's own functions, and packing of several vectors.
template <class Isa>
struct IntegerLanes : Isa {
    using Vector = typename Isa::Integers;
    using Integer = std::int32_t;
    static constexpr std::size_t lanes = Isa::integer_lanes;

    template <int bits>
        requires isa::Packs<Isa, Vector, bits>
    [[gnu::always_inline]] static void pack(Byte* bytes, Vector a) noexcept
    {
        Isa::template pack<bits>(bytes, a);
    }
    /// Two vectors at once, if the engine packs that many integers of 16 bits.
    template <int bits>
        requires isa::PacksShorts<Isa, bits>
    [[gnu::always_inline]] static void pack(Byte* bytes, Vector low, Vector high) noexcept
    {
        using Shorts = typename Isa::ShortLanes;
        Shorts::template pack<bits>(bytes, Shorts::lower_halves(low, high));
    }
    /// Four vectors at once, if the engine packs integers of `bits` bits by way of bytes.
    template <int bits>
        requires isa::PacksFewBits<Isa, bits>
    [[gnu::always_inline]] static void pack(Byte* bytes, Vector a, Vector b, Vector c, Vector d) noexcept
    {
        Isa::FewBits::template pack<bits>(bytes, a, b, c, d);
    }
};

}  // namespace girih::module_lattice
