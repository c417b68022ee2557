/// A thread may have set its floating point otherwise: rounding, flushing of small numbers,
/// exceptions that trap. Every operation makes the same bytes there, traps nothing, and leaves
/// the mode as it was.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "isa/mxcsr.hpp"
#include "support/bytes.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(5 * i + 2);
    return 0;
}
constexpr girih_random counting_source{fill_counting, nullptr, 0};

/// The operations of an algorithm on the engine that runs, each by itself.
class Operations {
  public:
    explicit Operations(const girih_alg* alg)
        : alg_(alg),
          is_kem_(girih_is_kem(alg) != 0),
          keys_(test::key_pair(alg, test::counting(girih_seed_bytes(alg)))),
          signature_(girih_signature_bytes(alg)),
          ciphertext_(girih_ciphertext_bytes(alg)),
          secret_(girih_shared_secret_bytes(alg)),
          signing_memory_(girih_signing_key_size(alg) / sizeof(Line)),
          verifying_memory_(girih_verifying_key_size(alg) / sizeof(Line))
    {
    }

    /// Everything that the operations write, in one string. Small numbers of calls: some
    /// modes make each slow.
    ByteString all()
    {
        ByteString seen;
        const auto see = [&seen](const ByteString& bytes) {
            seen.insert(seen.end(), bytes.begin(), bytes.end());
        };
        const ByteString seed = test::counting(girih_seed_bytes(alg_), 9);
        ByteString pk(keys_.public_key.size());
        ByteString sk(keys_.secret_key.size());
        good(girih_keygen_from_seed(alg_, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                    sk.size()));
        see(pk), see(sk);
        good(girih_keygen_checked(alg_, &counting_source, pk.data(), pk.size(), sk.data(), sk.size()));
        see(pk), see(sk);
        if (girih_falcon_reference_keygen(alg_, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                          sk.size()) == GIRIH_OK)
            see(pk), see(sk);
        good(girih_public_key(alg_, keys_.secret_key.data(), sk.size(), pk.data(), pk.size()));
        see(pk);
        std::vector<ByteString> pks(3, pk), sks(3, sk);
        std::vector<girih_keygen_row> rows;
        for (std::size_t i = 0; i < 3; ++i)
            rows.push_back(
                {seed.data(), seed.size(), nullptr, pks[i].data(), pk.size(), sks[i].data(), sk.size(), 1});
        good(girih_keygen_many(alg_, rows.data(), rows.size()));
        for (std::size_t i = 0; i < 3; ++i) see(pks[i]), see(sks[i]);
        is_kem_ ? encapsulate(see) : sign(see);
        return seen;
    }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };

    static void good(int error) { EXPECT_EQ(error, GIRIH_OK) << girih_error_text(error); }

    template <class See>
    void sign(See see)
    {
        girih_options options{};
        options.random = &counting_source;
        const ByteString& sk = keys_.secret_key;
        const ByteString& pk = keys_.public_key;
        std::size_t length = 0;
        const auto verify = [&] {
            good(girih_verify(alg_, pk.data(), pk.size(), message_.data(), message_.size(), nullptr,
                              signature_.data(), length));
            see(signature_);
        };
        good(girih_sign(alg_, sk.data(), sk.size(), message_.data(), message_.size(), &options,
                        signature_.data(), signature_.size(), &length));
        verify();
        girih_signing_key* signing = nullptr;
        girih_verifying_key* verifying = nullptr;
        good(girih_prepare_signing_key(alg_, sk.data(), sk.size(), signing_memory_.data(),
                                       signing_memory_.size() * sizeof(Line), &signing));
        good(girih_prepare_verifying_key(alg_, pk.data(), pk.size(), verifying_memory_.data(),
                                         verifying_memory_.size() * sizeof(Line), &verifying));
        good(girih_sign_prepared(signing, message_.data(), message_.size(), &options, signature_.data(),
                                 signature_.size(), &length));
        verify();
        good(girih_verify_prepared(verifying, message_.data(), message_.size(), nullptr, signature_.data(),
                                   length));
        std::vector<ByteString> signatures(17, ByteString(signature_.size()));
        std::vector<girih_sign_row> rows;
        for (ByteString& signature : signatures)
            rows.push_back({signing, nullptr, 0, message_.data(), message_.size(), &options, signature.data(),
                            signature.size(), 0, 1});
        good(girih_sign_many(alg_, rows.data(), rows.size()));
        for (const ByteString& signature : signatures) see(signature);
        std::vector<girih_verify_row> verifications;
        for (const girih_sign_row& row : rows)
            verifications.push_back({verifying, nullptr, 0, row.message, row.message_bytes, nullptr,
                                     row.signature, row.signature_bytes, 1});
        good(girih_verify_many(alg_, verifications.data(), verifications.size()));
        girih_message stream;
        if (girih_message_begin_signing(&stream, alg_, &options) == GIRIH_OK) {
            good(girih_message_update(&stream, message_.data(), message_.size()));
            good(girih_message_sign(&stream, sk.data(), sk.size(), nullptr, signature_.data(),
                                    signature_.size(), &length));
            verify();
        }
    }

    template <class See>
    void encapsulate(See see)
    {
        good(girih_encapsulate(alg_, &counting_source, keys_.public_key.data(), keys_.public_key.size(),
                               ciphertext_.data(), ciphertext_.size(), secret_.data(), secret_.size()));
        see(ciphertext_), see(secret_);
        good(girih_decapsulate(alg_, keys_.secret_key.data(), keys_.secret_key.size(), ciphertext_.data(),
                               ciphertext_.size(), secret_.data(), secret_.size()));
        see(secret_);
        std::vector<ByteString> ciphertexts(9, ciphertext_), secrets(9, secret_);
        std::vector<girih_encapsulate_row> sending;
        std::vector<girih_decapsulate_row> receiving;
        for (std::size_t i = 0; i < secrets.size(); ++i) {
            sending.push_back({nullptr, keys_.public_key.data(), keys_.public_key.size(), &counting_source,
                               ciphertexts[i].data(), ciphertext_.size(), secrets[i].data(), secret_.size(),
                               1});
            receiving.push_back({nullptr, keys_.secret_key.data(), keys_.secret_key.size(),
                                 ciphertexts[i].data(), ciphertext_.size(), secrets[i].data(), secret_.size(),
                                 1});
        }
        const bool is_prepared = girih_encapsulation_key_size(alg_) != 0;
        const std::size_t count = is_prepared ? sending.size() : 1;  // those of NTRU Prime run one by one
        good(girih_encapsulate_many(alg_, sending.data(), count));
        for (std::size_t i = 0; i < count; ++i) see(ciphertexts[i]), see(secrets[i]);
        good(girih_decapsulate_many(alg_, receiving.data(), count));
        for (std::size_t i = 0; i < count; ++i) see(secrets[i]);
        if (!is_prepared) return;
        const test::PreparedEncapsulationKey to{alg_, keys_.public_key};
        const test::PreparedDecapsulationKey by{alg_, keys_.secret_key};
        good(girih_encapsulate_prepared(to.get(), &counting_source, ciphertext_.data(), ciphertext_.size(),
                                        secret_.data(), secret_.size()));
        see(ciphertext_), see(secret_);
        good(girih_decapsulate_prepared(by.get(), ciphertext_.data(), ciphertext_.size(), secret_.data(),
                                        secret_.size()));
        see(secret_);
    }

    const girih_alg* alg_;
    bool is_kem_;
    test::KeyPair keys_;
    ByteString message_ = test::counting(50);
    ByteString signature_;
    ByteString ciphertext_;
    ByteString secret_;
    std::vector<Line> signing_memory_;
    std::vector<Line> verifying_memory_;
};

namespace mxcsr = isa::mxcsr;

class FloatModes : public test::EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, FloatModes,
                         testing::Values("ML-DSA-44", "Dilithium3", "Falcon-512", "Falcon-1024",
                                         "Falcon-padded-512", "ML-KEM-512", "ML-KEM-1024", "sntrup761",
                                         "ntrulpr761"),
                         test::EveryAlgorithm::name);

TEST_P(FloatModes, ChangeNothingAndStayAsTheyAre)
{
    if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    Operations operations{alg};
    const ByteString expected = operations.all();
    const std::uint32_t usual = mxcsr::get();
    for (const std::uint32_t mode :
         {mxcsr::masked | mxcsr::upward, mxcsr::masked | mxcsr::downward, mxcsr::masked | mxcsr::towards_zero,
          mxcsr::masked | mxcsr::small_operands, mxcsr::masked | mxcsr::small_results,
          mxcsr::masked | mxcsr::small_operands | mxcsr::small_results | mxcsr::towards_zero, 0U,
          mxcsr::upward, mxcsr::small_results | mxcsr::small_operands, mxcsr::masked_but_invalid}) {
        mxcsr::set(mode);
        const ByteString found = operations.all();
        const std::uint32_t after = mxcsr::get();
        mxcsr::set(usual);
        EXPECT_EQ(found, expected) << "mode " << std::hex << mode;
        EXPECT_EQ(after & ~mxcsr::seen, mode & ~mxcsr::seen);
    }
}

}  // namespace
