/// Without an engine (GIRIH_ISA names none), every operation of every scheme says so and leaves
/// zeros. In processes of their own: an engine is chosen once.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/bytes.hpp"
#include "support/environment.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// A buffer that has to be zero afterwards.
class Outputs {
  public:
    Byte* of(std::size_t size)
    {
        buffers_.push_back(std::make_unique<ByteString>(size, Byte{0xEE}));
        return buffers_.back()->data();
    }
    [[nodiscard]] bool are_zero() const
    {
        for (const auto& buffer : buffers_)
            if (!test::is_zero(*buffer)) return false;
        return true;
    }

  private:
    std::vector<std::unique_ptr<ByteString>> buffers_;
};

/// The number of the first thing that is not as it has to be, or 0. Runs where it
/// may end the process.
int first_wrong(const char* name)
{
    test::set_variable("GIRIH_ISA", "no such engine");
    const girih_alg* alg = girih_algorithm(name);
    const bool is_kem = girih_is_kem(alg) == 1;
    const bool has_mu = girih_has_mu(alg) == 1;
    const bool is_falcon = !is_kem && !has_mu;
    const std::size_t pk_bytes = girih_public_key_bytes(alg);
    const std::size_t sk_bytes = girih_secret_key_bytes(alg);
    const ByteString seed(girih_seed_bytes(alg));
    const ByteString pk(pk_bytes);
    const ByteString sk(sk_bytes);
    const ByteString signature(girih_signature_bytes(alg));
    const ByteString ciphertext(girih_ciphertext_bytes(alg));
    const ByteString mu(GIRIH_MU_BYTES);
    const girih_random pieces{[](void*, std::uint8_t* out, std::size_t bytes) {
                                  std::fill_n(out, bytes, std::uint8_t{7});
                                  return 0;
                              },
                              nullptr, 1};
    const girih_random failing{[](void*, std::uint8_t*, std::size_t) { return 1; }, nullptr, 0};
    girih_message message;
    std::size_t size = 0;
    Outputs out;
    std::vector<std::function<int()>> calls{
        [&] { return girih_keygen(alg, nullptr, out.of(pk_bytes), pk_bytes, out.of(sk_bytes), sk_bytes); },
        [&] { return girih_keygen(alg, &failing, out.of(pk_bytes), pk_bytes, out.of(sk_bytes), sk_bytes); },
        [&] { return girih_keygen(alg, &pieces, out.of(pk_bytes), pk_bytes, out.of(sk_bytes), sk_bytes); },
        [&] {
            return girih_keygen_from_seed(alg, seed.data(), seed.size(), out.of(pk_bytes), pk_bytes,
                                          out.of(sk_bytes), sk_bytes);
        },
        [&] { return girih_public_key(alg, sk.data(), sk_bytes, out.of(pk_bytes), pk_bytes); },
        [&] {
            girih_keygen_row row{seed.data(), seed.size(),      nullptr,  out.of(pk_bytes),
                                 pk_bytes,    out.of(sk_bytes), sk_bytes, 0};
            const int error = girih_keygen_many(alg, &row, 1);
            return row.result == error ? error : 1;
        },
    };
    if (is_kem) {
        calls.push_back([&] {
            return girih_encapsulate(alg, nullptr, pk.data(), pk_bytes, out.of(ciphertext.size()),
                                     ciphertext.size(), out.of(32), 32);
        });
        calls.push_back([&] {
            return girih_decapsulate(alg, sk.data(), sk_bytes, ciphertext.data(), ciphertext.size(),
                                     out.of(32), 32);
        });
    } else {
        calls.push_back([&] {
            return girih_sign(alg, sk.data(), sk_bytes, nullptr, 0, nullptr, out.of(signature.size()),
                              signature.size(), &size);
        });
        calls.push_back([&] {
            return girih_verify(alg, pk.data(), pk_bytes, nullptr, 0, nullptr, signature.data(),
                                signature.size());
        });
        calls.push_back([&] {
            girih_sign_row row{
                nullptr,          sk.data(), sk_bytes, nullptr, 0, nullptr, out.of(signature.size()),
                signature.size(), 1,         0};
            const int error = girih_sign_many(alg, &row, 1);
            return row.result == error && row.signature_bytes == 0 ? error : 1;
        });
        calls.push_back([&] {
            girih_verify_row row{nullptr, pk.data(),        pk_bytes,         nullptr, 0,
                                 nullptr, signature.data(), signature.size(), 0};
            const int error = girih_verify_many(alg, &row, 1);
            return row.result == error ? error : 1;
        });
        calls.push_back([&] {
            girih_signing_key* key = nullptr;
            return girih_prepare_signing_key(alg, sk.data(), sk_bytes, &message, sizeof message, &key);
        });
        calls.push_back([&] {
            girih_verifying_key* key = nullptr;
            return girih_prepare_verifying_key(alg, pk.data(), pk_bytes, &message, sizeof message, &key);
        });
        if (girih_signing_key_size(alg) != 0 || girih_verifying_key_size(alg) != 0) return 100;
    }
    if (has_mu) {
        calls.push_back([&] {
            return girih_sign_mu(alg, sk.data(), sk_bytes, mu.data(), mu.size(), nullptr,
                                 out.of(signature.size()), signature.size(), &size);
        });
        calls.push_back([&] {
            return girih_verify_mu(alg, pk.data(), pk_bytes, mu.data(), mu.size(), signature.data(),
                                   signature.size());
        });
        calls.push_back([&] { return girih_message_begin(&message, alg, pk.data(), pk_bytes, nullptr); });
        calls.push_back(
            [&] { return girih_message_begin_secret(&message, alg, sk.data(), sk_bytes, nullptr); });
    }
    if (is_falcon) {
        calls.push_back([&] {
            return girih_falcon_reference_keygen(alg, seed.data(), seed.size(), out.of(pk_bytes), pk_bytes,
                                                 out.of(sk_bytes), sk_bytes);
        });
        calls.push_back([&] { return girih_message_begin_signing(&message, alg, nullptr); });
        calls.push_back([&] {
            return girih_message_begin_verifying(&message, alg, signature.data(), signature.size(), nullptr);
        });
        calls.push_back([&] {
            return girih_crypto_sign(alg, sk.data(), sk_bytes, nullptr, 0, nullptr, out.of(2000), 2000,
                                     &size);
        });
        calls.push_back([&] {
            return girih_crypto_sign_open(alg, pk.data(), pk_bytes, signature.data(), signature.size(),
                                          out.of(2000), 2000, &size);
        });
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        size = 0;
        if (calls[i]() != GIRIH_ERROR_ENGINE || size != 0 || !out.are_zero()) return static_cast<int>(i) + 1;
    }
    return 0;
}

class NoEngineDeathTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, NoEngineDeathTest,
                         testing::Values("ML-DSA-44", "Dilithium2", "Falcon-512", "sntrup761", "ntrulpr761"),
                         test::EveryAlgorithm::name);

TEST_P(NoEngineDeathTest, IsAnErrorOfEveryOperation)
{
    EXPECT_EXIT(std::exit(first_wrong(GetParam())), testing::ExitedWithCode(0), "");
}

}  // namespace
