/// The function tables of Falcon's algorithms.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::falcon_api {

extern const api::KeyFunctions keys;
extern const api::SigningFunctions signing;
extern const api::VerifyingFunctions verifying;

}  // namespace girih::falcon_api
