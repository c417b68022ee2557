/// SamplerZ (specification, Section 3.9.3) with attempts side by side in lanes: the same integers
/// as Sampler's, from the same bytes.
///
/// The position of an attempt's bytes depends on earlier attempts only if one of them is left open
/// by its first byte, which is rare, or reaches the end of the generator's buffer. So the part that
/// does not depend on the centre is prepared for all attempts in the buffer, and each leaf
/// evaluates several attempts at once, as if each were the next one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/sampling/candidate_lanes.hpp"
#include "falcon/sampling/chacha20.hpp"
#include "falcon/sampling/logarithm.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// SamplerZ (Falcon, Algorithm 15), speculative: attempts are made, one in each lane, before it is
/// known that they are needed. Their number is public, as Sampler's is; everything else is constant
/// time.
template <class Isa>
class SpeculativeSampler {
  public:
    using Fpr = typename Isa::Fpr;

    template <class Source>
    SpeculativeSampler(double sigma_min, Source& source) noexcept : alone_(sigma_min, source)
    {
        prepare();
    }
    SpeculativeSampler(const SpeculativeSampler&) = delete;
    SpeculativeSampler& operator=(const SpeculativeSampler&) = delete;
    ~SpeculativeSampler() { wipe(prepared_); }

    [[nodiscard]] LeafRange<Fpr>& leaf_range() noexcept { return alone_.leaf_range(); }

    /// Both integers of a leaf: near t[0], then near t[1].
    [[gnu::noinline]] void sample_leaf(Fpr inverse_sigma, std::span<const Fpr, 2> t,
                                       std::span<Fpr, 2> z) noexcept
    {
        const Leaf leaf{t, alone_.deviation_of(inverse_sigma)};
        std::size_t which = 0;
        while (which < 2) {
            const NextAttempts ahead = next_attempts(leaf);
            const Verdicts at_first = ahead.verdicts(leaf.r[0]);
            const Verdicts at_second = ahead.verdicts(leaf.r[1]);
            const auto end = static_cast<unsigned>(std::min(lanes, count_ - next_));
            unsigned from = 0;
            bool is_open = false;
            const auto take = [&](const Verdicts& verdicts) __attribute__((always_inline)) {
                // Reveals only the number of attempts that are rejected before one that is not.
                from = declassify(Secret{static_cast<unsigned>(
                                      std::countr_zero((verdicts.not_rejected | 1u << end) & ~0u << from))},
                                  "Falcon round 3, Section 3.9.3: the number of rejections may be known");
                if (from == end) return false;
                is_open =
                    declassify(Secret{~verdicts.accepted >> from & 1},
                               "Falcon round 3, Algorithm 14: how many bytes BerExp compares may be known") !=
                    0;
                if (is_open) return false;
                z[which] = leaf.s[which] + Fpr{prepared_.candidate[next_ + from]};
                ++from;
                ++which;
                return true;
            };
            if (which == 1 || take(at_first)) take(at_second);
            next_ += from;
            if (is_open || next_ == count_) which = attempt_alone(which, leaf, z);
        }
    }

  private:
    using Deviation = typename Sampler<Isa>::Deviation;
    using Wide = typename Isa::WideFpr;
    using Pair = typename Wide::Doubles;
    using Doubles = typename Pair::Vector;  ///< one attempt in each lane
    using Integers = typename Wide::Integers;
    using Longs = typename Integers::Vector;
    using Words = AttemptWords<Isa>;
    static constexpr std::size_t lanes = Pair::half;
    static constexpr std::size_t attempt_bytes = ChaCha20<Isa>::attempt_bytes;
    static constexpr std::size_t last_attempt = ChaCha20<Isa>::last_attempt;
    static_assert(lanes * attempt_bytes + 16 <= ChaCha20<Isa>::readable_beyond);
    static constexpr std::size_t max_prepared =
        (last_attempt / attempt_bytes + 1 + lanes - 1) / lanes * lanes;

    /// The centres t of a leaf, s + r with 0 <= r < 1 and s an integer, and its deviation.
    struct Leaf {
        Leaf(std::span<const Fpr, 2> t, const Deviation& of) noexcept : deviation(of)
        {
            // (For one double, g++ -Os would call the C library's function.)
            const isa::TwoDoubles floors = Isa::floor(isa::TwoDoubles{t[0].value(), t[1].value()});
            for (std::size_t i = 0; i < 2; ++i) {
                s[i] = Fpr{floors[i]};
                r[i] = t[i] - s[i];
            }
        }
        Deviation deviation;
        std::array<Fpr, 2> s;
        std::array<Fpr, 2> r;
    };

    /// The verdicts on attempts at an integer: a bit for each. Secret.
    struct Verdicts {
        unsigned accepted;
        unsigned not_rejected;  ///< accepted, or left open
    };

    /// The parts of attempts that do not depend on the centre, with readable padding at the end.
    ///
    /// BerExp (Falcon, Algorithm 14) compares its first byte b with p = 256 ccs exp(-x), which is
    /// known up to a factor of exp(margin). The attempt is accepted if b + 1 < p, and rejected if b
    /// > p; that is, if x - ln(256 ccs) is below -ln(b + 1), or above -ln(b). x is the centre's
    /// part, (z - r)^2 / (2 sigma^2), minus z0^2 / (2 sigma_max^2).
    ///
    /// Between the two, the verdict is left open, and Sampler decides. For each x, one byte in 256
    /// is open (two, for a few in 2^32 of all x), so an open verdict reveals nothing about x.
    /// Deciding it reveals no more than BerExp itself (docs/SOUNDNESS.md).
    struct Prepared {
        std::array<double, max_prepared + lanes> candidate;
        std::array<double, max_prepared + lanes> accepted_below;
        std::array<double, max_prepared + lanes> rejected_above;
    };
    /// Errors: 2^-45 of each of two logarithms; 2^-47 of rounding the parts of x, which are below
    /// 50 where it matters, here and in Sampler; and 2^-50 of FACCT's polynomial.
    static constexpr double margin = 0x1p-41;

    /// Lets Sampler make the next attempt, if the leaf still needs an integer. Returns the integer
    /// that it needs next.
    [[gnu::noinline]] std::size_t attempt_alone(std::size_t which, const Leaf& leaf,
                                                std::span<Fpr, 2> z) noexcept
    {
        alone_.random().set_position(first_ + attempt_bytes * next_);
        if (which < 2) {
            std::int32_t candidate = 0;
            if (alone_.attempt(leaf.r[which], leaf.deviation, candidate)) {
                z[which] = leaf.s[which] + Fpr::of(candidate);
                ++which;
            }
        }
        prepare();
        return which;
    }

    /// Prepares all attempts whose bytes are in the buffer.
    void prepare() noexcept
    {
        const ChaCha20<Isa>& random = alone_.random();
        first_ = random.position();
        next_ = 0;
        count_ = first_ <= last_attempt ? (last_attempt - first_) / attempt_bytes + 1 : 0;
        for (std::size_t i = 0; i < count_; i += lanes) {
            const Byte* bytes = random.buffer() + first_ + attempt_bytes * i;
            const auto low = reinterpret_cast<Words>(Isa::template strided<attempt_bytes>(bytes));
            const auto high = reinterpret_cast<Words>(Isa::template strided<attempt_bytes>(bytes + 8));
            const auto z0 = reinterpret_cast<Longs>(
                BaseSampler<Isa>::sample((high & 0xFF) << 54 | low >> 10, low & 1023));
            const auto b = reinterpret_cast<Longs>((high >> 8) & 1);
            const auto not_b = b - 1;  // all ones for 0
            const auto byte = reinterpret_cast<Longs>(high >> 16 & 0xFF);
            const Wide both = Wide::of(Integers{((z0 ^ not_b) - not_b) + b, z0});
            const Wide bytes_after = Wide::of(Integers{byte + 1, byte});
            const Doubles candidate = both.value().low;
            const Doubles z0_part = both.value().high * both.value().high * inverse_2_sigma_max_squared;
            const Doubles accepted_below = (z0_part - margin) - Logarithm<Isa>::of(bytes_after.value().low);
            // (The logarithm of 0 is about -708 here, so that nothing is above its negative.)
            const Doubles rejected_above = (z0_part + margin) - Logarithm<Isa>::of(bytes_after.value().high);
            std::memcpy(&prepared_.candidate[i], &candidate, sizeof candidate);
            std::memcpy(&prepared_.accepted_below[i], &accepted_below, sizeof accepted_below);
            std::memcpy(&prepared_.rejected_above[i], &rejected_above, sizeof rejected_above);
        }
    }

    /// The next attempts, with the leaf's deviation.
    struct NextAttempts {
        Doubles candidate;
        Doubles dss;
        Doubles accepted_below;
        Doubles rejected_above;

        [[nodiscard, gnu::always_inline]] Verdicts verdicts(Fpr r) const noexcept
        {
            const Doubles distance = candidate - r.value();
            const Doubles centre_part = distance * distance * dss;
            return {Isa::less_bits(centre_part, accepted_below), Isa::less_bits(centre_part, rejected_above)};
        }
    };
    [[nodiscard, gnu::always_inline]] NextAttempts next_attempts(const Leaf& leaf) const noexcept
    {
        const Doubles ln_ccs = Logarithm<Isa>::of(Doubles{} + (leaf.deviation.ccs * Fpr{256.0}).value());
        return {next_of(prepared_.candidate), Doubles{} + leaf.deviation.dss.value(),
                next_of(prepared_.accepted_below) + ln_ccs, next_of(prepared_.rejected_above) + ln_ccs};
    }
    [[nodiscard, gnu::always_inline]] Doubles next_of(
        const std::array<double, max_prepared + lanes>& values) const noexcept
    {
        Doubles v;
        std::memcpy(&v, &values[next_], sizeof v);
        return v;
    }

    Sampler<Isa> alone_;
    Prepared prepared_{};
    std::size_t first_ = 0;  ///< where the bytes of the prepared attempts begin
    std::size_t count_ = 0;  ///< the number of prepared attempts
    std::size_t next_ = 0;
};

/// An engine's sampler: with attempts in lanes if it has vectors of doubles.
template <class Isa>
struct UsualSampler {
    using Type = Sampler<Isa>;
};
template <isa::WideDoubles Isa>
struct UsualSampler<Isa> {
    using Type = SpeculativeSampler<Isa>;
};

}  // namespace girih::falcon
