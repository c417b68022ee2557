#include "lab/benchmark/routines/routines.hpp"

#include <girih/girih.h>

#include <algorithm>
#include <iostream>
#include <string>

#include "lab/measure/machine.hpp"
#include "lab/measure/statistics.hpp"
#include "lab/measure/table.hpp"

namespace girih::lab {

void RoutineClock::begin_pass() { next_ = 0; }

void RoutineClock::begin(std::string_view operation) { operation_ = operation; }

void RoutineClock::time(const RoutineLine& line, const Routine& routine)
{
    routine.prepare(routine.preparation);
    (void)routine.cycles(routine.run);  // once before those that count: code and stack come into the caches
    for (std::uint64_t& cycles : cycles_) {
        routine.prepare(routine.preparation);
        cycles = routine.cycles(routine.run);
    }
    add(line);
}

void RoutineClock::add(const RoutineLine& line)
{
    if (next_ == lines_.size()) lines_.push_back({operation_, line, {}});
    auto& cycles = lines_[next_++].cycles;
    if (line.kind != RoutineLine::rest) cycles.insert(cycles.end(), cycles_.begin(), cycles_.end());
}

std::vector<RoutineClock::Figure> RoutineClock::figures() const
{
    std::vector<Figure> figures;
    double left = 0;
    for (const Measured& measured : lines_) {
        const RoutineLine& line = measured.line;
        const double cycles = line.kind == RoutineLine::rest ? left : median(measured.cycles);
        // Medians of different runs: what is left may come out below 0.
        left = line.kind == RoutineLine::step ? cycles : left - std::min(left, cycles);
        figures.push_back({measured.operation, line, cycles});
    }
    return figures;
}

namespace {

std::string name_of_line(const RoutineLine& line)
{
    std::string name{line.name};
    if (line.calls > 0) name.append(" ( x ").append(std::to_string(line.calls)).append(" )");
    return name;
}

std::string reduction(double before, double after) { return before == 0 ? "" : percent(1 - after / before); }

/// A column for each engine, and behind each but the first one of reductions.
void print_table(const RoutineTable& table)
{
    const auto& engines = table.columns;
    std::vector<Table::Column> columns{{"", true}, {std::string{engines[0].engine}}};
    for (std::size_t k = 1; k < engines.size(); ++k) {
        columns.push_back({std::string{engines[k].engine}});
        columns.push_back({"reduction"});
    }
    const std::string set{table.set};
    Table text{"\n" + set + ": cycles, each the median of " + std::to_string(routine_runs) + " runs",
               columns};
    std::vector<std::string> of_totals(engines.size());
    std::string_view operation;
    for (std::size_t i = 0; i < engines[0].figures.size(); ++i) {
        const RoutineClock::Figure& first = engines[0].figures[i];
        if (first.operation != operation) text.add({std::string{first.operation}});
        operation = first.operation;
        const bool is_inner = first.line.kind == RoutineLine::part || first.line.kind == RoutineLine::rest;
        Table::Row row{(is_inner ? "    " : "  ") + name_of_line(first.line)};
        for (std::size_t k = 0; k < engines.size(); ++k) {
            const double cycles = engines[k].figures[i].cycles;
            row.push_back(cycles == 0 ? "-" : fixed(cycles, 0));  // what is left may be too little to be seen
            if (k == 0) continue;
            row.push_back(reduction(first.cycles, cycles));
            if (first.line.kind == RoutineLine::total)
                of_totals[k]
                    .append(of_totals[k].empty() ? "" : ", ")
                    .append(operation)
                    .append(" ")
                    .append(row.back());
        }
        text.add(std::move(row));
    }
    std::cout << text.text();
    for (std::size_t k = 1; k < engines.size(); ++k)
        std::cout << "reduction of the totals from reference to " << engines[k].engine << ": " << of_totals[k]
                  << '\n';
}

std::vector<std::string_view> all_sets()
{
    std::vector<std::string_view> sets;
    for (std::size_t i = 0; girih_algorithm_at(i) != nullptr; ++i)
        if (girih_is_kem(girih_algorithm_at(i)) != 0) sets.emplace_back(girih_name(girih_algorithm_at(i)));
    return sets;
}

}  // namespace

std::vector<std::string_view> routine_sets(std::string_view text)
{
    if (text.empty()) return {"ntrulpr761", "sntrup761"};
    std::vector<std::string_view> all = all_sets();
    if (text == "all") return all;
    std::vector<std::string_view> sets;
    for (;;) {
        const std::size_t end = text.find(',');
        const auto set = std::ranges::find(all, text.substr(0, end));
        if (set == all.end()) return {};
        sets.push_back(*set);
        if (end == std::string_view::npos) return sets;
        text.remove_prefix(end + 1);
    }
}

std::vector<RoutineTable> time_routines(const std::vector<std::string_view>& sets,
                                        const std::vector<const EngineRows*>& optimized)
{
    std::vector<const EngineRows*> engines{engine_of_name("reference")};
    engines.insert(engines.end(), optimized.begin(), optimized.end());
    std::vector<RoutineTable> tables;
    for (const std::string_view set : sets) {
        std::vector<RoutineClock> clocks(engines.size());
        for (std::size_t pass = 0; pass < routine_runs / runs_of_a_pass; ++pass) {
            for (std::size_t i = 0; i < engines.size(); ++i) {
                clocks[i].begin_pass();
                engines[i]->time_routines(set, clocks[i]);
            }
        }
        tables.push_back({set, {}});
        for (std::size_t i = 0; i < engines.size(); ++i)
            tables.back().columns.push_back({engines[i]->name, clocks[i].figures()});
    }
    return tables;
}

void print_routines(const std::vector<RoutineTable>& tables)
{
    if (tables.empty()) return;
    std::cout
        << "\nRoutines of NTRU Prime, in cycles: " << CycleCounter::name() << "; "
        << CycleCounter::empty_measurement() << " for an empty measurement (not subtracted).\n"
        << "The first draw of an operation opens its random stream. Rq_mult3, R3_fromRq and Weightw_mask "
           "are no functions\nhere: their line is what is left of Decrypt. A total is the whole "
           "operation's, timed by itself.\n";
    for (const RoutineTable& table : tables) print_table(table);
}

Runs runs_of_routines(const std::vector<RoutineTable>& tables)
{
    Runs runs;
    for (const RoutineTable& table : tables) {
        for (const RoutineTable::Column& column : table.columns) {
            const std::string name = "bench_ntru_prime::routine<" + std::string{table.set} + ", " +
                                     std::string{column.engine} + ">/";
            for (const RoutineClock::Figure& figure : column.figures) {
                const std::string of{figure.operation};
                const std::string title =
                    std::string{table.set} + " " + of + ": " + name_of_line(figure.line);
                const double cycles = figure.cycles;
                runs.push_back(run_of(name + of + "/" + std::string{figure.line.name}, title,
                                      nanoseconds(cycles),
                                      static_cast<benchmark::IterationCount>(routine_runs)));
                runs.back().counters["cycles"] = cycles;
                runs.back().counters["is_total"] = figure.line.kind == RoutineLine::total ? 1 : 0;
            }
        }
    }
    return runs;
}

void print_routines_header()
{
    const auto core = stay_on_core();
    std::cout << "processor: " << processor() << '\n'
              << "core: " << (core ? "pinned to " + std::to_string(*core) : "not pinned") << '\n'
              << "compiler: " << compiler() << ", " << compiler_flags() << '\n';
}

}  // namespace girih::lab
