/// The definition of girih_alg: name, sizes, function tables, and operations on every engine.
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

/// The largest sizes among all algorithms.
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

/// The number of keys in a batch that an engine processes at once.
inline constexpr std::size_t keys_at_once = std::max(ml_dsa::rows_at_once, ntru_prime::rows_at_once);

/// The purpose of an algorithm's object: with `verifying`, a program links nothing else.
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
    std::size_t rnd_bytes;         ///< randomness of an ML-DSA signature, else 0
    bool has_context;
    bool has_mu;
    /// Function tables. A null one is not supported.
    const girih::api::KeyFunctions* keys;
    const girih::api::SigningFunctions* signing;
    const girih::api::VerifyingFunctions* verifying;
    const girih::api::KemFunctions* kem;
    /// The scheme's Operations, by engine number.
    std::array<const void*, girih::engines::max_engines> operations;

    /// Operations on an engine. `Operations` has to be the scheme's.
    template <class Operations>
    [[nodiscard]] const Operations& on(const girih::engines::Engine& engine) const
    {
        return *static_cast<const Operations*>(operations[engine.number]);
    }

    /// Operations on the selected engine. Call check_engine first.
    [[nodiscard]] const void* selected_operations() const
    {
        return operations[girih::engines::selected().engine->number];
    }
    /// Operations on the selected engine, as the scheme's type. Call supported ones only.
    template <class Operations>
    [[nodiscard]] const Operations& on_engine() const
    {
        return *static_cast<const Operations*>(selected_operations());
    }
};
