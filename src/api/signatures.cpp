#include <new>
#include <optional>
#include <type_traits>

#include "api/algorithm.hpp"
#include "api/arguments.hpp"
#include "isa/portable/lanes.hpp"
#include "ml_dsa/pre_hash.hpp"

using namespace girih;
using namespace girih::api;

namespace {

// Messages are hashed one at a time, so one lane serves.
using Isa = isa::portable::Isa;
using PreHash = ml_dsa::PreHash<Isa>;

constexpr girih_options default_options{};

const girih_options& or_default(const girih_options* options)
{
    return options == nullptr ? default_options : *options;
}

/// How the options frame a message.
struct Framing {
    std::optional<PreHash> pre_hash;
    ml_dsa::PreHashOid oid{};
    ml_dsa::Frame frame;
};

/// Checks context and pre-hash against the algorithm, and lays the frame out.
int make_framing(const girih_alg* alg, const girih_options& options, Framing& framing)
{
    if (!is_there(options.context, options.context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options.context_bytes > ml_dsa::max_context_bytes) return GIRIH_ERROR_CONTEXT;
    if (!alg->params().has_context()) {
        if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
        return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
    }
    const BytesIn<> context = view(options.context, options.context_bytes);
    if (options.pre_hash == nullptr) {
        framing.frame = ml_dsa::Frame::with(context);
        return GIRIH_OK;
    }
    framing.pre_hash = PreHash::begin(options.pre_hash);
    if (!framing.pre_hash) return GIRIH_ERROR_PRE_HASH;
    framing.oid = ml_dsa::pre_hash_oid(framing.pre_hash->function());
    framing.frame = ml_dsa::Frame::with(context, framing.oid);
    return GIRIH_OK;
}

/// The randomness of one signature: as the options say, drawn or none.
class SigningRandomness {
  public:
    int draw_for(const girih_alg* alg, const girih_options& options)
    {
        if (options.deterministic != 0) return GIRIH_OK;
        drawn_ = draw(options.random, BytesOut<>{*bytes_}.first(alg->params().rnd_bytes()));
        return drawn_ ? GIRIH_OK : GIRIH_ERROR_RANDOM;
    }
    /// Null for a deterministic signature.
    [[nodiscard]] const Byte* data() const { return drawn_ ? bytes_->data() : nullptr; }

  private:
    Wiped<std::array<Byte, ml_dsa::rho_prime_bytes>> bytes_;
    bool drawn_ = false;
};

int error_of(ml_dsa::SignResult result)
{
    switch (result) {
        case ml_dsa::SignResult::malformed_key:
            return GIRIH_ERROR_SECRET_KEY;
        case ml_dsa::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case ml_dsa::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

/// What every signing function does around the one thing it signs: `sign(operations, rnd)` writes the signature.
template <class Sign>
int sign_with(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
              const girih_options& options, uint8_t* signature, size_t signature_capacity,
              size_t* signature_bytes, Sign sign)
{
    Output signature_out{signature, signature_capacity};
    if (signature_bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    *signature_bytes = 0;
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    if (!is_there(signature, signature_capacity)) return GIRIH_ERROR_ARGUMENT;
    if (signature_capacity < girih_signature_bytes(alg)) return GIRIH_ERROR_LENGTH;
    const ml_dsa::Operations* operations = alg->operations();
    if (operations == nullptr) return GIRIH_ERROR_ENGINE;
    SigningRandomness random;
    GIRIH_TRY(random.draw_for(alg, options));

    GIRIH_TRY(sign(*operations, random.data()));
    *signature_bytes = girih_signature_bytes(alg);
    signature_out.keep();
    return GIRIH_OK;
}

/// What every verifying function does around `verify(operations)`.
template <class Verify>
int verify_with(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                const uint8_t* signature, size_t signature_bytes, Verify verify)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    const ml_dsa::Operations* operations = alg->operations();
    if (operations == nullptr) return GIRIH_ERROR_ENGINE;
    if (signature_bytes != girih_signature_bytes(alg)) return GIRIH_ERROR_SIGNATURE;
    return verify(*operations);
}

int verdict(bool verifies) { return verifies ? GIRIH_OK : GIRIH_ERROR_SIGNATURE; }

/// What a message is signed as: itself, or its pre-hash.
BytesIn<> signed_bytes(Framing& framing, BytesIn<> message, PreHash::Digest& digest)
{
    if (!framing.pre_hash) return message;
    framing.pre_hash->update(message);
    return framing.pre_hash->finish(digest);
}

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
static_assert(sizeof(MessageStorage) <= sizeof(girih_message) &&
              alignof(MessageStorage) <= alignof(girih_message));

int begin_message(girih_message* message, const girih_alg* alg, BytesIn<> tr, const girih_options* options)
{
    Framing framing;
    GIRIH_TRY(make_framing(alg, or_default(options), framing));
    new (message)
        MessageStorage{MessageStorage::begun, {ml_dsa::begin_mu<Isa>(tr, framing.frame), framing.pre_hash}};
    return GIRIH_OK;
}

MessageStorage* storage_of(girih_message* message)
{
    if (message == nullptr || message->opaque[0] != MessageStorage::begun) return nullptr;
    return std::launder(reinterpret_cast<MessageStorage*>(message));
}

}  // namespace

int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
               const uint8_t* message, size_t message_bytes, const girih_options* options, uint8_t* signature,
               size_t signature_capacity, size_t* signature_bytes)
{
    return sign_with(alg, secret_key, secret_key_bytes, or_default(options), signature, signature_capacity,
                     signature_bytes, [&](const ml_dsa::Operations& operations, const Byte* rnd) {
                         if (!is_there(message, message_bytes)) return int{GIRIH_ERROR_ARGUMENT};
                         Framing framing;
                         GIRIH_TRY(make_framing(alg, or_default(options), framing));
                         PreHash::Digest digest;
                         const BytesIn<> body = signed_bytes(framing, view(message, message_bytes), digest);
                         return error_of(operations.sign(secret_key, framing.frame, body, rnd, signature));
                     });
}

int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes, const uint8_t* mu,
                  size_t mu_bytes, const girih_options* options, uint8_t* signature,
                  size_t signature_capacity, size_t* signature_bytes)
{
    return sign_with(alg, secret_key, secret_key_bytes, or_default(options), signature, signature_capacity,
                     signature_bytes, [&](const ml_dsa::Operations& operations, const Byte* rnd) {
                         GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
                         if (or_default(options).context_bytes != 0) return int{GIRIH_ERROR_CONTEXT};
                         if (or_default(options).pre_hash != nullptr) return int{GIRIH_ERROR_PRE_HASH};
                         return error_of(operations.sign_mu(secret_key, mu, rnd, signature));
                     });
}

int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                 const uint8_t* message, size_t message_bytes, const girih_options* options,
                 const uint8_t* signature, size_t signature_bytes)
{
    return verify_with(alg, public_key, public_key_bytes, signature, signature_bytes,
                       [&](const ml_dsa::Operations& operations) {
                           if (!is_there(message, message_bytes)) return int{GIRIH_ERROR_ARGUMENT};
                           Framing framing;
                           GIRIH_TRY(make_framing(alg, or_default(options), framing));
                           PreHash::Digest digest;
                           const BytesIn<> body = signed_bytes(framing, view(message, message_bytes), digest);
                           return verdict(operations.verify(public_key, framing.frame, body, signature));
                       });
}

int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                    const uint8_t* mu, size_t mu_bytes, const uint8_t* signature, size_t signature_bytes)
{
    return verify_with(alg, public_key, public_key_bytes, signature, signature_bytes,
                       [&](const ml_dsa::Operations& operations) {
                           GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
                           return verdict(operations.verify_mu(public_key, mu, signature));
                       });
}

int girih_message_begin(girih_message* message, const girih_alg* alg, const uint8_t* public_key,
                        size_t public_key_bytes, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    wipe(*message);
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    const ml_dsa::Operations* operations = alg->operations();
    if (operations == nullptr) return GIRIH_ERROR_ENGINE;
    std::array<Byte, 64> tr{};
    operations->hash_public_key(public_key, tr.data());
    return begin_message(message, alg, BytesIn<>{tr}.first(alg->params().tr_bytes), options);
}

int girih_message_begin_secret(girih_message* message, const girih_alg* alg, const uint8_t* secret_key,
                               size_t secret_key_bytes, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    wipe(*message);
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    const BytesIn<> tr = view(secret_key, secret_key_bytes)
                             .subspan(ml_dsa::rho_bytes + ml_dsa::key_bytes, alg->params().tr_bytes);
    return begin_message(message, alg, tr, options);
}

int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes)
{
    MessageStorage* storage = storage_of(message);
    if (storage == nullptr || !is_there(piece, piece_bytes)) return GIRIH_ERROR_ARGUMENT;
    storage->state.update(view(piece, piece_bytes));
    return GIRIH_OK;
}

int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes)
{
    Output mu_out{mu, mu_bytes};
    MessageStorage* storage = storage_of(message);
    if (storage == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
    storage->state.finish({mu, mu_bytes});
    storage->~MessageStorage();
    wipe(*message);
    mu_out.keep();
    return GIRIH_OK;
}
