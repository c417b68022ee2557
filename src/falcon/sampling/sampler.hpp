/// SamplerZ (specification, Section 3.9.3): integers from a discrete Gaussian of any centre and of
/// a standard deviation between sigma_min and sigma_max = 1.8205.
///
/// The number of attempts, and of bytes that BerExp looks at, depends on neither the centre, nor
/// the deviation, nor the result (Howe, Prest, Ricosset, Rossi, "Isochronous Gaussian sampling",
/// PQCrypto 2020). Everything else is constant time if the arithmetic is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/secret.hpp"
#include "core/wide.hpp"
#include "falcon/params.hpp"
#include "falcon/sampling/chacha20.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

inline constexpr double sigma_max = 1.8205;

/// 1 / (2 sigma_max^2), to the precision of a double.
inline constexpr double inverse_2_sigma_max_squared = 0.150865048875372721532312163019;
static_assert(2 * sigma_max * sigma_max * inverse_2_sigma_max_squared - 1 < 1e-15 &&
              1 - 2 * sigma_max * sigma_max * inverse_2_sigma_max_squared < 1e-15);

/// RCDT (specification, Table 3.1): 2^72 times the probability that a half-Gaussian of deviation
/// sigma_max is above i. In words of 24 bits, highest first.
inline constexpr std::array<std::array<std::uint32_t, 3>, 18> rcdt{{{10745844, 3068844, 3741698},
                                                                    {5559083, 1580863, 8248194},
                                                                    {2260429, 13669192, 2736639},
                                                                    {708981, 4421575, 10046180},
                                                                    {169348, 7122675, 4136815},
                                                                    {30538, 13063405, 7650655},
                                                                    {4132, 14505003, 7826148},
                                                                    {417, 16768101, 11363290},
                                                                    {31, 8444042, 8086568},
                                                                    {1, 12844466, 265321},
                                                                    {0, 1232676, 13644283},
                                                                    {0, 38047, 9111839},
                                                                    {0, 870, 6138264},
                                                                    {0, 14, 12545723},
                                                                    {0, 0, 3104126},
                                                                    {0, 0, 28824},
                                                                    {0, 0, 198},
                                                                    {0, 0, 1}}};

/// RCDT in words of 32 bits, lowest first, for processors with their own function for counting the
/// entries above a number.
inline constexpr std::array<std::uint32_t, 3 * rcdt.size()> rcdt_words = [] {
    std::array<std::uint32_t, 3 * rcdt.size()> words{};
    for (std::size_t i = 0; i < rcdt.size(); ++i) {
        words[3 * i] = rcdt[i][2] | rcdt[i][1] << 24;
        words[3 * i + 1] = rcdt[i][1] >> 8 | rcdt[i][0] << 16;
        words[3 * i + 2] = rcdt[i][0] >> 16;
    }
    return words;
}();

/// The coefficients of FACCT's polynomial for exp(-x), in units of 2^-63, highest first.
inline constexpr std::array<std::uint64_t, 13> exp_coefficients{
    0x00000004741183A3, 0x00000036548CFC06, 0x0000024FDCBF140A, 0x0000171D939DE045, 0x0000D00CF58F6F84,
    0x000680681CF796E3, 0x002D82D8305B0FEA, 0x011111110E066FD0, 0x0555555555070F00, 0x155555555581FF00,
    0x400000000002B400, 0x7FFFFFFFFFFF4800, 0x8000000000000000};

/// ApproxExp (Falcon, Algorithm 13): 2^63 ccs exp(-x) for 0 <= x < ln 2 and 0 <= ccs < 1.
template <class Fpr>
[[nodiscard]] constexpr std::uint64_t approx_exp(Fpr x, Fpr ccs) noexcept
{
    const auto multiply_high = [](std::uint64_t a, std::uint64_t b) {
        if constexpr (isa::MultipliesHigh<Fpr>) {
            if (!std::is_constant_evaluated()) return Fpr::multiply_high(a, b);
        }
        return girih::multiply_high(a, b);
    };
    // x and ccs are converted to units of 2^-64. trunc takes numbers below 2^63, so x 2^63 is
    // doubled.
    const Fpr two_63{0x1p63};
    const std::uint64_t z = static_cast<std::uint64_t>(trunc(x * two_63)) << 1;
    std::uint64_t y = exp_coefficients[0];
    for (std::size_t i = 1; i < exp_coefficients.size(); ++i) y = exp_coefficients[i] - multiply_high(z, y);
    return multiply_high(static_cast<std::uint64_t>(trunc(ccs * two_63)) << 1, y);
}

/// a >> bits for bits < 64, written so that compilers for 32-bit processors do not branch.
[[nodiscard]] constexpr std::uint64_t shift_right(std::uint64_t a, std::uint32_t bits) noexcept
{
    a ^= (a ^ (a >> 32)) & odd_mask(std::uint64_t{bits} >> 5);
    return a >> (bits & 31);
}

/// BerExp (Falcon, Algorithm 14): true with probability ccs exp(-x).
template <class Fpr, class Random>
[[nodiscard]] constexpr bool bernoulli_exp(Fpr x, Fpr ccs, Random& random) noexcept
{
    // To the precision of a double.
    constexpr double ln_2 = 0.69314718055994530941723212146;
    constexpr double inverse_ln_2 = 1.4426950408889634073599246810;
    const std::int64_t s = trunc(x * Fpr{inverse_ln_2});
    const Fpr r = x - Fpr::of(s) * Fpr{ln_2};
    // Beyond 63 the probability is below 2^-63, and may as well be 2^-63.
    const auto over = static_cast<std::uint32_t>(negative_mask(63 - s));
    const std::uint32_t shift = (static_cast<std::uint32_t>(s) & ~over) | (63 & over);
    // Twice a product of 2^63 wraps to 0, and becomes 2^64 - 1.
    const std::uint64_t z = shift_right((approx_exp(r, ccs) << 1) - 1, shift);
    // Draws a number between 0 and 1 byte by byte, until it is known whether it is below z.
    for (int i = 56; i >= 0; i -= 8) {
        const std::uint32_t difference =
            std::uint32_t{random.next_byte()} - static_cast<std::uint32_t>((z >> i) & 0xFF);
        const Secret differs{(difference | (0 - difference)) >> 31};
        const Secret is_below{difference >> 31};
        if (declassify(differs,
                       "Falcon round 3, Algorithm 14: how many bytes BerExp compares may be known") != 0)
            return declassify(is_below,
                              "Falcon round 3, Section 3.9.3: the number of rejections may be known") != 0;
    }
    return false;
}

/// The leaves of a key made by Keygen have deviations from sigma_min to sigma_max. If another key's
/// leaf is outside, the sampler gets a valid value instead, and the key is refused at the end.
template <class Fpr>
class LeafRange {
  public:
    constexpr explicit LeafRange(double sigma_min) noexcept : min_(1 / sigma_max), max_(1 / sigma_min) {}

    /// A leaf inside the range, or the valid value for one outside.
    [[nodiscard]] constexpr Fpr admit(Fpr inverse_sigma) noexcept
    {
        // A NaN is neither less nor greater.
        const std::uint32_t is_inside = less(min_, inverse_sigma) & less(inverse_sigma, max_);
        outside_ |= is_inside ^ 1;
        const std::uint64_t keep = odd_mask(std::uint64_t{is_inside});
        return Fpr::of_bits((inverse_sigma.bits() & keep) | (max_.bits() & ~keep));
    }
    /// 1 if any leaf was outside, else 0.
    [[nodiscard]] constexpr Secret<std::uint32_t> some_outside() const noexcept { return Secret{outside_}; }

  private:
    Fpr min_;
    Fpr max_;
    std::uint32_t outside_ = 0;
};

/// The source of random bytes is a parameter, so that a test can use the specification's.
template <class Isa, class Random = ChaCha20<Isa>>
class Sampler {
  public:
    using Fpr = typename Isa::Fpr;

    /// `sigma_min` is the parameter set's; `source` seeds the generator.
    template <class Source>
    constexpr Sampler(double sigma_min, Source& source) noexcept
        : random_(source), sigma_min_(sigma_min), leaf_range_(sigma_min)
    {
    }

    [[nodiscard]] constexpr LeafRange<Fpr>& leaf_range() noexcept { return leaf_range_; }

    /// Both integers of a leaf: near t[0], then near t[1].
    constexpr void sample_leaf(Fpr inverse_sigma, std::span<const Fpr, 2> t, std::span<Fpr, 2> z) noexcept
    {
        for (std::size_t i = 0; i < 2; ++i) z[i] = Fpr::of(sample(t[i], inverse_sigma));
    }

    /// SamplerZ (Falcon, Algorithm 15), from the centre mu and 1 / sigma.
    [[nodiscard]] constexpr std::int64_t sample(Fpr mu, Fpr inverse_sigma) noexcept
    {
        const std::int64_t s = floor(mu);
        const Deviation deviation = deviation_of(inverse_sigma);
        std::int32_t z = 0;
        while (!attempt(mu - Fpr::of(s), deviation, z)) {
        }
        return s + z;
    }

    /// The constants that follow from 1 / sigma.
    struct Deviation {
        Fpr dss;  ///< 1 / (2 sigma^2)
        Fpr ccs;  ///< sigma_min / sigma
    };
    [[nodiscard]] constexpr Deviation deviation_of(Fpr inverse_sigma) const noexcept
    {
        return {half(square(inverse_sigma)), inverse_sigma * sigma_min_};
    }

    /// One attempt at an integer (Falcon, Algorithm 15, lines 4 to 10) from the centre r,
    /// 0 <= r < 1.
    [[nodiscard]] constexpr bool attempt(Fpr r, const Deviation& deviation, std::int32_t& z) noexcept
    {
        const std::int32_t z0 = base_sample();
        const std::int32_t b = random_.next_byte() & 1;
        z = b + (2 * b - 1) * z0;
        // z came with a probability of exp(-(z - b)^2 / (2 sigma_max^2)) and should come with one
        // of exp(-(z - r)^2 / (2 sigma^2)), each up to a factor: their quotient accepts it.
        const Fpr x =
            square(Fpr::of(z) - r) * deviation.dss - Fpr::of(z0 * z0) * Fpr{inverse_2_sigma_max_squared};
        return bernoulli_exp(x, deviation.ccs, random_);
    }

    [[nodiscard]] constexpr Random& random() noexcept { return random_; }

    /// BaseSampler (Falcon, Algorithm 12): from the half-Gaussian of deviation sigma_max.
    [[nodiscard]] constexpr std::int32_t base_sample() noexcept
    {
        const std::uint64_t low = random_.next_word();
        const std::uint32_t high = random_.next_byte();
        if constexpr (isa::CountsAbove<Isa, decltype(rcdt_words)>) {
            if (!std::is_constant_evaluated())
                return static_cast<std::int32_t>(Isa::count_above(low, high, rcdt_words));
        }
        const auto v0 = static_cast<std::uint32_t>(low) & 0xFFFFFF;
        const auto v1 = static_cast<std::uint32_t>(low >> 24) & 0xFFFFFF;
        const auto v2 = static_cast<std::uint32_t>(low >> 48) | (high << 16);
        std::uint32_t z = 0;
        for (const auto& entry : rcdt) {
            std::uint32_t borrow = (v0 - entry[2]) >> 31;
            borrow = (v1 - entry[1] - borrow) >> 31;
            borrow = (v2 - entry[0] - borrow) >> 31;
            z += borrow;
        }
        return static_cast<std::int32_t>(z);
    }

  private:
    Random random_;
    Fpr sigma_min_;
    LeafRange<Fpr> leaf_range_;
};

}  // namespace girih::falcon
