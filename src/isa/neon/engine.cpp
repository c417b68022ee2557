#include "isa/neon/prelude.hpp"

// clang-format off
#include "isa/neon/target_begin.hpp"
#include "dispatch/engine.hpp"
#include "isa/neon/lanes.hpp"
// clang-format on

namespace girih::isa::neon {

extern const dispatch::Engine engine;
const dispatch::Engine engine = dispatch::make_engine<Isa>();

}  // namespace girih::isa::neon

#include "isa/neon/target_end.hpp"
