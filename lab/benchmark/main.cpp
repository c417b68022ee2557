/// girih_benchmark: times every component of ML-DSA, Dilithium, Falcon and ML-KEM and every
/// operation on one engine.

#include <benchmark/benchmark.h>
#include <girih/girih.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lab/benchmark/engines/engines.hpp"
#include "lab/benchmark/operations.hpp"
#include "lab/benchmark/reporters.hpp"
#include "lab/benchmark/routines/routines.hpp"
#include "lab/benchmark/rows.hpp"
#include "lab/measure/clock.hpp"
#include "lab/measure/machine.hpp"

namespace {

using namespace girih::lab;

void print_help()
{
    std::cout
        << R"(girih_benchmark: times every component of ML-DSA, Dilithium, Falcon and ML-KEM, and every operation of
these and of NTRU Prime

  --engine=NAME   the processor engine (default: the one that GIRIH_ISA names, or the best)
  --fixed         every operation takes the same key and message in every iteration and run, and
                  does the same work again and again; the number of attempts of that one signature is
                  arbitrary, so its time is no average (default: another message each time,
                  and another key every 64th time)
  --scales        also rows of long messages (1 KiB to 256 KiB) and of batches of 2, 8 and 128 rows

  --routines[=SETS]   only the cycles of NTRU Prime's routines, which otherwise come last: of ntrulpr761 and
                  sntrup761, or of these parameter sets (separated by commas, or "all"); on the
                  reference engine, the portable one and the one of the rows
  --counter=perf_event   counts those cycles by perf_event if the system lets it, whatever the processor has

Every time is a median, by the processor's counter (ticks), which an interruption does not move; of
sign_representative it is the mean of the messages' medians, of a row in repetitions what their
statistic is of. The mean beside it counts what other programs took. A time is of one operation, of
one coefficient or polynomial, or of one call for many rows, as the row says; the name at the end of
a row is the one in files. In JSON and CSV, real_time is the median and label
what the table calls the row; cpu_time counts untimed preparation too. Routines are in them as well.

All other flags are google-benchmark's, among them:
  --benchmark_filter=NAME    a part of what the first or last column says, or a regular expression
  --benchmark_min_time=SECONDS (here 0.3)    --benchmark_list_tests
  --benchmark_repetitions=N  --benchmark_format=console|json|csv   --benchmark_out=FILE
)";
}

/// The options that are ours; google-benchmark's are left to it.
struct Options {
    std::string_view engine;
    Inputs inputs = Inputs::fresh;
    bool is_only_routines = false;
    bool is_list = false;     ///< lists the rows, and times none
    bool has_scales = false;  ///< adds rows of long messages and of batches of many sizes
    std::string_view filter;  ///< some rows only, and no routines; empty for all
    std::string_view routines;
    CycleCounter::Source counter = CycleCounter::Source::usual;
    std::vector<char*> others;
};

Options parse(int argc, char** argv)
{
    constexpr std::string_view engine_option = "--engine=";
    constexpr std::string_view routines_option = "--routines=";
    constexpr std::string_view filter_option = "--benchmark_filter=";
    Options options;
    for (char* argument : std::span{argv, static_cast<std::size_t>(argc)}) {
        const std::string_view text = argument;
        if (text.starts_with(engine_option)) {
            options.engine = text.substr(engine_option.size());
        } else if (text == "--fixed") {
            options.inputs = Inputs::fixed;
        } else if (text == "--routines" || text.starts_with(routines_option)) {
            options.is_only_routines = true;
            options.routines = text.substr(std::min(text.size(), routines_option.size()));
        } else if (text == "--scales") {
            options.has_scales = true;
        } else if (text.starts_with(filter_option)) {
            options.filter = text.substr(filter_option.size());
        } else if (text == "--counter=perf_event") {
            options.counter = CycleCounter::Source::perf_event;
        } else {
            options.is_list |= text.starts_with("--benchmark_list");
            options.others.push_back(argument);
        }
    }
    return options;
}

/// Our defaults for google-benchmark's flags. It takes the last of each flag, so the user's flags
/// win. From 1.8, which has SkipWithMessage, a time has a unit.
template <class State = benchmark::State>
std::vector<std::string> default_flags()
{
    const char* unit = requires(State& state) { state.SkipWithMessage(""); } ? "s" : "";
    return {"--benchmark_counters_tabular=true", std::string{"--benchmark_min_time=0.3"} + unit};
}

/// Chooses the engine of the operations, and returns the rows of its components; null, with a
/// message, if it has none.
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
void add_header(Inputs inputs, const std::string& representative)
{
    using benchmark::AddCustomContext;
    const auto core = stay_on_core();
    std::ostringstream counter;
    counter << Counter::name << ", " << ticks_per_second() / 1e6 << " MHz, " << empty_measurement()
            << " ticks for an empty measurement (not subtracted)";
    AddCustomContext("processor", processor());
    AddCustomContext("core", core ? "pinned to " + std::to_string(*core) : "not pinned");
    AddCustomContext("counter", counter.str());
    AddCustomContext("compiler", compiler());
    AddCustomContext("flags", compiler_flags());
    AddCustomContext("engine", std::string{girih_engine()} + " (" + girih_engine_reason() + ")");
    AddCustomContext("keys and messages", inputs == Inputs::fixed
                                              ? "fixed"
                                              : "messages fresh in each iteration, keys in every 64th");
    AddCustomContext("representative messages", representative);
}

/// The time of a row, and of a table of routines, with the preparation that is not timed.
constexpr double seconds_of_a_row = 0.6;
constexpr const char* seconds_of_routines = "2 to 6";

/// Says on standard error what is about to be done, and how long it takes.
void announce_rows(const Options& options)
{
    const double seconds = static_cast<double>(count_of_rows()) * seconds_of_a_row;
    std::cerr << "girih_benchmark: " << count_of_rows() << " rows on the engine " << girih_engine()
              << ", about " << std::ceil(seconds < 60 ? seconds : seconds / 60)
              << (seconds < 60 ? " s" : " min");
    if (options.filter.empty()) std::cerr << ", and then the tables of NTRU Prime's routines";
    std::cerr << std::endl;
}
void announce_routines(std::size_t tables)
{
    std::cerr << "girih_benchmark: " << tables << " tables of NTRU Prime's routines, " << seconds_of_routines
              << " s each" << std::endl;
}

/// The value of a flag of google-benchmark, "--benchmark_out="; nothing if it is not given.
std::string_view value_of(std::string_view flag, const std::vector<char*>& flags)
{
    std::string_view value;
    for (const std::string_view given : flags)
        if (given.starts_with(flag)) value = given.substr(flag.size());
    return value;
}

/// Whether the flags ask for a file of results in JSON, which is its format if none is named.
bool is_json_file(const std::vector<char*>& flags)
{
    const std::string_view format = value_of("--benchmark_out_format=", flags);
    return !value_of("--benchmark_out=", flags).empty() && (format.empty() || format == "json");
}

/// The columns of CSV, which has to know them all from the first row.
std::vector<std::string> all_columns()
{
    std::vector<std::string> columns = Samples::duration_columns();
    columns.insert(columns.end(), {"items_per_second", "cycles", "is_total"});
    return columns;
}

/// Runs the rows, and reports them and those of `more`, which get a table of their own. A table
/// keeps its header when it goes into a file: google-benchmark would write it to standard error.
void run(bool is_in_csv, bool has_json_file, const std::function<Runs()>& more,
         const std::function<void()>& print)
{
    std::unique_ptr<benchmark::BenchmarkReporter> usual{benchmark::CreateDefaultDisplayReporter()};
    const bool is_table = dynamic_cast<benchmark::ConsoleReporter*>(usual.get()) != nullptr;
    MedianReporter display{is_table ? std::make_unique<RowReporter>() : std::move(usual),
                           is_table ? std::function<Runs()>{} : more,
                           is_in_csv ? all_columns() : std::vector<std::string>{}, Progress{count_of_rows()}};
    if (is_table) display.SetErrorStream(&std::cout);
    MedianReporter file{std::make_unique<benchmark::JSONReporter>(), more};
    benchmark::RunSpecifiedBenchmarks(&display, has_json_file ? &file : nullptr);
    if (is_table) print();
}

/// The engines whose routines are compared with the reference's: the portable one and the one of
/// the rows.
std::vector<const EngineRows*> optimized_engines(const EngineRows& engine)
{
    std::vector<const EngineRows*> list;
    list.reserve(2);
    list.push_back(engine_of_name("portable"));
    if (engine.name != "portable" && engine.name != "reference") list.push_back(&engine);
    return list;
}

}  // namespace

int main(int argc, char** argv)
{
    Options options = parse(argc, argv);
    const EngineRows* engine = choose_engine(options.engine);
    if (engine == nullptr) return EXIT_FAILURE;

    const auto sets = routine_sets(options.routines);
    if (sets.empty()) {
        std::cerr << "girih_benchmark: there are no parameter sets '" << options.routines
                  << "'; girih list names them\n";
        return EXIT_FAILURE;
    }

    std::vector<std::string> defaults = default_flags();
    for (std::size_t i = 0; i < defaults.size(); ++i)
        options.others.insert(options.others.begin() + 1 + static_cast<std::ptrdiff_t>(i),
                              defaults[i].data());
    const bool is_in_csv = value_of("--benchmark_format=", options.others) == "csv";
    const bool has_json_file = is_json_file(options.others);
    int others = static_cast<int>(options.others.size());
    options.others.push_back(nullptr);
    benchmark::Initialize(&others, options.others.data(), print_help);
    if (benchmark::ReportUnrecognizedArguments(others, options.others.data())) return EXIT_FAILURE;

    CycleCounter::choose(options.counter);
    if (options.is_only_routines) {
        announce_routines(sets.size());
        print_routines_header();
        print_routines(time_routines(sets, optimized_engines(*engine)));
        return EXIT_SUCCESS;
    }
    choose_rows(options.filter);
    add_field_rows();
    engine->add();
    add_operation_rows(options.inputs, options.has_scales);
    const std::string representative = add_representative_rows();
    if (count_of_rows() == 0) {
        std::cerr << "girih_benchmark: --benchmark_filter=" << options.filter
                  << " matches no row; --benchmark_list_tests lists them, and --scales adds some\n";
        return EXIT_FAILURE;
    }
    if (!options.is_list) announce_rows(options);
    add_header(options.inputs, representative);
    std::vector<RoutineTable> routines;
    const auto tables = [&]() -> const std::vector<RoutineTable>& {
        if (routines.empty() && !options.is_list && options.filter.empty())
            routines = time_routines(sets, optimized_engines(*engine));
        return routines;
    };
    run(
        is_in_csv, has_json_file, [&] { return runs_of_routines(tables()); },
        [&] { print_routines(tables()); });
    benchmark::Shutdown();
    return any_failed() ? EXIT_FAILURE : EXIT_SUCCESS;
}
