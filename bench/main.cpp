/// girih_benchmark: times every component and every operation of ML-DSA and Dilithium on one engine.

#include <benchmark/benchmark.h>
#include <girih/girih.h>

#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "counter.hpp"
#include "engines.hpp"
#include "field.hpp"
#include "machine.hpp"
#include "operations.hpp"
#include "representative.hpp"
#include "table.hpp"

namespace {

using namespace girih::bench;

void print_help()
{
    std::cout << R"(girih_benchmark: times every component and operation of ML-DSA and Dilithium

  --engine=NAME   the processor engine (default: the one that GIRIH_ISA names, or the best)
  --fixed         keygen, sign and verify take the same key and message in every iteration and run, and
                  do the same work again and again; the number of attempts of that one signature is
                  arbitrary, so its time is no average (default: another key and message each time)

Time is a mean, and counts what other programs took from it. ticks is the median of the processor's
counter, which an interruption does not move (of sign_representative: the mean of the messages'
medians). max, median and min are over the iterations; CPU counts their untimed preparation too.

All other flags are google-benchmark's, among them:
  --benchmark_filter=REGEX   --benchmark_list_tests   --benchmark_min_time=SECONDS (here 0.3)
  --benchmark_repetitions=N  --benchmark_format=console|json|csv   --benchmark_out=FILE
)";
}

/// The options that are ours; google-benchmark's are left to it.
struct Options {
    std::string_view engine;
    Material material = Material::fresh;
    std::vector<char*> others;
};

Options parse(int argc, char** argv)
{
    constexpr std::string_view engine_option = "--engine=";
    Options options;
    for (char* argument : std::span{argv, static_cast<std::size_t>(argc)}) {
        const std::string_view text = argument;
        if (text.starts_with(engine_option)) {
            options.engine = text.substr(engine_option.size());
        } else if (text == "--fixed") {
            options.material = Material::fixed;
        } else {
            options.others.push_back(argument);
        }
    }
    return options;
}

/// Flags of google-benchmark with other defaults than its own: it takes the last of each, so the user's win.
/// From 1.8, which has SkipWithMessage, a time has a unit.
template <class State = benchmark::State>
std::vector<std::string> default_flags()
{
    const char* unit = requires(State& state) { state.SkipWithMessage(""); } ? "s" : "";
    return {"--benchmark_counters_tabular=true", std::string{"--benchmark_min_time=0.3"} + unit};
}

/// Chooses the engine of the operations, and returns the rows of its components; null, with a message, if it
/// has none.
const EngineRows* choose_engine(std::string_view name)
{
    if (!name.empty() && engine_of_name(name) == nullptr) {
        std::cerr << "girih_benchmark: there is no engine '" << name << "'; there are: " << engine_names()
                  << '\n';
        return nullptr;
    }
    if (!name.empty()) setenv("GIRIH_ISA", std::string{name}.c_str(), 1);
    const char* chosen = girih_engine();
    const EngineRows* rows = chosen == nullptr ? nullptr : engine_of_name(chosen);
    if (rows == nullptr)
        std::cerr << "girih_benchmark: " << girih_engine_reason() << "; there are: " << engine_names()
                  << '\n';
    return rows;
}

/// One line of the header for each thing that a reader of the table needs to know.
void add_header(Material material, const std::string& representative)
{
    using benchmark::AddCustomContext;
    const auto core = pin_to_one_core();
    std::ostringstream counter;
    counter << Counter::name << ", " << ticks_per_second() / 1e6 << " MHz, " << empty_measurement()
            << " ticks for an empty measurement (not subtracted)";
    AddCustomContext("processor", processor());
    AddCustomContext("core", core ? "pinned to " + std::to_string(*core) : "not pinned");
    AddCustomContext("counter", counter.str());
    AddCustomContext("compiler", compiler());
    AddCustomContext("flags", compiler_flags());
    AddCustomContext("engine", std::string{girih_engine()} + " (" + girih_engine_reason() + ")");
    AddCustomContext("keys and messages", material == Material::fixed ? "fixed" : "fresh in each iteration");
    AddCustomContext("representative messages", representative);
}

/// Runs the rows. A table keeps its header when it goes into a file: google-benchmark would write it to
/// standard error.
void run()
{
    benchmark::BenchmarkReporter* reporter = benchmark::CreateDefaultDisplayReporter();
    if (dynamic_cast<benchmark::ConsoleReporter*>(reporter) != nullptr) reporter->SetErrorStream(&std::cout);
    benchmark::RunSpecifiedBenchmarks(reporter);
}

}  // namespace

int main(int argc, char** argv)
{
    Options options = parse(argc, argv);
    const EngineRows* engine = choose_engine(options.engine);
    if (engine == nullptr) return EXIT_FAILURE;

    std::vector<std::string> defaults = default_flags();
    for (std::size_t i = 0; i < defaults.size(); ++i)
        options.others.insert(options.others.begin() + 1 + static_cast<std::ptrdiff_t>(i),
                              defaults[i].data());
    int others = static_cast<int>(options.others.size());
    options.others.push_back(nullptr);
    benchmark::Initialize(&others, options.others.data(), print_help);
    if (benchmark::ReportUnrecognizedArguments(others, options.others.data())) return EXIT_FAILURE;

    add_field_rows();
    engine->add();
    add_operation_rows(options.material);
    add_header(options.material, add_representative_rows());
    run();
    benchmark::Shutdown();
    return any_failed() ? EXIT_FAILURE : EXIT_SUCCESS;
}
