/// Falcon's messages: in pieces, and in one string with their signatures.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>

#include "api/arguments.hpp"
#include "api/falcon.hpp"
#include "falcon/hash_to_point.hpp"

using namespace girih;
using namespace girih::api;

namespace girih::api {

FalconStorage* falcon_storage_of(girih_message* message)
{
    if (message == nullptr || message->opaque[0] != FalconStorage::begun) return nullptr;
    return std::launder(reinterpret_cast<FalconStorage*>(message));
}

}  // namespace girih::api

namespace {

/// The point that the message was hashed to; of both degrees, as long as the longer.
using Point = falcon::ResiduePoly<falcon::falcon_1024.n()>;

void finish(FalconMessage& message, Point& c)
{
    if (message.alg->falcon_params().logn == falcon::falcon_512.logn) {
        falcon::ResiduePoly<falcon::falcon_512.n()> half;
        falcon::hash_to_point_vartime<Isa>(message.hash, half);
        std::copy(half.begin(), half.end(), c.begin());
    } else {
        falcon::hash_to_point_vartime<Isa>(message.hash, c);
    }
}

/// The end of a message: its storage is wiped, at once or with the scope.
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

void begin(MessageOut& out, const girih_alg* alg, BytesIn<> salt, BytesIn<> seed, bool is_signed)
{
    FalconStorage storage{FalconStorage::begun, {alg, {}, {}, is_signed, {}}};
    copy(salt, storage.message.salt);
    copy(seed, storage.message.seed);
    storage.message.hash.absorb(salt);
    out.give(storage);
}

/// What a signature of a message that came in pieces is made from: its salt; and for a seed, a hash
/// of the drawn seed and of what salt and message are hashed to beyond the point. So a copy of a
/// begun message draws the same for the same message, and something independent for another.
void derive_randomness(FalconMessage& message, FalconRandomness& random)
{
    std::array<Byte, 64> beyond;
    message.hash.squeeze(beyond);
    *random.salt = message.salt;
    keccak::Shake256<Isa> derivation;
    derivation.absorb(message.seed).absorb(beyond);
    derivation.squeeze(*random.seed);
}

template <Use purpose>
int check_falcon(const girih_alg* alg)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const falcon::Operations* operations;
    return alg->find<purpose>(operations);
}

// ---- Signed messages

constexpr std::size_t length_bytes = 2;

/// The header of an encoded s2 beside which the salt does not stand.
constexpr Byte detached_header(const falcon::Params& p) { return static_cast<Byte>(0x20 + p.logn); }

template <Use purpose>
int check_framing(const girih_alg* alg)
{
    GIRIH_TRY(check_falcon<purpose>(alg));
    return alg->falcon_params().format == falcon::Format::compressed ? GIRIH_OK : GIRIH_ERROR_ARGUMENT;
}

/// A signed message's message, and its signature put together again.
struct Opened {
    BytesIn<> message;
    std::array<Byte, falcon::falcon_1024.signature_bytes()> signature;
    std::size_t signature_bytes;
};

std::optional<Opened> open(const falcon::Params& p, BytesIn<> signed_message)
{
    if (signed_message.size() < length_bytes + falcon::salt_bytes) return std::nullopt;
    const std::size_t s2_bytes = std::size_t{signed_message[0]} << 8 | signed_message[1];
    const BytesIn<> salt = signed_message.subspan(length_bytes, falcon::salt_bytes);
    const BytesIn<> rest = signed_message.subspan(length_bytes + falcon::salt_bytes);
    if (s2_bytes < 1 || s2_bytes > rest.size() || s2_bytes + falcon::salt_bytes > p.signature_bytes())
        return std::nullopt;
    const BytesIn<> s2 = rest.last(s2_bytes);
    if (s2[0] != detached_header(p)) return std::nullopt;
    Opened opened{rest.first(rest.size() - s2_bytes), {}, falcon::salt_bytes + s2_bytes};
    opened.signature[0] = p.signature_header();
    copy(salt, BytesOut<>{opened.signature}.subspan(1));
    copy(s2.subspan(1), BytesOut<>{opened.signature}.subspan(1 + falcon::salt_bytes));
    return opened;
}

}  // namespace

int girih_message_begin_signing(girih_message* message, const girih_alg* alg, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_falcon<Use::everything>(alg));
    GIRIH_TRY(check_falcon_options(or_default(options)));
    FalconRandomness random;
    GIRIH_TRY(random.draw_for(or_default(options)));
    begin(out, alg, *random.salt, *random.seed, true);
    return GIRIH_OK;
}

int girih_message_sign(girih_message* message, const uint8_t* secret_key, size_t secret_key_bytes,
                       const girih_options* options, uint8_t* signature, size_t signature_capacity,
                       size_t* signature_bytes)
{
    SigningOutputs outputs{{signature, signature_capacity, signature_bytes}};
    GIRIH_TRY(outputs.check_apart());
    if (!outputs.has_length()) return GIRIH_ERROR_ARGUMENT;
    const FalconStorage* const storage = falcon_storage_of(message);
    if (storage == nullptr || !storage->message.is_signed) return GIRIH_ERROR_ARGUMENT;
    FalconMessage begun = storage->message;
    Ending ending{message};
    const girih_alg* const alg = begun.alg;
    const girih_options given = or_default(options);
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    GIRIH_TRY(outputs.check_room(alg));
    GIRIH_TRY(check_falcon_options(given));
    if (given.deterministic != 0) return GIRIH_ERROR_ARGUMENT;
    Made<falcon::falcon_1024.secret_key_bytes()> copied{secret_key_bytes};  // it may lie in the storage
    copy_secret(secret_key, copied.data(), secret_key_bytes);
    ending.now();  // before the outputs are given, which may lie there as well
    Point c;
    finish(begun, c);
    FalconRandomness random;
    derive_randomness(begun, random);
    return falcon_sign_point(alg, copied.view(), given, c.data(), random, outputs);
}

int girih_message_begin_verifying(girih_message* message, const girih_alg* alg, const uint8_t* signature,
                                  size_t signature_bytes, const girih_options* options)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_falcon<Use::verifying>(alg));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_falcon_options(or_default(options)));
    if (signature_bytes <= 1 + falcon::salt_bytes) return GIRIH_ERROR_SIGNATURE;
    begin(out, alg, view(signature, signature_bytes).subspan(1, falcon::salt_bytes), {}, false);
    return GIRIH_OK;
}

int girih_message_verify(girih_message* message, const uint8_t* public_key, size_t public_key_bytes,
                         const uint8_t* signature, size_t signature_bytes)
{
    const FalconStorage* const storage = falcon_storage_of(message);
    if (storage == nullptr || storage->message.is_signed) return GIRIH_ERROR_ARGUMENT;
    FalconMessage begun = storage->message;
    const Ending ending{message};
    const falcon::Operations* operations;
    GIRIH_TRY(begun.alg->find<Use::verifying>(operations));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(begun.alg)));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    const BytesIn<> bytes = view(signature, signature_bytes);
    // The salt that was hashed is that of this signature.
    if (bytes.size() <= 1 + falcon::salt_bytes ||
        !std::ranges::equal(bytes.subspan(1, falcon::salt_bytes), begun.salt))
        return GIRIH_ERROR_SIGNATURE;
    Point c;
    finish(begun, c);
    return falcon_error(operations->verify_point(public_key, c.data(), bytes));
}

int girih_crypto_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* message, size_t message_bytes, const girih_options* options,
                      uint8_t* signed_message, size_t signed_message_capacity, size_t* signed_message_bytes)
{
    Output out{signed_message, signed_message_capacity};
    OutputValue length_out{signed_message_bytes};
    GIRIH_TRY(check_apart(out, length_out));
    if (!length_out.is_there()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_framing<Use::everything>(alg));
    if (!is_there(message, message_bytes) || !is_there(signed_message, signed_message_capacity))
        return GIRIH_ERROR_ARGUMENT;
    const falcon::Params& p = alg->falcon_params();
    const std::size_t most = length_bytes + p.signature_bytes();
    if (signed_message_capacity < most || signed_message_capacity - most < message_bytes)
        return GIRIH_ERROR_LENGTH;

    std::array<Byte, falcon::falcon_1024.signature_bytes()> signature;
    std::size_t bytes = 0;
    GIRIH_TRY(girih_sign(alg, secret_key, secret_key_bytes, message, message_bytes, options, signature.data(),
                         p.signature_bytes(), &bytes));
    const BytesIn<> salt = BytesIn<>{signature}.subspan(1, falcon::salt_bytes);
    const BytesIn<> s2 = BytesIn<>{signature}.first(bytes).subspan(1 + falcon::salt_bytes);
    const std::size_t s2_bytes = s2.size() + 1;
    const std::array<Byte, length_bytes> length{static_cast<Byte>(s2_bytes >> 8),
                                                static_cast<Byte>(s2_bytes)};
    const std::array<Byte, 1> header{detached_header(p)};
    // The message first: it may lie in the signed message.
    constexpr std::size_t before = length_bytes + falcon::salt_bytes;
    if (message_bytes != 0) std::memmove(signed_message + before, message, message_bytes);
    copy(length, {signed_message, length_bytes});
    copy(salt, {signed_message + length_bytes, falcon::salt_bytes});
    copy(header, {signed_message + before + message_bytes, header.size()});
    copy(s2, {signed_message + before + message_bytes + header.size(), s2.size()});
    const std::size_t made_bytes = before + message_bytes + s2_bytes;
    out.give({signed_message, made_bytes});
    length_out.give(made_bytes);
    return GIRIH_OK;
}

int girih_crypto_sign_open(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                           const uint8_t* signed_message, size_t signed_message_bytes, uint8_t* message,
                           size_t message_capacity, size_t* message_bytes)
{
    Output out{message, message_capacity};
    OutputValue length_out{message_bytes};
    GIRIH_TRY(check_apart(out, length_out));
    if (!length_out.is_there()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_framing<Use::verifying>(alg));
    if (!is_there(signed_message, signed_message_bytes) || !is_there(message, message_capacity))
        return GIRIH_ERROR_ARGUMENT;
    if (message_capacity < signed_message_bytes) return GIRIH_ERROR_LENGTH;
    const auto opened = open(alg->falcon_params(), view(signed_message, signed_message_bytes));
    if (!opened) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(girih_verify(alg, public_key, public_key_bytes, opened->message.data(), opened->message.size(),
                           nullptr, opened->signature.data(), opened->signature_bytes));
    const std::size_t opened_bytes = opened->message.size();
    out.give(opened->message);
    length_out.give(opened_bytes);
    return GIRIH_OK;
}
