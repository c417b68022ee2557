/// The kernels of the engines that need no target of their own.
#include "isa/portable/engine.hpp"
#include "isa/reference/engine.hpp"
#include "kernels/kernels_of.hpp"

namespace girih::test {

const Kernels portable_kernels = KernelsOf<isa::portable::Isa>::table;
const Kernels reference_kernels = KernelsOf<isa::reference::Isa>::table;

}  // namespace girih::test
