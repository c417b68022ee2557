/// The C interface with byte strings that own their memory.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "support/bytes.hpp"

namespace girih::test {

inline constexpr std::array algorithm_names{"ML-DSA-44",  "ML-DSA-65",  "ML-DSA-87",
                                            "Dilithium2", "Dilithium3", "Dilithium5"};

inline constexpr std::array falcon_names{"Falcon-512",         "Falcon-1024",   "Falcon-padded-512",
                                         "Falcon-padded-1024", "Falcon-CT-512", "Falcon-CT-1024"};

struct KeyPair {
    ByteString public_key;
    ByteString secret_key;
};

inline KeyPair key_pair(const girih_alg* alg, BytesIn<> seed)
{
    KeyPair keys{ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))};
    EXPECT_EQ(girih_keygen_from_seed(alg, seed.data(), seed.size(), keys.public_key.data(),
                                     keys.public_key.size(), keys.secret_key.data(), keys.secret_key.size()),
              GIRIH_OK);
    return keys;
}

inline constexpr girih_options deterministic{nullptr, 0, nullptr, 1, nullptr, 0, {}};

/// The options of a context, deterministic.
inline girih_options with_context(BytesIn<> context, const char* pre_hash = nullptr)
{
    return {context.data(), context.size(), pre_hash, 1, nullptr, 0, {}};
}

inline ByteString sign(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message,
                       const girih_options& options = deterministic)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t size = 0;
    EXPECT_EQ(girih_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(), &options,
                         signature.data(), signature.size(), &size),
              GIRIH_OK);
    EXPECT_TRUE(size == signature.size() || std::string_view{girih_name(alg)}.starts_with("Falcon")) << size;
    signature.resize(size);
    return signature;
}

inline ByteString sign_mu(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> mu,
                          const girih_options& options = deterministic)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t size = 0;
    EXPECT_EQ(girih_sign_mu(alg, secret_key.data(), secret_key.size(), mu.data(), mu.size(), &options,
                            signature.data(), signature.size(), &size),
              GIRIH_OK);
    EXPECT_EQ(size, signature.size());
    return signature;
}

/// What girih_verify returns.
inline int verify(const girih_alg* alg, BytesIn<> public_key, BytesIn<> message, BytesIn<> signature,
                  const girih_options& options = deterministic)
{
    return girih_verify(alg, public_key.data(), public_key.size(), message.data(), message.size(), &options,
                        signature.data(), signature.size());
}

inline int verify_mu(const girih_alg* alg, BytesIn<> public_key, BytesIn<> mu, BytesIn<> signature)
{
    return girih_verify_mu(alg, public_key.data(), public_key.size(), mu.data(), mu.size(), signature.data(),
                           signature.size());
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

inline bool is_zero(BytesIn<> bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](Byte byte) { return byte == 0; });
}

/// Flips bit `bit` of a string, counted from the lowest of its first byte.
inline void flip(ByteString& bytes, std::size_t bit)
{
    bytes[bit / 8] = static_cast<Byte>(bytes[bit / 8] ^ 1U << bit % 8);
}

/// A test for each algorithm, named after it.
class EveryAlgorithm : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());

    static std::string name(const testing::TestParamInfo<const char*>& info)
    {
        std::string name = info.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};

}  // namespace girih::test
