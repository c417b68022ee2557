/// SamplerZ (specification, Section 3.9.3) with attempts side by side in lanes: the same integers
/// as Sampler's, from the same bytes.
///
/// Where an attempt's bytes are depends on the attempts before it only if one of them is left open
/// by its first byte, which is rare, or meets the end of the generator's buffer. So what does not
/// depend on the centre is made for all attempts that the buffer has bytes for; and each leaf looks
/// at several attempts at once, as if each were the one that it needs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/sampling/candidate_lanes.hpp"
#include "falcon/sampling/chacha20.hpp"
#include "falcon/sampling/sampler.hpp"

namespace girih::falcon {

/// As SamplerZ (Falcon, Algorithm 15), speculative: attempts are made before it is known that they
/// are needed, a lane each. Their number is public, as Sampler's is; everything else is constant
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

    [[nodiscard]] LeafRange<Fpr>& leaves() noexcept { return alone_.leaves(); }

    /// Both integers of a leaf: near t[0], then near t[1].
    [[gnu::noinline]] void sample_leaf(Fpr inverse_sigma, const Poly<Fpr, 2>& t, Poly<Fpr, 2>& z) noexcept
    {
        const Deviation deviation = alone_.deviation_of(inverse_sigma);
        const std::array<Fpr, 2> s{Fpr::of(floor(t[0])), Fpr::of(floor(t[1]))};
        const std::array<Fpr, 2> r{t[0] - s[0], t[1] - s[1]};
        std::size_t which = 0;
        while (which < 2) {
            const Verdicts verdicts = look(r, deviation);
            const std::size_t end = next_ + std::min(lanes, count_ - next_);
            const std::size_t first = next_;
            bool is_open = false;
            while (which < 2 && next_ < end) {
                const unsigned ends =
                    (verdicts.accepted[which] | verdicts.open[which]) & (~0u << (next_ - first));
                // Of all that was looked at, only this comes out: how many attempts are rejected
                // before one that is not.
                next_ = declassify(Secret{std::min(end, first + static_cast<std::size_t>(
                                                                    std::countr_zero(ends | 1u << lanes)))},
                                   "Falcon round 3, Section 3.9.3: the number of rejections may be known");
                if (next_ == end) break;
                is_open =
                    declassify(Secret{verdicts.open[which] >> (next_ - first) & 1},
                               "Falcon round 3, Algorithm 14: how many bytes BerExp compares may be known") !=
                    0;
                if (is_open) break;
                z[which] = s[which] + Fpr{prepared_.candidate[next_]};
                ++next_;
                ++which;
            }
            if (is_open || next_ == count_) which = attempt_alone(which, s, r, deviation, z);
        }
    }

  private:
    using Deviation = typename Sampler<Isa>::Deviation;
    using Wide = typename Isa::WideFpr;
    using Pair = typename Wide::Doubles;
    using Doubles = typename Pair::Vector;  ///< an attempt a lane
    using Integers = typename Wide::Integers;
    using Longs = typename Integers::Vector;
    using Words = AttemptWords<Isa>;
    static constexpr std::size_t lanes = Pair::half;
    static constexpr std::size_t attempt_bytes = ChaCha20<Isa>::attempt_bytes;
    static constexpr std::size_t last_attempt = ChaCha20<Isa>::last_attempt;
    static_assert(lanes * attempt_bytes <= ChaCha20<Isa>::readable_beyond);
    static constexpr std::size_t most = (last_attempt / attempt_bytes + 1 + lanes - 1) / lanes * lanes;

    /// What became of attempts: a bit for each, for either integer of the leaf. Secret.
    struct Verdicts {
        std::array<unsigned, 2> accepted;
        std::array<unsigned, 2> open;
    };

    /// What attempts are made of that does not depend on the centre, and some more that may be
    /// read.
    struct Prepared {
        std::array<double, most + lanes> candidate;
        std::array<double, most + lanes> z0_part;  ///< z0^2 / (2 sigma_max^2)
        std::array<double, most + lanes> byte;     ///< the first that decides
    };

    static constexpr auto offsets = [] {
        std::array<std::int64_t, lanes> made{};
        for (std::size_t i = 0; i < lanes; ++i) made[i] = static_cast<std::int64_t>(i * attempt_bytes);
        return made;
    }();

    /// The next attempt, by Sampler, if the leaf misses an integer still. Returns which
    /// one it misses then.
    [[gnu::noinline]] std::size_t attempt_alone(std::size_t which, const std::array<Fpr, 2>& s,
                                                const std::array<Fpr, 2>& r, const Deviation& deviation,
                                                Poly<Fpr, 2>& z) noexcept
    {
        alone_.random().set_position(first_ + attempt_bytes * next_);
        if (which < 2) {
            std::int32_t candidate = 0;
            if (alone_.attempt(r[which], deviation, candidate)) {
                z[which] = s[which] + Fpr::of(candidate);
                ++which;
            }
        }
        prepare();
        return which;
    }

    /// All attempts whose bytes the buffer has.
    void prepare() noexcept
    {
        const ChaCha20<Isa>& random = alone_.random();
        first_ = random.position();
        next_ = 0;
        count_ = first_ <= last_attempt ? (last_attempt - first_) / attempt_bytes + 1 : 0;
        Longs offset;
        std::memcpy(&offset, offsets.data(), sizeof offset);
        for (std::size_t i = 0; i < count_; i += lanes) {
            const Byte* bytes = random.buffer() + first_ + attempt_bytes * i;
            const auto low = reinterpret_cast<Words>(Isa::gather(bytes, offset));
            const auto high = reinterpret_cast<Words>(Isa::gather(bytes + 8, offset));
            const auto z0 = reinterpret_cast<Longs>(
                BaseSampler<Isa>::sample((high & 0xFF) << 54 | low >> 10, low & 1023));
            const auto b = reinterpret_cast<Longs>((high >> 8) & 1);
            const auto not_b = b - 1;  // all ones for 0
            const Wide both = Wide::of(Integers{((z0 ^ not_b) - not_b) + b, z0});
            const Wide byte = Wide::of(Integers{reinterpret_cast<Longs>(high >> 16 & 0xFF), z0});
            const Doubles candidate = both.value().low;
            const Doubles z0_part = both.value().high * both.value().high * inverse_2_sigma_max_squared;
            const Doubles decisive = byte.value().low;
            std::memcpy(&prepared_.candidate[i], &candidate, sizeof candidate);
            std::memcpy(&prepared_.z0_part[i], &z0_part, sizeof z0_part);
            std::memcpy(&prepared_.byte[i], &decisive, sizeof decisive);
        }
    }

    /// The next attempts.
    [[nodiscard, gnu::always_inline]] Verdicts look(const std::array<Fpr, 2>& r,
                                                    const Deviation& deviation) const noexcept
    {
        Doubles candidate;
        Doubles z0_part;
        Doubles byte;
        std::memcpy(&candidate, &prepared_.candidate[next_], sizeof candidate);
        std::memcpy(&z0_part, &prepared_.z0_part[next_], sizeof z0_part);
        std::memcpy(&byte, &prepared_.byte[next_], sizeof byte);
        const Wide distance{Pair{candidate - r[0].value(), candidate - r[1].value()}};
        const Wide x = square(distance) * Wide{deviation.dss} - Wide{Pair{z0_part, z0_part}};
        const auto verdict = FirstByte<Wide>::of(x, Wide{deviation.ccs * Fpr{256.0}}, Wide{Pair{byte, byte}});
        return {{Isa::lane_bits(verdict.accepted.low), Isa::lane_bits(verdict.accepted.high)},
                {Isa::lane_bits(verdict.open.low), Isa::lane_bits(verdict.open.high)}};
    }

    Sampler<Isa> alone_;
    Prepared prepared_{};
    std::size_t first_ = 0;  ///< where the bytes of the prepared attempts begin
    std::size_t count_ = 0;  ///< of them
    std::size_t next_ = 0;
};

/// The sampler of an engine: with attempts in lanes where there are lanes of doubles.
template <class Isa>
struct UsualSampler {
    using Type = Sampler<Isa>;
};
template <class Isa>
    requires requires { typename Isa::WideFpr; }
struct UsualSampler<Isa> {
    using Type = SpeculativeSampler<Isa>;
};

}  // namespace girih::falcon
