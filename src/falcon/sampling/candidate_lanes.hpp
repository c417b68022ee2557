/// The sampler's attempts (specification, Section 3.9.3) in the lanes of vectors: what attempts of
/// several signatures and several attempts of one have in common.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "falcon/sampling/sampler.hpp"

namespace girih::falcon {

/// One of the vectors that a WideFpr is a pair of, as integers without a sign.
template <class Isa>
using AttemptWords = typename Isa::WideWords::Words;

/// As BaseSampler (Falcon, Algorithm 12), in lanes, of 72 bits, the high 62 and the low 10 of them:
/// how many numbers of the table are above.
template <class Isa>
struct BaseSampler {
    using Words = AttemptWords<Isa>;

    [[nodiscard, gnu::always_inline]] static Words sample(Words high, Words low) noexcept
    {
        Words z0{};
        unroll<table.size()>([&](auto i) __attribute__((always_inline)) {
            z0 += (high - table[i].high - ((low - table[i].low) >> 63)) >> 63;
        });
        return z0;
    }

  private:
    struct Entry {
        std::uint64_t high;
        std::uint64_t low;
    };
    static constexpr std::array<Entry, rcdt.size()> table = [] {
        std::array<Entry, rcdt.size()> split{};
        for (std::size_t i = 0; i < rcdt.size(); ++i) {
            const std::uint64_t v2 = rcdt[i][0], v1 = rcdt[i][1], v0 = rcdt[i][2];
            split[i] = {v2 << 38 | v1 << 14 | v0 >> 10, v0 & 1023};
        }
        return split;
    }();
};

/// As BerExp (Falcon, Algorithm 14), in lanes, as far as its first byte decides, from doubles.
///
/// The byte is compared with 256 ccs exp(-x), which is known to far less than `margin`; where they
/// are less than 1 (and the margin) apart, the verdict is left open, and Sampler has to find it. Of
/// each x, one byte in 256 leaves it open, except for a few in 2^36 of the x, of which it is two:
/// that it is open tells nothing of x. What the verdict of an open one tells, BerExp's own does
/// (docs/SOUNDNESS.md).
template <class Fpr>
struct FirstByte {
    using Integers = typename Fpr::Integers;
    using Doubles = typename Fpr::Doubles;

    Integers accepted;
    Integers open;

    /// x >= 0 and below 500, ccs_256 = 256 ccs.
    [[nodiscard, gnu::always_inline]] static FirstByte of(Fpr x, Fpr ccs_256, Fpr byte) noexcept
    {
        // x = n ln 2 - t, |t| <= ln 2 / 2
        const Doubles shifted = x.value() * inverse_ln_2 + Fpr::shifter;
        const Doubles n = shifted - Fpr::shifter;
        const Doubles t = multiply_add(n, Doubles{ln_2}, -x.value());
        // 2^-n: only the low bits of n stay in the exponent's field.
        const Integers exponent = (Integers{1023} - std::bit_cast<Integers>(shifted)) << 52;
        const Doubles chance = exp(t) * ccs_256.value() * std::bit_cast<Doubles>(exponent);
        const Doubles above = chance - byte.value();
        const Integers accepted = Doubles{1 + margin} < above;
        return {accepted, (Doubles{-margin} < above) & ~accepted};
    }

  private:
    static constexpr double ln_2 = 0.69314718055994530941723212146;
    static constexpr double inverse_ln_2 = 1.4426950408889634073599246810;
    /// The polynomial is right to 2^-51, rounding costs a few times 2^-52, and FACCT's polynomial,
    /// which it stands for, is right to 2^-50; all times 256.
    static constexpr double margin = 0x1p-36;

    /// As ApproxExp (Falcon, Algorithm 13), in doubles: Taylor's polynomial of degree 12,
    /// |t| <= ln 2 / 2.
    [[nodiscard, gnu::always_inline]] static Doubles exp(Doubles t) noexcept
    {
        const Doubles t2 = t * t;
        const Doubles t4 = t2 * t2;
        const Doubles t8 = t4 * t4;
        const Doubles c0 = multiply_add(t2, pair<2>(t), Doubles{1.0} + t);
        const Doubles c4 = multiply_add(t2, pair<6>(t), pair<4>(t));
        const Doubles c8 = multiply_add(t2, pair<10>(t), pair<8>(t));
        const Doubles low = multiply_add(t4, c4, c0);
        const Doubles high = multiply_add(t4, Doubles{inverse_factorial(12)}, c8);
        return multiply_add(t8, high, low);
    }
    /// 1 / k! + t / (k + 1)!
    template <int k>
    [[nodiscard, gnu::always_inline]] static Doubles pair(Doubles t) noexcept
    {
        return multiply_add(t, Doubles{inverse_factorial(k + 1)}, Doubles{inverse_factorial(k)});
    }
    [[nodiscard]] static consteval double inverse_factorial(int k)
    {
        double factorial = 1;
        for (int i = 2; i <= k; ++i) factorial *= i;
        return 1 / factorial;
    }
};

}  // namespace girih::falcon
