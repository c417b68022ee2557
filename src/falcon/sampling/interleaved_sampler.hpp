/// SamplerZ (specification, Section 3.9.3) for several signatures in lockstep, one in each lane,
/// each with its own random bytes. Every lane gets the same integers as from Sampler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "falcon/params.hpp"
#include "falcon/sampling/candidate_lanes.hpp"
#include "falcon/sampling/chacha20.hpp"
#include "falcon/sampling/sampler.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// BerExp (Falcon, Algorithm 14) in lanes, in doubles, as far as its first byte decides.
///
/// The byte is compared with 256 ccs exp(-x), whose error is far below `margin`. If they differ by
/// less than 1 plus the margin, the verdict is left open, and Sampler decides. For each x, one byte
/// in 256 is open (two, for a few in 2^36 of all x), so an open verdict reveals nothing about x.
/// Deciding it reveals no more than BerExp itself (docs/SOUNDNESS.md).
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
    /// Errors: 2^-51 of the polynomial, a few times 2^-52 of rounding, and 2^-50 of FACCT's
    /// polynomial, which it replaces; all times 256.
    static constexpr double margin = 0x1p-36;

    /// ApproxExp (Falcon, Algorithm 13) in doubles: Taylor's polynomial of degree 12, |t| <= ln 2 /
    /// 2.
    [[nodiscard, gnu::always_inline]] static Doubles exp(Doubles t) noexcept
    {
        const Doubles t2 = t * t;
        const Doubles t4 = t2 * t2;
        const Doubles t8 = t4 * t4;
        const Doubles c0 = multiply_add(t2, pair<2>(t), Doubles{1.0} + t);
        const Doubles c4 = multiply_add(t2, pair<6>(t), pair<4>(t));
        const Doubles c8 = multiply_add(t2, pair<10>(t), pair<8>(t));
        const Doubles low = multiply_add(t4, c4, c0);
        const Doubles high = multiply_add(t4, Doubles{inverse_factorial<12>}, c8);
        return multiply_add(t8, high, low);
    }
    /// 1 / k! + t / (k + 1)!
    template <int k>
    [[nodiscard, gnu::always_inline]] static Doubles pair(Doubles t) noexcept
    {
        return multiply_add(t, Doubles{inverse_factorial<k + 1>}, Doubles{inverse_factorial<k>});
    }
    template <int k>
    static constexpr double inverse_factorial = [] {
        double factorial = 1;
        for (int i = 2; i <= k; ++i) factorial *= i;
        return 1 / factorial;
    }();
};

/// SamplerZ (Falcon, Algorithm 15), interleaved: one signature in each lane. The number of attempts
/// of each lane is public, as for a single signature; everything else is constant time.
template <class Isa>
class WideSampler {
  public:
    using Fpr = typename Isa::WideFpr;
    static constexpr std::size_t lanes = Fpr::lanes;
    using Sources = std::array<keccak::Shake256<Isa>, lanes>;

    /// Seeds one generator from each of `sources`.
    WideSampler(double sigma_min, Sources& sources) noexcept
        : WideSampler(sigma_min, sources, std::make_index_sequence<lanes>{})
    {
    }

    /// Both integers of a leaf for every lane: near t[0], then near t[1]. Lanes do not wait for
    /// each other between them.
    void sample_leaf(typename Fpr::Narrow inverse_sigma, std::span<const Fpr, 2> t,
                     std::span<Fpr, 2> z) noexcept
    {
        const Fpr dss{half(square(inverse_sigma))};
        const Narrow ccs = inverse_sigma * sigma_min_;
        const Poly<Fpr, 2> s{t[0].floor(), t[1].floor()};
        const Poly<Fpr, 2> r{t[0] - s[0], t[1] - s[1]};

        Integers active{-1};    // lanes that need another integer
        Integers at_second{0};  // lanes that need only the second
        do {
            const Drawn drawn = draw(active);
            const Integers z0 = base_sample(drawn.high, drawn.low);
            const Integers not_b = drawn.b - 1;  // all ones for 0
            const Fpr candidate = Fpr::of(((z0 ^ not_b) - not_b) + drawn.b);
            const Fpr x = square(candidate - select(at_second, r[1], r[0])) * dss -
                          square(Fpr::of(z0)) * Fpr{inverse_2_sigma_max_squared};
            const Integers accepted = bernoulli(x, ccs, drawn, active);
            z[0] = select(accepted & ~at_second, s[0] + candidate, z[0]);
            z[1] = select(accepted & at_second, s[1] + candidate, z[1]);
            active = active & ~(accepted & at_second);
            at_second = at_second | accepted;
        } while (any_set(active));
    }

  private:
    using Narrow = typename Fpr::Narrow;
    using Integers = typename Fpr::Integers;

    /// The random bits of an attempt: 72 bits, as the high 62 and the low 10; one bit; and the byte
    /// that nearly always decides.
    struct Drawn {
        Integers high;
        Integers low;
        Integers b;
        Integers decisive;
    };
    static constexpr auto attempt_bytes = static_cast<std::int64_t>(ChaCha20<Isa>::attempt_bytes);

    template <std::size_t... lane>
    WideSampler(double sigma_min, Sources& sources, std::index_sequence<lane...>) noexcept
        : generators_{Generator{ChaCha20<Isa>{sources[lane]}}...}, sigma_min_(sigma_min)
    {
    }

    /// The next eleven bytes of each active lane.
    [[nodiscard]] Drawn draw(Integers active) noexcept
    {
        Integers offset = position_ + Integers::load(lane_starts);
        Integers step = Integers{attempt_bytes} & active;
        // A lane whose buffer ends within the attempt draws separately.
        constexpr auto last_in_place = static_cast<std::int64_t>(ChaCha20<Isa>::last_attempt);
        if (const Integers at_end = (Integers{last_in_place} < position_) & active; any_set(at_end)) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                if (at_end[lane] == 0) continue;
                Generator& generator = generators_[lane];
                generator.random.set_position(static_cast<std::size_t>(position_[lane]));
                store_le64(&generator.drawn[0], generator.random.next_word());
                for (std::size_t i = 8; i < attempt_bytes; ++i)
                    generator.drawn[i] = generator.random.next_byte();
                position_.set(lane, static_cast<std::int64_t>(generator.random.position()));
                offset.set(lane, generator.drawn.data() - base());
                step.set(lane, 0);
            }
        }
        position_ = position_ + step;
        const Integers low = gather(base(), offset);
        const Integers high = gather(base(), offset + 8);
        return {(high & 0xFF) << 54 | shift_right(low, 10), low & 1023, (high >> 8) & 1, (high >> 16) & 0xFF};
    }

    /// BaseSampler (Falcon, Algorithm 12).
    [[nodiscard]] static Integers base_sample(Integers high, Integers low) noexcept
    {
        using Words = AttemptWords<Isa>;
        using Vector = typename Integers::Vector;
        const auto sample = [](Vector& h, const Vector& l) __attribute__((always_inline)) {
            h = reinterpret_cast<Vector>(
                BaseSampler<Isa>::sample(reinterpret_cast<Words>(h), reinterpret_cast<Words>(l)));
        };
        sample(high.low, low.low);
        sample(high.high, low.high);
        return high;
    }

    /// BerExp (Falcon, Algorithm 14), interleaved: the active lanes that accept. If the first byte
    /// leaves the verdict open, Sampler's BerExp decides.
    [[nodiscard]] Integers bernoulli(Fpr x, Narrow ccs, const Drawn& drawn, Integers active) noexcept
    {
        auto verdict = FirstByte<Fpr>::of(x, Fpr{ccs * Narrow{256.0}}, Fpr::of(drawn.decisive));
        // Verdicts of idle lanes are not revealed.
        verdict.accepted = verdict.accepted & active;
        verdict.open = verdict.open & active;
        declassify(std::span{&verdict.accepted, 1},
                   "Falcon round 3, Section 3.9.3: the number of rejections may be known");
        declassify(std::span{&verdict.open, 1},
                   "Falcon round 3, Algorithm 14: how many bytes BerExp compares may be known");
        if (any_set(verdict.open)) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                if (verdict.open[lane] == 0) continue;
                ChaCha20<Isa>& random = generators_[lane].random;
                // Goes back to the deciding byte.
                BernoulliBytes bytes{static_cast<Byte>(drawn.decisive[lane]), random, false};
                random.set_position(static_cast<std::size_t>(position_[lane]));
                verdict.accepted.set(lane, bernoulli_exp<Narrow>(x.lane(lane), ccs, bytes) ? -1 : 0);
                position_.set(lane, static_cast<std::int64_t>(random.position()));
            }
        }
        return verdict.accepted;
    }
    /// The deciding byte, which was drawn before, and the bytes after it.
    struct BernoulliBytes {
        Byte first;
        ChaCha20<Isa>& random;
        bool has_given_first;
        [[nodiscard]] Byte next_byte() noexcept
        {
            if (has_given_first) return random.next_byte();
            has_given_first = true;
            return first;
        }
    };

    [[nodiscard]] const Byte* base() const noexcept { return generators_[0].random.buffer(); }

    struct Generator {
        ChaCha20<Isa> random;
        std::array<Byte, 16> drawn{};  ///< bytes across the end of a buffer
    };
    /// The offset of each lane's buffer from the first.
    static constexpr auto lane_starts = [] {
        std::array<std::int64_t, lanes> starts{};
        for (std::size_t lane = 0; lane < lanes; ++lane)
            starts[lane] = static_cast<std::int64_t>(lane * sizeof(Generator));
        return starts;
    }();

    std::array<Generator, lanes> generators_;
    Integers position_{0};
    Narrow sigma_min_;
};

}  // namespace girih::falcon
