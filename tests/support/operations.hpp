/// The operations of each parameter set on each engine, as tests call them past the public API.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "api/algorithms/algorithm.hpp"
#include "api/falcon/tables.hpp"
#include "api/ml_dsa/tables.hpp"
#include "api/ml_kem/tables.hpp"
#include "api/ntru_prime/tables.hpp"
#include "engines/list.hpp"

namespace girih::test {

/// The operations of parameter set number `place` of a scheme, which these functions identify.
template <class Operations>
const Operations& operations_on(const engines::Engine& engine, const api::KeyFunctions& scheme,
                                std::size_t place)
{
    std::size_t index = 0;
    const girih_alg* alg = girih_algorithm_at(0);
    while (alg->keys != &scheme || alg->index != place) alg = girih_algorithm_at(++index);
    return alg->on<Operations>(engine);
}
inline const ml_dsa::Operations& ml_dsa_on(const engines::Engine& engine, std::size_t place)
{
    return operations_on<ml_dsa::Operations>(engine, ml_dsa_api::keys, place);
}
inline const falcon::Operations& falcon_on(const engines::Engine& engine, std::size_t place)
{
    return operations_on<falcon::Operations>(engine, falcon_api::keys, place);
}
inline const ml_kem::Operations& ml_kem_on(const engines::Engine& engine, std::size_t place)
{
    return operations_on<ml_kem::Operations>(engine, ml_kem_api::keys, place);
}
inline const ntru_prime::Operations& ntru_prime_on(const engines::Engine& engine, std::size_t place)
{
    return operations_on<ntru_prime::Operations>(engine, ntru_prime_api::keys, place);
}

}  // namespace girih::test
