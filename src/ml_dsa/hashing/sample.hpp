/// Pseudo-random polynomials (FIPS 204, Section 7.3): each comes out of a sponge of its own, many
/// sponges at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "keccak/scheduler.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/lattice/poly.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "module_lattice/lanes.hpp"
#include "module_lattice/rejection.hpp"

namespace girih::ml_dsa {

using MatrixPoly = Poly<Form::ntt, Bound::canonical(q)>;

template <Shape S>
using Matrix = std::array<PolyVector<S.l, MatrixPoly>, S.k>;

template <Shape S>
using SecretPoly = Poly<Form::coefficients, Bound::symmetric(S.eta), Secrecy::secret>;

template <Shape S>
using MaskPoly = Poly<Form::coefficients, Bound{1 - S.gamma1, S.gamma1}, Secrecy::secret>;

/// A challenge: tau coefficients are 1 or -1, the rest 0.
using ChallengePoly = Poly<Form::coefficients, Bound::symmetric(1)>;

/// The integers of `bits` bits number `index`, `index` + 1, ... of a string of them in
/// little-endian words, one a lane.
template <int bits, class Isa>
[[nodiscard]] constexpr typename Isa::Integers integers_at(const std::uint64_t* words,
                                                           std::size_t index) noexcept
{
    if constexpr (Isa::integer_lanes == 1)
        return module_lattice::integer_at<bits>(words, index);
    else
        return Isa::template unpack<bits>(reinterpret_cast<const Byte*>(words) + index * bits / 8);
}

/// CoeffFromThreeBytes (FIPS 204, Algorithm 14) on each three bytes of a block of SHAKE128.
struct UniformSource {
    template <class Isa>
    using Lanes = module_lattice::IntegerLanes<Isa>;
    static constexpr std::size_t per_block = keccak::shake128_function.rate / 3;
    static_assert(keccak::shake128_function.rate % 3 == 0);
    static constexpr bool rarely_refuses = true;  // one of a thousand

    template <class Isa>
    [[gnu::always_inline]] static constexpr auto candidates(const keccak::Row& block,
                                                            std::size_t index) noexcept
    {
        return integers_at<24, Isa>(block.data(), index) & 0x7FFFFF;
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

/// CoeffFromHalfByte (FIPS 204, Algorithm 15), of one half-byte or of a vector of them.
///
/// Which half-bytes are rejected is not secret: each is rejected or not independently of the
/// values of the others and of its own value once accepted. The values stay secret: no branch and
/// no index depends on them.
template <std::int32_t eta>
struct BoundedSource {
    static_assert(eta == 2 || eta == 4);

    /// All ones in what is accepted, 0 elsewhere.
    template <class Lanes>
    [[gnu::always_inline]] static constexpr auto keep(typename Lanes::Vector half) noexcept
    {
        auto accepted = Lanes::below(half, eta == 2 ? 15 : 9);
        girih::declassify(std::span{&accepted, 1},
                          "FIPS 204, Algorithm 31: rejections are independent of the accepted values");
        return accepted;
    }
    template <class Lanes>
    [[gnu::always_inline]] static constexpr auto value(typename Lanes::Vector half) noexcept
    {
        if constexpr (eta == 2)
            return 2 - Lanes::modulo_5(half);
        else
            return 4 - half;
    }
};

/// Takes half-bytes of blocks into a polynomial: as bytes, which become integers where they are
/// put.
template <std::int32_t eta, class Isa>
class BoundedSampler {
  public:
    using Integer = std::int32_t;

    constexpr explicit BoundedSampler(Coefficients& out) noexcept : out_(&out) {}

    /// Takes what a block has, in order. True when the polynomial is full.
    [[nodiscard]] constexpr bool take(const keccak::Row& block) noexcept
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
    /// Appends so many, with anything behind them as far as the polynomial goes.
    constexpr void append(const std::int8_t* accepted, std::size_t count) noexcept
    {
        constexpr std::size_t lanes = Isa::integer_lanes;
        std::int32_t* const to = &(*out_)[taken_];
        std::size_t i = 0;
        for (; i < count && taken_ + i + lanes <= n; i += lanes) Isa::store(to + i, Isa::widen(accepted + i));
        for (; i < count; ++i) to[i] = accepted[i];
        taken_ += count;
    }

    Coefficients* out_;
    std::size_t taken_ = 0;
};

/// RejNTTPoly (FIPS 204, Algorithm 30): uniform residues from SHAKE128. Variable time:
/// the matrix is public.
template <class Isa>
using UniformTask = module_lattice::RejectionTask<module_lattice::RejectionSampler<UniformSource, Isa>,
                                                  keccak::shake128_function, rho_bytes, Isa>;

/// RejBoundedPoly (FIPS 204, Algorithm 31): coefficients in [-eta, eta] from SHAKE256. Constant
/// time, but for what BoundedSource says.
template <Shape S, class Isa>
using BoundedTask = module_lattice::RejectionTask<BoundedSampler<S.eta, Isa>, keccak::shake256_function,
                                                  rho_prime_bytes, Isa>;

/// One polynomial of ExpandMask (FIPS 204, Algorithm 34): gamma1 - v for integers v of z_bits bits,
/// from SHAKE256. Constant time.
template <Shape S, class Isa>
class MaskTask final : public keccak::Task {
  public:
    constexpr MaskTask() = default;
    MaskTask(const MaskTask&) = delete;
    MaskTask& operator=(const MaskTask&) = delete;
    constexpr ~MaskTask() { wipe(words_); }

    /// Makes `out` the polynomial number kappa of the seed, when it runs, and then adds
    /// one to `finished`.
    constexpr void begin(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa, MaskPoly<S>& out,
                         std::size_t& finished) noexcept
    {
        seed_ = rho_double_prime.data();
        kappa_ = {static_cast<Byte>(kappa), static_cast<Byte>(kappa >> 8)};
        out_ = &out.c;
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
        for (std::size_t i = 0; i < block_words; ++i) words_[taken_ + i] = lane.output()[i];
        taken_ += block_words;
        if (taken_ < words_.size()) return this;
        for (std::size_t i = 0; i < n; i += Isa::integer_lanes)
            Isa::store(&(*out_)[i], S.gamma1 - integers_at<S.z_bits(), Isa>(words_.data(), i));
        ++*finished_;
        return nullptr;
    }

  private:
    static constexpr std::size_t block_words = keccak::shake256_function.rate / 8;
    static constexpr std::size_t blocks =
        (packed_bytes(S.z_bits()) + 8 * block_words - 1) / (8 * block_words);

    const Byte* seed_ = nullptr;
    std::array<Byte, 2> kappa_{};
    Coefficients* out_ = nullptr;
    std::size_t* finished_ = nullptr;
    std::size_t taken_ = 0;
    std::array<std::uint64_t, blocks * block_words> words_{};
};

/// The tasks of ExpandA (FIPS 204, Algorithm 32): the k x l matrix, in NTT form. Variable
/// time: rho is public.
template <Shape S, class Isa>
[[nodiscard]] constexpr auto expand_a_tasks(BytesIn<rho_bytes> rho, Matrix<S>& a_hat)
{
    // Called so often, it is not written out so often.
    return keccak::make_tasks<S.k * S.l>([&](std::size_t i) __attribute__((noinline)) {
        const std::size_t r = i / S.l;
        const std::size_t s = i % S.l;
        return UniformTask<Isa>{rho, r << 8 | s, a_hat[r][s].c};
    });
}

/// ExpandA (FIPS 204, Algorithm 32) by itself.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_a(BytesIn<rho_bytes> rho, Matrix<S>& a_hat)
{
    auto tasks = expand_a_tasks<S, Isa>(rho, a_hat);
    keccak::run<typename Isa::WideWords>(tasks);
}

template <Shape S>
struct SecretVectors {
    PolyVector<S.l, SecretPoly<S>> s1;
    PolyVector<S.k, SecretPoly<S>> s2;
};

/// The tasks of ExpandS (FIPS 204, Algorithm 33).
template <Shape S, class Isa>
[[nodiscard]] constexpr auto expand_s_tasks(BytesIn<rho_prime_bytes> rho_prime, SecretVectors<S>& s)
{
    return keccak::make_tasks<S.l + S.k>([&](std::size_t r) {
        return BoundedTask<S, Isa>{rho_prime, r, r < S.l ? s.s1[r].c : s.s2[r - S.l].c};
    });
}

/// ExpandS by itself.
template <Shape S, class Isa>
constexpr void expand_s(BytesIn<rho_prime_bytes> rho_prime, SecretVectors<S>& s)
{
    auto tasks = expand_s_tasks<S, Isa>(rho_prime, s);
    keccak::run<typename Isa::WideWords>(tasks);
}

/// ExpandMask (FIPS 204, Algorithm 34) by itself: y from rho'' and the counter kappa.
template <Shape S, class Isa>
constexpr void expand_mask(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa,
                           PolyVector<S.l, MaskPoly<S>>& y)
{
    std::array<MaskTask<S, Isa>, S.l> tasks;
    std::size_t finished = 0;
    for (std::size_t r = 0; r < S.l; ++r) tasks[r].begin(rho_double_prime, kappa + r, y[r], finished);
    keccak::run<typename Isa::WideWords>(tasks);
}

/// The task of SampleInBall (FIPS 204, Algorithm 29). Variable time: c~ is part of a signature, or
/// of an attempt at one.
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
        girih::declassify(
            c_tilde_,
            "FIPS 204, Algorithm 7, line 15: c~ is a hash, and independent of the secret key even "
            "when the attempt is rejected");
        lane.absorb(c_tilde_);
        lane.pad(keccak::shake256_function, c_tilde_.size());
    }

    constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        const keccak::Row& row = lane.output();
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

/// SampleInBall (FIPS 204, Algorithm 29) by itself.
template <Shape S, class Isa>
[[nodiscard]] constexpr ChallengePoly sample_in_ball(BytesIn<> c_tilde)
{
    ChallengePoly c;
    std::array tasks{BallTask<S, Isa>{c_tilde, c}};
    keccak::run<typename Isa::SerialWords>(tasks);
    return c;
}

}  // namespace girih::ml_dsa
