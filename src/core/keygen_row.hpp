/// One key pair of a batch, as engines receive it: arguments are checked, and lengths follow from
/// the parameter set.
#pragma once

#include "core/bytes.hpp"

namespace girih {

struct KeygenRow {
    const Byte* seed;
    Byte* pk;
    Byte* sk;
};

}  // namespace girih
