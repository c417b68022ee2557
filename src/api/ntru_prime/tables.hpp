/// The function tables of NTRU Prime's algorithms.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::ntru_prime_api {

extern const api::KeyFunctions keys;
extern const api::KemFunctions kem;

}  // namespace girih::ntru_prime_api
