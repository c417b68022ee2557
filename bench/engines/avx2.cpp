// g++ 12 takes the undefined operands of its own intrinsics for mistakes.
#if !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wuninitialized"
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "dispatch/engine_prelude.hpp"
#include "engines.hpp"
#include "inputs.hpp"
#include "table.hpp"

// clang-format off
#include "isa/avx2/target_begin.hpp"
#include "isa/avx2/lanes.hpp"
#include "rows.hpp"
// clang-format on

namespace girih::bench {

static const EngineRegistration avx2{isa::avx2::Isa::name, add_component_rows<isa::avx2::Isa>};

}  // namespace girih::bench

#include "isa/avx2/target_end.hpp"
