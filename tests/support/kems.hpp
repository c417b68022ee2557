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

    friend bool operator==(const Encapsulation&, const Encapsulation&) = default;
};

inline KeyPair random_key_pair(const girih_alg* alg, const girih_random& random)
{
    return keys_by(girih_keygen, alg, &random);
}

inline Encapsulation room_for_encapsulation(const girih_alg* alg)
{
    return {ByteString(girih_ciphertext_bytes(alg)), ByteString(girih_shared_secret_bytes(alg))};
}

inline Encapsulation encapsulate(const girih_alg* alg, BytesIn<> public_key,
                                 const girih_random* random = nullptr)
{
    Encapsulation made = room_for_encapsulation(alg);
    EXPECT_EQ(call(girih_encapsulate, alg, random, public_key, made.ciphertext, made.shared_secret),
              GIRIH_OK);
    return made;
}

inline ByteString decapsulate(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> ciphertext)
{
    ByteString shared_secret(girih_shared_secret_bytes(alg));
    EXPECT_EQ(call(girih_decapsulate, alg, secret_key, ciphertext, shared_secret), GIRIH_OK);
    return shared_secret;
}

}  // namespace girih::test
