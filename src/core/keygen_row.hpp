/// One key pair of a batch, as an engine sees it: arguments checked, lengths known from
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
