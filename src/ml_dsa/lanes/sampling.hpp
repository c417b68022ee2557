/// The polynomials of sampling/expand.hpp drawn side by side: each comes out of a sponge in a lane
/// of the permutation, a block at a time, and continues when its lane has the next block. The order
/// of the steps differs; the polynomials are the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "keccak/scheduler.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "module_lattice/lanes.hpp"
#include "module_lattice/rejection.hpp"

namespace girih::ml_dsa {

/// coeff_from_three_bytes on each three bytes of a block of SHAKE128, as a source for
/// RejectionSampler.
struct UniformSource {
    template <class Isa>
    using Lanes = module_lattice::IntegerLanes<Isa>;
    static constexpr std::size_t per_block = keccak::shake128_function.rate / 3;
    static_assert(keccak::shake128_function.rate % 3 == 0);
    static constexpr bool rarely_refuses = true;  // one in a thousand

    template <class Isa>
    [[gnu::always_inline]] static constexpr auto candidates(keccak::RowOfOutput block,
                                                            std::size_t index) noexcept
    {
        return module_lattice::integers_at<24, Isa>(block, index) & 0x7FFFFF;
    }
    template <class V>
    [[gnu::always_inline]] static constexpr V keep(V candidate) noexcept
    {
        return negative_lanes(candidate - q);
    }
    template <class V>
    [[gnu::always_inline]] static constexpr V negative_if_refused(V candidate) noexcept
    {
        return q - 1 - candidate;
    }
    template <class V>
    [[gnu::always_inline]] static constexpr V value(V candidate) noexcept
    {
        return candidate;
    }
};

/// Fills a polynomial from the half-bytes of blocks, as bytes that `append` widens.
template <std::int32_t eta, class Isa>
class BoundedSampler {
  public:
    using Integer = std::int32_t;

    constexpr explicit BoundedSampler(Coefficients& out) noexcept : out_(&out) {}

    /// Takes the coefficients of a block, in order. True when the polynomial is full.
    [[nodiscard]] constexpr bool take(keccak::RowOfOutput block) noexcept
    {
        using Source = BoundedSource<eta>;
        using Lanes = typename Isa::HalfByteLanes;
        constexpr std::size_t lanes = Lanes::lanes;
        constexpr std::size_t per_block = 2 * keccak::shake256_function.rate;
        const std::size_t wanted = n - taken_;
        std::array<std::int8_t, per_block + lanes> accepted;
        std::size_t count = 0;
        for (std::size_t i = 0; i < per_block && count < wanted; i += lanes) {
            const auto half = Lanes::load(block.data(), i);
            auto keep = Source::template keep<Lanes>(half);
            if constexpr (per_block % lanes != 0)
                if (i + lanes > per_block) keep = keep & Lanes::first_lanes(per_block % lanes);
            count += Lanes::compress_store(&accepted[count], Source::template value<Lanes>(half), keep);
        }
        append(accepted.data(), std::min(count, wanted));
        return is_full();
    }
    [[nodiscard]] constexpr bool is_full() const noexcept { return taken_ == n; }

  private:
    /// Appends `count` bytes. May write anything after them, within the polynomial.
    constexpr void append(const std::int8_t* accepted, std::size_t count) noexcept
    {
        constexpr std::size_t lanes = Isa::integer_lanes;
        constexpr std::size_t together = lanes == 1 ? 1 : std::max<std::size_t>(lanes, 16);
        std::int32_t* const to = &(*out_)[taken_];
        const std::size_t room = n - taken_;
        const auto append_group = [&](std::size_t at) __attribute__((always_inline)) {
            unroll<together / lanes>([&](auto k) __attribute__((always_inline)) {
                Isa::store(to + at + k * lanes, Isa::widen(accepted + at + k * lanes));
            });
        };
        std::size_t i = 0;
        for (; i < count && i + together <= room; i += together) append_group(i);
        if (i < count && room >= together)
            append_group(room - together);  // some of these again
        else
            for (; i < count; ++i) to[i] = accepted[i];
        taken_ += count;
    }

    Coefficients* out_;
    std::size_t taken_ = 0;
};

/// RejNTTPoly (FIPS 204, Algorithm 30) as a task: uniform residues. Variable time: the matrix is
/// public.
template <class Isa>
using UniformTask = module_lattice::RejectionTask<module_lattice::RejectionSampler<UniformSource, Isa>,
                                                  keccak::shake128_function, rho_bytes>;

/// RejBoundedPoly (FIPS 204, Algorithm 31) as a task. Constant time, except as BoundedSource says.
template <Shape S, class Isa>
using BoundedTask =
    module_lattice::RejectionTask<BoundedSampler<S.eta, Isa>, keccak::shake256_function, rho_prime_bytes>;

/// A polynomial of squeeze_mask as a task, with its bytes. Constant time. (Its virtual functions
/// are weak symbols, of which each engine needs its own.)
template <Shape S, class Isa>
class MaskPolyTask final : public keccak::Task {
  public:
    constexpr MaskPolyTask() = default;
    MaskPolyTask(const MaskPolyTask&) = delete;
    MaskPolyTask& operator=(const MaskPolyTask&) = delete;
    constexpr ~MaskPolyTask() { wipe(bytes_); }

    /// Sets the task to draw the bytes of the seed's polynomial number kappa, and then to add one
    /// to `finished`.
    constexpr void begin(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa,
                         std::size_t& finished) noexcept
    {
        seed_ = rho_double_prime.data();
        kappa_ = two_bytes(kappa);
        finished_ = &finished;
        taken_ = 0;
    }

    constexpr void start(keccak::Lane lane) noexcept override
    {
        lane.absorb({seed_, rho_prime_bytes});
        lane.absorb(kappa_, rho_prime_bytes);
        lane.pad(keccak::shake256_function, rho_prime_bytes + kappa_.size());
    }

    constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        constexpr std::size_t block = keccak::shake256_function.rate;
        const BytesOut<> rest = BytesOut<>{bytes_}.subspan(taken_);
        if (rest.size() > block) {
            lane.squeeze(rest.first<block>());
            taken_ += block;
            return this;
        }
        lane.squeeze(rest.first<MaskBytes<S>{}.size() % block>());
        ++*finished_;
        return nullptr;
    }

    [[nodiscard]] constexpr MaskBytes<S>& bytes() noexcept { return bytes_; }

  private:
    const Byte* seed_ = nullptr;
    std::array<Byte, 2> kappa_{};
    std::size_t* finished_ = nullptr;
    std::size_t taken_ = 0;
    MaskBytes<S> bytes_{};
};

/// ExpandA (FIPS 204, Algorithm 32) as tasks. Variable time: rho is public.
template <Shape S, class Isa>
[[nodiscard]] constexpr auto expand_a_tasks(BytesIn<rho_bytes> rho, Matrix<S>& a_hat)
{
    // noinline: one copy of the constructor in the object.
    return keccak::make_tasks<S.k * S.l>([&](std::size_t i) __attribute__((noinline)) {
        const std::size_t r = i / S.l;
        const std::size_t s = i % S.l;
        return UniformTask<Isa>{rho, r << 8 | s, a_hat[r][s].c};
    });
}

/// expand_a with nothing beside it.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_a_in_lanes(BytesIn<rho_bytes> rho, Matrix<S>& a_hat)
{
    auto tasks = expand_a_tasks<S, Isa>(rho, a_hat);
    keccak::run<typename Isa::WideWords, /*in_pairs=*/true>(tasks);
}

/// ExpandS (FIPS 204, Algorithm 33) as tasks.
template <Shape S, class Isa>
[[nodiscard]] constexpr auto expand_s_tasks(BytesIn<rho_prime_bytes> rho_prime, SecretVectors<S>& s)
{
    return keccak::make_tasks<S.l + S.k>([&](std::size_t r) {
        return BoundedTask<S, Isa>{rho_prime, r, r < S.l ? s.s1[r].c : s.s2[r - S.l].c};
    });
}

/// SampleInBall (FIPS 204, Algorithm 29) as a task. Variable time: c~ is part of a signature, or of
/// an attempt at one.
template <Shape S, class Isa>
class BallTask final : public keccak::Task {
  public:
    constexpr BallTask(BytesIn<> c_tilde, ChallengePoly& c) noexcept : c_tilde_(c_tilde), c_(&c.c)
    {
        *c_ = {};
    }

    [[nodiscard]] constexpr bool is_done() const noexcept { return next_ == n; }

    constexpr void start(keccak::Lane lane) noexcept override
    {
        declassify_challenge(c_tilde_);
        lane.absorb(c_tilde_);
        lane.pad(keccak::shake256_function, c_tilde_.size());
    }

    constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        const keccak::RowOfOutput row = lane.output();
        std::size_t byte = 0;
        if (!signs_are_known_) {
            signs_ = row[0];
            signs_are_known_ = true;
            byte = sizeof signs_;
        }
        for (; byte < keccak::shake256_function.rate && next_ < n; ++byte) {
            const std::size_t j = row[byte / 8] >> (8 * (byte % 8)) & 0xFF;
            if (j > next_) continue;
            (*c_)[next_++] = (*c_)[j];
            (*c_)[j] = 1 - 2 * static_cast<std::int32_t>(signs_ & 1);
            signs_ >>= 1;
        }
        return is_done() ? nullptr : this;
    }

  private:
    BytesIn<> c_tilde_;
    Coefficients* c_;
    std::size_t next_ = n - S.tau;
    std::uint64_t signs_ = 0;
    bool signs_are_known_ = false;
};

}  // namespace girih::ml_dsa
