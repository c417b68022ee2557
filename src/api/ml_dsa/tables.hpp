/// The function tables of ML-DSA's algorithms.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::ml_dsa_api {

extern const api::KeyFunctions keys;
extern const api::SigningFunctions signing;
extern const api::VerifyingFunctions verifying;

}  // namespace girih::ml_dsa_api
