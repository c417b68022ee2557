/// Where random bytes come from.
#pragma once

#include <girih/girih.h>

#include "core/bytes.hpp"
#include "core/random.hpp"

namespace girih::api {

/// Random bytes from the caller's source. One of a kind that there is not (yet) gives none.
inline bool draw(const girih_random& random, BytesOut<> out)
{
    const bool is_known = random.piecewise == 0 || random.piecewise == 1;
    return is_known && random.fill != nullptr && random.fill(random.state, out.data(), out.size()) == 0;
}
/// Or from the operating system if there is none.
inline bool draw(const girih_random* random, BytesOut<> out)
{
    return random == nullptr ? os_random(out) : draw(*random, out);
}

/// Whether the source is to be asked for each piece that the specification draws, not for one seed.
inline bool is_piecewise(const girih_random* random) { return random != nullptr && random->piecewise == 1; }

}  // namespace girih::api
