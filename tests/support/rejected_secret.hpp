/// Implicit rejection: the secret that a changed ciphertext has to give.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
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
    const std::string_view name = girih_name(alg);
    if (name.starts_with("ML-KEM")) {
        ByteString secret(32);
        keccak::Shake256<isa::portable::Isa>{}.absorb(secret_key.last(32)).absorb(ciphertext).squeeze(secret);
        return secret;
    }
    using ntru_prime::HashOf;
    // The secret key ends with rho and the public key's hash. rho is an input: of Streamlined NTRU
    // Prime p coefficients of two bits, whose hash counts; of NTRU LPRime 256 bits.
    const bool is_streamlined = name.starts_with("sntrup");
    std::size_t p = 0;
    for (const char digit : name.substr(6)) p = 10 * p + static_cast<std::size_t>(digit - '0');
    const std::size_t rho_bytes = is_streamlined ? (p + 3) / 4 : 32;
    const BytesIn<> rho = secret_key.last(ntru_prime::hash_bytes + rho_bytes).first(rho_bytes);
    const ByteString instead =
        is_streamlined ? ntru_prime_hash(HashOf::input, {rho}) : ByteString(rho.begin(), rho.end());
    return ntru_prime_hash(HashOf::bad_session, {instead, ciphertext});
}

}  // namespace girih::test
