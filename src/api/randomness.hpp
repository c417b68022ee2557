/// Where random bytes come from.
#pragma once

#include <girih/girih.h>

#include "core/bytes.hpp"
#include "core/random.hpp"

namespace girih::api {

/// Random bytes from the caller's source, or from the operating system if there is none.
inline bool draw(const girih_random* random, BytesOut<> out)
{
    if (random == nullptr) return os_random(out);
    return random->fill != nullptr && random->fill(random->state, out.data(), out.size()) == 0;
}

/// Whether the source is to be asked for each piece that the specification draws, not for one seed.
inline bool is_piecewise(const girih_random* random) { return random != nullptr && random->piecewise != 0; }

}  // namespace girih::api
