/// ML-DSA's messages in pieces.
#pragma once

#include "api/messages.hpp"

namespace girih::ml_dsa_api {

using namespace api;

/// VerifyingFunctions::pre_hash.
void pre_hash_piece(BegunMessage& message, BytesIn<> piece);

}  // namespace girih::ml_dsa_api
