/// What the rows are called for people.
#pragma once

#include <string>
#include <string_view>

namespace girih::bench {

/// "ML-DSA-44: ExpandA, the matrix of 4 x 4 polynomials" for "bench_dilithium::expand_a<4, 4>":
/// the scheme, or the parameter set where the row's name tells it, what is timed, and its parameters.
[[nodiscard]] std::string title_of_row(std::string_view name);

}  // namespace girih::bench
