/// An engine: every operation for one processor family.
#pragma once

#include <cstddef>
#include <string_view>

namespace girih::engines {

struct Engine {
    std::string_view name;
    std::size_t number;  ///< its place in built.hpp's list, and among the operations of an algorithm
};

}  // namespace girih::engines
