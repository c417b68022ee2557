/// The caller's source of randomness, as NTRU Prime takes it.
#pragma once

#include <girih/girih.h>

#include "ntru_prime/sampling/randomness.hpp"

namespace girih::api {

/// Whether the source is to be asked for each piece that the specification draws, not for one seed.
inline bool is_piecewise(const girih_random* random) { return random != nullptr && random->piecewise != 0; }

inline ntru_prime::Randomness pieces_of(const girih_random* random)
{
    const auto fill = [](const void* source, Byte* out, std::size_t bytes) {
        const auto* const from = static_cast<const girih_random*>(source);
        return from->fill != nullptr && from->fill(from->state, out, bytes) == 0;
    };
    return {nullptr, fill, random};
}

}  // namespace girih::api
