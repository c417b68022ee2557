/// The rows of operations, through the C interface.
#pragma once

#include <string>

namespace girih::lab {

/// The inputs of a row's iterations.
enum class Inputs {
    fresh,  ///< another message in each iteration, and another key in every 64th
    fixed,  ///< the same message and key in each iteration and each run, with any number of attempts
};

/// Adds the operations of every algorithm: from keys as they are stored, prepared, and in batches;
/// with scales also of long messages and of batches of other sizes.
void add_operation_rows(Inputs kind, bool has_scales);

/// Adds sign_representative of each parameter set of ML-DSA whose messages are found: those of
/// C2SP's CCTV project, which take a representative number of attempts, so that their mean is that
/// of signing. They are benchmark-ML-DSA-*.json in the folder cctv/ of the vectors. Returns where
/// they came from, or what is missing.
[[nodiscard]] std::string add_representative_rows();

}  // namespace girih::lab
