/// Verification in little memory: two polynomials of 16-bit residues, and the sponge.
///
/// Variable time: everything here is public.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/verdict.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/standard/verify.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// Each step is a noinline function, so that the next one's polynomial reuses its stack.
template <Params P, class Isa>
class SmallVerification {
    static constexpr std::size_t n = P.n();

  public:
    /// Verify (Falcon, Algorithm 16). False for a malformed key as well.
    [[nodiscard]] static bool verify_vartime(BytesIn<P.public_key_bytes()> pk, BytesIn<> message,
                                             BytesIn<> signature)
    {
        return excess_by(pk, signature,
                         [message](BytesIn<salt_bytes> salt, ResiduePoly<n>& c)
                             __attribute__((always_inline)) { hash_message<Isa, n>(salt, message, c); }) == 0;
    }

    /// Verify (Falcon, Algorithm 16), with a hash that has absorbed the salt and the message.
    template <class HashIsa>
    [[nodiscard]] static Verdict verify_vartime(BytesIn<P.public_key_bytes()> pk,
                                                keccak::Shake256<HashIsa>& hash, BytesIn<> signature)
    {
        if (excess_by(pk, signature, [&hash](BytesIn<salt_bytes>, ResiduePoly<n>& c) {
                hash_to_point_vartime<HashIsa, n>(hash, c);
            }) == 0)
            return Verdict::good;
        return is_key(pk) ? Verdict::bad : Verdict::malformed_key;  // which takes precedence
    }

  private:
    /// 0 for a good signature.
    template <class MakePoint>
    [[nodiscard, gnu::always_inline]] static std::uint32_t excess_by(BytesIn<P.public_key_bytes()> pk,
                                                                     BytesIn<> signature,
                                                                     MakePoint make_point)
    {
        const auto parts = take_apart<P.shape()>(P.format, signature);
        if (!parts) return not_verified;
        ResiduePoly<n> product;
        std::uint32_t norm = 0;
        if (!transform_s2(parts->s2, product, norm) || !multiply_by_key(pk, product)) return not_verified;
        return excess_of(norm, parts->salt.template first<salt_bytes>(), product, make_point);
    }

    [[nodiscard, gnu::noinline]] static bool is_key(BytesIn<P.public_key_bytes()> pk)
    {
        ResiduePoly<n> h;
        return decode_public_key<P.shape(), Isa>(pk, h);
    }

    /// s2 in NTT form, and its norm, which is below n 2047^2 < 2^32.
    [[nodiscard, gnu::noinline]] static bool transform_s2(BytesIn<> bytes, ResiduePoly<n>& s2_hat,
                                                          std::uint32_t& norm)
    {
        static_assert(std::uint64_t{n} * max_coefficient * max_coefficient <= UINT32_MAX);
        ShortPoly<n> s2;
        if (!decode_s2<P.shape(), Isa>(P.format, bytes, s2)) return false;
        for (std::size_t i = 0; i < n; ++i) norm += static_cast<std::uint32_t>(s2[i] * s2[i]);
        if (norm > P.norm_bound()) return false;  // keeps the sum of both norms below 2^32
        std::uint32_t rest = norm;                // twice, by different code: see excess_of
        for (std::size_t i = n; i-- > 0;) rest -= static_cast<std::uint32_t>(s2[i] * s2[i]);
        if (rest != 0) return false;
        reduce<Isa, n>(s2, s2_hat);
        ntt<Isa, n>(s2_hat);
        return true;
    }

    /// Replaces the values of s2 by s2 h. False for a malformed key.
    [[nodiscard, gnu::noinline]] static bool multiply_by_key(BytesIn<P.public_key_bytes()> pk,
                                                             ResiduePoly<n>& s2_hat)
    {
        ResiduePoly<n> h;
        if (!decode_public_key<P.shape(), Isa>(pk, h)) return false;
        ntt<Isa, n>(h);
        multiply_values<Isa, n>(s2_hat, h);
        inverse_ntt<Isa, n>(s2_hat);
        return true;
    }

    /// 0 if the norm of s1 = c - s2 h, added to that of s2, is within the bound. The norm is summed
    /// twice, by different code, so that no one instruction of the sums decides.
    template <class MakePoint>
    [[nodiscard, gnu::noinline]] static std::uint32_t excess_of(std::uint32_t norm_of_s2,
                                                                BytesIn<salt_bytes> salt,
                                                                const ResiduePoly<n>& product,
                                                                MakePoint make_point)
    {
        ResiduePoly<n> c;
        make_point(salt, c);
        std::uint32_t norm = norm_of_s2;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t s1 = modulo_q::centred(modulo_q::subtract(c[i], product[i]));
            norm += static_cast<std::uint32_t>(s1 * s1);  // exceeds the tested bound by less than 2^26
            if (norm > P.norm_bound()) return not_verified;
        }
        return (norm + bound_minus(norm_of_s2, c, product)) ^ P.norm_bound();
    }

    /// The bound minus both norms; not_verified if that is negative. (noinline, so that it loads
    /// the bound itself.)
    [[nodiscard, gnu::noinline]] static std::uint32_t bound_minus(std::uint32_t norm_of_s2,
                                                                  const ResiduePoly<n>& c,
                                                                  const ResiduePoly<n>& product)
    {
        std::uint32_t left = P.norm_bound() - norm_of_s2;
        for (std::size_t i = n; i-- > 0;) {
            const std::uint32_t residue = modulo_q::subtract(c[i], product[i]);
            const std::uint32_t s1 = std::min(residue, q - residue);
            if (s1 * s1 > left) return not_verified;
            left -= s1 * s1;
        }
        return left;
    }
};

}  // namespace girih::falcon
