/// Falcon on both kinds of floating point, side by side.
#pragma once

#include "isa/doubles/emulated_fpr.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "isa/portable/engine.hpp"

namespace girih::test {

struct NativeIsa : isa::portable::Isa {
    using Fpr = isa::NativeFpr<NativeIsa>;
};
struct EmulatedIsa : isa::portable::Isa {
    using Fpr = isa::EmulatedFpr<EmulatedIsa>;
};
using NativeFpr = NativeIsa::Fpr;
using EmulatedFpr = EmulatedIsa::Fpr;

}  // namespace girih::test
