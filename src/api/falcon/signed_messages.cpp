/// Falcon's signed messages: a message and its signature in one string.
#include <array>
#include <cstring>
#include <optional>

#include "api/falcon/falcon.hpp"

namespace girih::falcon_api {

using namespace api;

namespace {

constexpr std::size_t length_bytes = 2;

/// The header of an encoded s2 without a salt beside it.
constexpr Byte detached_header(const falcon::Params& p) { return static_cast<Byte>(0x20 + p.logn); }

/// Only the compressed format has signed messages.
int check_format(const girih_alg& alg)
{
    return params_of(alg).format == falcon::Format::compressed ? GIRIH_OK : GIRIH_ERROR_ALGORITHM;
}

/// The message of a signed message, and its reassembled signature.
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

int sign(const girih_alg& alg, const girih_sign_row& row, const SignatureOut& out)
{
    SigningOutputs outputs{out};
    return alg.signing->sign(alg, row, outputs);
}

}  // namespace

}  // namespace girih::falcon_api

using namespace girih;
using namespace girih::api;

int girih_crypto_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* message, size_t message_bytes, const girih_options* options,
                      uint8_t* signed_message, size_t signed_message_capacity, size_t* signed_message_bytes)
{
    using namespace falcon_api;
    Output out{signed_message, signed_message_capacity};
    OutputValue length_out{signed_message_bytes};
    GIRIH_TRY(check_apart(out, length_out));
    if (!length_out.is_there()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_signs(alg));
    GIRIH_TRY(check_format(*alg));
    if (!is_there(message, message_bytes) || !is_there(signed_message, signed_message_capacity))
        return GIRIH_ERROR_ARGUMENT;
    const falcon::Params& p = params_of(*alg);
    const std::size_t max_overhead = length_bytes + p.signature_bytes();
    if (signed_message_capacity < max_overhead || signed_message_capacity - max_overhead < message_bytes)
        return GIRIH_ERROR_CAPACITY;

    std::array<Byte, falcon::falcon_1024.signature_bytes()> signature;
    std::size_t bytes = 0;
    GIRIH_TRY(sign(*alg, sign_row(nullptr, {secret_key, secret_key_bytes}, {message, message_bytes}, options),
                   {signature.data(), p.signature_bytes(), &bytes}));
    const BytesIn<> salt = BytesIn<>{signature}.subspan(1, falcon::salt_bytes);
    const BytesIn<> s2 = BytesIn<>{signature}.first(bytes).subspan(1 + falcon::salt_bytes);
    const std::size_t s2_bytes = s2.size() + 1;
    const std::array<Byte, length_bytes> length{static_cast<Byte>(s2_bytes >> 8),
                                                static_cast<Byte>(s2_bytes)};
    const std::array<Byte, 1> header{detached_header(p)};
    // Moves the message first, because it may lie in the signed message.
    constexpr std::size_t before = length_bytes + falcon::salt_bytes;
    if (message_bytes != 0) std::memmove(signed_message + before, message, message_bytes);
    copy(length, {signed_message, length_bytes});
    copy(salt, {signed_message + length_bytes, falcon::salt_bytes});
    copy(header, {signed_message + before + message_bytes, header.size()});
    copy(s2, {signed_message + before + message_bytes + header.size(), s2.size()});
    const std::size_t made_bytes = before + message_bytes + s2_bytes;
    out.write({signed_message, made_bytes});
    length_out.write(made_bytes);
    return GIRIH_OK;
}

int girih_crypto_sign_open(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                           const uint8_t* signed_message, size_t signed_message_bytes, uint8_t* message,
                           size_t message_capacity, size_t* message_bytes)
{
    using namespace falcon_api;
    Output out{message, message_capacity};
    OutputValue length_out{message_bytes};
    GIRIH_TRY(check_apart(out, length_out));
    if (!length_out.is_there()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_verifies(alg));
    GIRIH_TRY(check_format(*alg));
    if (!is_there(signed_message, signed_message_bytes) || !is_there(message, message_capacity))
        return GIRIH_ERROR_ARGUMENT;
    if (message_capacity < signed_message_bytes) return GIRIH_ERROR_CAPACITY;
    const auto opened = open(params_of(*alg), view(signed_message, signed_message_bytes));
    if (!opened) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(alg->verifying->verify(
        *alg,
        verify_row(nullptr, {public_key, public_key_bytes}, {opened->message.data(), opened->message.size()},
                   nullptr, {opened->signature.data(), opened->signature_bytes})));
    const std::size_t opened_bytes = opened->message.size();
    out.write(opened->message);
    length_out.write(opened_bytes);
    return GIRIH_OK;
}
