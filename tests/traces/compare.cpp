#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "trace.hpp"

extern "C" bool girih_traces_is_own_memory;

namespace girih::traces {
namespace {

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15;
    return hash ^ (hash >> 29);
}

/// An instruction that ran, and a hash of its observed values of each kind but the path.
struct Step {
    std::uint64_t at;
    ZydisInstructionCategory category;
    std::array<std::uint64_t, 3> values{};
    bool operator==(const Step&) const = default;
};
using Trace = std::vector<Step>;
using Place = Trace::const_iterator;
constexpr std::ptrdiff_t run_length = 24;  // of equal instructions by which two places are taken for one

std::uint64_t hash_of_run(Place place)
{
    std::uint64_t hash = 0;
    for (std::ptrdiff_t i = 0; i < run_length; ++i) hash = mixed(hash, place[i].at);
    return hash;
}

/// How often traces differ, and first in what: values, or of a path the next instructions.
struct Difference {
    std::uint64_t at, kind;  ///< of a path, the last instruction that both traces have
    std::uint64_t count, first, second;
    std::uint64_t caller;          ///< the last call before it
    std::uint64_t callers_caller;  ///< the last call before that
};
using Differences = std::map<std::pair<std::uint64_t, Kind>, Difference>;

/// The addresses of a function.
struct Range {
    std::uint64_t begin, end;
};

/// Moves both to the nearest places from which the traces go on alike.
bool meet(Place& a, const Trace& whole_a, Place& b, const Trace& whole_b)
{
    const auto runs_from = [](Place place, const Trace& whole, std::ptrdiff_t window) {
        return std::clamp<std::ptrdiff_t>(whole.end() - place - run_length + 1, 0, window);
    };
    for (const int window_bits : {8, 13, 18, 23}) {
        const std::ptrdiff_t window = std::ptrdiff_t{1} << window_bits;
        std::unordered_map<std::uint64_t, std::ptrdiff_t> runs;
        for (std::ptrdiff_t i = 0; i < runs_from(a, whole_a, window); ++i)
            runs.emplace(hash_of_run(a + i), i);
        std::ptrdiff_t nearest = 2 * window, ahead_a = 0, ahead_b = 0;
        for (std::ptrdiff_t j = 0; j < std::min(nearest, runs_from(b, whole_b, window)); ++j) {
            const auto found = runs.find(hash_of_run(b + j));
            if (found == runs.end() || found->second + j >= nearest) continue;
            ahead_a = found->second;
            ahead_b = j;
            nearest = ahead_a + ahead_b;
        }
        if (nearest == 2 * window) continue;
        a += ahead_a;
        b += ahead_b;
        return true;
    }
    return false;
}

Trace expand(const Log& log)
{
    std::unordered_map<std::uint64_t, std::vector<Instruction>> blocks;
    Trace trace;
    for (std::size_t word = 0; word < log.count;) {
        std::uint64_t at = log.words[word++];
        auto& block = blocks[at];
        while (block.empty() || (!block.back().is_control() && block.size() < log.block_limit)) {
            block.push_back(decode(at));
            at = block.back().next();
        }
        for (const Instruction& instruction : block) {
            Step& step = trace.emplace_back(Step{instruction.at, instruction.code.meta.category});
            for (std::size_t i = 0; i < instruction.observed_count; ++i) {
                const Observed& value = instruction.observed[i];
                auto& hash = step.values[static_cast<std::size_t>(value.kind)];
                for (int n = 0; n < value.words; ++n) hash = mixed(hash, log.words[word++] & value.used);
            }
        }
    }
    return trace;
}

/// Removes from a trace all that ran inside functions, and all that they called: the course of a
/// declassified computation may differ there, but everything else still has to be equal.
void cut(Trace& trace, std::span<const Range> functions)
{
    constexpr std::int64_t none = INT64_MIN;
    std::unordered_map<std::uint64_t, bool> is_listed;
    std::int64_t depth = 0, cut_depth = none;  // of calls; that of the outermost function to be cut
    std::size_t kept = 0;
    for (const Step step : trace) {
        const auto [listed, is_new] = is_listed.try_emplace(step.at);
        if (is_new)
            listed->second = std::ranges::any_of(
                functions, [&](const Range& range) { return range.begin <= step.at && step.at < range.end; });
        if (cut_depth == none && listed->second) cut_depth = depth;
        if (cut_depth == none) trace[kept++] = step;
        if (step.category == ZYDIS_CATEGORY_CALL) ++depth;
        if (step.category == ZYDIS_CATEGORY_RET && --depth < cut_depth) cut_depth = none;
    }
    trace.resize(kept);
}

/// Adds what differs. False if the traces never meet again.
bool compare(const Trace& a, const Trace& b, Differences& differences)
{
    std::uint64_t last = 0, caller = 0, callers_caller = 0;
    const auto add = [&](std::uint64_t at, Kind kind, std::uint64_t first, std::uint64_t second) {
        ++differences
              .try_emplace({at, kind}, Difference{at, static_cast<std::uint64_t>(kind), 0, first, second,
                                                  caller, callers_caller})
              .first->second.count;
    };
    Place x = a.begin(), y = b.begin();
    for (; x != a.end() && y != b.end(); ++x, ++y) {
        if (x->at != y->at) {
            add(last, Kind::path, x->at, y->at);
            if (!meet(x, a, y, b)) return false;
        }
        for (const Kind kind : {Kind::address, Kind::mask, Kind::operand}) {
            const auto i = static_cast<std::size_t>(kind);
            if (x->values[i] != y->values[i]) add(x->at, kind, x->values[i], y->values[i]);
        }
        last = x->at;
        if (x->category == ZYDIS_CATEGORY_CALL) callers_caller = std::exchange(caller, last);
    }
    if (x != a.end() || y != b.end()) add(last, Kind::path, 0, 0);
    return true;
}

}  // namespace

/// Writes the differences of two logs to an array of limited length, and returns their number, or
/// -1 if the traces never meet again. `steps`: of the first, and those that are not cut.
extern "C" std::int64_t girih_traces_compare(const Log& a, const Log& b, const Range* functions,
                                             std::size_t count, Difference* to, std::size_t room,
                                             std::size_t* steps)
{
    girih_traces_is_own_memory = true;
    Trace first = expand(a), second = expand(b);
    steps[0] = first.size();
    if (first != second) cut(first, {functions, count}), cut(second, {functions, count});
    steps[1] = first.size();
    Differences differences;
    const bool meet_again = compare(first, second, differences);
    girih_traces_is_own_memory = false;
    if (differences.size() <= room)
        for (const auto& [key, difference] : differences) *to++ = difference;
    return meet_again && differences.size() <= room ? static_cast<std::int64_t>(differences.size()) : -1;
}

extern "C" std::size_t girih_traces_log_bytes() { return sizeof(Log); }

/// Runs an operation in either way.
extern "C" void girih_traces_run(const Operation& operation, Log& log, int is_stepped)
{
    is_stepped != 0 ? run_stepped(operation, log) : run_translated(operation, log);
}

/// A girih_random's source: bytes laid out before, from the address in the state on.
extern "C" int girih_traces_fill(void* state, std::uint8_t* out, std::size_t bytes)
{
    auto*& next = *static_cast<std::uint8_t**>(state);
    std::memcpy(out, next, bytes);
    next += bytes;
    return 0;
}

std::uint64_t call(const Operation* operation)
{
    const auto& a = operation->arguments;
    return operation->function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

}  // namespace girih::traces
