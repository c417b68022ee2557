/// Falcon's messages: in pieces, and in one string with their signatures.
#include <algorithm>
#include <array>
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

/// Ends the life of what is in the storage, and wipes it.
class Ending {
  public:
    explicit Ending(girih_message* message) : message_(message) {}
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending()
    {
        if (FalconStorage* storage = falcon_storage_of(message_)) {
            storage->~FalconStorage();
            wipe(*message_);
        }
    }

  private:
    girih_message* message_;
};

int begin(girih_message* message, const girih_alg* alg, BytesIn<> salt, bool is_signed)
{
    auto* const storage = new (message) FalconStorage{FalconStorage::begun, {alg, {}, is_signed, {}}};
    copy(salt, storage->message.salt);
    storage->message.hash.absorb(salt);
    return GIRIH_OK;
}

int check_falcon(const girih_message* message, const girih_alg* alg)
{
    if (message == nullptr || alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const falcon::Operations* operations;
    return alg->find(operations);
}

// ---- Signed messages

constexpr std::size_t length_bytes = 2;

/// The header of an encoded s2 beside which the salt does not stand.
constexpr Byte detached_header(const falcon::Params& p) { return static_cast<Byte>(0x20 + p.logn); }

int check_framing(const girih_alg* alg)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
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
    if (message != nullptr) wipe(*message);
    GIRIH_TRY(check_falcon(message, alg));
    GIRIH_TRY(check_falcon_options(or_default(options)));
    if (or_default(options).deterministic != 0) return GIRIH_ERROR_ARGUMENT;
    std::array<Byte, falcon::salt_bytes> salt;
    if (!draw(or_default(options).random, salt)) return GIRIH_ERROR_RANDOM;
    girih::declassify(std::span{salt}, "Section 3.10: the salt is part of the signature");
    return begin(message, alg, salt, true);
}

int girih_message_sign(girih_message* message, const uint8_t* secret_key, size_t secret_key_bytes,
                       const girih_options* options, uint8_t* signature, size_t signature_capacity,
                       size_t* signature_bytes)
{
    Output signature_out{signature, signature_capacity};
    if (signature_bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    *signature_bytes = 0;
    FalconStorage* storage = falcon_storage_of(message);
    if (storage == nullptr || !storage->message.is_signed) return GIRIH_ERROR_ARGUMENT;
    const Ending ending{message};
    Point c;
    finish(storage->message, c);
    return falcon_sign_point(storage->message.alg, secret_key, secret_key_bytes, options, c.data(),
                             storage->message.salt, {signature, signature_capacity, signature_bytes},
                             signature_out);
}

int girih_message_begin_verifying(girih_message* message, const girih_alg* alg, const uint8_t* signature,
                                  size_t signature_bytes, const girih_options* options)
{
    if (message != nullptr) wipe(*message);
    GIRIH_TRY(check_falcon(message, alg));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_falcon_options(or_default(options)));
    if (signature_bytes <= 1 + falcon::salt_bytes) return GIRIH_ERROR_SIGNATURE;
    return begin(message, alg, view(signature, signature_bytes).subspan(1, falcon::salt_bytes), false);
}

int girih_message_verify(girih_message* message, const uint8_t* public_key, size_t public_key_bytes,
                         const uint8_t* signature, size_t signature_bytes)
{
    FalconStorage* storage = falcon_storage_of(message);
    if (storage == nullptr || storage->message.is_signed) return GIRIH_ERROR_ARGUMENT;
    const Ending ending{message};
    const girih_alg* const alg = storage->message.alg;
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    if (!is_there(signature, signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    const BytesIn<> bytes = view(signature, signature_bytes);
    // The salt that was hashed is that of this signature.
    if (bytes.size() <= 1 + falcon::salt_bytes ||
        !std::ranges::equal(bytes.subspan(1, falcon::salt_bytes), storage->message.salt))
        return GIRIH_ERROR_SIGNATURE;
    Point c;
    finish(storage->message, c);
    return falcon_error(operations->verify_point(public_key, c.data(), bytes));
}

int girih_crypto_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* message, size_t message_bytes, const girih_options* options,
                      uint8_t* signed_message, size_t signed_message_capacity, size_t* signed_message_bytes)
{
    Output out{signed_message, signed_message_capacity};
    if (signed_message_bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    *signed_message_bytes = 0;
    GIRIH_TRY(check_framing(alg));
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
    BytesOut<> rest{signed_message, signed_message_capacity};
    const auto put = [&rest](BytesIn<> part) {
        copy(part, rest);
        rest = rest.subspan(part.size());
    };
    const std::array<Byte, length_bytes> length{static_cast<Byte>((s2.size() + 1) >> 8),
                                                static_cast<Byte>(s2.size() + 1)};
    const std::array<Byte, 1> header{detached_header(p)};
    put(length);
    put(salt);
    put(view(message, message_bytes));
    put(header);
    put(s2);
    *signed_message_bytes = signed_message_capacity - rest.size();
    out.keep();
    return GIRIH_OK;
}

int girih_crypto_sign_open(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                           const uint8_t* signed_message, size_t signed_message_bytes, uint8_t* message,
                           size_t message_capacity, size_t* message_bytes)
{
    Output out{message, message_capacity};
    if (message_bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    *message_bytes = 0;
    GIRIH_TRY(check_framing(alg));
    if (!is_there(signed_message, signed_message_bytes) || !is_there(message, message_capacity))
        return GIRIH_ERROR_ARGUMENT;
    if (message_capacity < signed_message_bytes) return GIRIH_ERROR_LENGTH;
    const auto opened = open(alg->falcon_params(), view(signed_message, signed_message_bytes));
    if (!opened) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(girih_verify(alg, public_key, public_key_bytes, opened->message.data(), opened->message.size(),
                           nullptr, opened->signature.data(), opened->signature_bytes));
    copy(opened->message, {message, message_capacity});
    *message_bytes = opened->message.size();
    out.keep();
    return GIRIH_OK;
}
