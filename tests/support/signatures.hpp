/// The C interface with byte strings that own their memory.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "support/bytes.hpp"
#include "support/c_call.hpp"
#include "support/typed.hpp"

namespace girih::test {

inline constexpr std::array algorithm_names{"ML-DSA-44",  "ML-DSA-65",  "ML-DSA-87",
                                            "Dilithium2", "Dilithium3", "Dilithium5"};

inline constexpr std::array falcon_names{"Falcon-512",         "Falcon-1024",   "Falcon-padded-512",
                                         "Falcon-padded-1024", "Falcon-CT-512", "Falcon-CT-1024"};

/// Whether this is a build of all algorithms.
inline bool is_whole_library() { return girih_algorithm_at(26) != nullptr; }
inline bool is_left_out(const girih_alg* alg) { return alg == nullptr && !is_whole_library(); }

struct KeyPair {
    ByteString public_key;
    ByteString secret_key;

    friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

inline KeyPair room_for_keys(const girih_alg* alg)
{
    return {ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))};
}

/// A key pair by a function that makes keys from a seed, or from a source of randomness.
template <class Keygen, class From>
KeyPair keys_by(Keygen keygen, const girih_alg* alg, const From& from)
{
    KeyPair keys = room_for_keys(alg);
    EXPECT_EQ(call(keygen, alg, from, keys.public_key, keys.secret_key), GIRIH_OK);
    return keys;
}

inline KeyPair key_pair(const girih_alg* alg, BytesIn<> seed)
{
    return keys_by(girih_keygen_from_seed, alg, seed);
}

inline constexpr girih_options deterministic{nullptr, 0, nullptr, 1, nullptr, 0, {}};

/// Options for deterministic signing with a context.
inline girih_options with_context(BytesIn<> context, const char* pre_hash = nullptr)
{
    return {context.data(), context.size(), pre_hash, 1, nullptr, 0, {}};
}

/// A signature by `function`, in its actual length.
template <class Function, class... Arguments>
ByteString signature_by(Function function, const girih_alg* alg, const Arguments&... arguments)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t size = 0;
    EXPECT_EQ(call(function, arguments..., signature, &size), GIRIH_OK);
    signature.resize(size);
    return signature;
}

inline ByteString sign(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message,
                       const girih_options& options = deterministic)
{
    const ByteString signature = signature_by(girih_sign, alg, alg, secret_key, message, &options);
    EXPECT_TRUE(signature.size() == girih_signature_bytes(alg) ||
                std::string_view{girih_name(alg)}.starts_with("Falcon"));
    return signature;
}

inline ByteString sign_mu(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> mu,
                          const girih_options& options = deterministic)
{
    const ByteString signature = signature_by(girih_sign_mu, alg, alg, secret_key, mu, &options);
    EXPECT_EQ(signature.size(), girih_signature_bytes(alg));
    return signature;
}

/// The result of girih_verify.
inline int verify(const girih_alg* alg, BytesIn<> public_key, BytesIn<> message, BytesIn<> signature,
                  const girih_options& options = deterministic)
{
    return call(girih_verify, alg, public_key, message, &options, signature);
}

inline int verify_mu(const girih_alg* alg, BytesIn<> public_key, BytesIn<> mu, BytesIn<> signature)
{
    return call(girih_verify_mu, alg, public_key, mu, signature);
}

/// A source of randomness that gives the bytes it was made with, in order, and fails
/// when they run out.
class GivenBytes {
  public:
    explicit GivenBytes(BytesIn<> bytes) : rest_(bytes) {}
    GivenBytes(const GivenBytes&) = delete;
    GivenBytes& operator=(const GivenBytes&) = delete;

    [[nodiscard]] const girih_random* source() const { return &source_; }
    [[nodiscard]] bool used_up() const { return rest_.empty(); }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        BytesIn<>& rest = static_cast<GivenBytes*>(state)->rest_;
        if (rest.size() < bytes) return -1;
        std::copy_n(rest.begin(), bytes, out);
        rest = rest.subspan(bytes);
        return 0;
    }

    BytesIn<> rest_;
    girih_random source_{fill, this, 0};
};

/// The error of girih_public_key for a secret key; the output is zero after an error.
inline int import_error(const girih_alg* alg, BytesIn<> secret_key)
{
    ByteString public_key(girih_public_key_bytes(alg), 0xEE);
    const int error = call(girih_public_key, alg, secret_key, public_key);
    EXPECT_EQ(is_zero(public_key), error != GIRIH_OK);
    return error;
}

/// A test for each algorithm, named after it.
class EveryAlgorithm : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());

    static std::string name(const testing::TestParamInfo<const char*>& info) { return test_name(info.param); }
};

}  // namespace girih::test
