/// The reference engine: the portable one, but NTRU Prime's arithmetic follows the specification
/// and Falcon's floating point is in integers. Others are measured and checked against it. Never
/// chosen automatically.
#pragma once

#include <string_view>

#include "isa/portable/engine.hpp"

namespace girih::isa::reference {

struct Isa : portable::Isa {
    static constexpr std::string_view name = "reference";
    static constexpr bool follows_specification = true;
    using Fpr = EmulatedFpr<Isa>;
};

}  // namespace girih::isa::reference
