#include "isa/portable/lanes.hpp"

#include "engines.hpp"
#include "rows.hpp"

namespace girih::bench {

constinit const EngineRows portable_rows{isa::portable::Isa::name, add_component_rows<isa::portable::Isa>};

}  // namespace girih::bench
