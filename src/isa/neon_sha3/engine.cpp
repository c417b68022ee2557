#include "isa/neon_sha3/prelude.hpp"

// clang-format off
#include "isa/neon_sha3/target_begin.hpp"
#include "dispatch/engine.hpp"
#include "isa/neon_sha3/lanes.hpp"
// clang-format on

namespace girih::isa::neon_sha3 {

extern const dispatch::Engine engine;
const dispatch::Engine engine = dispatch::make_engine<Isa>();

}  // namespace girih::isa::neon_sha3

#include "isa/neon_sha3/target_end.hpp"
