/// Implicit rejection: the secret that a changed ciphertext has to give.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/standard/hash.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// Hash (NTRU Prime, Section 3.4)
inline ByteString ntru_prime_hash(ntru_prime::HashOf of, std::initializer_list<BytesIn<>> parts)
{
    sha2::Sha512 sha512;
    sha512.update(ByteString{static_cast<Byte>(of)});
    for (const BytesIn<> part : parts) sha512.update(part);
    const auto digest = sha512.digest();
    return {digest.begin(), digest.begin() + ntru_prime::hash_bytes};
}

/// J(z | c) (FIPS 203, Algorithm 18, line 7), or NTRU Prime's hash of rho and the ciphertext.
inline ByteString rejected_secret(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> ciphertext)
{
    if (std::string_view{girih_name(alg)}.starts_with("ML-KEM")) {
        ByteString secret(32);
        keccak::Shake256<isa::portable::Isa>{}.absorb(secret_key.last(32)).absorb(ciphertext).squeeze(secret);
        return secret;
    }
    using ntru_prime::HashOf;
    // The secret key ends with rho and the public key's hash. rho is an input, and Streamlined NTRU
    // Prime takes its hash.
    const auto& set = *std::ranges::find(ntru_prime::parameter_sets, secret_key.size(),
                                         &ntru_prime::Params::secret_key_bytes);
    const BytesIn<> rho =
        secret_key.last(ntru_prime::hash_bytes + set.input_bytes()).first(set.input_bytes());
    const ByteString instead =
        set.is_streamlined() ? ntru_prime_hash(HashOf::input, {rho}) : ByteString(rho.begin(), rho.end());
    return ntru_prime_hash(HashOf::bad_session, {instead, ciphertext});
}

}  // namespace girih::test
