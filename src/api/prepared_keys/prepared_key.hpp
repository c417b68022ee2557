/// The definition of girih_signing_key and the other prepared keys.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "api/algorithms/algorithm.hpp"

namespace girih::api {

/// The head of a prepared key. The caller's memory holds it, then the bytes of a secret key, then
/// the engine's part, each aligned.
struct alignas(GIRIH_PREPARED_ALIGNMENT) PreparedKey {
    const girih_alg* alg;
    /// The scheme's operations on the engine that made the key; only these can use it.
    const void* operations;
    std::size_t key_bytes;     ///< of the secret key; 0 for a public one
    std::size_t scheme_bytes;  ///< of the engine's part

    template <class Operations>
    [[nodiscard]] const Operations& operations_as() const
    {
        return *static_cast<const Operations*>(operations);
    }

    [[nodiscard]] Byte* secret_key() { return reinterpret_cast<Byte*>(this + 1); }
    [[nodiscard]] BytesIn<> secret_key() const
    {
        return {reinterpret_cast<const Byte*>(this + 1), key_bytes};
    }
    [[nodiscard]] void* scheme_key() { return secret_key() + aligned(key_bytes); }
    [[nodiscard]] const void* scheme_key() const { return secret_key().data() + aligned(key_bytes); }

    /// The whole size.
    [[nodiscard]] std::size_t bytes() const { return bytes(key_bytes, scheme_bytes); }
    static constexpr std::size_t bytes(std::size_t key_bytes, std::size_t scheme_bytes)
    {
        return sizeof(PreparedKey) + aligned(key_bytes) + aligned(scheme_bytes);
    }

  private:
    static constexpr std::size_t aligned(std::size_t bytes)
    {
        return (bytes + GIRIH_PREPARED_ALIGNMENT - 1) / GIRIH_PREPARED_ALIGNMENT * GIRIH_PREPARED_ALIGNMENT;
    }
};
static_assert(sizeof(PreparedKey) == GIRIH_PREPARED_ALIGNMENT);

inline const girih_alg* alg_of(const PreparedKey* key) { return key == nullptr ? nullptr : key->alg; }

}  // namespace girih::api

struct girih_signing_key : girih::api::PreparedKey {};
struct girih_verifying_key : girih::api::PreparedKey {};
struct girih_encapsulation_key : girih::api::PreparedKey {};
struct girih_decapsulation_key : girih::api::PreparedKey {};
