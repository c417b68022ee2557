/// The contents of an algorithm's object.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "api/algorithms/algorithm.hpp"
#include "api/falcon/tables.hpp"
#include "api/ml_dsa/tables.hpp"
#include "api/ml_kem/tables.hpp"
#include "api/ntru_prime/tables.hpp"

// The tables are defined in the engines' objects, which clang cannot see.
#if defined(__clang__)
#    pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

namespace girih::api {

/// The index of a parameter set among those of its scheme.
template <class Sets, class Params>
constexpr std::size_t place_of(const Sets& sets, const Params& p)
{
    return static_cast<std::size_t>(std::find(sets.begin(), sets.end(), p) - sets.begin());
}

/// Names only one table, because a program links every table that is named.
template <Use use, class On>
constexpr const auto* operations_for()
{
    if constexpr (use == Use::verifying)
        return &On::verifying;
    else
        return &On::table;
}

// ML-DSA and ML-KEM have no reference engine: the portable one is just as plain.
#define GIRIH_ML_DSA_ON(engine) operations_for<use, ml_dsa::OperationsOn<PlainLanes<isa::engine::Isa>, P>>(),
#define GIRIH_ML_KEM_ON(engine) &ml_kem::OperationsOn<PlainLanes<isa::engine::Isa>, P>::table,
#define GIRIH_FALCON_ON(engine) operations_for<use, falcon::OperationsOn<isa::engine::Isa, P>>(),
#define GIRIH_NTRU_PRIME_ON(engine) &ntru_prime::OperationsOn<isa::engine::Isa, P>::table,

template <class Isa>
struct PlainLanesOf {
    using Type = Isa;
};
#if defined(GIRIH_REFERENCE_ENGINE)
template <>
struct PlainLanesOf<isa::reference::Isa> {
    using Type = isa::portable::Isa;
};
#endif
template <class Isa>
using PlainLanes = typename PlainLanesOf<Isa>::Type;

/// The name, index and sizes of an algorithm.
template <class Sets, class Params>
constexpr girih_alg algorithm_of(const char* name, const Sets& sets, const Params& p, std::size_t seed_bytes,
                                 const std::array<const void*, engines::max_engines>& operations)
{
    girih_alg alg{};
    alg.name = name;
    alg.index = place_of(sets, p);
    alg.seed_bytes = seed_bytes;
    alg.public_key_bytes = p.public_key_bytes();
    alg.secret_key_bytes = p.secret_key_bytes();
    alg.operations = operations;
    return alg;
}

template <ml_dsa::Params P, Use use = Use::everything>
constexpr girih_alg ml_dsa_algorithm(const char* name)
{
    girih_alg alg = algorithm_of(name, ml_dsa::parameter_sets, P, ml_dsa::seed_bytes,
                                 {GIRIH_FOR_EACH_ENGINE(GIRIH_ML_DSA_ON)});
    alg.signature_bytes = P.signature_bytes();
    alg.rnd_bytes = P.rnd_bytes();
    alg.has_context = P.has_context();
    alg.has_mu = true;
    alg.verifying = &ml_dsa_api::verifying;
    if constexpr (use == Use::everything) {
        alg.keys = &ml_dsa_api::keys;
        alg.signing = &ml_dsa_api::signing;
    }
    return alg;
}

template <falcon::Params P, Use use = Use::everything>
constexpr girih_alg falcon_algorithm(const char* name)
{
    girih_alg alg = algorithm_of(name, falcon::parameter_sets, P, falcon::seed_bytes,
                                 {GIRIH_FOR_EACH_ENGINE(GIRIH_FALCON_ON)});
    alg.signature_bytes = P.signature_bytes();
    alg.verifying = &falcon_api::verifying;
    if constexpr (use == Use::everything) {
        alg.keys = &falcon_api::keys;
        alg.signing = &falcon_api::signing;
    }
    return alg;
}

template <ml_kem::Params P>
constexpr girih_alg ml_kem_algorithm(const char* name)
{
    girih_alg alg = algorithm_of(name, ml_kem::parameter_sets, P, ml_kem::seed_bytes,
                                 {GIRIH_FOR_EACH_ENGINE(GIRIH_ML_KEM_ON)});
    alg.ciphertext_bytes = P.ciphertext_bytes();
    alg.keys = &ml_kem_api::keys;
    alg.kem = &ml_kem_api::kem;
    return alg;
}

template <ntru_prime::Params P>
constexpr girih_alg ntru_prime_algorithm(const char* name)
{
    girih_alg alg = algorithm_of(name, ntru_prime::parameter_sets, P, ntru_prime::seed_bytes,
                                 {GIRIH_FOR_EACH_ENGINE(GIRIH_NTRU_PRIME_ON)});
    alg.ciphertext_bytes = P.ciphertext_bytes();
    alg.keys = &ntru_prime_api::keys;
    alg.kem = &ntru_prime_api::kem;
    return alg;
}

#undef GIRIH_ML_DSA_ON
#undef GIRIH_ML_KEM_ON
#undef GIRIH_FALCON_ON
#undef GIRIH_NTRU_PRIME_ON

}  // namespace girih::api
