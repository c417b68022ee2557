/// What stands behind girih_alg: a name, sizes, what it does, and its operations on every engine.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "api/algorithms/functions.hpp"
#include "engines/built.hpp"
#include "engines/selection.hpp"
#include "falcon/interface.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_kem/interface.hpp"
#include "ntru_prime/interface.hpp"

namespace girih::api {

/// Of every algorithm.
inline constexpr std::size_t max_seed_bytes = ml_kem::seed_bytes;
static_assert(max_seed_bytes >= ml_dsa::seed_bytes && max_seed_bytes >= ntru_prime::seed_bytes &&
              max_seed_bytes >= falcon::seed_bytes);

inline constexpr std::size_t max_public_key_bytes = ml_dsa::ml_dsa_87.public_key_bytes();
inline constexpr std::size_t max_secret_key_bytes = ml_dsa::ml_dsa_87.secret_key_bytes();
inline constexpr std::size_t max_signature_bytes = ml_dsa::ml_dsa_87.signature_bytes();
inline constexpr std::size_t max_ciphertext_bytes = ntru_prime::ntrulpr1277.ciphertext_bytes();
inline constexpr std::size_t max_shared_secret_bytes = ntru_prime::shared_secret_bytes;
static_assert(max_ciphertext_bytes >= ml_kem::max_ciphertext_bytes &&
              max_shared_secret_bytes == ml_kem::shared_secret_bytes);

/// Keys of a batch that an engine is given at once.
inline constexpr std::size_t keys_at_once = std::max(ml_dsa::rows_at_once, ntru_prime::rows_at_once);

/// What an algorithm's object is for: a program that names one that verifies only
/// links nothing else.
enum class Use { everything, verifying };

/// GIRIH_ERROR_ENGINE if no engine runs.
inline int check_engine() { return engines::selected().engine == nullptr ? GIRIH_ERROR_ENGINE : GIRIH_OK; }

}  // namespace girih::api

struct girih_alg {
    const char* name;
    std::size_t index;  ///< among its scheme's parameter sets
    std::size_t seed_bytes;
    std::size_t public_key_bytes;
    std::size_t secret_key_bytes;
    std::size_t signature_bytes;   ///< 0 for a key encapsulation mechanism
    std::size_t ciphertext_bytes;  ///< 0 for a signature scheme
    std::size_t rnd_bytes;         ///< what a signature draws by ML-DSA; else 0
    bool has_context;
    bool has_mu;
    /// What it does. Null: it does not.
    const girih::api::KeyFunctions* keys;
    const girih::api::SigningFunctions* signing;
    const girih::api::VerifyingFunctions* verifying;
    const girih::api::KemFunctions* kem;
    /// The scheme's Operations, by the engine's number. Only here does an algorithm name them.
    std::array<const void*, girih::engines::most_engines> operations;

    /// Its operations on an engine, which are of its scheme.
    template <class Operations>
    [[nodiscard]] const Operations& on(const girih::engines::Engine& engine) const
    {
        return *static_cast<const Operations*>(operations[engine.number]);
    }

    /// Its operations on the engine that runs, which there is (check_engine).
    [[nodiscard]] const void* operations_here() const
    {
        return operations[girih::engines::selected().engine->number];
    }
    /// The same, which are of its scheme, and of which those for what it does may be called.
    template <class Operations>
    [[nodiscard]] const Operations& on_engine() const
    {
        return *static_cast<const Operations*>(operations_here());
    }
};
