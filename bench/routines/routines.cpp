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

std::string percent(std::uint64_t before, std::uint64_t after)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1)
         << 100.0 * (1.0 - static_cast<double>(after) / static_cast<double>(before)) << " %";
    return text.str();
}

/// A figure; a dash for what is left of a step and too little to be seen.
std::string number(std::uint64_t cycles) { return cycles == 0 ? "-" : std::to_string(cycles); }

void print_cells(const std::string& name, const std::string& first, const std::string& second)
{
    std::cout << std::left << std::setw(name_width) << name << std::right << std::setw(number_width) << first
              << std::setw(number_width) << second;
}

void print_line(const RoutineLine& line, std::uint64_t reference, std::uint64_t optimized)
{
    std::string name = line.kind == RoutineLine::part || line.kind == RoutineLine::rest ? "    " : "  ";
    name += line.name;
    if (line.calls > 0) name.append(" ( x ").append(std::to_string(line.calls)).append(" )");
    print_cells(name, number(reference), number(optimized));
    if (reference > 0) std::cout << std::setw(number_width) << percent(reference, optimized);
    std::cout << '\n';
}

void print_table(std::string_view set, const std::string& engine, const RoutineClock& reference,
                 const RoutineClock& optimized)
{
    std::cout << '\n' << set << ": cycles, each the median of " << routine_runs << " runs\n";
    print_cells("", "reference", "optimized");
    std::cout << std::setw(number_width) << "reduction" << '\n';
    print_cells("", "", engine);
    std::cout << '\n';
    const auto before = reference.figures();
    const auto after = optimized.figures();
    std::string reductions;
    std::string_view operation;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].operation != operation) std::cout << before[i].operation << '\n';
        operation = before[i].operation;
        print_line(before[i].line, before[i].cycles, after[i].cycles);
        if (before[i].line.kind != RoutineLine::total) continue;
        if (!reductions.empty()) reductions += ", ";
        reductions.append(operation).append(" ").append(percent(before[i].cycles, after[i].cycles));
    }
    std::cout << "reduction of the totals from reference to optimized: " << reductions << '\n';
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

void print_routines(const std::vector<std::string_view>& sets, const EngineRows& optimized)
{
    const EngineRows& reference = *engine_of_name("reference");
    std::cout
        << "\nRoutines of NTRU Prime, in cycles: " << CycleCounter::name() << "; "
        << CycleCounter::empty_measurement() << " for an empty measurement (not subtracted).\n"
        << "The first draw of an operation opens its random stream. Rq_mult3, R3_fromRq and Weightw_mask "
           "are no functions\nhere: their line is what is left of Decrypt. A total is the whole "
           "operation's, timed by itself.\n";
    for (const std::string_view set : sets) {
        RoutineClock before;
        RoutineClock after;
        for (std::size_t pass = 0; pass < routine_runs / runs_of_a_pass; ++pass) {
            before.begin_pass();
            reference.time_routines(set, before);
            after.begin_pass();
            optimized.time_routines(set, after);
        }
        print_table(set, std::string{optimized.name}, before, after);
    }
}

void print_routines_header()
{
    const auto core = pin_to_one_core();
    std::cout << "processor: " << processor() << '\n'
              << "core: " << (core ? "pinned to " + std::to_string(*core) : "not pinned") << '\n'
              << "compiler: " << compiler() << ", " << compiler_flags() << '\n';
}

}  // namespace girih::bench
