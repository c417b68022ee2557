/// An engine: every scheme, instantiated for one processor family.
#pragma once

#include <array>
#include <string_view>

#include "ml_dsa/operations.hpp"

namespace girih::dispatch {

struct Engine {
    std::string_view name;
    std::array<ml_dsa::Operations, ml_dsa::parameter_sets.size()> ml_dsa;
};

/// The engine of an ISA's lanes: its engine.cpp is this one line.
template <class Isa>
constexpr Engine make_engine()
{
    return {Isa::name, ml_dsa::operations_of_all<Isa>};
}

}  // namespace girih::dispatch
