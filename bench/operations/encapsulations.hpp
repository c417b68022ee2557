/// The rows of key encapsulation (ML-KEM and NTRU Prime), through the C interface.
#pragma once

#include <girih/girih.h>

#include <string>

#include "bench/operations/operations.hpp"

namespace girih::bench {

/// Adds keygen, encapsulate and decapsulate of every parameter set that encapsulates keys, and what
/// add_encapsulation_batch_rows adds.
void add_encapsulation_rows(Material material);

/// Adds keygen_many of an algorithm; if it has prepared keys, also the preparation, the operations
/// with them and their batches. Of a batch the rows' time is that of all of it.
void add_encapsulation_batch_rows(const std::string& scheme, const girih_alg* algorithm, Material material);

}  // namespace girih::bench
