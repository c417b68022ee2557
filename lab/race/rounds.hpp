/// The race itself: in every round each contender does the batch once, in an order shuffled anew.
#pragma once

#include <map>
#include <vector>

#include "lab/operations/operations.hpp"

namespace girih::lab {

/// A contender's times in one operation.
struct Lane {
    const Contender* contender;
    const Operation* operation;
    std::map<std::size_t, double> ticks{};  ///< of one operation, by round
    std::size_t count = 0;                  ///< how many operations these are of
    /// Of what signs the set of messages one by one: the ticks of each message, in every round.
    std::vector<std::vector<double>> messages{};
};

/// When a race ends: once everybody has done each operation so often (the slow ones less often), or
/// the time is up, but not before so many rounds.
struct Limits {
    std::size_t count;
    double until;  ///< by CoreTime's clock
    std::size_t fewest_rounds;
};

/// Races a group of operations. Where girih races, only what it offers is raced. The group and the
/// contenders have to stay as long as the lanes.
[[nodiscard]] std::vector<Lane> race(const Material& material, const Group& group,
                                     const std::vector<const Contender*>& contenders, Random& random,
                                     const Limits& limits);

}  // namespace girih::lab
