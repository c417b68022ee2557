/// Blocks of which no candidate is refused.
#pragma once

#include <cstddef>

#include "keccak/task.hpp"
#include "module_lattice/poly.hpp"

namespace girih::module_lattice {

/// Takes a whole block if no candidate in it is refused, without compression; or what a polynomial
/// lacks, if that is less and fills vectors. Else takes nothing. Lanes of the last vector that lie
/// beyond the block are overwritten by later vectors. Variable time. (With one lane it gains
/// nothing.)
template <class Source, class Isa>
[[nodiscard, gnu::always_inline]] constexpr bool take_whole_block(
    keccak::RowOfOutput block, Coefficients<typename Source::template Lanes<Isa>::Integer>& out,
    std::size_t& taken) noexcept
{
    using Lanes = typename Source::template Lanes<Isa>;
    constexpr std::size_t lanes = Lanes::lanes;
    constexpr std::size_t vectors = (Source::per_block + lanes - 1) / lanes;
    constexpr std::size_t in_last = Source::per_block - (vectors - 1) * lanes;
    if constexpr (!Source::rarely_refuses || lanes == 1) {
        return false;
    } else {
        // (A copy, since a compiler thinks that the stores may change the original.)
        auto* const to = &out[taken];
        const auto take = [&](std::size_t count) __attribute__((always_inline)) {
            typename Lanes::Vector refused{};
            for (std::size_t vector = 0; vector < count; ++vector) {
                const auto v = Source::template candidates<Isa>(block, vector * lanes);
                auto negative = Source::negative_if_refused(v);
                if constexpr (in_last != lanes)
                    if (vector == vectors - 1) negative = negative & Lanes::first_lanes(in_last);
                refused = refused | negative;
                Lanes::store(to + vector * lanes, Source::value(v));
            }
            return !Lanes::any_negative(refused);
        };
        const std::size_t lacking = n - taken;
        if (lacking >= vectors * lanes) {
            if (!take(vectors)) return false;
            taken += Source::per_block;
            return true;
        }
        if (lacking > Source::per_block || lacking % lanes != 0 || !take(lacking / lanes)) return false;
        taken = n;
        return true;
    }
}

}  // namespace girih::module_lattice
