/// Falcon's messages in pieces.
#include <algorithm>
#include <array>

#include "api/falcon/falcon.hpp"
#include "api/messages.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "isa/portable/engine.hpp"

namespace girih::falcon_api {

using namespace api;

namespace {

using Isa = isa::portable::Isa;

/// The content of girih_message: a hash that began with the salt and, for a message to be signed,
/// the drawn seed.
struct MessageStorage {
    BegunMessage common;
    std::array<Byte, falcon::salt_bytes> salt;
    std::array<Byte, falcon::seed_bytes> seed;
    bool is_signed;  ///< else it is verified

    ~MessageStorage() { wipe(seed); }
};

/// The message's point, with room for the larger degree.
using Point = falcon::ResiduePoly<falcon::falcon_1024.n()>;

void finish(MessageStorage& message, Point& c)
{
    if (params_of(*message.common.alg).logn == falcon::falcon_512.logn) {
        falcon::ResiduePoly<falcon::falcon_512.n()> half;
        falcon::hash_to_point_vartime<Isa>(message.common.hash, half);
        std::copy(half.begin(), half.end(), c.begin());
    } else {
        falcon::hash_to_point_vartime<Isa>(message.common.hash, c);
    }
}

/// Wipes a message's storage: on now(), or on destruction.
class Ending {
  public:
    explicit Ending(girih_message* message) : message_(message) {}
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() { now(); }

    void now()
    {
        if (message_ != nullptr) wipe(*message_);
        message_ = nullptr;
    }

  private:
    girih_message* message_;
};

void begin(MessageOut& out, const girih_alg& alg, BytesIn<> salt, BytesIn<> seed, bool is_signed)
{
    MessageStorage message{{BegunMessage::begun, &alg, {}, false}, {}, {}, is_signed};
    copy(salt, message.salt);
    copy(seed, message.seed);
    message.common.hash.absorb(salt);
    out.write(message);
}

/// The randomness of a message in pieces: its salt, and a seed that is a hash of the drawn seed and
/// of further output of the hash of salt and message. So copies of a begun message get the same
/// seed for the same message, and independent ones for different messages.
void derive_randomness(MessageStorage& message, Randomness& random)
{
    std::array<Byte, 64> beyond;
    message.common.hash.squeeze(beyond);
    *random.salt = message.salt;
    keccak::Shake256<Isa> derivation;
    derivation.absorb(message.seed).absorb(beyond);
    derivation.squeeze(*random.seed);
}

}  // namespace

}  // namespace girih::falcon_api

using namespace girih;
using namespace girih::api;

int girih_message_begin_signing(girih_message* message, const girih_alg* alg, const girih_options* options)
{
    using namespace falcon_api;
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_signs(alg));
    GIRIH_TRY(check_options(or_default(options)));
    Randomness random;
    GIRIH_TRY(random.draw_for(or_default(options)));
    begin(out, *alg, *random.salt, *random.seed, true);
    return GIRIH_OK;
}

int girih_message_sign(girih_message* message, const uint8_t* secret_key, size_t secret_key_bytes,
                       const girih_options* options, uint8_t* signature, size_t signature_capacity,
                       size_t* signature_bytes)
{
    using namespace falcon_api;
    SigningOutputs outputs{{signature, signature_capacity, signature_bytes}};
    GIRIH_TRY(outputs.check_apart());
    const auto* const storage = storage_as<MessageStorage>(message, verifying);
    if (!outputs.has_length()) return refuse(message, GIRIH_ERROR_ARGUMENT, outputs);
    if (storage == nullptr || !storage->is_signed) return refuse(message, GIRIH_ERROR_MESSAGE, outputs);
    MessageStorage begun = *storage;
    Ending ending{message};
    const girih_alg& alg = *begun.common.alg;
    const girih_options given = or_default(options);
    GIRIH_TRY(check_secret_key(alg, secret_key, secret_key_bytes));
    GIRIH_TRY(outputs.check_capacity(alg));
    GIRIH_TRY(check_options(given));
    if (given.deterministic != 0) return GIRIH_ERROR_OPTION;
    ResultBuffer<falcon::falcon_1024.secret_key_bytes()> copied{
        secret_key_bytes};  // the key may lie in the storage
    copy_secret(secret_key, copied.data(), secret_key_bytes);
    ending.now();  // before the outputs, which may lie there as well, are written
    Point c;
    finish(begun, c);
    Randomness random;
    derive_randomness(begun, random);
    return sign_point(alg, copied.view(), given, c.data(), random, outputs);
}

int girih_message_begin_verifying(girih_message* message, const girih_alg* alg, const uint8_t* signature,
                                  size_t signature_bytes, const girih_options* options)
{
    using namespace falcon_api;
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_verifies(alg));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_options(or_default(options)));
    if (signature_bytes <= 1 + falcon::salt_bytes) return GIRIH_ERROR_SIGNATURE;
    begin(out, *alg, view(signature, signature_bytes).subspan(1, falcon::salt_bytes), {}, false);
    return GIRIH_OK;
}

int girih_message_verify(girih_message* message, const uint8_t* public_key, size_t public_key_bytes,
                         const uint8_t* signature, size_t signature_bytes)
{
    using namespace falcon_api;
    const auto* const storage = storage_as<MessageStorage>(message, verifying);
    if (storage == nullptr || storage->is_signed) return GIRIH_ERROR_MESSAGE;
    MessageStorage begun = *storage;
    const Ending ending{message};
    const girih_alg& alg = *begun.common.alg;
    GIRIH_TRY(check_public_key(alg, public_key, public_key_bytes));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    const BytesIn<> bytes = view(signature, signature_bytes);
    // The hashed salt must be this signature's.
    if (bytes.size() <= 1 + falcon::salt_bytes ||
        !std::ranges::equal(bytes.subspan(1, falcon::salt_bytes), begun.salt))
        return GIRIH_ERROR_SIGNATURE;
    Point c;
    finish(begun, c);
    return verdict_error(alg.on_engine<falcon::Operations>().verify_point(public_key, c.data(), bytes));
}
