/// Verification (specification, Section 3.10).
///
/// Every engine runs this text; microcontrollers run small/verify.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/bytes.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/params.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "keccak/sponge.hpp"
#include "transform/short_residue.hpp"
#include "transform/transform.hpp"

namespace girih::falcon {

/// Products modulo q and x^n + 1 on vectors of 16-bit integers, with one fixed factor.
template <class Isa, std::size_t n>
class PreparedFactor {
    using Residue = transform::ShortResidue<Isa, q>;
    using Transform = transform::Transform<Isa, q, 2 * n>;
    using Lanes = typename Isa::ShortLanes;

  public:
    using Coefficients = transform::Points<n>;

    /// Sets the fixed factor, from residues in [0, q).
    void prepare(const ResiduePoly<n>& h)
    {
        Coefficients centred;
        for (std::size_t i = 0; i < n; ++i) centred.c[i] = static_cast<std::int16_t>(modulo_q::centred(h[i]));
        prepare(centred);
    }
    /// Sets it from residues of smallest magnitude.
    [[gnu::always_inline]] void prepare(const Coefficients& centred)
    {
        Transform::forward_negacyclic(centred, values_);
        for (std::size_t i = 0; i < n; i += Lanes::lanes) {
            const auto factor = Residue::prepare(Residue::reduce(Lanes::load(&values_.c[i])));
            Lanes::store(&values_.c[i], factor.value);
            Lanes::store(&quotients_.c[i], factor.quotient);
        }
    }

    /// Replaces s, whose coefficients are at most 2047 in magnitude, by c - s h with coefficients
    /// of smallest magnitude.
    void subtract_product(const ResiduePoly<n>& c, Coefficients& s) const
    {
        static_assert(std::max<std::int32_t>(max_coefficient, q / 2) <= Transform::negacyclic_bound);
        Transform::forward_negacyclic(s, s);
        for (std::size_t i = 0; i < n; i += Lanes::lanes) {
            const auto s_value = Residue::reduce(Lanes::load(&s.c[i]));
            const typename Residue::Prepared factor{Lanes::load(&values_.c[i]),
                                                    Lanes::load(&quotients_.c[i])};
            const auto product = Residue::multiply(s_value, factor);
            Lanes::store(&s.c[i], Residue::reduce(product));
        }
        // Removes the transform's factor n, and the product's divisor.
        constexpr transform::ShortFactor scale =
            Residue::factor(std::int64_t{transform::short_radix} *
                            transform::Roots<q, 2 * n>::power(static_cast<std::int32_t>(n), q - 2));
        Transform::inverse_negacyclic(s, scale);
        static_assert(q + Residue::product_bound(32767) <= 32767);
        for (std::size_t i = 0; i < n; i += Lanes::lanes) {
            std::array<std::int16_t, Lanes::lanes> from;
            std::memcpy(from.data(), &c[i], sizeof from);
            Lanes::store(&s.c[i], Residue::canonical(Lanes::load(from.data()) - Lanes::load(&s.c[i])));
        }
    }

  private:
    Coefficients values_;
    Coefficients quotients_;
};

/// A public key in the form that verification uses.
template <Shape S, class Isa>
struct PreparedVerifyingKey {
    PreparedFactor<Isa, S.n()> h;
};

/// False for a malformed key.
template <Shape S, class Isa>
[[nodiscard]] bool prepare_verifying_key(BytesIn<S.public_key_bytes()> pk, PreparedVerifyingKey<S, Isa>& key)
{
    ResiduePoly<S.n()> h;
    if (!decode_public_key<S, Isa>(pk, h)) return false;
    key.h.prepare(h);
    return true;
}

/// Verify (Falcon, Algorithm 16) of a hashed message: s1 = c - s2 h, and (s1, s2) is short.
///
/// Variable time: everything here is public.
template <Shape S, class Isa>
[[nodiscard]] bool verify_point_vartime(const PreparedVerifyingKey<S, Isa>& key, const ResiduePoly<S.n()>& c,
                                        const ShortPoly<S.n()>& s2)
{
    transform::Points<S.n()> s1;
    std::copy(s2.begin(), s2.end(), s1.c.begin());
    key.h.subtract_product(c, s1);
    // n (q/2)^2 + n 2047^2 < 2^36
    std::uint64_t norm = 0;
    for (std::size_t i = 0; i < S.n(); ++i)
        norm += static_cast<std::uint32_t>(s1.c[i] * s1.c[i] + s2[i] * s2[i]);
    return norm <= S.norm_bound();
}

/// The salt and the encoded s2 of a signature, if its length and header are valid.
struct SignatureParts {
    BytesIn<> salt;
    BytesIn<> s2;
};
template <Shape S>
[[nodiscard]] constexpr std::optional<SignatureParts> take_apart(Format format, BytesIn<> signature)
{
    const bool has_right_size =
        format == Format::compressed
            ? signature.size() > 1 + salt_bytes && signature.size() <= S.signature_bytes(format)
            : signature.size() == S.signature_bytes(format);
    if (!has_right_size) return std::nullopt;
    if (signature[0] != S.signature_header(format)) return std::nullopt;
    return SignatureParts{signature.subspan<1, salt_bytes>(), signature.subspan(1 + salt_bytes)};
}

/// Verify (Falcon, Algorithm 16), from a signature and the point of its salt and message.
template <Shape S, class Isa>
[[nodiscard]] bool verify_vartime(Format format, const PreparedVerifyingKey<S, Isa>& key,
                                  const ResiduePoly<S.n()>& c, BytesIn<> encoded_s2)
{
    ShortPoly<S.n()> s2;
    return decode_s2<S, Isa>(format, encoded_s2, s2) && verify_point_vartime<S, Isa>(key, c, s2);
}

/// Verify (Falcon, Algorithm 16), from the message.
template <Shape S, class Isa>
[[nodiscard]] bool verify_vartime(Format format, const PreparedVerifyingKey<S, Isa>& key, BytesIn<> message,
                                  BytesIn<> signature)
{
    const auto parts = take_apart<S>(format, signature);
    if (!parts) return false;
    ResiduePoly<S.n()> c;
    hash_message<Isa, S.n()>(parts->salt.template first<salt_bytes>(), message, c);
    return verify_vartime<S, Isa>(format, key, c, parts->s2);
}

}  // namespace girih::falcon
