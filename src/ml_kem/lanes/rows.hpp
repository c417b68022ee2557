/// How many rows of a batch run side by side.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ml_kem/interface.hpp"

namespace girih::ml_kem {

/// Rows whose polynomials are drawn side by side, because one row alone does not fill the lanes.
template <class Isa>
inline constexpr std::size_t rows_together = std::min<std::size_t>(2, Isa::WideWords::count);
/// Rows whose hashes run side by side.
template <class Isa>
inline constexpr std::size_t group = std::min(rows_at_once, Isa::WideWords::count);

/// Calls work(first, count) for all rows in order, a few together.
template <class Isa, class Work>
[[gnu::always_inline]] inline void for_rows_together(std::size_t rows, Work work)
{
    for (std::size_t first = 0; first < rows; first += rows_together<Isa>)
        work(first, std::min(rows_together<Isa>, rows - first));
}

}  // namespace girih::ml_kem
