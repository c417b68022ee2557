/// ML-DSA: from a message, whole or in pieces, to mu, and from there to a signature or a verdict.
#include "device/ml_dsa.hpp"

#include "device/signatures.hpp"

namespace girih::device {

namespace {

using Mu = std::array<Byte, ml_dsa::mu_bytes>;

/// tr, as it is in a secret key.
BytesIn<> tr_of(const girih_alg& alg, const Byte* secret_key)
{
    return {secret_key + ml_dsa::rho_bytes + ml_dsa::key_bytes, alg.ml_dsa->version.tr_bytes};
}

/// Begins H(tr | M') (FIPS 204, Algorithm 7, line 6): the message is absorbed next.
[[gnu::noinline]] void begin_mu(const girih_alg& alg, BytesIn<> tr, const girih_options* options, Hash& hash)
{
    hash.absorb(tr);
    if (!alg.has_context) return;
    const auto context = options == nullptr ? BytesIn<>{} : view(options->context, options->context_bytes);
    hash.absorb(std::array<Byte, 2>{0, static_cast<Byte>(context.size())}).absorb(context);
}
/// begin_mu with tr = H(pk). (noinline, so that its sponge is gone when the message is absorbed.)
[[gnu::noinline]] void begin_mu(const girih_alg& alg, const Byte* public_key, const girih_options* options,
                                Hash& hash)
{
    Mu memory;
    const BytesOut<> tr = BytesOut<>{memory}.first(alg.ml_dsa->version.tr_bytes);
    Hash{}.absorb(BytesIn<>{public_key, alg.public_key_bytes}).squeeze(tr);
    begin_mu(alg, tr, options, hash);
}

[[gnu::noinline]] void make_mu(const SignCall& call, Mu& mu)
{
    Hash hash;
    begin_mu(*call.alg, tr_of(*call.alg, call.secret_key), call.options, hash);
    hash.absorb(view(call.message, call.message_bytes)).squeeze(mu);
}
[[gnu::noinline]] void make_mu(const VerifyCall& call, Mu& mu)
{
    Hash hash;
    begin_mu(*call.alg, call.public_key, call.options, hash);
    hash.absorb(view(call.message, call.message_bytes)).squeeze(mu);
}

/// A bad signature's number differs from GIRIH_OK even if the assignment is skipped. (A compiler
/// that merges this with the caller's other returns may decide by one instruction all the same.)
int error_of(std::uint32_t difference)
{
    auto error = static_cast<int>(difference);
    if (error != GIRIH_OK) error = GIRIH_ERROR_SIGNATURE;
    return error;
}

int error_of(ml_dsa::SignResult result)
{
    if (result == ml_dsa::SignResult::good) return GIRIH_OK;
    return result == ml_dsa::SignResult::malformed_key ? GIRIH_ERROR_SECRET_KEY : GIRIH_ERROR_ATTEMPTS;
}

[[gnu::always_inline]] inline int sign_mu(const SignCall& call, const Byte* mu, std::size_t& made)
{
    const MlDsaFunctions& ml_dsa = *call.alg->ml_dsa;
    // rnd is in the signature's memory: it is used before the signature is written.
    const Byte* rnd = nullptr;
    if (!is_deterministic(call.options)) {
        GIRIH_TRY(draw(random_of(call.options), {call.signature, ml_dsa.version.rnd_bytes()}));
        rnd = call.signature;
    }
    GIRIH_TRY(error_of(ml_dsa.sign(call.secret_key, mu, rnd, call.signature)));
    made = call.alg->signature_bytes;
    if (!is_verified_after(call.options)) return GIRIH_OK;
    return verify_after(
        call, [&](const Byte* public_key) { return ml_dsa.verify(public_key, mu, call.signature) == 0; });
}

int check_signs_mu(const girih_alg* alg)
{
    GIRIH_TRY(check_has(alg, &girih_alg::ml_dsa));
    return check_has(alg, &girih_alg::sign);
}

int begin_with_public_key(girih_message* message, const girih_alg* alg, const Byte* public_key,
                          std::size_t public_key_bytes, const girih_options* options)
{
    GIRIH_TRY(check_has(alg, &girih_alg::ml_dsa));
    GIRIH_TRY(check_public_key(*alg, public_key, public_key_bytes));
    GIRIH_TRY(check_options(*alg, options));
    begin_mu(*alg, public_key, options, begin_message(message, *alg, BegunMessage::Purpose::mu).hash);
    return GIRIH_OK;
}

int begin_with_secret_key(girih_message* message, const girih_alg* alg, const Byte* secret_key,
                          std::size_t secret_key_bytes, const girih_options* options)
{
    GIRIH_TRY(check_signs_mu(alg));
    GIRIH_TRY(check_secret_key(*alg, secret_key, secret_key_bytes));
    GIRIH_TRY(check_options(*alg, options));
    begin_mu(*alg, tr_of(*alg, secret_key), options,
             begin_message(message, *alg, BegunMessage::Purpose::mu).hash);
    return GIRIH_OK;
}

int check_mu(const SignCall& call)
{
    GIRIH_TRY(check_signing(call, check_signs_mu(call.alg)));
    GIRIH_TRY(check(call.message, call.message_bytes, GIRIH_MU_BYTES));
    if (call.options == nullptr) return GIRIH_OK;
    GIRIH_TRY(check_reserved(*call.options));
    if (call.options->context_bytes != 0) return GIRIH_ERROR_CONTEXT;
    return call.options->pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

}  // namespace

// ML-DSA.Sign (FIPS 204, Algorithm 2).
int ml_dsa_sign(const SignCall& call, std::size_t& made)
{
    Mu mu;
    make_mu(call, mu);
    return sign_mu(call, mu.data(), made);
}

// ML-DSA.Verify (FIPS 204, Algorithm 3).
int ml_dsa_verify(const VerifyCall& call)
{
    Mu mu;
    make_mu(call, mu);
    return error_of(call.alg->ml_dsa->verify(call.public_key, mu.data(), call.signature));
}

}  // namespace girih::device

using namespace girih;
using namespace girih::device;

int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes, const uint8_t* mu,
                  size_t mu_bytes, const girih_options* options, uint8_t* signature,
                  size_t signature_capacity, size_t* signature_bytes)
{
    const SignCall call{alg,       secret_key,         secret_key_bytes, mu, mu_bytes, options,
                        signature, signature_capacity, signature_bytes};
    GIRIH_TRY(check_apart(call));
    std::size_t made = 0;
    int error = check_mu(call);
    if (error == GIRIH_OK) error = sign_mu(call, mu, made);
    return finish(error, call, made);
}

int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                    const uint8_t* mu, size_t mu_bytes, const uint8_t* signature, size_t signature_bytes)
{
    GIRIH_TRY(check_has(alg, &girih_alg::ml_dsa));
    GIRIH_TRY(check_public_key(*alg, public_key, public_key_bytes));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (signature_bytes != alg->signature_bytes) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
    return error_of(alg->ml_dsa->verify(public_key, mu, signature));
}

int girih_message_begin(girih_message* message, const girih_alg* alg, const uint8_t* public_key,
                        size_t public_key_bytes, const girih_options* options)
{
    return begin_apart(message, {public_key, public_key_bytes}, options, [&] {
        return begin_with_public_key(message, alg, public_key, public_key_bytes, options);
    });
}

int girih_message_begin_secret(girih_message* message, const girih_alg* alg, const uint8_t* secret_key,
                               size_t secret_key_bytes, const girih_options* options)
{
    return begin_apart(message, {secret_key, secret_key_bytes}, options, [&] {
        return begin_with_secret_key(message, alg, secret_key, secret_key_bytes, options);
    });
}

int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes)
{
    if (overlap(message, sizeof *message, mu, mu_bytes)) return GIRIH_ERROR_OVERLAP;
    BegunMessage* const begun = begun_message(message, BegunMessage::Purpose::mu);
    const int error = begun == nullptr ? int{GIRIH_ERROR_MESSAGE} : check(mu, mu_bytes, GIRIH_MU_BYTES);
    if (error == GIRIH_OK) {
        begun->hash.squeeze({mu, mu_bytes});
        wipe(*message);
    }
    return finish(error, mu, mu_bytes);
}
