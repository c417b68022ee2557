#include "bench/routines/routines.hpp"

#include <girih/girih.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

#include "bench/support/machine.hpp"

namespace girih::bench {

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

namespace {

std::uint64_t median(std::vector<std::uint64_t> cycles)
{
    const auto middle = cycles.begin() + static_cast<std::ptrdiff_t>((cycles.size() - 1) / 2);
    std::ranges::nth_element(cycles, middle);
    return *middle;
}

}  // namespace

std::vector<RoutineClock::Figure> RoutineClock::figures() const
{
    std::vector<Figure> figures;
    std::uint64_t left = 0;
    for (const Measured& measured : lines_) {
        const RoutineLine& line = measured.line;
        const std::uint64_t cycles = line.kind == RoutineLine::rest ? left : median(measured.cycles);
        // Medians of different runs: what is left may come out below 0.
        left = line.kind == RoutineLine::step ? cycles : left - std::min(left, cycles);
        figures.push_back({measured.operation, line, cycles});
    }
    return figures;
}

namespace {

constexpr int name_width = 44;
constexpr int number_width = 14;
constexpr int reduction_width = 11;

std::string percent(std::uint64_t before, std::uint64_t after)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1)
         << 100.0 * (1.0 - static_cast<double>(after) / static_cast<double>(before)) << " %";
    return text.str();
}

/// A figure; a dash for what is left of a step and too little to be seen.
std::string number(std::uint64_t cycles) { return cycles == 0 ? "-" : std::to_string(cycles); }

std::string name_of_line(const RoutineLine& line)
{
    std::string name{line.name};
    if (line.calls > 0) name.append(" ( x ").append(std::to_string(line.calls)).append(" )");
    return name;
}

/// Each column but the first has a column of reductions beside it.
template <class Cell, class Reduction>
void print_cells(const std::string& name, const RoutineTable& table, Cell cell, Reduction reduction)
{
    std::cout << std::left << std::setw(name_width) << name << std::right;
    for (const RoutineTable::Column& column : table.columns) {
        std::cout << std::setw(number_width) << cell(column);
        if (&column != table.columns.data()) std::cout << std::setw(reduction_width) << reduction(column);
    }
    std::cout << '\n';
}

void print_table(const RoutineTable& table)
{
    using Column = RoutineTable::Column;
    std::cout << '\n' << table.set << ": cycles, each the median of " << routine_runs << " runs\n";
    print_cells(
        "", table, [](const Column& column) { return column.engine; },
        [](const Column&) { return "reduction"; });
    const auto& before = table.columns[0].figures;
    std::vector<std::string> reductions(table.columns.size());
    std::string_view operation;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const RoutineLine& line = before[i].line;
        if (before[i].operation != operation) std::cout << before[i].operation << '\n';
        operation = before[i].operation;
        const bool is_inner = line.kind == RoutineLine::part || line.kind == RoutineLine::rest;
        const auto reduction = [&](const Column& column) {
            return before[i].cycles == 0 ? "" : percent(before[i].cycles, column.figures[i].cycles);
        };
        print_cells((is_inner ? "    " : "  ") + name_of_line(line), table,
                    [&](const Column& column) { return number(column.figures[i].cycles); }, reduction);
        if (line.kind != RoutineLine::total) continue;
        for (std::size_t k = 1; k < table.columns.size(); ++k) {
            if (!reductions[k].empty()) reductions[k] += ", ";
            reductions[k].append(operation).append(" ").append(reduction(table.columns[k]));
        }
    }
    for (std::size_t k = 1; k < table.columns.size(); ++k)
        std::cout << "reduction of the totals from reference to " << table.columns[k].engine << ": "
                  << reductions[k] << '\n';
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
                const auto cycles = static_cast<double>(figure.cycles);
                runs.push_back(run_of(name + of + "/" + std::string{figure.line.name}, title,
                                      cycles / ticks_per_second() * 1e9,
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
    const auto core = pin_to_one_core();
    std::cout << "processor: " << processor() << '\n'
              << "core: " << (core ? "pinned to " + std::to_string(*core) : "not pinned") << '\n'
              << "compiler: " << compiler() << ", " << compiler_flags() << '\n';
}

}  // namespace girih::bench
