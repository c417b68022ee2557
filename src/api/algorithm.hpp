/// What stands behind girih_alg: a name, sizes, and where its operations are in an engine.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "engines/selection.hpp"
#include "falcon/operations.hpp"
#include "ml_dsa/operations.hpp"
#include "ntru_prime/operations.hpp"

namespace girih::api {

/// Of every algorithm.
inline constexpr std::size_t max_seed_bytes = falcon::seed_bytes;
static_assert(max_seed_bytes >= ml_dsa::seed_bytes && max_seed_bytes >= ntru_prime::seed_bytes);

inline constexpr std::size_t max_public_key_bytes = ml_dsa::ml_dsa_87.public_key_bytes();
inline constexpr std::size_t max_secret_key_bytes = ml_dsa::ml_dsa_87.secret_key_bytes();
inline constexpr std::size_t max_signature_bytes = ml_dsa::ml_dsa_87.signature_bytes();
inline constexpr std::size_t max_ciphertext_bytes = ntru_prime::ntrulpr1277.ciphertext_bytes();

enum class Scheme { ml_dsa, ntru_prime, falcon };

/// A scheme's operations, in an engine's tables.
template <class Operations>
struct OperationsOf;

template <>
struct OperationsOf<ml_dsa::Operations> {
    static constexpr Scheme scheme = Scheme::ml_dsa;
    static const ml_dsa::Operations& at(const engines::Engine& engine, std::size_t index)
    {
        return engine.ml_dsa[index];
    }
};

template <>
struct OperationsOf<ntru_prime::Operations> {
    static constexpr Scheme scheme = Scheme::ntru_prime;
    static const ntru_prime::Operations& at(const engines::Engine& engine, std::size_t index)
    {
        return engine.ntru_prime[index];
    }
};

template <>
struct OperationsOf<falcon::Operations> {
    static constexpr Scheme scheme = Scheme::falcon;
    static const falcon::Operations& at(const engines::Engine& engine, std::size_t index)
    {
        return engine.falcon[index];
    }
};

}  // namespace girih::api

struct girih_alg {
    const char* name;
    girih::api::Scheme scheme;
    std::size_t index;  ///< among its scheme's parameter sets
    std::size_t public_key_bytes;
    std::size_t secret_key_bytes;
    std::size_t signature_bytes;   ///< 0 for a key encapsulation mechanism
    std::size_t ciphertext_bytes;  ///< 0 for a signature scheme

    [[nodiscard]] constexpr bool is_kem() const { return ciphertext_bytes != 0; }

    [[nodiscard]] constexpr const girih::ml_dsa::Params& ml_dsa_params() const
    {
        return girih::ml_dsa::parameter_sets[index];
    }

    [[nodiscard]] constexpr bool is_falcon() const { return scheme == girih::api::Scheme::falcon; }
    [[nodiscard]] constexpr const girih::falcon::Params& falcon_params() const
    {
        return girih::falcon::parameter_sets[index];
    }

    /// Its operations on the engine that runs. GIRIH_ERROR_ARGUMENT if it has no operations of that kind,
    /// GIRIH_ERROR_ENGINE if no engine runs.
    template <class Operations>
    [[nodiscard]] int find(const Operations*& operations) const
    {
        using Of = girih::api::OperationsOf<Operations>;
        operations = nullptr;
        if (scheme != Of::scheme) return GIRIH_ERROR_ARGUMENT;
        const girih::engines::Engine* engine = girih::engines::selected().engine;
        if (engine == nullptr) return GIRIH_ERROR_ENGINE;
        operations = &Of::at(*engine, index);
        return GIRIH_OK;
    }

    /// f(operations), of whatever kind they are.
    template <class F>
    [[nodiscard]] int with_operations(F f) const
    {
        switch (scheme) {
            case girih::api::Scheme::ml_dsa:
                return call<girih::ml_dsa::Operations>(f);
            case girih::api::Scheme::ntru_prime:
                return call<girih::ntru_prime::Operations>(f);
            case girih::api::Scheme::falcon:
                return call<girih::falcon::Operations>(f);
        }
        return GIRIH_ERROR_ARGUMENT;
    }

  private:
    template <class Operations, class F>
    [[nodiscard]] int call(F& f) const
    {
        const Operations* operations;
        const int error = find(operations);
        return error == GIRIH_OK ? f(*operations) : error;
    }
};
