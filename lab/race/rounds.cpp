#include "lab/race/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "lab/measure/clock.hpp"

namespace girih::lab {

namespace {

/// How many messages a contender signs before the next one's turn: those of a round are paired, and
/// the machine's pace must not change between them.
constexpr std::size_t stretch = 16;

/// How many ticks a contender's operations of one round should take at most: some milliseconds.
/// Only key generation of Streamlined NTRU Prime takes longer.
constexpr double ticks_of_a_round = 3 << 23;

/// How many ticks a turn should take: a fraction of a millisecond, so that the scheduler, which
/// takes the core away every few milliseconds if others want it, spares most turns.
constexpr double ticks_of_a_turn = 1 << 20;

std::size_t rounded_up(std::size_t number, std::size_t divisor) { return (number + divisor - 1) / divisor; }

std::size_t batch_of(const Material& material, const Operation& operation)
{
    return operation.signs_the_set() ? material.messages.size() : operation.batch;
}

/// Whether an operation signs the set of messages one by one, each timed by itself.
bool is_by_message(const Operation& operation)
{
    return operation.signs_the_set() && operation.smallest_turn == 1;
}

std::size_t stretches_of(const Material& material, const Operation& operation)
{
    return is_by_message(operation) ? rounded_up(material.messages.size(), stretch) : 1;
}

/// The jobs of a lane in one round: an operation that brings code and stack into the caches, and
/// the operations that count.
struct Jobs {
    std::unique_ptr<Job> warm_up, batch;
};

double time(const Lane& lane, Job& job, std::size_t first, std::size_t end)
{
    return uninterrupted_ticks([&] {
        if (!job.run(first, end))
            throw std::runtime_error(lane.contender->name + " fails in the middle of the race");
    });
}

/// How many operations of its batch a contender does in a round: all, unless they take longer than
/// a round should. Then it does some of a batch on fresh keys. If one call does the whole batch and
/// the batch is `larger` times others', the call is made every second, third, ... round instead: at
/// most every `larger` rounds, which gives as many operations as the others do.
std::size_t share_of(const Operation& operation, std::size_t batch, double ticks, std::size_t larger,
                     std::size_t round)
{
    if (operation.signs_the_set()) return batch;
    const auto affordable =
        std::clamp<std::size_t>(static_cast<std::size_t>(ticks_of_a_round / ticks), 1, batch);
    if (operation.smallest_turn == 1) return affordable;
    return round % std::min(rounded_up(batch, affordable), larger) == 0 ? batch : 0;
}

/// The ticks of the first operations of a batch, in turns.
double time_batch(const Lane& lane, Job& job, std::size_t share, double warm_up)
{
    const Operation& operation = *lane.operation;
    const auto turn = std::clamp(static_cast<std::size_t>(ticks_of_a_turn / warm_up), operation.smallest_turn,
                                 operation.turn);
    double ticks = 0;
    for (std::size_t first = 0; first < share; first += turn)
        ticks += time(lane, job, first, std::min(first + turn, share));
    return ticks;
}

double sign_messages(Lane& lane, Job& job, std::size_t first, std::size_t end)
{
    double sum = 0;
    for (std::size_t message = first; message < end; ++message) {
        lane.messages[message].push_back(time(lane, job, message, message + 1));
        sum += lane.messages[message].back();
    }
    return sum;
}

std::vector<Lane> lanes_of(const Material& material, const Group& group,
                           const std::vector<const Contender*>& contenders, Random& random)
{
    std::vector<Lane> lanes;
    const bool is_with_girih = std::ranges::any_of(contenders, &Contender::is_girih);
    for (const Operation& operation : group) {
        const Strings inputs = operation.inputs(material, random, 1);
        std::vector<Lane> offering;
        for (const Contender* contender : contenders)
            if (contender->job(material.algorithm, operation.name, inputs) != nullptr)
                offering.push_back({contender, &operation});
        if (!is_with_girih ||
            std::ranges::any_of(offering, [](const Lane& l) { return l.contender->is_girih; }))
            lanes.insert(lanes.end(), offering.begin(), offering.end());
    }
    return lanes;
}

class Rounds {
  public:
    Rounds(const Material& material, const Group& group, std::vector<Lane>& lanes, Random& random)
        : material_(material), group_(group), lanes_(lanes), random_(random), jobs_(lanes.size())
    {
        for (const Operation& operation : group)
            smallest_batch_ = std::min(smallest_batch_, batch_of(material, operation));
        for (Lane& lane : lanes)
            if (is_by_message(*lane.operation)) lane.messages.resize(material.messages.size());
    }

    [[nodiscard]] std::size_t smallest_batch() const { return smallest_batch_; }

    void run(std::size_t round)
    {
        for (const Operation& operation : group_) make_jobs(operation);
        std::vector<std::pair<double, std::size_t>> totals(lanes_.size());
        std::vector<std::size_t> order(lanes_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::size_t stretches = 0;
        for (const Lane& lane : lanes_)
            stretches = std::max(stretches, stretches_of(material_, *lane.operation));
        for (std::size_t turn = 0; turn < stretches; ++turn) {
            random_.shuffle(order);
            for (const std::size_t index : order) {
                if (turn >= stretches_of(material_, *lanes_[index].operation)) continue;
                const auto [ticks, count] = take_turn(lanes_[index], jobs_[index], turn, round);
                totals[index].first += ticks;
                totals[index].second += count;
                lanes_[index].contender->rest();
            }
        }
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            const auto [ticks, count] = totals[i];
            if (count > 0) lanes_[i].ticks[round] = ticks / static_cast<double>(count);
            lanes_[i].count += count;
        }
    }

  private:
    /// Makes all jobs, on the same inputs: fresh ones in every round, except the set of messages.
    void make_jobs(const Operation& operation)
    {
        Strings warm_up, batch;
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            if (lanes_[i].operation != &operation || (operation.signs_the_set() && jobs_[i].batch != nullptr))
                continue;
            if (warm_up.empty()) {
                warm_up = operation.inputs(material_, random_, 1);
                batch = operation.inputs(material_, random_, batch_of(material_, operation));
            }
            const auto job = [&](const Strings& inputs) {
                auto made = lanes_[i].contender->job(material_.algorithm, operation.name, inputs);
                if (made == nullptr)
                    throw std::runtime_error(lanes_[i].contender->name + " refuses the race's inputs");
                return made;
            };
            jobs_[i] = {job(warm_up), job(batch)};
        }
    }

    /// Ticks, and the number of operations they were for.
    std::pair<double, std::size_t> take_turn(Lane& lane, const Jobs& jobs, std::size_t turn,
                                             std::size_t round)
    {
        const std::size_t batch = batch_of(material_, *lane.operation);
        const double warm_up = std::max(time(lane, *jobs.warm_up, 0, SIZE_MAX), 1.0);
        if (is_by_message(*lane.operation)) {
            const std::size_t first = turn * stretch;
            const std::size_t end = std::min(batch, first + stretch);
            return {sign_messages(lane, *jobs.batch, first, end), end - first};
        }
        const std::size_t share = share_of(*lane.operation, batch, warm_up, batch / smallest_batch_, round);
        return {time_batch(lane, *jobs.batch, share, warm_up), share};
    }

    const Material& material_;
    const Group& group_;
    std::vector<Lane>& lanes_;
    Random& random_;
    std::vector<Jobs> jobs_;
    std::size_t smallest_batch_ = SIZE_MAX;
};

}  // namespace

std::vector<Lane> race(const Material& material, const Group& group,
                       const std::vector<const Contender*>& contenders, Random& random, const Limits& limits)
{
    std::vector<Lane> lanes = lanes_of(material, group, contenders, random);
    Rounds rounds{material, group, lanes, random};
    const std::size_t most =
        std::max(rounded_up(limits.count, rounds.smallest_batch()), limits.fewest_rounds);
    for (std::size_t round = 0; round < most; ++round) {
        if (round >= limits.fewest_rounds && CoreTime::now().elapsed >= limits.until) break;
        rounds.run(round);
    }
    return lanes;
}

}  // namespace girih::lab
