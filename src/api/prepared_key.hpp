/// What stands behind girih_signing_key and girih_verifying_key: the algorithm, then the engine's prepared key.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "api/algorithm.hpp"
#include "falcon/operations.hpp"
#include "ml_dsa/operations.hpp"

namespace girih::api {

static_assert(GIRIH_PREPARED_ALIGNMENT == ml_dsa::prepared_key_alignment &&
              GIRIH_PREPARED_ALIGNMENT == falcon::prepared_key_alignment);

struct alignas(GIRIH_PREPARED_ALIGNMENT) PreparedKey {
    const girih_alg* alg;
    /// The operations that made it and can use it, of the algorithm's scheme.
    const void* operations;

    template <class Operations>
    [[nodiscard]] const Operations& operations_as() const
    {
        return *static_cast<const Operations*>(operations);
    }

    [[nodiscard]] void* scheme_key() { return this + 1; }
    [[nodiscard]] const void* scheme_key() const { return this + 1; }

    /// Bytes of all, when the engine's part has `size`.
    static constexpr std::size_t bytes(std::size_t size)
    {
        return sizeof(PreparedKey) +
               (size + sizeof(PreparedKey) - 1) / sizeof(PreparedKey) * sizeof(PreparedKey);
    }
};
static_assert(sizeof(PreparedKey) == GIRIH_PREPARED_ALIGNMENT);

}  // namespace girih::api

struct girih_signing_key : girih::api::PreparedKey {};
struct girih_verifying_key : girih::api::PreparedKey {};
