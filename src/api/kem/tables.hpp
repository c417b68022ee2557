/// What NTRU Prime's algorithms do.
#pragma once

#include "api/algorithms/functions.hpp"

namespace girih::kem_api {

extern const api::KeyFunctions keys;
extern const api::KemFunctions kem;

}  // namespace girih::kem_api
