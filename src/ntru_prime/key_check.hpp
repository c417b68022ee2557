/// What an import of a secret key finds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kem.hpp"

namespace girih::ntru_prime {

enum class KeyCheck {
    good,
    malformed,     ///< f, 1/g or a encode no small polynomial, or f or a is not short
    inconsistent,  ///< the public key, or its hash, is not that of the rest
};

/// Whether some of the bits are 1, as a secret.
class Doubt {
  public:
    constexpr void if_differs(std::int32_t a, std::int32_t b)
    {
        difference_ |= Secret<std::uint32_t>{static_cast<std::uint32_t>(a ^ b)};
    }
    constexpr void if_differ(BytesIn<> a, BytesIn<> b)
    {
        for (std::size_t i = 0; i < a.size(); ++i) if_differs(a[i], b[i]);
    }
    [[nodiscard]] constexpr bool is_any() const
    {
        return declassify(difference_, "a key that contradicts itself is refused, and may be known to be") !=
               0;
    }

  private:
    Secret<std::uint32_t> difference_{0};
};

/// Decodes a small polynomial that has to be the only one of its encoding.
template <Ring R, class Isa>
constexpr void small_decode_strictly(BytesIn<R.small_bytes()> bytes, Small<R>& f, Doubt& doubt)
{
    small_decode<R, Isa>(bytes, f);
    for (const std::int8_t c : f.coefficients())
        doubt.if_differs(c >> 1, c >> 7);  // 2 has its second bit, but no sign
    doubt.if_differs(bytes.back() >> (2 * ((R.p - 1) % 4 + 1)), 0);
}

template <Params P>
constexpr void doubt_weight(const Small<P.ring>& f, Doubt& doubt)
{
    std::int32_t weight = 0;
    for (const std::int8_t c : f.coefficients()) weight += c & 1;
    doubt.if_differs(weight, static_cast<std::int32_t>(P.w));
}

/// What h of Streamlined NTRU Prime is to f and 1/g: 3 f h = g is small, and 1/g its reciprocal.
template <Params P, class Isa>
constexpr void doubt_public_key(SecretKeyView<P> sk, const Small<P.ring>& f,
                                const Small<P.ring>& g_reciprocal, Doubt& doubt)
{
    using Arithmetic = typename Streamlined<P, Isa>::Arithmetic;
    Rq<P.ring> h;
    rq_decode<P.ring, Isa>(sk.public_key(), h);
    std::array<Byte, P.public_key_bytes()> canonical;
    rq_encode<P.ring, Isa>(h, canonical);
    doubt.if_differ(canonical, sk.public_key());

    Wiped<Rq<P.ring>> hf;
    Wiped<Small<P.ring>> g;
    Wiped<Small<P.ring>> one;
    Arithmetic::multiply(h, f, *hf);
    for (std::size_t i = 0; i < P.ring.p; ++i) {
        const std::int32_t c = Modulo<Isa, P.ring.q>::centered(3 * hf->c[i]);
        g->c[i] = static_cast<std::int8_t>(Modulo<Isa, 3>::centered(c));
        doubt.if_differs(c, g->c[i]);
    }
    Arithmetic::multiply(*g, g_reciprocal, *one);
    for (std::size_t i = 0; i < P.ring.p; ++i) doubt.if_differs(one->c[i], i == 0 ? 1 : 0);
}

/// What A of NTRU LPRime is to a and the seed of G: Round(G a).
template <Params P, class Isa>
constexpr void doubt_public_key(SecretKeyView<P> sk, const Small<P.ring>& a, Doubt& doubt)
{
    Rq<P.ring> g;
    generator<P.ring, Isa>(sk.public_key().template first<generator_bytes>(), g);
    Rounded<P.ring> big_a;
    Lprime<P, Isa>::Arithmetic::multiply(g, a, big_a);
    round<P.ring, Isa>(big_a);
    std::array<Byte, P.ring.rounded_bytes()> again;
    rounded_encode<P.ring, Isa>(big_a, again);
    doubt.if_differ(again, sk.public_key().template last<P.ring.rounded_bytes()>());
}

/// Every check that the bytes of a secret key allow. Constant time, but for the answer.
template <Params P, class Isa>
[[nodiscard, gnu::noinline]] KeyCheck check_key(SecretKeyView<P> sk)
{
    Doubt form;
    Wiped<Small<P.ring>> f;
    Wiped<Small<P.ring>> g_reciprocal;
    small_decode_strictly<P.ring, Isa>(sk.core().template first<P.ring.small_bytes()>(), *f, form);
    if constexpr (P.is_streamlined())
        small_decode_strictly<P.ring, Isa>(sk.core().template last<P.ring.small_bytes()>(), *g_reciprocal,
                                           form);
    doubt_weight<P>(*f, form);
    if (form.is_any()) return KeyCheck::malformed;

    Doubt rest;
    if constexpr (P.is_streamlined()) {
        doubt_public_key<P, Isa>(sk, *f, *g_reciprocal, rest);
    } else {
        doubt_public_key<P, Isa>(sk, *f, rest);
    }
    std::array<Byte, hash_bytes> hash;
    hash_prefix<Isa, P.public_key_bytes()>(HashOf::public_key, sk.public_key(), hash);
    rest.if_differ(hash, sk.public_key_hash());
    return rest.is_any() ? KeyCheck::inconsistent : KeyCheck::good;
}

}  // namespace girih::ntru_prime
