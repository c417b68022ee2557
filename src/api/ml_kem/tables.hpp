/// What ML-KEM's algorithms do.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::ml_kem_api {

extern const api::KeyFunctions keys;
extern const api::KemFunctions kem;

}  // namespace girih::ml_kem_api
