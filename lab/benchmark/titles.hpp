/// What the rows are called for people.
#pragma once

#include <string>
#include <string_view>

namespace girih::lab {

/// "ML-KEM: Compress and ByteEncode of a polynomial, 4 bits a coefficient" for
/// "bench_ml_kem::compress<4>": the scheme, or the parameter set where the row's name tells it,
/// what is timed, and its parameters.
[[nodiscard]] std::string title_of_row(std::string_view name);

}  // namespace girih::lab
