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
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/kernels/poly_arithmetic.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

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

/// The parts of a secret key. Wiped on destruction.
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

/// The parts of a secret key as skEncode (FIPS 204, Algorithm 24) writes them.
template <Shape S>
class PackedSecretKey {
  public:
    constexpr PackedSecretKey(const Version& version, BytesIn<> sk)
        : rho(take_front<rho_bytes>(sk)),
          key(take_front<key_bytes>(sk)),
          tr(take_front(sk, version.tr_bytes)),
          polynomials_(sk)
    {
    }

    BytesIn<rho_bytes> rho;
    BytesIn<key_bytes> key;
    BytesIn<> tr;

    [[nodiscard]] constexpr auto s1(std::size_t j) const { return part<s_bytes>(j * s_bytes); }
    [[nodiscard]] constexpr auto s2(std::size_t i) const { return part<s_bytes>((S.l + i) * s_bytes); }
    [[nodiscard]] constexpr auto t0(std::size_t i) const
    {
        return part<packed_bytes(d)>((S.l + S.k) * s_bytes + i * packed_bytes(d));
    }

    /// The parts that are not polynomials.
    constexpr void unpack(std::array<Byte, rho_bytes>& rho_out, std::array<Byte, key_bytes>& key_out,
                          PublicHash& tr_out) const
    {
        copy(rho, rho_out);
        copy_secret(key, BytesOut<key_bytes>{key_out});
        copy(tr, tr_out.resized(tr.size()));
        girih::declassify(std::span{rho_out}, "FIPS 204, Algorithm 24: rho is part of the public key");
        girih::declassify(tr_out.view(), "FIPS 204, Algorithm 24: tr is a hash of the public key");
    }

  private:
    static constexpr std::size_t s_bytes = packed_bytes(S.eta_bits());
    template <std::size_t size>
    [[nodiscard]] constexpr BytesIn<size> part(std::size_t from) const
    {
        return polynomials_.subspan(from).template first<size>();
    }

    BytesIn<> polynomials_;
};

/// BitUnpack of one polynomial of s1 or s2, the only parts of a secret key with invalid encodings.
/// Returns 1 if a coefficient is below -eta, else 0. Constant time.
template <Shape S, class Isa>
[[nodiscard]] constexpr Secret<std::uint32_t> unpack_short(BytesIn<packed_bytes(S.eta_bits())> bytes,
                                                           SecretPoly<S>& s)
{
    const auto unchecked = bit_unpack<S.eta_bits(), S.eta, Isa, Secrecy::secret>(bytes);
    narrow(unchecked, s);
    return Secret<std::uint32_t>{any_at_least<Isa>(unchecked.c, S.eta + 1)};  // none is above eta
}

/// The verdict on a secret key. `out_of_range` is not 0 if unpack_short found a coefficient out of
/// range.
[[nodiscard]] constexpr bool is_well_formed(Secret<std::uint32_t> out_of_range)
{
    return declassify(out_of_range,
                      "FIPS 204, Algorithm 25: a malformed key is refused, and may be known to be") == 0;
}

/// sk_decode, without wiping the stack.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool unpack_secret_key(const Version& version, BytesIn<> sk,
                                                              SecretKey<S>& key)
{
    const PackedSecretKey<S> packed{version, sk};
    packed.unpack(key.rho, *key.key, key.tr);
    Secret<std::uint32_t> out_of_range{0};
    for (std::size_t j = 0; j < S.l; ++j) out_of_range |= unpack_short<S, Isa>(packed.s1(j), key.s.s1[j]);
    for (std::size_t i = 0; i < S.k; ++i) out_of_range |= unpack_short<S, Isa>(packed.s2(i), key.s.s2[i]);
    for (std::size_t i = 0; i < S.k; ++i) bit_unpack<d, T0Poly::bound.high, Isa>(packed.t0(i), key.t0[i]);
    return is_well_formed(out_of_range);
}

/// skDecode (FIPS 204, Algorithm 25), with the check of s1 and s2 that its note asks for: false for
/// coefficients out of range. Importing a key also checks that tr and t0 match the rest. Constant
/// time, except for the result.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool sk_decode(const Version& version, BytesIn<> sk, SecretKey<S>& key)
{
    if (unpack_secret_key<S, Isa>(version, sk, key)) return true;
    // After a refusal, nothing would overwrite the registers that unpacking has spilled.
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

/// sigEncode (FIPS 204, Algorithm 26). z[j] is polynomial j of z after BitPack (FIPS 204, Algorithm
/// 17). z may be secret; then the bytes are secret until they are declassified.
template <Shape S, class Isa, class Z, class H>
constexpr void sig_encode(const PublicHash& c_tilde, const Z& z, const H& h, BytesOut<> bytes)
{
    BytesOut<> rest = bytes;
    copy(c_tilde.view(), take_front(rest, c_tilde.view().size()));
    for (std::size_t j = 0; j < S.l; ++j) copy(z[j], take_front<packed_bytes(S.z_bits())>(rest));
    hint_bit_pack<S, Isa>(h, take_front<S.omega + S.k>(rest));
}

/// sigDecode (FIPS 204, Algorithm 27), with the check of z's norm (Algorithm 8, line 13): false for
/// a string that cannot be a signature. Variable time: signatures are public.
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

/// The bytes of row i of w1 in w1Encode (FIPS 204, Algorithm 28): its coefficients after
/// SimpleBitPack (FIPS 204, Algorithm 16).
template <Shape S, class Bytes>
[[nodiscard]] constexpr auto w1_row(Bytes w1_encoded, std::size_t i)
{
    constexpr std::size_t bytes = packed_bytes(S.w1_bits());
    return w1_encoded.subspan(i * bytes).template first<bytes>();
}

}  // namespace girih::ml_dsa
