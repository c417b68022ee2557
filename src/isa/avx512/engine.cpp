#include "isa/avx512/prelude.hpp"

// clang-format off
#include "isa/avx512/target_begin.hpp"
#include "dispatch/engine.hpp"
#include "isa/avx512/lanes.hpp"
// clang-format on

namespace girih::isa::avx512 {

extern const dispatch::Engine engine;
const dispatch::Engine engine = dispatch::make_engine<Isa>();

}  // namespace girih::isa::avx512

#include "isa/avx512/target_end.hpp"
