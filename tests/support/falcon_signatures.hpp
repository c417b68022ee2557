/// Falcon signatures of any vector: the public key is made for the signature, h = (c - s1) / s2.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "isa/portable/engine.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// Coefficients, of which the test sets a few. All of s1 are between -q/2 and q/2.
struct FalconVector {
    std::vector<std::int32_t> s1;
    std::vector<std::int32_t> s2;

    explicit FalconVector(const falcon::Params& set) : s1(set.n()), s2(set.n()) {}
    [[nodiscard]] std::uint64_t norm() const
    {
        std::uint64_t sum = 0;
        for (const auto* half : {&s1, &s2})
            for (const std::int64_t a : *half) sum += static_cast<std::uint64_t>(a * a);
        return sum;
    }
};

/// Writes coefficients whose squares add up to `norm`, the largest first, none above `largest`.
inline void fill_to_norm(std::uint64_t norm, std::vector<std::int32_t>& f,
                         std::int32_t largest = falcon::max_coefficient)
{
    for (std::size_t i = 0; norm > 0; ++i) {
        std::int64_t a = largest;
        while (static_cast<std::uint64_t>(a * a) > norm) --a;
        f.at(i) = static_cast<std::int32_t>(i % 2 == 0 ? a : -a);
        norm -= static_cast<std::uint64_t>(a * a);
    }
}

/// A signature, and the public key under which it is valid for the message.
struct MadeSignature {
    ByteString public_key;
    ByteString message;
    ByteString signature;
};

template <falcon::Shape S>
MadeSignature made_signature(const FalconVector& vector, const falcon::Params& set, BytesIn<> message)
{
    using Isa = isa::portable::Isa;
    constexpr std::size_t n = S.n();
    const ByteString salt = counting(falcon::salt_bytes, 7);
    falcon::ShortPoly<n> short_s2;
    std::ranges::copy(vector.s2, short_s2.begin());
    falcon::ResiduePoly<n> h, s2;
    falcon::hash_message<Isa, n>(BytesIn<falcon::salt_bytes>{salt}, message, h);
    for (std::size_t i = 0; i < n; ++i)
        h[i] = static_cast<falcon::Residue>(
            falcon::modulo_q::subtract(h[i], falcon::modulo_q::residue(vector.s1[i])));
    falcon::reduce<Isa, n>(short_s2, s2);
    falcon::ntt<Isa, n>(h);
    falcon::ntt<Isa, n>(s2);
    EXPECT_EQ((falcon::divide_values<Isa, n>(h, s2)), 0U) << "s2 has no reciprocal";
    falcon::inverse_ntt<Isa, n>(h);

    MadeSignature made{ByteString(S.public_key_bytes()), ByteString(message.begin(), message.end()),
                       ByteString(set.signature_bytes())};
    falcon::encode_public_key<S, Isa>(h, BytesOut<S.public_key_bytes()>{made.public_key});
    made.signature[0] = set.signature_header();
    std::ranges::copy(salt, made.signature.begin() + 1);
    const std::size_t used = falcon::encode_s2<S, Isa>(
        set.format, short_s2, BytesOut<>{made.signature}.subspan(1 + falcon::salt_bytes));
    EXPECT_NE(used, 0U) << "s2 does not fit";
    made.signature.resize(1 + falcon::salt_bytes + used);
    return made;
}

/// The signature that holds s2 (which has a reciprocal modulo q) and a salt, and the key under
/// which the other half is s1.
inline MadeSignature make_falcon_signature(const falcon::Params& set, const FalconVector& vector,
                                           BytesIn<> message)
{
    return set.logn == 9 ? made_signature<falcon::falcon_512.shape()>(vector, set, message)
                         : made_signature<falcon::falcon_1024.shape()>(vector, set, message);
}

}  // namespace girih::test
