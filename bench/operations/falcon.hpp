/// The rows of Falcon's operations, through the C interface.
#pragma once

namespace girih::bench {

/// Adds key generation, signing and verification of both degrees: from keys as they are stored,
/// prepared, and in batches.
void add_falcon_rows();

}  // namespace girih::bench
