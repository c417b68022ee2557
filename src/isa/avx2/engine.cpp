#include "isa/avx2/prelude.hpp"

// clang-format off
#include "isa/avx2/target_begin.hpp"
#include "dispatch/engine.hpp"
#include "isa/avx2/lanes.hpp"
// clang-format on

namespace girih::isa::avx2 {

extern const dispatch::Engine engine;
const dispatch::Engine engine = dispatch::make_engine<Isa>();

}  // namespace girih::isa::avx2

#include "isa/avx2/target_end.hpp"
