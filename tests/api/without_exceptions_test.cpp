/// The C++ headers in a program without exceptions: members that throw are absent, all others
/// exist.
#include <gtest/gtest.h>
#include <girih/batch.hpp>
#include <girih/dilithium.hpp>
#include <girih/falcon.hpp>
#include <girih/kem.hpp>
#include <girih/ml_dsa.hpp>
#include <girih/ml_kem.hpp>
#include <girih/ntru_prime.hpp>

#include <vector>

namespace {

#if defined(__cpp_exceptions)
#    error this file is compiled without exceptions
#endif

TEST(WithoutExceptions, BatchesAreSpreadOverThreads)
{
    using Algorithm = girih::ml_kem_512;
    Algorithm::PublicKey public_key{};
    Algorithm::SecretKey secret_key{};
    ASSERT_EQ(Algorithm::keygen(public_key, secret_key), girih::Error::none);
    const std::vector<char> copied(public_key.begin(), public_key.end());
    EXPECT_EQ(Algorithm::EncapsulationKey::from_bytes(copied).value(),
              Algorithm::EncapsulationKey{public_key});
    static_assert(!std::is_constructible_v<Algorithm::EncapsulationKey, std::vector<char>>);
    constexpr std::size_t count = 200;
    std::vector<Algorithm::Ciphertext> ciphertexts(count);
    std::vector<Algorithm::SharedSecret> sent(count);
    std::vector<Algorithm::SharedSecret> received(count);
    std::vector<girih::EncapsulateRow> sending;
    std::vector<girih::DecapsulateRow> receiving;
    for (std::size_t i = 0; i < count; ++i) {
        sending.push_back(girih::encapsulate_row(public_key, ciphertexts[i], sent[i]));
        receiving.push_back(girih::decapsulate_row(secret_key, ciphertexts[i], received[i]));
    }
    EXPECT_EQ(girih::encapsulate_many<Algorithm>(sending, 3), girih::Error::none);
    EXPECT_EQ(girih::decapsulate_many<Algorithm>(receiving, 3), girih::Error::none);
    EXPECT_EQ(sent, received);
}

}  // namespace
