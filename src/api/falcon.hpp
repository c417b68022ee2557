/// Falcon's side of the functions that sign and verify: no contexts, no pre-hashes, nothing
/// deterministic; a salt and a seed for every signature, and signatures of different lengths.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "api/prepared_key.hpp"
#include "api/signing.hpp"

namespace girih::api {

inline bool is_falcon(const girih_alg* alg) { return alg != nullptr && alg->is_falcon(); }

/// What the options may not ask for.
int check_falcon_options(const girih_options& options);
int falcon_error(falcon::Verdict verdict);

int falcon_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                const girih_options* options, const uint8_t* message, size_t message_bytes,
                const SignatureOut& out);
int falcon_sign(const girih_signing_key& key, const girih_options* options, const uint8_t* message,
                size_t message_bytes, const SignatureOut& out);
int falcon_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                  const girih_options* options, const uint8_t* message, size_t message_bytes,
                  const uint8_t* signature, size_t signature_bytes);
int falcon_verify(const girih_verifying_key& key, const girih_options* options, const uint8_t* message,
                  size_t message_bytes, const uint8_t* signature, size_t signature_bytes);

/// Why a secret key that signing refused is none: as girih_public_key tells it.
int why_malformed(const girih_alg& alg, const Byte* secret_key);

/// What a signature draws: two requests, in the order of the known answers.
struct FalconRandomness {
    Wiped<std::array<Byte, falcon::salt_bytes>> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;

    int draw_for(const girih_options& options);
};

/// Signs the point that salt and message were hashed to.
int falcon_sign_point(const girih_alg* alg, BytesIn<> secret_key, const girih_options& options,
                      const falcon::Residue* c, const FalconRandomness& random, SigningOutputs& outputs);

/// A message on its way through girih_message: the hash that began with the salt. Of one to be
/// signed also the seed that was drawn with it.
struct FalconMessage {
    const girih_alg* alg;
    std::array<Byte, falcon::salt_bytes> salt;
    std::array<Byte, falcon::seed_bytes> seed;
    bool is_signed;  ///< else verified
    keccak::Shake256<Isa> hash;

    ~FalconMessage() { wipe(seed); }
};

/// What girih_message's storage holds, after a mark that says which.
struct FalconStorage {
    static constexpr std::uint64_t begun = 0x67697269682d6672;  // "girih-fr"
    std::uint64_t mark;
    FalconMessage message;
};

/// Null if the message is none of Falcon's.
FalconStorage* falcon_storage_of(girih_message* message);

/// Rows of a batch that has passed its check.
void falcon_sign_group(const girih_alg* alg, std::span<girih_sign_row> rows);
void falcon_verify_group(const girih_alg* alg, std::span<girih_verify_row> rows);

}  // namespace girih::api
