/// Sources of random bytes.
#pragma once

#include <girih/girih.h>

#include "core/bytes.hpp"
#include "core/random.hpp"

namespace girih::api {

/// Random bytes from the caller's source. Fails for a source with an unknown `piecewise`.
inline bool draw(const girih_random& random, BytesOut<> out)
{
    const bool is_known = random.piecewise == 0 || random.piecewise == 1;
    return is_known && random.fill != nullptr && random.fill(random.state, out.data(), out.size()) == 0;
}
/// Random bytes from the caller's source or, if null, from the operating system.
inline bool draw(const girih_random* random, BytesOut<> out)
{
    return random == nullptr ? os_random(out) : draw(*random, out);
}

/// Whether the source provides each piece that the specification draws, instead of one seed.
inline bool is_piecewise(const girih_random* random) { return random != nullptr && random->piecewise == 1; }

}  // namespace girih::api
