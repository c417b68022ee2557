/// What stands behind girih_alg: a name, sizes, and its operations on every engine.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>

#include "engines/built.hpp"
#include "engines/selection.hpp"
#include "falcon/interface.hpp"
#include "ml_dsa/interface.hpp"
#include "ntru_prime/interface.hpp"

namespace girih::api {

/// Of every algorithm.
inline constexpr std::size_t max_seed_bytes = falcon::seed_bytes;
static_assert(max_seed_bytes >= ml_dsa::seed_bytes && max_seed_bytes >= ntru_prime::seed_bytes);

inline constexpr std::size_t max_public_key_bytes = ml_dsa::ml_dsa_87.public_key_bytes();
inline constexpr std::size_t max_secret_key_bytes = ml_dsa::ml_dsa_87.secret_key_bytes();
inline constexpr std::size_t max_signature_bytes = ml_dsa::ml_dsa_87.signature_bytes();
inline constexpr std::size_t max_ciphertext_bytes = ntru_prime::ntrulpr1277.ciphertext_bytes();

enum class Scheme { ml_dsa, ntru_prime, falcon };

/// What an algorithm's object is for: a program that names one that verifies only
/// links nothing else.
enum class Use { everything, verifying };

/// The scheme that operations of a kind belong to.
template <class Operations>
inline constexpr Scheme scheme_of = Scheme::ml_dsa;
template <>
inline constexpr Scheme scheme_of<ntru_prime::Operations> = Scheme::ntru_prime;
template <>
inline constexpr Scheme scheme_of<falcon::Operations> = Scheme::falcon;

}  // namespace girih::api

struct girih_alg {
    const char* name;
    girih::api::Scheme scheme;
    girih::api::Use use;
    std::size_t index;  ///< among its scheme's parameter sets
    std::size_t public_key_bytes;
    std::size_t secret_key_bytes;
    std::size_t signature_bytes;   ///< 0 for a key encapsulation mechanism
    std::size_t ciphertext_bytes;  ///< 0 for a signature scheme
    /// The scheme's Operations, by the engine's number. Only here does an algorithm name them.
    std::array<const void*, girih::engines::most_engines> operations;

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

    /// Its operations on an engine, which are of its scheme.
    template <class Operations>
    [[nodiscard]] const Operations& on(const girih::engines::Engine& engine) const
    {
        return *static_cast<const Operations*>(operations[engine.number]);
    }

    /// Its operations on the engine that runs, of which those that the purpose has may be called.
    /// GIRIH_ERROR_ARGUMENT if it has no operations of that kind or for that purpose,
    /// GIRIH_ERROR_ENGINE if no engine runs.
    template <girih::api::Use purpose = girih::api::Use::everything, class Operations>
    [[nodiscard]] int find(const Operations*& found) const
    {
        found = nullptr;
        if (scheme != girih::api::scheme_of<Operations> || !serves(purpose)) return GIRIH_ERROR_ARGUMENT;
        const girih::engines::Engine* engine = girih::engines::selected().engine;
        if (engine == nullptr) return GIRIH_ERROR_ENGINE;
        found = &on<Operations>(*engine);
        return GIRIH_OK;
    }

    [[nodiscard]] constexpr bool serves(girih::api::Use purpose) const
    {
        return use == girih::api::Use::everything || use == purpose;
    }

    /// f(operations), of whatever kind they are.
    template <girih::api::Use purpose = girih::api::Use::everything, class F>
    [[nodiscard]] int with_operations(F f) const
    {
        switch (scheme) {
            case girih::api::Scheme::ml_dsa:
                return call<purpose, girih::ml_dsa::Operations>(f);
            case girih::api::Scheme::ntru_prime:
                return call<purpose, girih::ntru_prime::Operations>(f);
            case girih::api::Scheme::falcon:
                return call<purpose, girih::falcon::Operations>(f);
        }
        return GIRIH_ERROR_ARGUMENT;
    }

  private:
    template <girih::api::Use purpose, class Operations, class F>
    [[nodiscard]] int call(F& f) const
    {
        const Operations* found;
        const int error = find<purpose>(found);
        return error == GIRIH_OK ? f(*found) : error;
    }
};
