/// The NTRU equation f G - g F = q without floating point, in little memory: after T. Pornin,
/// "Improved Key Pair Generation for Falcon, BAT and Hawk" (2023/290).
///
/// Polynomials of each depth have half the degree of those of the depth before; at depth logn, the
/// deepest, f and g are integers. f and g are kept from depth 2 on. At the deepest ones, where
/// polynomials are short and their coefficients long, coefficients are multiplied as integers. At
/// depth 0 everything is computed modulo one prime (lowest_depths.hpp). Babai's quotients come from
/// a Fourier transform in integers of 64 bits. Every engine finds the same F and G.
///
/// Constant time, except for whether there is a solution.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/secret.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/keygen/arena.hpp"
#include "falcon/keygen/field_norms.hpp"
#include "falcon/keygen/lift.hpp"
#include "falcon/keygen/lowest_depths.hpp"
#include "falcon/keygen/numbers/bezout.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/keygen/reduce.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

/// f u - g v = 1, so G = q u and F = q v.
template <class Isa>
[[nodiscard]] Secret<Word> solve_integers(Arena<Isa>& memory)
{
    const BigPoly fg = memory.level(memory.logn);
    Bezout<Isa> bezout{
        fg.length, memory.template at<Limb>(memory.bezout_offset(), Bezout<Isa>::memory_limbs(fg.length))};
    const Secret<Word> wrong = bezout.solve(fg, {fg.words.subspan(1), fg.n, fg.length});
    const std::span<Limb> out = memory.upper(memory.logn);
    const std::size_t limbs = out.size() / 2;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::span<const Limb> a = side == 0 ? bezout.v() : bezout.u();
        LimbProduct carry = 0;
        for (std::size_t i = 0; i < limbs; ++i) {
            carry += LimbProduct{a[i]} * q;
            out[side * limbs + i] = static_cast<Limb>(carry) & limb_mask;
            carry >>= limb_bits;
        }
    }
    return wrong;
}

[[nodiscard]] inline bool is_wrong(Secret<Word> wrong)
{
    return declassify(wrong, "Section 3.8.2: f and g without a solution are thrown away") != 0;
}

/// NTRUSolve (Falcon, Algorithm 6), with loops for its recursion and integers for its floating
/// point. True if there is a solution whose coefficients fit in bytes: F is then at the front of
/// the memory. ReferenceNtruSolver (standard/keygen/ntru_solve.hpp) is the plain form: read it
/// first.
template <class Isa>
[[nodiscard, gnu::noinline]] bool ntru_solve(Arena<Isa>& memory, Small f, Small g)
{
    const std::size_t deepest = memory.logn;  // where f and g are integers
    make_depth_2(memory, f, g);
    for (std::size_t depth = 2; depth < deepest; ++depth) field_norms(memory, depth);  // lines 7 and 8
    if (is_wrong(solve_integers(memory))) return false;                                // lines 1 to 5
    for (std::size_t depth = deepest - 1; depth > 0; --depth) {
        if (depth == 1 && is_wrong(make_depth_1(memory, f, g))) return false;
        lift(memory, depth);                                // lines 10 and 11
        if (is_wrong(reduce(memory, depth))) return false;  // line 12
    }
    return !is_wrong(finish(memory, f, g));  // all of depth 0
}

/// The solver of one degree and its working memory. Holds secrets; the owner wipes it.
template <class Isa, unsigned logn>
class NtruSolver {
    static constexpr std::size_t n = std::size_t{1} << logn;
    static constexpr std::size_t memory_words = Arena<Isa>{logn, 0, nullptr}.memory_words();

  public:
    /// F, in this memory. Null if there is none.
    [[nodiscard]] const SmallPoly<n>* solve(const SmallPoly<n>& f, const SmallPoly<n>& g)
    {
        Arena<Isa> arena{logn, memory_words, memory_.data()};
        if (!ntru_solve(arena, f, g)) return nullptr;
        return std::launder(reinterpret_cast<const SmallPoly<n>*>(&memory_));
    }

    /// Its memory, for other uses while it solves nothing.
    template <class T>
    [[nodiscard]] T& scratch()
    {
        static_assert(sizeof(T) <= sizeof memory_ && alignof(T) <= 8);
        return *::new (static_cast<void*>(&memory_)) T;
    }

  private:
    alignas(8) std::array<Byte, memory_words * sizeof(Word)> memory_;
};

}  // namespace girih::falcon
