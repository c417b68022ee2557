/// An engine: every scheme's operations for one processor family.
#pragma once

#include <string_view>

#include "falcon/operations.hpp"
#include "ml_dsa/operations.hpp"
#include "ntru_prime/operations.hpp"

namespace girih::engines {

struct Engine {
    std::string_view name;
    const ml_dsa::OperationsTable& ml_dsa;
    const ntru_prime::OperationsTable& ntru_prime;
    const falcon::OperationsTable& falcon;
};

}  // namespace girih::engines
