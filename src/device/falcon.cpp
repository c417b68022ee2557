/// Falcon: a message, whole or in pieces, is hashed after the salt of its signature.
#include "device/falcon.hpp"

#include <algorithm>
#include <new>

#include "core/secret.hpp"
#include "device/signatures.hpp"

namespace girih::device {

namespace {

using falcon::salt_bytes;
using Purpose = BegunMessage::Purpose;

/// A bad signature's number differs from GIRIH_OK even if the assignment is skipped. (A compiler
/// that merges this with the caller's other returns may decide by one instruction all the same.)
int error_of(falcon::Verdict verdict)
{
    static_assert(static_cast<int>(falcon::Verdict::good) == GIRIH_OK);
    auto error = static_cast<int>(verdict);
    if (error != GIRIH_OK)
        error = verdict == falcon::Verdict::malformed_key ? GIRIH_ERROR_PUBLIC_KEY : GIRIH_ERROR_SIGNATURE;
    return error;
}

/// The error of girih_public_key for a secret key that signing refused.
[[gnu::noinline]] int why_malformed(const SignCall& call)
{
    auto* const public_key = static_cast<Byte*>(__builtin_alloca(call.alg->public_key_bytes));
    const int error = call.alg->public_key(call.secret_key, public_key);
    return error == GIRIH_OK ? int{GIRIH_ERROR_SECRET_KEY} : error;
}

/// Two requests, in the order of the known answers.
int draw_randomness(const girih_options* options, BytesOut<salt_bytes> salt,
                    BytesOut<falcon::seed_bytes> seed)
{
    if (is_deterministic(options)) return GIRIH_ERROR_OPTION;
    GIRIH_TRY(draw(random_of(options), salt));
    GIRIH_TRY(draw(random_of(options), seed));
    girih::declassify(salt, "Section 3.10: the salt is part of the signature");
    return GIRIH_OK;
}

/// A hash in the signature's memory: its point is made before the signature is written.
Hash& hash_in(const SignCall& call)
{
    static_assert(sizeof(Hash) + alignof(Hash) <= falcon::falcon_padded_512.signature_bytes());
    const auto begin = reinterpret_cast<std::uintptr_t>(call.signature);
    return *new (call.signature + (alignof(Hash) - begin % alignof(Hash)) % alignof(Hash)) Hash;
}

/// Signs with a hash that has absorbed salt and message; absorb(hash) absorbs both again, for
/// verify_after_sign.
template <class Absorb>
int sign_hash(const SignCall& call, Hash& hash, const Byte* salt, const Byte* seed, std::size_t& made,
              Absorb absorb)
{
    const FalconFunctions& falcon = *call.alg->falcon;
    const auto outcome = falcon.sign(call.secret_key, hash, salt, seed, call.signature);
    if (outcome.result == falcon::SignResult::malformed_key) return why_malformed(call);
    if (outcome.result == falcon::SignResult::too_many_attempts) return GIRIH_ERROR_ATTEMPTS;
    made = outcome.bytes;
    if (!is_verified_after(call.options)) return GIRIH_OK;
    return verify_after(call, [&](const Byte* public_key) {
        Hash again;
        absorb(again);
        return falcon.verify(public_key, again, {call.signature, made}) == falcon::Verdict::good;
    });
}

/// The seed of a message in pieces: a hash of the drawn seed and of what the hash of salt and
/// message squeezes after the point. So copies of a begun message get the same seed for the same
/// message, and independent ones for different messages.
[[gnu::noinline]] void derive_seed(const BegunMessage& begun, BytesOut<falcon::seed_bytes> seed)
{
    Hash hash = begun.hash;
    begun.alg->falcon->skip_point(hash);
    std::array<Byte, 64> beyond;
    hash.squeeze(beyond);
    Hash{}.absorb(begun.seed).absorb(beyond).squeeze(seed);
}

int check_end(const SignCall& call)
{
    GIRIH_TRY(check_signing(call, GIRIH_OK));
    GIRIH_TRY(check_options(*call.alg, call.options));
    return is_deterministic(call.options) ? GIRIH_ERROR_OPTION : GIRIH_OK;
}

int sign_begun(const SignCall& call, const BegunMessage& begun, std::size_t& made)
{
    GIRIH_TRY(check_end(call));
    Wiped<std::array<Byte, falcon::seed_bytes>> seed{uninitialized};
    derive_seed(begun, *seed);
    Hash& hash = hash_in(call);
    hash = begun.hash;
    return sign_hash(call, hash, begun.salt.data(), seed->data(), made,
                     [&](Hash& again) { again = begun.hash; });
}

int begin_signing(girih_message* message, const girih_alg* alg, const girih_options* options)
{
    GIRIH_TRY(check_has(alg, &girih_alg::falcon));
    GIRIH_TRY(check_has(alg, &girih_alg::sign));
    GIRIH_TRY(check_options(*alg, options));
    BegunMessage& begun = begin_message(message, *alg, Purpose::signing);
    GIRIH_TRY(draw_randomness(options, begun.salt, begun.seed));
    begun.hash.absorb(begun.salt);
    return GIRIH_OK;
}

int begin_verifying(girih_message* message, const girih_alg* alg, const Byte* signature,
                    std::size_t signature_bytes, const girih_options* options)
{
    GIRIH_TRY(check_has(alg, &girih_alg::falcon));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_options(*alg, options));
    if (signature_bytes <= 1 + salt_bytes) return GIRIH_ERROR_SIGNATURE;
    BegunMessage& begun = begin_message(message, *alg, Purpose::verifying);
    copy({signature + 1, salt_bytes}, begun.salt);
    begun.hash.absorb(begun.salt);
    return GIRIH_OK;
}

int verify_begun(BegunMessage& begun, const Byte* public_key, std::size_t public_key_bytes,
                 const Byte* signature, std::size_t signature_bytes)
{
    GIRIH_TRY(check_public_key(*begun.alg, public_key, public_key_bytes));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    // The hashed salt must be this signature's.
    if (signature_bytes <= 1 + salt_bytes || !std::equal(begun.salt.begin(), begun.salt.end(), signature + 1))
        return GIRIH_ERROR_SIGNATURE;
    return error_of(begun.alg->falcon->verify(public_key, begun.hash, {signature, signature_bytes}));
}

}  // namespace

int falcon_sign(const SignCall& call, std::size_t& made)
{
    std::array<Byte, salt_bytes> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed{uninitialized};
    GIRIH_TRY(draw_randomness(call.options, salt, *seed));
    const auto absorb = [&](Hash& hash) { hash.absorb(salt).absorb(view(call.message, call.message_bytes)); };
    Hash& hash = hash_in(call);
    absorb(hash);
    return sign_hash(call, hash, salt.data(), seed->data(), made, absorb);
}

int falcon_verify(const VerifyCall& call)
{
    Hash hash;
    if (call.signature_bytes > 1 + salt_bytes) {  // else it is refused for its length
        hash.absorb(BytesIn<>{call.signature + 1, salt_bytes});
        hash.absorb(view(call.message, call.message_bytes));
    }
    return error_of(
        call.alg->falcon->verify(call.public_key, hash, view(call.signature, call.signature_bytes)));
}

}  // namespace girih::device

using namespace girih;
using namespace girih::device;

int girih_message_begin_signing(girih_message* message, const girih_alg* alg, const girih_options* options)
{
    return begin_apart(message, {}, options, [&] { return begin_signing(message, alg, options); });
}

int girih_message_sign(girih_message* message, const uint8_t* secret_key, size_t secret_key_bytes,
                       const girih_options* options, uint8_t* signature, size_t signature_capacity,
                       size_t* signature_bytes)
{
    SignCall call{nullptr, secret_key, secret_key_bytes,   nullptr,        0,
                  options, signature,  signature_capacity, signature_bytes};
    GIRIH_TRY(check_apart(call, {message, sizeof *message}));
    const BegunMessage* const begun = begun_message(message, Purpose::signing);
    std::size_t made = 0;
    if (signature_bytes == nullptr) return finish(GIRIH_ERROR_ARGUMENT, call, made);
    if (begun == nullptr) return finish(GIRIH_ERROR_MESSAGE, call, made);
    call.alg = begun->alg;
    const int error = sign_begun(call, *begun, made);
    wipe(*message);
    return finish(error, call, made);
}

int girih_message_begin_verifying(girih_message* message, const girih_alg* alg, const uint8_t* signature,
                                  size_t signature_bytes, const girih_options* options)
{
    return begin_apart(message, {signature, signature_bytes}, options,
                       [&] { return begin_verifying(message, alg, signature, signature_bytes, options); });
}

int girih_message_verify(girih_message* message, const uint8_t* public_key, size_t public_key_bytes,
                         const uint8_t* signature, size_t signature_bytes)
{
    const std::array pieces{Piece{message, sizeof *message}, Piece{public_key, public_key_bytes},
                            Piece{signature, signature_bytes}};
    GIRIH_TRY(check_apart(pieces, 1));
    BegunMessage* const begun = begun_message(message, Purpose::verifying);
    if (begun == nullptr) return GIRIH_ERROR_MESSAGE;
    const int error = verify_begun(*begun, public_key, public_key_bytes, signature, signature_bytes);
    wipe(*message);
    return error;
}
