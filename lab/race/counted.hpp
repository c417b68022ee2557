/// Operations to be counted by an emulator instead of timed (lab/emulated).
#pragma once

#include <vector>

#include "lab/operations/operations.hpp"

namespace girih::lab {

/// Runs each operation of each contender on the same inputs, between two marks that
/// lab/emulated/blocks.c counts between. Writes a line for each to standard output, with tabs
/// between the fields: the mark that ended it, algorithm, operation, contender, how many ran.
void run_marked(const Material& material, const Group& group, const std::vector<const Contender*>& contenders,
                Random& random);

}  // namespace girih::lab
