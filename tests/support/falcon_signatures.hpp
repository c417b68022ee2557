/// Falcon signatures of any vector that a test wants: the public key is made for the signature,
/// h = (c - s1) / s2.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/hash_to_point.hpp"
#include "falcon/ring/ntt.hpp"
#include "isa/portable/lanes.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// Coefficients, of which the test sets a few. Those of s1 are between -q/2 and q/2.
template <std::size_t n>
struct FalconVector {
    falcon::Poly<std::int32_t, n> s1{};
    falcon::ShortPoly<n> s2{};

    [[nodiscard]] std::uint64_t norm() const
    {
        std::uint64_t sum = 0;
        for (const std::int64_t a : s1) sum += static_cast<std::uint64_t>(a * a);
        for (const std::int64_t a : s2) sum += static_cast<std::uint64_t>(a * a);
        return sum;
    }
};

/// Writes coefficients whose squares add up to `norm`, the largest first, none above 2047.
template <class T, std::size_t n>
void fill_to_norm(std::uint64_t norm, falcon::Poly<T, n>& f)
{
    for (std::size_t i = 0; norm > 0; ++i) {
        std::int32_t a = falcon::max_coefficient;
        while (static_cast<std::uint64_t>(a * a) > norm) --a;
        f[i] = static_cast<T>(i % 2 == 0 ? a : -a);
        norm -= static_cast<std::uint64_t>(a * a);
    }
}

/// A signature, and the public key under which it is one of the message.
struct MadeSignature {
    ByteString public_key;
    ByteString message;
    ByteString signature;
};

/// The signature that holds s2 (which has a reciprocal modulo q) and a salt, and the key under
/// which the other half is s1.
template <falcon::Params P>
MadeSignature make_falcon_signature(const FalconVector<P.n()>& vector, BytesIn<> message = {})
{
    using Isa = isa::portable::Isa;
    const ByteString salt = counting(falcon::salt_bytes, 7);
    falcon::ResiduePoly<P.n()> h;
    falcon::hash_message<Isa, P.n()>(BytesIn<falcon::salt_bytes>{salt}, message, h);
    for (std::size_t i = 0; i < P.n(); ++i)
        h[i] = static_cast<falcon::Residue>(
            falcon::modulo_q::subtract(h[i], falcon::modulo_q::residue(vector.s1[i])));
    falcon::ResiduePoly<P.n()> s2;
    falcon::reduce<Isa, P.n()>(vector.s2, s2);
    falcon::ntt<Isa, P.n()>(h);
    falcon::ntt<Isa, P.n()>(s2);
    EXPECT_EQ((falcon::divide_values<Isa, P.n()>(h, s2)), 0U) << "s2 has no reciprocal";
    falcon::inverse_ntt<Isa, P.n()>(h);

    MadeSignature made{ByteString(P.public_key_bytes()), ByteString(message.begin(), message.end()),
                       ByteString(P.signature_bytes())};
    falcon::encode_public_key<P, Isa>(h, BytesOut<P.public_key_bytes()>{made.public_key});
    made.signature[0] = P.signature_header();
    std::copy(salt.begin(), salt.end(), made.signature.begin() + 1);
    const std::size_t used = falcon::encode_s2<P.keys(), Isa>(
        P.format, vector.s2, BytesOut<>{made.signature}.subspan(1 + falcon::salt_bytes));
    EXPECT_NE(used, 0U) << "s2 does not fit";
    made.signature.resize(1 + falcon::salt_bytes + used);
    return made;
}

}  // namespace girih::test
