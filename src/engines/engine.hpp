/// An engine: every operation for one processor family.
#pragma once

#include <cstddef>
#include <string_view>

namespace girih::engines {

struct Engine {
    std::string_view name;
    std::size_t number;  ///< its index in built.hpp's list, and in girih_alg::operations
};

}  // namespace girih::engines
