/// The check of an imported secret key, and its public key: key generation (keygen.hpp) from rho,
/// s1 and s2. Every engine runs this text; microcontrollers run small/keygen.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// The verdict on an imported key. `difference` is not 0 if the key contradicts itself.
[[nodiscard]] constexpr KeyCheck consistency(Secret<std::uint32_t> difference)
{
    return declassify(difference, "a key that contradicts itself is refused, and may be known to be") == 0
               ? KeyCheck::good
               : KeyCheck::inconsistent;
}

/// The public key of a secret key, made again from rho, s1 and s2; t0 and tr are compared with
/// those of the secret key. Constant time, except for the result.
template <Shape S, class Isa, auto expand = expand_a<S, Isa>>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(const Version& version, BytesIn<> sk,
                                                           BytesOut<S.public_key_bytes()> pk)
{
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return KeyCheck::malformed;
    Matrix<S> a_hat;
    expand(key.rho, a_hat);
    PolyVector<S.k, T0Poly> t0;
    make_public_key<S, Isa>(key, a_hat, t0, pk);
    PublicHash again;
    const BytesOut<> tr = again.resized(version.tr_bytes);
    hash_public_key<S, Isa>(pk, tr);

    Secret<std::uint32_t> difference{0};
    for (std::size_t i = 0; i < S.k; ++i)
        for (std::size_t j = 0; j < n; ++j)
            difference |= Secret<std::uint32_t>{static_cast<std::uint32_t>(t0[i].c[j] ^ key.t0[i].c[j])};
    for (std::size_t i = 0; i < tr.size(); ++i)
        difference |= Secret<std::uint32_t>{std::uint32_t{tr[i]} ^ key.tr.view()[i]};
    return consistency(difference);
}

}  // namespace girih::ml_dsa
