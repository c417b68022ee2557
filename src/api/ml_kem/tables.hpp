/// The function tables of ML-KEM's algorithms.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::ml_kem_api {

extern const api::KeyFunctions keys;
extern const api::KemFunctions kem;

}  // namespace girih::ml_kem_api
