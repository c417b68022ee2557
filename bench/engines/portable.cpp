#include "bench/components/rows.hpp"
#include "bench/engines/engines.hpp"
#include "bench/routines/rows.hpp"
#include "isa/portable/lanes.hpp"
#include "isa/reference/lanes.hpp"

namespace girih::bench {

namespace {

namespace portable = isa::portable;
namespace reference = isa::reference;

const EngineRegistration portable_rows{
    {portable::Isa::name, add_component_rows<portable::Isa>, time_routines<portable::Isa>}};
// Its ML-DSA is the portable engine's.
const EngineRegistration reference_rows{
    {reference::Isa::name, add_component_rows<portable::Isa>, time_routines<reference::Isa>}};

}  // namespace

}  // namespace girih::bench
