/// girih.h for devices: an algorithm has its sizes and its functions over the compact schemes,
/// which write into the caller's buffers. A linker that drops unused sections keeps only what a
/// program names.
#pragma once

#include <girih/device.h>
#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "api/arguments.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "isa/cortex_m/engine.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/interface.hpp"

namespace girih::device {

using namespace api;

struct Isa : isa::cortex_m::Isa {
    using SpongeIsa = Isa;
};
/// Where flash and memory count for more than time: algorithms that only verify, and Falcon by the
/// small plan.
struct SmallIsa : Isa {
    static constexpr bool saves_flash = true;
    static constexpr bool saves_memory = true;
};

}  // namespace girih::device

namespace girih::keccak {

// Instantiated in shared.cpp.
extern template class SpongeOf<device::Isa, ChosenFunction>;

}  // namespace girih::keccak

namespace girih::device {

enum class Plan { small, fast };
inline constexpr bool is_small = Plan::GIRIH_DEVICE_PLAN == Plan::small;

using Hash = keccak::Shake256<Isa>;

inline constexpr std::size_t max_seed_bytes = 64;  ///< of a key pair: ML-KEM's

/// The arguments of girih_sign or girih_sign_mu, or of the end of a message in pieces.
struct SignCall {
    const girih_alg* alg;
    const Byte* secret_key;
    std::size_t secret_key_bytes;
    const Byte* message;  ///< or mu
    std::size_t message_bytes;
    const girih_options* options;
    Byte* signature;
    std::size_t capacity;
    std::size_t* signature_bytes;
};

/// The arguments of girih_verify.
struct VerifyCall {
    const girih_alg* alg;
    const Byte* public_key;
    std::size_t public_key_bytes;
    const Byte* message;
    std::size_t message_bytes;
    const girih_options* options;
    const Byte* signature;
    std::size_t signature_bytes;
};

// Functions of one algorithm. Every pointer is to as many bytes as the algorithm says.

struct MlDsaFunctions {
    ml_dsa::Version version;
    /// rnd is null for a deterministic signature, and may lie in the signature.
    ml_dsa::SignResult (*sign)(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* signature);
    /// 0 for a good signature.
    std::uint32_t (*verify)(const Byte* pk, const Byte* mu, const Byte* signature);
};

/// `hash` has absorbed the salt and the message.
struct FalconFunctions {
    falcon::SignOutcome (*sign)(const Byte* sk, Hash& hash, const Byte* salt, const Byte* seed,
                                Byte* signature);
    falcon::Verdict (*verify)(const Byte* pk, Hash& hash, BytesIn<> signature);
    void (*skip_point)(Hash& hash);  ///< squeezes the message's point
};

struct KemFunctions {
    static constexpr std::size_t shared_secret_bytes = 32;  ///< of every KEM
    int (*encapsulate)(const girih_random* random, const Byte* pk, Byte* ciphertext, Byte* shared_secret);
    int (*decapsulate)(const Byte* sk, const Byte* ciphertext, Byte* shared_secret);
};

}  // namespace girih::device

struct girih_alg {
    const char* name;
    std::uint16_t seed_bytes;
    std::uint16_t public_key_bytes;
    std::uint16_t secret_key_bytes;
    std::uint16_t signature_bytes;   ///< 0 for a key encapsulation mechanism
    std::uint16_t ciphertext_bytes;  ///< 0 for a signature scheme
    bool has_context;
    bool has_mu;
    // A null function is not supported.
    void (*keygen)(const girih::Byte* seed, girih::Byte* pk, girih::Byte* sk);
    /// Draws each piece from the source; null if the algorithm draws only a seed.
    int (*keygen_piecewise)(const girih_random& random, girih::Byte* pk, girih::Byte* sk);
    int (*public_key)(const girih::Byte* sk, girih::Byte* pk);
    /// Signs and verifies calls whose arguments have been checked.
    int (*sign)(const girih::device::SignCall& call, std::size_t& made);
    int (*verify)(const girih::device::VerifyCall& call);
    const girih::device::MlDsaFunctions* ml_dsa;
    const girih::device::FalconFunctions* falcon;
    const girih::device::KemFunctions* kem;
};

namespace girih::device {

// ---- Arguments

struct Piece {
    const void* data;
    std::size_t bytes;
};

/// GIRIH_ERROR_OVERLAP if one of the first `outputs` pieces shares a byte with another piece. It
/// comes before all other checks, and then nothing is written.
int check_apart(std::span<const Piece> pieces, std::size_t outputs);
/// check_apart with the options, and all that they point to, as further inputs.
int check_apart(std::span<const Piece> pieces, std::size_t outputs, const girih_options* options);

/// Ends a call: zeroes an output unless there is no error, and returns the error.
int finish(int error, Byte* output, std::size_t bytes);
/// Ends signing: `made` bytes of signature are kept, unless there is an error.
int finish(int error, const SignCall& call, std::size_t made);

/// The options of signing and verification, which an algorithm may lack.
int check_options(const girih_alg& alg, const girih_options* options);

inline bool is_deterministic(const girih_options* options)
{
    return options != nullptr && options->deterministic != 0;
}
inline bool is_verified_after(const girih_options* options)
{
    return options != nullptr && options->verify_after_sign != 0;
}
inline const girih_random* random_of(const girih_options* options)
{
    return options == nullptr ? nullptr : options->random;
}

/// GIRIH_ERROR_RANDOM if the source, or if it is null the application's, fails.
int draw(const girih_random* random, BytesOut<> out);

/// The error of girih_public_key, for a scheme's KeyCheck.
template <class KeyCheck>
constexpr int error_of(KeyCheck check)
{
    if (check == KeyCheck::good) return GIRIH_OK;
    return check == KeyCheck::malformed ? GIRIH_ERROR_SECRET_KEY : GIRIH_ERROR_KEY_MISMATCH;
}

// ---- Messages in pieces

/// The content of girih_message.
struct BegunMessage {
    enum class Purpose : std::uint8_t { mu, signing, verifying };

    static constexpr std::uint64_t begun = 0x67697269682d6d64;  // "girih-md"
    std::uint64_t mark;
    const girih_alg* alg;
    Hash hash;
    Purpose purpose;
    std::array<Byte, falcon::salt_bytes> salt;  ///< Falcon's
    std::array<Byte, falcon::seed_bytes> seed;  ///< drawn for Falcon's signature
};
static_assert(sizeof(BegunMessage) <= sizeof(girih_message) &&
              alignof(BegunMessage) <= alignof(girih_message));

/// Turns a message's storage into a begun message.
BegunMessage& begin_message(girih_message* message, const girih_alg& alg, BegunMessage::Purpose purpose);

/// Null if no message has been begun for the purpose.
BegunMessage* begun_message(girih_message* message, BegunMessage::Purpose purpose);

// ---- Algorithms

/// The name and sizes of an algorithm.
template <class Params>
constexpr girih_alg algorithm_of(const char* name, const Params& p, std::size_t seed_bytes)
{
    girih_alg alg{};
    alg.name = name;
    alg.seed_bytes = static_cast<std::uint16_t>(seed_bytes);
    alg.public_key_bytes = static_cast<std::uint16_t>(p.public_key_bytes());
    alg.secret_key_bytes = static_cast<std::uint16_t>(p.secret_key_bytes());
    return alg;
}

}  // namespace girih::device
