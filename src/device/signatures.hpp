/// Shared by the functions that sign and verify.
#pragma once

#include "device/algorithm.hpp"

namespace girih::device {

/// The checks of every function that signs, after check_apart; `able` is the result of check_has.
inline int check_signing(const SignCall& call, int able)
{
    if (call.signature_bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(able);
    GIRIH_TRY(check_secret_key(*call.alg, call.secret_key, call.secret_key_bytes));
    if (!is_there(call.message, call.message_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (!is_there(call.signature, call.capacity)) return GIRIH_ERROR_ARGUMENT;
    return call.capacity < call.alg->signature_bytes ? GIRIH_ERROR_CAPACITY : GIRIH_OK;
}

int check_apart(const SignCall& call, const Piece& further = {});

/// Begins a message in pieces by begin(), whose input and options may not lie in it.
template <class Begin>
int begin_apart(girih_message* message, const Piece& input, const girih_options* options, Begin begin)
{
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    const std::array pieces{Piece{message, sizeof *message}, input};
    GIRIH_TRY(check_apart(pieces, 1, options));
    return finish(begin(), reinterpret_cast<Byte*>(message), sizeof *message);
}

/// GIRIH_OK if a signature verifies under the public key of the secret key that made it: for
/// verify_after_sign.
template <class Verify>
[[gnu::noinline]] int verify_after(const SignCall& call, Verify verify)
{
    auto* const public_key = static_cast<Byte*>(__builtin_alloca(call.alg->public_key_bytes));
    GIRIH_TRY(call.alg->public_key(call.secret_key, public_key));
    return verify(public_key) ? GIRIH_OK : GIRIH_ERROR_FAULT;
}

}  // namespace girih::device
