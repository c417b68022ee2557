/// girih_sign, girih_verify and pieces of messages, for every scheme.
#include "device/signatures.hpp"

using namespace girih;
using namespace girih::device;

namespace {

[[gnu::noinline]] int check_all(const SignCall& call)
{
    GIRIH_TRY(check_signing(call, check_has(call.alg, &girih_alg::sign)));
    return check_options(*call.alg, call.options);
}

[[gnu::noinline]] int check_all(const VerifyCall& call)
{
    GIRIH_TRY(check_has(call.alg, &girih_alg::verify));
    GIRIH_TRY(check_public_key(*call.alg, call.public_key, call.public_key_bytes));
    if (!is_there(call.signature, call.signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (call.alg->ml_dsa != nullptr && call.signature_bytes != call.alg->signature_bytes)
        return GIRIH_ERROR_SIGNATURE;
    if (!is_there(call.message, call.message_bytes)) return GIRIH_ERROR_ARGUMENT;
    return check_options(*call.alg, call.options);
}

}  // namespace

int girih::device::check_apart(const SignCall& call, const Piece& further)
{
    const std::array pieces{
        Piece{call.signature, call.capacity}, Piece{call.signature_bytes, sizeof *call.signature_bytes},
        Piece{call.secret_key, call.secret_key_bytes}, Piece{call.message, call.message_bytes}, further};
    return check_apart(pieces, 2, call.options);
}

int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
               const uint8_t* message, size_t message_bytes, const girih_options* options, uint8_t* signature,
               size_t signature_capacity, size_t* signature_bytes)
{
    const SignCall call{alg,     secret_key, secret_key_bytes,   message,        message_bytes,
                        options, signature,  signature_capacity, signature_bytes};
    GIRIH_TRY(check_apart(call));
    std::size_t made = 0;
    int error = check_all(call);
    if (error == GIRIH_OK) error = alg->sign(call, made);
    return finish(error, call, made);
}

int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                 const uint8_t* message, size_t message_bytes, const girih_options* options,
                 const uint8_t* signature, size_t signature_bytes)
{
    const VerifyCall call{alg,           public_key, public_key_bytes, message,
                          message_bytes, options,    signature,        signature_bytes};
    GIRIH_TRY(check_all(call));
    return alg->verify(call);
}

int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes)
{
    if (message == nullptr || message->opaque[0] != BegunMessage::begun) return GIRIH_ERROR_MESSAGE;
    if (!is_there(piece, piece_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (overlap(message, sizeof *message, piece, piece_bytes)) return GIRIH_ERROR_OVERLAP;
    std::launder(reinterpret_cast<BegunMessage*>(message))->hash.absorb(view(piece, piece_bytes));
    return GIRIH_OK;
}
