/// The C interface of key encapsulation with byte strings that own their memory.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {

inline constexpr std::array ml_kem_names{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};

inline constexpr std::array kem_names{"sntrup653",  "sntrup761",  "sntrup857",   "sntrup953",
                                      "sntrup1013", "sntrup1277", "ntrulpr653",  "ntrulpr761",
                                      "ntrulpr857", "ntrulpr953", "ntrulpr1013", "ntrulpr1277"};

struct Encapsulation {
    ByteString ciphertext;
    ByteString shared_secret;
};

inline KeyPair random_key_pair(const girih_alg* alg, const girih_random& random)
{
    KeyPair keys{ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))};
    EXPECT_EQ(girih_keygen(alg, &random, keys.public_key.data(), keys.public_key.size(),
                           keys.secret_key.data(), keys.secret_key.size()),
              GIRIH_OK);
    return keys;
}

inline Encapsulation encapsulate(const girih_alg* alg, BytesIn<> public_key,
                                 const girih_random* random = nullptr)
{
    Encapsulation made{ByteString(girih_ciphertext_bytes(alg)), ByteString(girih_shared_secret_bytes(alg))};
    EXPECT_EQ(girih_encapsulate(alg, random, public_key.data(), public_key.size(), made.ciphertext.data(),
                                made.ciphertext.size(), made.shared_secret.data(), made.shared_secret.size()),
              GIRIH_OK);
    return made;
}

inline ByteString decapsulate(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> ciphertext)
{
    ByteString shared_secret(girih_shared_secret_bytes(alg));
    EXPECT_EQ(girih_decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(),
                                ciphertext.size(), shared_secret.data(), shared_secret.size()),
              GIRIH_OK);
    return shared_secret;
}

}  // namespace girih::test
