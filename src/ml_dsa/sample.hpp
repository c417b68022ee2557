/// Pseudo-random polynomials (FIPS 204, Section 7.3): each comes out of a sponge of its own, many sponges at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "keccak/many.hpp"
#include "ml_dsa/bit_pack.hpp"
#include "ml_dsa/poly.hpp"

namespace girih::ml_dsa {

using MatrixPoly = Poly<Form::ntt, Bound::canonical()>;

template <Params P>
using Matrix = std::array<PolyVector<P.l, MatrixPoly>, P.k>;

template <Params P>
using SecretPoly = Poly<Form::coefficients, Bound::symmetric(P.eta), Secrecy::secret>;

template <Params P>
using MaskPoly = Poly<Form::coefficients, Bound{1 - P.gamma1, P.gamma1}, Secrecy::secret>;

/// A challenge: tau coefficients are 1 or -1, the rest 0.
using ChallengePoly = Poly<Form::coefficients, Bound::symmetric(1)>;

/// A seed with a 16-bit number behind it: what every sampler but SampleInBall hashes.
template <std::size_t seed_size>
class NumberedSeed {
  public:
    constexpr NumberedSeed(BytesIn<seed_size> seed, std::size_t number) noexcept
    {
        copy(seed, bytes_);
        bytes_[seed_size] = static_cast<Byte>(number);
        bytes_[seed_size + 1] = static_cast<Byte>(number >> 8);
    }
    NumberedSeed(const NumberedSeed&) = delete;
    NumberedSeed& operator=(const NumberedSeed&) = delete;
    constexpr ~NumberedSeed() { wipe(bytes_); }

    [[nodiscard]] constexpr BytesIn<> bytes() const noexcept { return bytes_; }

  private:
    std::array<Byte, seed_size + 2> bytes_{};
};

/// RejNTTPoly (FIPS 204, Algorithm 30): uniform residues from SHAKE128. Variable time: the matrix is public.
class UniformJob {
  public:
    static constexpr keccak::Function function = keccak::shake128_function;

    constexpr UniformJob(BytesIn<rho_bytes> rho, std::size_t number, MatrixPoly& out) noexcept
        : seed_(rho, number), out_(&out.c)
    {
    }

    [[nodiscard]] constexpr BytesIn<> input() const noexcept { return seed_.bytes(); }

    /// CoeffFromThreeBytes (FIPS 204, Algorithm 14) on each three bytes of a block, which holds 56 whole threes.
    [[nodiscard]] constexpr bool take(BytesIn<function.rate> block) noexcept
    {
        static_assert(function.rate % 3 == 0);
        for (std::size_t i = 0; i < block.size() && taken_ < n; i += 3) {
            const std::int32_t c = block[i] | block[i + 1] << 8 | (block[i + 2] & 0x7F) << 16;
            (*out_)[taken_] = c;
            taken_ += c < q;
        }
        return taken_ == n;
    }

  private:
    NumberedSeed<rho_bytes> seed_;
    Coefficients* out_;
    std::size_t taken_ = 0;
};

/// RejBoundedPoly (FIPS 204, Algorithm 31): coefficients in [-eta, eta] from SHAKE256.
///
/// Which half-bytes are rejected is not secret: each is rejected or not independently of the values of the others
/// and of its own value once accepted. The values stay secret: no branch and no index depends on them.
template <Params P>
class BoundedJob {
  public:
    static constexpr keccak::Function function = keccak::shake256_function;

    constexpr BoundedJob(BytesIn<rho_prime_bytes> seed, std::size_t number, SecretPoly<P>& out) noexcept
        : seed_(seed, number), out_(&out.c)
    {
    }

    [[nodiscard]] constexpr BytesIn<> input() const noexcept { return seed_.bytes(); }

    [[nodiscard]] constexpr bool take(BytesIn<function.rate> block) noexcept
    {
        for (std::size_t i = 0; i < block.size() && taken_ < n; ++i) {
            take_half_byte(block[i] & 15);
            take_half_byte(block[i] >> 4);
        }
        return taken_ >= n;
    }

  private:
    /// CoeffFromHalfByte (FIPS 204, Algorithm 15).
    constexpr void take_half_byte(std::int32_t half) noexcept
    {
        static_assert(P.eta == 2 || P.eta == 4);
        constexpr std::int32_t limit = P.eta == 2 ? 15 : 9;
        // floor(half / 5) = floor(13 half / 64) for half < 16
        const std::int32_t reduced = P.eta == 2 ? half - (13 * half >> 6) * 5 : half;
        const Secret<std::uint32_t> accepted{static_cast<std::uint32_t>(half - limit) >> 31};
        if (declassify(accepted,
                       "FIPS 204, Algorithm 31: rejections are independent of the accepted values") &&
            taken_ < n)
            (*out_)[taken_++] = P.eta - reduced;
    }

    NumberedSeed<rho_prime_bytes> seed_;
    Coefficients* out_;
    std::size_t taken_ = 0;
};

/// One polynomial of ExpandMask (FIPS 204, Algorithm 34): gamma1 - v for integers v of z_bits bits, from SHAKE256.
/// Constant time.
template <Params P>
class MaskJob {
  public:
    static constexpr keccak::Function function = keccak::shake256_function;

    constexpr MaskJob(BytesIn<rho_prime_bytes> seed, std::size_t number, MaskPoly<P>& out) noexcept
        : seed_(seed, number), out_(&out.c)
    {
    }
    MaskJob(const MaskJob&) = delete;
    MaskJob& operator=(const MaskJob&) = delete;
    constexpr ~MaskJob() { wipe(bytes_); }

    [[nodiscard]] constexpr BytesIn<> input() const noexcept { return seed_.bytes(); }

    [[nodiscard]] constexpr bool take(BytesIn<function.rate> block) noexcept
    {
        const std::size_t wanted = std::min(block.size(), bytes_.size() - taken_);
        copy(block.first(wanted), BytesOut<>{bytes_}.subspan(taken_));
        taken_ += wanted;
        if (taken_ < bytes_.size()) return false;
        kernels::unpack<P.z_bits()>(bytes_, *out_, [](std::int32_t v) { return P.gamma1 - v; });
        return true;
    }

  private:
    NumberedSeed<rho_prime_bytes> seed_;
    Coefficients* out_;
    std::size_t taken_ = 0;
    std::array<Byte, packed_bytes(P.z_bits())> bytes_;
};

/// ExpandA (FIPS 204, Algorithm 32): the k x l matrix, in NTT form. Variable time: rho is public.
template <Params P, class Isa>
constexpr void expand_a(BytesIn<rho_bytes> rho, Matrix<P>& a_hat)
{
    auto jobs = keccak::make_jobs<P.k * P.l>([&](std::size_t i) {
        const std::size_t r = i / P.l;
        const std::size_t s = i % P.l;
        return UniformJob{rho, r << 8 | s, a_hat[r][s]};
    });
    keccak::squeeze_each<Isa>(jobs);
}

template <Params P>
struct SecretVectors {
    PolyVector<P.l, SecretPoly<P>> s1;
    PolyVector<P.k, SecretPoly<P>> s2;
};

/// ExpandS (FIPS 204, Algorithm 33).
template <Params P, class Isa>
constexpr void expand_s(BytesIn<rho_prime_bytes> rho_prime, SecretVectors<P>& s)
{
    auto jobs = keccak::make_jobs<P.l + P.k>(
        [&](std::size_t r) { return BoundedJob<P>{rho_prime, r, r < P.l ? s.s1[r] : s.s2[r - P.l]}; });
    keccak::squeeze_each<Isa>(jobs);
}

/// ExpandMask (FIPS 204, Algorithm 34): y from rho'' and the counter kappa.
template <Params P, class Isa>
constexpr void expand_mask(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa,
                           PolyVector<P.l, MaskPoly<P>>& y)
{
    auto jobs =
        keccak::make_jobs<P.l>([&](std::size_t r) { return MaskJob<P>{rho_double_prime, kappa + r, y[r]}; });
    keccak::squeeze_each<Isa>(jobs);
}

/// SampleInBall (FIPS 204, Algorithm 29). Variable time: c~ is part of the signature, or was declassified.
template <Params P, class Isa>
[[nodiscard]] constexpr ChallengePoly sample_in_ball(BytesIn<P.c_tilde_bytes> c_tilde)
{
    keccak::Shake256<Isa> h;
    h.absorb(c_tilde);
    std::array<Byte, 8> sign_bytes;
    h.squeeze(sign_bytes);
    std::uint64_t signs = load_le64(sign_bytes.data());

    ChallengePoly challenge;
    challenge.c = {};
    for (std::size_t i = n - P.tau; i < n; ++i) {
        Byte j = 0;
        do h.squeeze(BytesOut<1>{&j, 1});
        while (j > i);
        challenge.c[i] = challenge.c[j];
        challenge.c[j] = (signs & 1) != 0 ? -1 : 1;
        signs >>= 1;
    }
    return challenge;
}

}  // namespace girih::ml_dsa
