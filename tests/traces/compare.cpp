#include "compare.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace girih::traces {
namespace {

constexpr std::size_t run_length = 24;  // equal instructions by which two places are taken for one

std::uint64_t hash_of_run(Trace::const_iterator step)
{
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < run_length; ++i) hash = mixed(hash, step[static_cast<std::ptrdiff_t>(i)].at);
    return hash;
}

/// The last steps of a trace at which a run begins, within a window.
Trace::const_iterator end_of_runs(Trace::const_iterator step, const Trace& trace, std::ptrdiff_t window)
{
    const auto rest = trace.end() - step - static_cast<std::ptrdiff_t>(run_length) + 1;
    return step + std::max<std::ptrdiff_t>(0, std::min(rest, window));
}

/// Moves both to the nearest places from which the traces go on alike.
bool meet(Trace::const_iterator& a, const Trace& whole_a, Trace::const_iterator& b, const Trace& whole_b)
{
    for (const std::ptrdiff_t window : std::array<std::ptrdiff_t, 4>{1 << 8, 1 << 13, 1 << 18, 1 << 23}) {
        std::unordered_map<std::uint64_t, std::ptrdiff_t> runs;
        const auto end_a = end_of_runs(a, whole_a, window), end_b = end_of_runs(b, whole_b, window);
        for (auto step = a; step != end_a; ++step) runs.emplace(hash_of_run(step), step - a);
        std::ptrdiff_t nearest = 2 * window, ahead_a = 0, ahead_b = 0;
        for (auto step = b; step != end_b && step - b < nearest; ++step) {
            const auto found = runs.find(hash_of_run(step));
            if (found == runs.end() || found->second + (step - b) >= nearest) continue;
            ahead_a = found->second;
            ahead_b = step - b;
            nearest = ahead_a + ahead_b;
        }
        if (nearest == 2 * window) continue;
        a += ahead_a;
        b += ahead_b;
        return true;
    }
    return false;
}

/// The parts of an instruction that matter here, each decoded once.
class Decoded {
  public:
    struct Facts {
        bool is_call, is_return, is_cut;
    };
    explicit Decoded(const std::vector<Range>& functions = {}) : functions_(functions) {}

    const Facts& operator[](std::uint64_t at)
    {
        const auto [place, is_new] = known_.try_emplace(at);
        if (is_new) {
            const Instruction instruction = decode(at);
            const auto has = [at](const Range& range) { return range.begin <= at && at < range.end; };
            place->second = {instruction.is_call(), instruction.is_return(), std::ranges::any_of(functions_, has)};
        }
        return place->second;
    }

  private:
    std::vector<Range> functions_;
    std::unordered_map<std::uint64_t, Facts> known_;
};

}  // namespace

void cut(Trace& trace, const std::vector<Range>& functions)
{
    constexpr std::int64_t none = INT64_MIN;
    Decoded decoded{functions};
    std::int64_t depth = 0, cut_depth = none;  // of calls; that of the outermost function to be cut
    std::size_t kept = 0;
    for (const Step step : trace) {
        const Decoded::Facts& facts = decoded[step.at];
        if (cut_depth == none && facts.is_cut) cut_depth = depth;
        if (cut_depth == none) trace[kept++] = step;
        if (facts.is_call) ++depth;
        if (facts.is_return && --depth < cut_depth) cut_depth = none;
    }
    trace.resize(kept);
}

bool compare(const Trace& a, const Trace& b, Differences& differences)
{
    Decoded decoded;
    std::uint64_t last = 0, caller = 0;
    const auto add = [&](std::uint64_t at, Kind kind, std::uint64_t first, std::uint64_t second) {
        Difference& difference = differences.try_emplace({at, kind}, Difference{0, first, second, caller}).first->second;
        ++difference.count;
    };
    auto x = a.begin(), y = b.begin();
    while (x != a.end() && y != b.end()) {
        if (x->at != y->at) {
            add(last, Kind::path, x->at, y->at);
            if (!meet(x, a, y, b)) return false;
            continue;
        }
        if (x->address != y->address) add(x->at, Kind::address, x->address, y->address);
        if (x->mask != y->mask) add(x->at, Kind::mask, x->mask, y->mask);
        if (x->operand != y->operand) add(x->at, Kind::operand, x->operand, y->operand);
        last = x->at;
        if (decoded[last].is_call) caller = last;
        ++x, ++y;
    }
    if (x == a.end() && y == b.end()) return true;
    add(last, Kind::path, 0, 0);
    return true;
}

}  // namespace girih::traces
