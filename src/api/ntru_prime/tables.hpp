/// What NTRU Prime's algorithms do.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::ntru_prime_api {

extern const api::KeyFunctions keys;
extern const api::KemFunctions kem;

}  // namespace girih::ntru_prime_api
