/// Where two traces part, and where they meet again.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "log.hpp"
#include "places.hpp"

namespace girih::traces {

struct Difference {
    std::size_t count = 0;
    std::uint64_t first = 0, second = 0;  ///< values; of a path, the next instructions
    std::uint64_t caller = 0;             ///< the last call before it
};

/// By instruction (of a path, the last that both traces have) and kind.
using Differences = std::map<std::pair<std::uint64_t, Kind>, Difference>;

/// Takes out of a trace what ran inside these functions, and all that they called: the course of a
/// declassified computation may differ there, and everything else still has to be equal.
void cut(Trace& trace, const std::vector<Range>& functions);

/// Adds what differs. False if the traces never meet again.
bool compare(const Trace& a, const Trace& b, Differences& differences);

}  // namespace girih::traces
