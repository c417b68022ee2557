#include "dispatch/engine.hpp"
#include "isa/portable/lanes.hpp"

namespace girih::isa::portable {

extern const dispatch::Engine engine;
const dispatch::Engine engine = dispatch::make_engine<Isa>();

}  // namespace girih::isa::portable
