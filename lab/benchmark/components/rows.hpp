/// The rows of the components that each engine has of its own, as templates over its lanes.
///
/// An engine's rows are instantiated in a translation unit of its own (engines/), where its lanes
/// need it with other target flags. So everything here depends on Isa; what does not is compiled
/// once, behind lab/benchmark/rows.hpp and lab/measure/random.hpp.
#pragma once

#include "lab/benchmark/components/falcon_rows.hpp"
#include "lab/benchmark/components/ml_dsa_rows.hpp"
#include "lab/benchmark/components/ml_kem_rows.hpp"

namespace girih::lab {

/// Adds the rows of all components on an engine's lanes.
template <class Isa>
void add_component_rows()
{
    MlDsaComponents<Isa>::add_rows();
    FalconComponents<Isa, falcon::falcon_512.shape()>::add_rows();
    FalconComponents<Isa, falcon::falcon_1024.shape()>::add_rows();
    MlKemComponents<Isa>::add_rows();
}

}  // namespace girih::lab
