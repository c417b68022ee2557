/// Keys and inputs of signatures, for every signature scheme alike.
#pragma once

#include <vector>

#include "cross_isa/operations.hpp"

namespace girih::test {

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
    PreparedMemory signing_memory_;
    PreparedMemory verifying_memory_;
};

/// A message and all else that decides its signature.
class SignatureInput {
  public:
    /// `number` decides about context, pre-hash and randomness, where there may be none.
    SignatureInput(const girih_alg* alg, Numbers& numbers, std::size_t bytes, std::size_t number);

    /// With the randomness as it was at first. They point into this object.
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

/// Signatures of all inputs, input i by signers[i % signers.size()]; with keys prepared, or not.
std::vector<ByteString> sign_in_a_batch(const std::vector<const Signer*>& signers,
                                        std::vector<SignatureInput>& inputs, bool is_prepared);

}  // namespace girih::test
