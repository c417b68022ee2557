#include <new>
#include <optional>
#include <type_traits>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/falcon.hpp"
#include "api/signing.hpp"
#include "ml_dsa/hashing/message.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// What lives in girih_message between begin and mu.
struct MessageState {
    keccak::Shake256<Isa> mu;
    std::optional<PreHash> pre_hash;

    void update(BytesIn<> piece)
    {
        if (pre_hash) {
            pre_hash->update(piece);
        } else {
            mu.absorb(piece);
        }
    }

    void finish(BytesOut<> out)
    {
        if (pre_hash) {
            PreHash::Digest digest;
            mu.absorb(pre_hash->finish(digest));
        }
        mu.squeeze(out);
    }
};

/// girih_message's storage: a mark that it was begun, then the state.
struct MessageStorage {
    static constexpr std::uint64_t begun = 0x6769726968206d75;  // "girih mu"
    std::uint64_t mark;
    MessageState state;
};

int begin_message(MessageOut& out, const girih_alg* alg, BytesIn<> tr, const girih_options* options)
{
    Framing framing;
    GIRIH_TRY(make_framing(alg, or_default(options), framing));
    out.give(
        MessageStorage{MessageStorage::begun, {ml_dsa::begin_mu<Isa>(tr, framing.frame), framing.pre_hash}});
    return GIRIH_OK;
}

MessageStorage* storage_of(girih_message* message)
{
    if (message == nullptr || message->opaque[0] != MessageStorage::begun) return nullptr;
    return std::launder(reinterpret_cast<MessageStorage*>(message));
}

}  // namespace

// ML-DSA.Sign (FIPS 204, Algorithm 2), or with a pre-hash HashML-DSA.Sign (FIPS 204, Algorithm 4),
// around the engine's ML-DSA.Sign_internal.
int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
               const uint8_t* message, size_t message_bytes, const girih_options* options, uint8_t* signature,
               size_t signature_capacity, size_t* signature_bytes)
{
    if (is_falcon(alg))
        return falcon_sign(alg, secret_key, secret_key_bytes, options, message, message_bytes,
                           {signature, signature_capacity, signature_bytes});
    return sign_with(
        alg, check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)),
        view(secret_key, secret_key_bytes), options, {signature, signature_capacity, signature_bytes},
        [&](const ml_dsa::Operations& operations, const Byte* rnd, Byte* made) {
            return with_message(alg, options, message, message_bytes,
                                [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                                    return error_of(operations.sign(secret_key, frame, body, rnd, made));
                                });
        },
        verifying(alg, message, message_bytes, options));
}

int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes, const uint8_t* mu,
                  size_t mu_bytes, const girih_options* options, uint8_t* signature,
                  size_t signature_capacity, size_t* signature_bytes)
{
    return sign_with(
        alg, check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)),
        view(secret_key, secret_key_bytes), options, {signature, signature_capacity, signature_bytes},
        [&](const ml_dsa::Operations& operations, const Byte* rnd, Byte* made) {
            GIRIH_TRY(check_mu(mu, mu_bytes, options));
            return error_of(operations.sign_mu(secret_key, mu, rnd, made));
        },
        verifying_mu(alg, mu, mu_bytes));
}

// ML-DSA.Verify (FIPS 204, Algorithm 3), or with a pre-hash
// HashML-DSA.Verify (FIPS 204, Algorithm 5).
int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                 const uint8_t* message, size_t message_bytes, const girih_options* options,
                 const uint8_t* signature, size_t signature_bytes)
{
    if (is_falcon(alg))
        return falcon_verify(alg, public_key, public_key_bytes, options, message, message_bytes, signature,
                             signature_bytes);
    return verify_with(alg, check(public_key, public_key_bytes, girih_public_key_bytes(alg)), signature,
                       signature_bytes, [&](const ml_dsa::Operations& operations) {
                           return with_message(
                               alg, options, message, message_bytes,
                               [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                                   return verdict(operations.verify(public_key, frame, body, signature));
                               });
                       });
}

int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                    const uint8_t* mu, size_t mu_bytes, const uint8_t* signature, size_t signature_bytes)
{
    return verify_with(alg, check(public_key, public_key_bytes, girih_public_key_bytes(alg)), signature,
                       signature_bytes, [&](const ml_dsa::Operations& operations) {
                           GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
                           return verdict(operations.verify_mu(public_key, mu, signature));
                       });
}

int girih_message_begin(girih_message* message, const girih_alg* alg, const uint8_t* public_key,
                        size_t public_key_bytes, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const ml_dsa::Operations* operations;
    GIRIH_TRY(alg->find<Use::verifying>(operations));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    std::array<Byte, 64> tr{};
    operations->hash_public_key(public_key, tr.data());
    return begin_message(out, alg, BytesIn<>{tr}.first(alg->ml_dsa_params().tr_bytes), options);
}

int girih_message_begin_secret(girih_message* message, const girih_alg* alg, const uint8_t* secret_key,
                               size_t secret_key_bytes, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    if (alg->scheme != Scheme::ml_dsa || !alg->serves(Use::everything)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    const BytesIn<> tr = view(secret_key, secret_key_bytes)
                             .subspan(ml_dsa::rho_bytes + ml_dsa::key_bytes, alg->ml_dsa_params().tr_bytes);
    return begin_message(out, alg, tr, options);
}

int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes)
{
    FalconStorage* const falcon = falcon_storage_of(message);
    MessageStorage* const ml_dsa = storage_of(message);
    if ((falcon == nullptr && ml_dsa == nullptr) || !is_there(piece, piece_bytes))
        return GIRIH_ERROR_ARGUMENT;
    if (overlap(message, sizeof *message, piece, piece_bytes)) return GIRIH_ERROR_OVERLAP;
    if (falcon != nullptr)
        falcon->message.hash.absorb(view(piece, piece_bytes));
    else
        ml_dsa->state.update(view(piece, piece_bytes));
    return GIRIH_OK;
}

int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes)
{
    Output mu_out{mu, mu_bytes};
    MessageStorage* const storage = storage_of(message);
    if (storage == nullptr) return GIRIH_ERROR_ARGUMENT;
    if (const int error = check(mu, mu_bytes, GIRIH_MU_BYTES); error != GIRIH_OK) {
        // What is zeroed of the storage may not pass for a message.
        if (overlap(message, sizeof *message, mu, mu_bytes)) wipe(*message);
        return error;
    }
    std::array<Byte, GIRIH_MU_BYTES> made;
    storage->state.finish(made);
    storage->~MessageStorage();
    wipe(*message);
    mu_out.give(made);
    return GIRIH_OK;
}
