#include "isa/portable/engine.hpp"
#include "isa/reference/engine.hpp"
#include "lab/benchmark/components/rows.hpp"
#include "lab/benchmark/engines/engines.hpp"
#include "lab/benchmark/routines/rows.hpp"

namespace girih::lab {

namespace {

namespace portable = isa::portable;
namespace reference = isa::reference;

const EngineRegistration portable_rows{
    {portable::Isa::name, add_component_rows<portable::Isa>, time_routines<portable::Isa>}};
// Its ML-DSA is the portable engine's.
const EngineRegistration reference_rows{
    {reference::Isa::name, add_component_rows<portable::Isa>, time_routines<reference::Isa>}};

}  // namespace

}  // namespace girih::lab
