/// The reference engine: the portable one with NTRU Prime's arithmetic as its specification
/// writes it, and Falcon's floating point in integers, to measure and check the others against.
/// Never chosen by itself.
#pragma once

#include <string_view>

#include "isa/portable/lanes.hpp"

namespace girih::isa::reference {

struct Isa : portable::Isa {
    static constexpr std::string_view name = "reference";
    static constexpr bool follows_specification = true;
    using Fpr = EmulatedFpr<Isa>;
};

}  // namespace girih::isa::reference
