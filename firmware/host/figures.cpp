/// The steps bench and report: time and stack of a board's operations.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "cli/output/progress.hpp"
#include "cli/system/failure.hpp"
#include "firmware/host/steps.hpp"

namespace girih::cli::board {
namespace {

/// One operation's figures, over all runs.
struct Figures {
    std::string operation;
    Run median;  ///< the run with the median of cycles, and the largest stack of all
    std::uint64_t mean_cycles = 0;
    std::uint64_t min_cycles = 0;
    std::uint64_t max_cycles = 0;
};

Figures figures_of(const char* operation, std::vector<Run> runs)
{
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.cycles < b.cycles; });
    Figures figures{operation, runs[runs.size() / 2], 0, runs.front().cycles, runs.back().cycles};
    std::uint64_t sum = 0;
    for (const Run& run : runs) {
        sum += run.cycles;
        figures.median.stack_bytes = std::max(figures.median.stack_bytes, run.stack_bytes);
    }
    figures.mean_cycles = sum / runs.size();
    return figures;
}

std::string line_of(const Figures& figures)
{
    std::array<char, 160> line{};
    (void)std::snprintf(line.data(), line.size(),
                        "%-12s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %8" PRIu64,
                        figures.operation.c_str(), figures.median.milliseconds, figures.median.cycles,
                        figures.mean_cycles, figures.max_cycles, figures.median.stack_bytes);
    return line.data();
}

/// The figures of one operation; nothing if the image lacks it, or a key for it.
std::optional<Figures> benchmark_one(unsigned count, Link& link, const char* name, char letter)
{
    const ByteString argument{static_cast<std::uint8_t>(count >> 8), static_cast<std::uint8_t>(count)};
    Progress progress(count, Progress::Unit::runs);
    std::vector<Run> runs;
    const auto status = link.watch(letter, argument, count, [&](const std::string& line) {
        runs.push_back(parse_run(line));
        progress.add(1);
    });
    if (status != Status::ok && runs.empty()) return {};
    if (status != Status::ok || runs.size() != count)
        link.fail(std::string(name) + ": failed on the board after " + std::to_string(runs.size()) + " runs");
    return figures_of(name, std::move(runs));
}

Json json_of(const Figures& figures)
{
    return {{"operation", figures.operation},           {"median_milliseconds", figures.median.milliseconds},
            {"median_cycles", figures.median.cycles},   {"mean_cycles", figures.mean_cycles},
            {"least_cycles", figures.min_cycles},       {"most_cycles", figures.max_cycles},
            {"stack_bytes", figures.median.stack_bytes}};
}

/// Measures each operation of the image, and passes its figures to `show` at once.
template <class Show>
void benchmark_each(unsigned runs, Conversation& talk, Show show)
{
    const girih_alg* alg = talk.algorithm();
    const bool is_kem = alg != nullptr && girih_is_kem(alg) == 1;
    talk.forget_public_key();  // each run makes another key
    std::size_t count = 0;
    for (const auto& [name, letter] :
         {std::pair{"keygen", 'R'}, std::pair{is_kem ? "encapsulate" : "sign", 'B'},
          std::pair{is_kem ? "decapsulate" : "verify", 'C'}}) {
        const auto figures = benchmark_one(runs, talk.link(), name, letter);
        if (!figures) continue;
        ++count;
        show(*figures);
    }
    if (count == 0)
        throw Failure(exit_file, "the board does nothing that can be timed without being given a key");
}

}  // namespace

void benchmark(const Options& options, Conversation& talk, Outputs& out)
{
    const std::string& name = talk.info().name;
    const unsigned runs = options.bench_runs;
    if (options.json) {
        out.figures = {{"algorithm", name}, {"runs", runs}, {"operations", Json::array()}};
        benchmark_each(runs, talk, [&](const Figures& figures) {
            out.figures["operations"].push_back(json_of(figures));
        });
        return;
    }
    out.say(name + ", " + std::to_string(runs) + " runs");
    out.say("              median ms       cycles         mean         most    stack");
    benchmark_each(runs, talk, [&](const Figures& figures) { out.say(line_of(figures)); });
}

void report(const Options& options, Conversation& talk, Outputs& out)
{
    const std::string where = options.image.empty()
                                  ? "on a board: cycles of the processor's counter"
                                  : "in an emulator: instructions, of which each takes 16 ns of its clock";
    out.say("girih " GIRIH_VERSION ", " + talk.info().name + ", " + std::to_string(options.report_runs) +
            " runs each, " + where + ". Stack in bytes, the maximum of all runs.");
    out.say("");
    out.say("| operation | ms, median | cycles, median | mean | most | stack |");
    out.say("|---|---:|---:|---:|---:|---:|");
    benchmark_each(options.report_runs, talk, [&](const Figures& figures) {
        std::string row = "| " + figures.operation + " |";
        for (const std::uint64_t value :
             {figures.median.milliseconds, figures.median.cycles, figures.mean_cycles, figures.max_cycles,
              figures.median.stack_bytes})
            row += " " + std::to_string(value) + " |";
        out.say(row);
    });
}

}  // namespace girih::cli::board
