/// The portable kernels of ML-DSA with its mutants, and no others.
#include "isa/portable/engine.hpp"
#include "kernels/kernels_of.hpp"

namespace girih::test {

const Kernels portable_kernels{.name = "portable", .ml_dsa = KernelsOf<isa::portable::Isa>::MlDsa::table};
const std::vector<const Kernels*> all_kernels{&portable_kernels};

}  // namespace girih::test
