/// Every operation of girih.h on inputs that are the same in every run, for engines to be compared.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/signatures.hpp"

namespace girih::test {

using Hash = keccak::Shake256<isa::portable::Isa>;

inline std::string digest_of(Hash& hash)
{
    ByteString digest(32);
    hash.squeeze(digest);
    return to_hex(digest);
}

/// The outputs of operations, in one hash for each operation.
class Outputs {
  public:
    void add(const std::string& operation, BytesIn<> bytes) { hashes_[operation].absorb(bytes); }
    void add(const std::string& operation, int error)
    {
        add(operation, ByteString{static_cast<Byte>(error)});
    }
    void add(const std::string& operation, const KeyPair& keys)
    {
        add(operation, keys.public_key);
        add(operation, keys.secret_key);
    }

    /// By operation.
    [[nodiscard]] std::map<std::string, std::string> digests() const
    {
        std::map<std::string, std::string> digests;
        for (auto [operation, hash] : hashes_) digests[operation] = digest_of(hash);
        return digests;
    }

  private:
    std::map<std::string, Hash> hashes_;
};

/// A source of randomness that gives the same bytes after each rewind.
class Replay {
  public:
    explicit Replay(ByteString bytes, int piecewise = 0) : bytes_(std::move(bytes)), piecewise_(piecewise) {}

    [[nodiscard]] girih_random rewound()
    {
        next_ = 0;
        return {fill, this, piecewise_};
    }

  private:
    static int fill(void* self, std::uint8_t* out, std::size_t count)
    {
        auto& replay = *static_cast<Replay*>(self);
        if (replay.bytes_.size() - replay.next_ < count) return -1;
        std::copy_n(replay.bytes_.begin() + static_cast<std::ptrdiff_t>(replay.next_), count, out);
        replay.next_ += count;
        return 0;
    }

    ByteString bytes_;
    std::size_t next_ = 0;
    int piecewise_;
};

/// Flips a bit, any.
inline void damage(ByteString& bytes, Numbers& numbers)
{
    flip(bytes, static_cast<std::size_t>(numbers.between(0, 8 * static_cast<int>(bytes.size()) - 1)));
}

inline std::vector<KeyPair> keys_in_a_batch(const girih_alg* alg, const std::vector<ByteString>& seeds)
{
    std::vector<KeyPair> keys(seeds.size(), room_for_keys(alg));
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < seeds.size(); ++i)
        rows.push_back(row_of<girih_keygen_row>(seeds[i], nullptr, keys[i].public_key, keys[i].secret_key));
    EXPECT_EQ(call(girih_keygen_many, alg, rows), GIRIH_OK);
    return keys;
}

/// A key pair of a signature scheme and its prepared forms.
class Signer {
  public:
    Signer(const girih_alg* of, KeyPair pair);
    Signer(const Signer&) = delete;
    Signer& operator=(const Signer&) = delete;
    ~Signer() { girih_wipe_signing_key(signing); }

    const girih_alg* alg;
    KeyPair keys;
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

  private:
    KeyMemory signing_memory_;
    KeyMemory verifying_memory_;
};

/// A message and everything else that determines its signature.
class SignatureInput {
  public:
    /// `number` decides whether there is a context, a pre-hash and randomness.
    SignatureInput(const girih_alg* alg, Numbers& numbers, std::size_t bytes, std::size_t number);

    /// The options, with the randomness rewound. They point into this object.
    const girih_options& options(bool is_framed = true);

    ByteString message;

  private:
    ByteString context_;
    const char* pre_hash_ = nullptr;
    bool is_deterministic_;
    Replay replay_;
    girih_random random_{};
    girih_options options_{};
};

ByteString sign_alone(const Signer& signer, SignatureInput& input);
ByteString sign_prepared(const Signer& signer, SignatureInput& input);

/// Signatures of all inputs, input i by signers[i % signers.size()], with prepared keys or without.
std::vector<ByteString> sign_in_a_batch(const std::vector<const Signer*>& signers,
                                        std::vector<SignatureInput>& inputs, bool is_prepared);

/// Every way from a seed to its key pair, all to the same one; and from a secret to a public key.
void run_key_operations(const girih_alg* alg, const ByteString& seed, const KeyPair& keys);

/// How much is signed: the numbers of keys, of signatures of each, and of rows in a batch.
struct SignatureRuns {
    std::size_t signers;
    std::size_t signatures;
    std::vector<std::size_t> batches;
};

/// All operations that sign and verify; or those of a KEM, for `rounds` batches of keys. Randomness
/// comes from `numbers`.
void run_signature_operations(const girih_alg* alg, const SignatureRuns& runs, Numbers& numbers,
                              Outputs& out);
void run_kem_operations(const girih_alg* alg, std::size_t rounds, Numbers& numbers, Outputs& out);

}  // namespace girih::test
