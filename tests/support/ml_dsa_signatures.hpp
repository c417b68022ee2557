/// ML-DSA signatures of any z and any hints: under a public key whose t1 is zero, w1 does not
/// depend on the challenge.
#pragma once

#include <array>
#include <cstdint>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// z and the hints of a signature, all zero at first. A coefficient of z may be anything
/// that can be encoded.
template <ml_dsa::Params P>
struct MlDsaParts {
    using ZPoly = ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{1 - P.gamma1, P.gamma1}>;

    ml_dsa::PolyVector<P.l, ZPoly> z;
    ml_dsa::Hint<P.shape()> h;

    MlDsaParts()
    {
        for (auto& poly : z.p) poly.c = {};
        for (auto& poly : h.p) poly.c = {};
    }
};

/// A public key whose t1 is zero.
template <ml_dsa::Params P>
ByteString zero_public_key()
{
    ByteString key(P.public_key_bytes());
    for (std::size_t i = 0; i < ml_dsa::rho_bytes; ++i) key[i] = static_cast<Byte>(3 * i + 1);
    return key;
}

/// The signature of mu with these parts under zero_public_key: its only faults are those of its
/// parts.
template <ml_dsa::Params P>
ByteString make_ml_dsa_signature(const MlDsaParts<P>& parts, BytesIn<> mu)
{
    using Isa = isa::portable::Isa;
    const ByteString key = zero_public_key<P>();
    static ml_dsa::Matrix<P.shape()> a_hat;
    ml_dsa::expand_a<P.shape(), Isa>(BytesIn<>{key}.first<ml_dsa::rho_bytes>(), a_hat);
    ml_dsa::PolyVector<P.l, decltype(ml_dsa::ntt<Isa>(parts.z[0]))> z_hat;
    for (std::size_t j = 0; j < P.l; ++j) z_hat[j] = ml_dsa::ntt<Isa>(parts.z[j]);
    ml_dsa::PolyVector<P.k, ml_dsa::Poly<ml_dsa::Form::coefficients, ml_dsa::Bound{0, P.w1_max()}>> w1;
    for (std::size_t i = 0; i < P.k; ++i) {
        const auto w = ml_dsa::inverse_ntt<Isa>(ml_dsa::dot<Isa>(a_hat[i], z_hat));
        for (std::size_t j = 0; j < ml_dsa::n; ++j)
            w1[i].c[j] = ml_dsa::use_hint<P.gamma2>(parts.h[i].c[j], ml_dsa::canonical(w.c[j]));
    }
    std::array<Byte, P.w1_bytes()> w1_encoded;
    for (std::size_t i = 0; i < P.k; ++i)
        ml_dsa::simple_bit_pack<P.w1_bits(), Isa>(
            w1[i], ml_dsa::w1_row<P.shape()>(BytesOut<P.w1_bytes()>{w1_encoded}, i));

    ByteString signature(P.signature_bytes());
    BytesOut<> rest{signature};
    keccak::Shake256<Isa>{}.absorb(mu).absorb(w1_encoded).squeeze(ml_dsa::take_front<P.c_tilde_bytes>(rest));
    for (const auto& z : parts.z.p)
        ml_dsa::bit_pack<P.z_bits(), P.gamma1, Isa>(
            z, ml_dsa::take_front<ml_dsa::packed_bytes(P.z_bits())>(rest));
    ml_dsa::hint_bit_pack<P.shape(), Isa>(parts.h, ml_dsa::take_front<P.omega + P.k>(rest));
    return signature;
}

}  // namespace girih::test
