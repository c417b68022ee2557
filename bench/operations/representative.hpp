/// Signing messages that take a representative number of attempts, so that their mean
/// is that of signing.
#pragma once

#include <string>

namespace girih::bench {

/// Adds sign_representative of each parameter set of ML-DSA whose messages are found: those of
/// C2SP's CCTV project, benchmark-ML-DSA-*.json in the folder cctv/ of the vectors. Returns where
/// they came from, or what is missing.
[[nodiscard]] std::string add_representative_rows();

}  // namespace girih::bench
