/// What an algorithm's own object is made of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "api/algorithms/algorithm.hpp"

// The tables are defined in the engines' objects, as clang suspects.
#if defined(__clang__)
#    pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

namespace girih::api {

/// Where a parameter set is among those of its scheme.
template <class Sets, class Params>
constexpr std::size_t place_of(const Sets& sets, const Params& p)
{
    return static_cast<std::size_t>(std::find(sets.begin(), sets.end(), p) - sets.begin());
}

/// Names one table only: what a program links depends on it.
template <Use use, class On>
constexpr const auto* operations_for()
{
    if constexpr (use == Use::verifying)
        return &On::verifying;
    else
        return &On::table;
}

// ML-DSA has no reference engine: the portable one is as plain.
#define GIRIH_ML_DSA_ON(engine) operations_for<use, ml_dsa::OperationsOn<MlDsaLanes<isa::engine::Isa>, P>>(),
#define GIRIH_FALCON_ON(engine) operations_for<use, falcon::OperationsOn<isa::engine::Isa, P>>(),
#define GIRIH_NTRU_PRIME_ON(engine) &ntru_prime::OperationsOn<isa::engine::Isa, P>::table,

template <class Isa>
struct MlDsaLanesOf {
    using Type = Isa;
};
#if defined(GIRIH_REFERENCE_ENGINE)
template <>
struct MlDsaLanesOf<isa::reference::Isa> {
    using Type = isa::portable::Isa;
};
#endif
template <class Isa>
using MlDsaLanes = typename MlDsaLanesOf<Isa>::Type;

/// What every algorithm is made of. Of a KEM, signature_bytes is 0; of a signature scheme,
/// ciphertext_bytes.
template <class Sets, class Params>
constexpr girih_alg algorithm_of(const char* name, Scheme scheme, Use use, const Sets& sets, const Params& p,
                                 std::size_t signature_bytes, std::size_t ciphertext_bytes,
                                 const std::array<const void*, engines::most_engines>& operations)
{
    return {name,
            scheme,
            use,
            place_of(sets, p),
            p.public_key_bytes(),
            p.secret_key_bytes(),
            signature_bytes,
            ciphertext_bytes,
            operations};
}

template <ml_dsa::Params P, Use use = Use::everything>
constexpr girih_alg ml_dsa_algorithm(const char* name)
{
    return algorithm_of(name, Scheme::ml_dsa, use, ml_dsa::parameter_sets, P, P.signature_bytes(), 0,
                        {GIRIH_FOR_EACH_ENGINE(GIRIH_ML_DSA_ON)});
}

template <falcon::Params P, Use use = Use::everything>
constexpr girih_alg falcon_algorithm(const char* name)
{
    return algorithm_of(name, Scheme::falcon, use, falcon::parameter_sets, P, P.signature_bytes(), 0,
                        {GIRIH_FOR_EACH_ENGINE(GIRIH_FALCON_ON)});
}

template <ntru_prime::Params P>
constexpr girih_alg ntru_prime_algorithm(const char* name)
{
    return algorithm_of(name, Scheme::ntru_prime, Use::everything, ntru_prime::parameter_sets, P, 0,
                        P.ciphertext_bytes(), {GIRIH_FOR_EACH_ENGINE(GIRIH_NTRU_PRIME_ON)});
}

#undef GIRIH_ML_DSA_ON
#undef GIRIH_FALCON_ON
#undef GIRIH_NTRU_PRIME_ON

}  // namespace girih::api
