/// Keys and signatures as bytes (FIPS 204, Section 7.2). A decoder returns what needs no further
/// check, or false.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/hashing/sampling.hpp"
#include "ml_dsa/lattice/poly_arithmetic.hpp"

namespace girih::ml_dsa {

/// t1: the high bits of t that a public key holds; t0: the low bits that a secret key holds.
using T1Poly = Poly<Form::coefficients, Bound{0, (1 << Shape::t1_bits) - 1}>;
using T0Poly = Poly<Form::coefficients, Bound{1 - (1 << (d - 1)), 1 << (d - 1)}, Secrecy::secret>;

/// The coefficients of z that a signature can hold, and those that verification accepts.
template <Shape S>
using AcceptedZPoly = Poly<Form::coefficients, Bound::symmetric(S.gamma1 - S.beta() - 1)>;

/// Takes the next `size` bytes off the front of a buffer.
template <std::size_t size, class Span>
[[nodiscard, gnu::always_inline]] constexpr auto take_front(Span& rest)
{
    const auto front = rest.template first<size>();
    rest = rest.subspan(size);
    return front;
}

template <class Span>
[[nodiscard, gnu::always_inline]] constexpr auto take_front(Span& rest, std::size_t size)
{
    const auto front = rest.first(size);
    rest = rest.subspan(size);
    return front;
}

template <Shape S>
struct PublicKey {
    std::array<Byte, rho_bytes> rho;
    PolyVector<S.k, T1Poly> t1;
};

/// pkDecode (FIPS 204, Algorithm 23). Every string of the right length is a public key.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr PublicKey<S> pk_decode(BytesIn<S.public_key_bytes()> pk)
{
    PublicKey<S> key;
    BytesIn<> rest = pk;
    copy(take_front<rho_bytes>(rest), key.rho);
    for (std::size_t i = 0; i < S.k; ++i)
        key.t1[i] = simple_bit_unpack<S.t1_bits, Isa>(take_front<packed_bytes(S.t1_bits)>(rest));
    return key;
}

/// The parts of a secret key. Wiped when its life ends.
template <Shape S>
struct SecretKey {
    std::array<Byte, rho_bytes> rho;
    Wiped<std::array<Byte, key_bytes>> key;  ///< K
    PublicHash tr;
    SecretVectors<S> s;
    PolyVector<S.k, T0Poly> t0;
};

/// skEncode (FIPS 204, Algorithm 24). Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void sk_encode(const SecretKey<S>& key, BytesOut<> sk)
{
    constexpr std::size_t s_bytes = packed_bytes(S.eta_bits());
    BytesOut<> rest = sk;
    copy(key.rho, take_front<rho_bytes>(rest));
    copy_secret(BytesIn<key_bytes>{*key.key}, take_front<key_bytes>(rest));
    copy(key.tr.view(), take_front(rest, key.tr.view().size()));
    for (const auto& s1 : key.s.s1.p) bit_pack<S.eta_bits(), S.eta, Isa>(s1, take_front<s_bytes>(rest));
    for (const auto& s2 : key.s.s2.p) bit_pack<S.eta_bits(), S.eta, Isa>(s2, take_front<s_bytes>(rest));
    for (const auto& t0 : key.t0.p)
        bit_pack<d, T0Poly::bound.high, Isa>(t0, take_front<packed_bytes(d)>(rest));
}

/// BitUnpack of one polynomial of s1 or s2, which are the only parts of a secret key with encodings
/// that mean nothing. Returns 1 if a coefficient is below -eta, else 0. Constant time.
template <Shape S, class Isa>
[[nodiscard]] constexpr Secret<std::uint32_t> unpack_short(BytesIn<packed_bytes(S.eta_bits())> bytes,
                                                           SecretPoly<S>& s)
{
    const auto unchecked = bit_unpack<S.eta_bits(), S.eta, Isa, Secrecy::secret>(bytes);
    narrow(unchecked, s);
    return Secret<std::uint32_t>{any_at_least<Isa>(unchecked.c, S.eta + 1)};  // none is above eta
}

/// sk_decode, but for what it leaves on the stack.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool unpack_secret_key(const Version& version, BytesIn<> sk,
                                                              SecretKey<S>& key)
{
    constexpr std::size_t s_bytes = packed_bytes(S.eta_bits());
    BytesIn<> rest = sk;
    copy(take_front<rho_bytes>(rest), key.rho);
    copy_secret(take_front<key_bytes>(rest), BytesOut<key_bytes>{*key.key});
    copy(take_front(rest, version.tr_bytes), key.tr.resized(version.tr_bytes));
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 24: rho is part of the public key");
    girih::declassify(key.tr.view(), "FIPS 204, Algorithm 24: tr is a hash of the public key");
    Secret<std::uint32_t> out_of_range{0};
    for (auto& s1 : key.s.s1.p) out_of_range |= unpack_short<S, Isa>(take_front<s_bytes>(rest), s1);
    for (auto& s2 : key.s.s2.p) out_of_range |= unpack_short<S, Isa>(take_front<s_bytes>(rest), s2);
    for (auto& t0 : key.t0.p)
        t0 = bit_unpack<d, T0Poly::bound.high, Isa, Secrecy::secret>(take_front<packed_bytes(d)>(rest));
    return declassify(out_of_range,
                      "FIPS 204, Algorithm 25: a malformed key is refused, and may be known to be") == 0;
}

/// skDecode (FIPS 204, Algorithm 25), with the check of s1 and s2 that its note asks for: false for
/// coefficients out of range. Whether tr and t0 fit the rest is for whoever imports a key. Constant
/// time, but for the answer.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool sk_decode(const Version& version, BytesIn<> sk, SecretKey<S>& key)
{
    if (unpack_secret_key<S, Isa>(version, sk, key)) return true;
    // Nothing that follows a refusal would overwrite what unpacking has spilled.
    if (!std::is_constant_evaluated()) wipe_stack_below();
    return false;
}

/// A signature whose z is in the range that verification accepts, and whose hint is canonical.
template <Shape S>
struct Signature {
    PublicHash c_tilde;
    PolyVector<S.l, AcceptedZPoly<S>> z;
    Hint<S> h;
};

/// sigEncode (FIPS 204, Algorithm 26). z may be a secret: then the bytes are, until
/// they are declassified.
template <Shape S, class Isa, class Z>
[[gnu::noinline]] constexpr void sig_encode(const PublicHash& c_tilde, const PolyVector<S.l, Z>& z,
                                            const Hint<S>& h, BytesOut<> bytes)
{
    BytesOut<> rest = bytes;
    copy(c_tilde.view(), take_front(rest, c_tilde.view().size()));
    for (const auto& poly : z.p)
        bit_pack<S.z_bits(), S.gamma1, Isa>(poly, take_front<packed_bytes(S.z_bits())>(rest));
    hint_bit_pack<S, Isa>(h, take_front<S.omega + S.k>(rest));
}

/// sigDecode (FIPS 204, Algorithm 27), with the check of z's norm (Algorithm 8, line 13): false
/// for a string that can be no signature. Variable time: signatures are public.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool sig_decode(const Version& version, BytesIn<> bytes,
                                                       Signature<S>& sig)
{
    BytesIn<> rest = bytes;
    copy(take_front(rest, version.c_tilde_bytes), sig.c_tilde.resized(version.c_tilde_bytes));
    for (auto& z : sig.z.p) {
        const auto unchecked =
            bit_unpack<S.z_bits(), S.gamma1, Isa, Secrecy::open>(take_front<packed_bytes(S.z_bits())>(rest));
        if (any_at_least<Isa>(unchecked.c, S.gamma1 - S.beta())) return false;
        narrow(unchecked, z);
    }
    return hint_bit_unpack<S, Isa>(take_front<S.omega + S.k>(rest), sig.h);
}

/// w1Encode (FIPS 204, Algorithm 28).
template <Shape S, class Isa, class W1>
[[gnu::noinline]] constexpr void w1_encode(const W1& w1, BytesOut<S.w1_bytes()> bytes)
{
    BytesOut<> rest = bytes;
    for (std::size_t i = 0; i < S.k; ++i)
        simple_bit_pack<S.w1_bits(), Isa>(w1[i], take_front<packed_bytes(S.w1_bits())>(rest));
}

}  // namespace girih::ml_dsa
