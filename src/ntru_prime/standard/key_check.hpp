/// The checks of an imported secret key. Engines and microcontrollers run this text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/interface.hpp"
#include "ntru_prime/standard/kem.hpp"

namespace girih::ntru_prime {

/// Whether values differ, as a secret.
class Mismatch {
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

/// Decodes a small polynomial, whose encoding must be the canonical one.
template <class Isa, class R>
constexpr void small_decode_strictly(const R& ring, BytesIn<> bytes, Small<R::capacity>& f,
                                     Mismatch& mismatch)
{
    small_decode<Isa>(ring, bytes, f);
    for (const std::int8_t c : std::span{f.c}.first(ring.p))
        mismatch.if_differs(c >> 1, c >> 7);  // 2 has its second bit, but no sign
    mismatch.if_differs(bytes.back() >> 2, 0);
}

template <class Set>
constexpr void check_weight(const Set& set, const Small<Set::capacity>& f, Mismatch& mismatch)
{
    std::int32_t weight = 0;
    for (const std::int8_t c : std::span{f.c}.first(set.ring.p)) weight += c & 1;
    mismatch.if_differs(weight, static_cast<std::int32_t>(set.w));
}

/// Streamlined NTRU Prime: 3 f h is a small polynomial g, and 1/g is its reciprocal.
template <class Set, class Isa>
constexpr void check_public_key(const Set& set, SecretKeyView<Set> sk, const Small<Set::capacity>& f,
                                const Small<Set::capacity>& g_reciprocal, Mismatch& mismatch)
{
    using Arithmetic = typename Streamlined<Set, Isa>::Arithmetic;
    Rq<Set::capacity> h;
    rq_decode<Isa>(set.ring, sk.public_key(), h);
    std::array<Byte, Set::public_key_capacity> storage;
    const BytesOut<> canonical = BytesOut<>{storage}.first(set.public_key_bytes);
    rq_encode<Isa>(set.ring, h, canonical);
    mismatch.if_differ(canonical, sk.public_key());

    Wiped<Rq<Set::capacity>> hf;
    Wiped<Small<Set::capacity>> g;
    Wiped<Small<Set::capacity>> one;
    Arithmetic::rq_mult_small(set.ring, h, f, *hf);
    const std::size_t p = set.ring.p;
    const AnyModulo<Isa> modulo_q{set.ring.modulo_q};
    for (std::size_t i = 0; i < p; ++i) {
        const std::int32_t c = modulo_q.centered(3 * hf->c[i]);
        g->c[i] = static_cast<std::int8_t>(Modulo3<Isa>::centered(c));
        mismatch.if_differs(c, g->c[i]);
    }
    Arithmetic::r3_mult(set.ring, *g, g_reciprocal, *one);
    for (std::size_t i = 0; i < p; ++i) mismatch.if_differs(one->c[i], i == 0 ? 1 : 0);
}

/// NTRU LPRime: A is Round(G a).
template <class Set, class Isa>
constexpr void check_public_key(const Set& set, SecretKeyView<Set> sk, const Small<Set::capacity>& a,
                                Mismatch& mismatch)
{
    Rq<Set::capacity> g;
    generator<Isa>(set.ring, sk.public_key().template first<generator_bytes>(), g);
    Rounded<Set::capacity> big_a;
    Lprime<Set, Isa>::Arithmetic::rq_mult_small(set.ring, g, a, big_a);
    round<Isa>(set.ring, big_a);
    std::array<Byte, Set::public_key_capacity> storage;
    const BytesOut<> again = BytesOut<>{storage}.first(set.ring.rounded_bytes());
    rounded_encode<Isa>(set.ring, big_a, again);
    mismatch.if_differ(again, sk.public_key().last(set.ring.rounded_bytes()));
}

/// Every check that the bytes of a secret key allow. Constant time, except for the result.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] KeyCheck check_key(const Set& set, SecretKeyView<Set> sk)
{
    Mismatch form;
    Wiped<Small<Set::capacity>> f;
    Wiped<Small<Set::capacity>> g_reciprocal;
    small_decode_strictly<Isa>(set.ring, sk.core().first(set.ring.small_bytes()), *f, form);
    if constexpr (Set::is_streamlined)
        small_decode_strictly<Isa>(set.ring, sk.core().last(set.ring.small_bytes()), *g_reciprocal, form);
    check_weight<Set>(set, *f, form);
    if (form.is_any()) return KeyCheck::malformed;

    Mismatch rest;
    if constexpr (Set::is_streamlined) {
        check_public_key<Set, Isa>(set, sk, *f, *g_reciprocal, rest);
    } else {
        check_public_key<Set, Isa>(set, sk, *f, rest);
    }
    std::array<Byte, hash_bytes> hash;
    hash_prefix<Isa, Set::public_key_capacity>(HashOf::public_key, sk.public_key(), hash);
    rest.if_differ(hash, sk.public_key_hash());
    return rest.is_any() ? KeyCheck::inconsistent : KeyCheck::good;
}

}  // namespace girih::ntru_prime
