#include "engines.hpp"
#include "isa/portable/lanes.hpp"
#include "rows.hpp"

namespace girih::bench {

static const EngineRegistration portable{isa::portable::Isa::name, add_component_rows<isa::portable::Isa>};

}  // namespace girih::bench
