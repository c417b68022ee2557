/// The rows of NTRU Prime's key generation, encapsulation and decapsulation, through the C
/// interface.
#pragma once

#include "bench/operations/operations.hpp"

namespace girih::bench {

/// Adds keygen, encapsulate and decapsulate of every parameter set that encapsulates keys.
void add_encapsulation_rows(Material material);

}  // namespace girih::bench
