/// How many rows of a batch run side by side.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ml_kem/interface.hpp"

namespace girih::ml_kem {

/// Rows whose polynomials are drawn side by side: one row alone does not fill the lanes.
template <class Isa>
inline constexpr std::size_t rows_together = std::min<std::size_t>(2, Isa::WideWords::count);
/// Rows whose hashes run side by side.
template <class Isa>
inline constexpr std::size_t group = std::min(rows_at_once, Isa::WideWords::count);

}  // namespace girih::ml_kem
