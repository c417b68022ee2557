/// Two builds of the shared library against each other, in one process: girih_ab [--seconds S]
/// [--limit R] A B [NAME...]
///
/// Every operation of every algorithm that both have (or of those named) runs on the same inputs in
/// A and in B, one after the other in changing order, on one core, for S seconds (0.3). Of each
/// input the fastest run counts, and of an operation the sum over its inputs: what else the machine
/// does makes runs slower, never faster. Where B takes more than R times as long as A (1.02), both
/// are measured for three times as long again before it is said. Exit status 1 if it was said.
/// Which engine: GIRIH_ISA.
#include <girih/girih.h>

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/ab/functions.hpp"
#include "bench/ab/subjects.hpp"
#include "isa/counter.hpp"

namespace {

using girih::isa::Counter;
using namespace girih::ab;

constexpr std::size_t inputs_of_each = 12;
constexpr int least_rounds = 6;

/// The fastest runs so far of one operation, in ticks: of each input, in A and in B.
template <class Subject>
class Comparison {
  public:
    using Call = int (Subject::*)();

    Comparison(std::array<std::deque<Subject>, 2>& subjects, Call call)
        : subjects_(subjects),
          call_(call),
          fastest_{std::vector<std::uint64_t>(subjects[0].size(), UINT64_MAX), {}}
    {
        fastest_[1] = fastest_[0];
    }

    void measure(double seconds)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        for (int round = 0; round < least_rounds || std::chrono::steady_clock::now() < end; ++round) {
            for (std::size_t i = 0; i < fastest_[0].size(); ++i) {
                const std::size_t first = (static_cast<std::size_t>(round) + i) % 2;
                run(first, i);
                run(1 - first, i);
            }
        }
    }

    [[nodiscard]] double ticks(std::size_t build) const
    {
        double sum = 0;
        for (const std::uint64_t t : fastest_[build]) sum += static_cast<double>(t);
        return sum / static_cast<double>(fastest_[build].size());
    }

  private:
    void run(std::size_t build, std::size_t i)
    {
        Subject& subject = subjects_[build][i];
        const std::uint64_t begin = Counter::start();
        const int result = (subject.*call_)();
        const std::uint64_t ticks = Counter::stop() - begin;
        check(subject.functions(), result);
        fastest_[build][i] = std::min(fastest_[build][i], ticks);
    }

    std::array<std::deque<Subject>, 2>& subjects_;
    Call call_;
    std::array<std::vector<std::uint64_t>, 2> fastest_;
};

struct Settings {
    double seconds = 0.3;
    double limit = 1.02;
    std::array<std::string, 2> paths;
    std::vector<std::string> names;
};

class Race {
  public:
    explicit Race(const Settings& settings)
        : settings_(settings), girih_{Functions(settings.paths[0]), Functions(settings.paths[1])}
    {
        for (const Functions& build : girih_)
            if (build.engine() == nullptr)
                throw std::runtime_error("GIRIH_ISA names no engine that runs here");
        std::printf("A: %s, engine %s\nB: %s, engine %s\n\n", settings.paths[0].c_str(), girih_[0].engine(),
                    settings.paths[1].c_str(), girih_[1].engine());
        std::printf("%-18s %-22s %12s %12s %8s\n", "algorithm", "operation", "A, ticks", "B, ticks", "B/A");
    }

    /// How many operations are slower in B.
    int run()
    {
        for (std::size_t i = 0; const girih_alg* a = girih_[0].algorithm_at(i); ++i) {
            const girih_alg* const b = of_name(girih_[1], girih_[0].name(a));
            if (b != nullptr && is_wanted(girih_[0].name(a))) run({a, b});
        }
        return slower_;
    }

  private:
    [[nodiscard]] bool is_wanted(std::string_view name) const
    {
        return settings_.names.empty() ||
               std::find(settings_.names.begin(), settings_.names.end(), name) != settings_.names.end();
    }

    /// Null if the build has none of that name.
    static const girih_alg* of_name(const Functions& build, std::string_view name)
    {
        for (std::size_t i = 0; const girih_alg* alg = build.algorithm_at(i); ++i)
            if (build.name(alg) == name) return alg;
        return nullptr;
    }

    void run(const std::array<const girih_alg*, 2>& algorithms)
    {
        std::array<std::deque<Input>, 2> inputs;
        std::array<std::deque<Batch>, 2> batches;
        for (std::size_t build = 0; build < 2; ++build) {
            const girih_alg* alg = algorithms[build];
            for (std::size_t i = 0; i < inputs_of_each; ++i)
                inputs[build].emplace_back(girih_[build], alg, i);
            batches[build].emplace_back(girih_[build], alg, 1000);
        }
        const girih_alg* alg = algorithms[0];
        compare(alg, "keygen_from_seed", inputs, &Input::keygen);
        compare(alg, "public_key", inputs, &Input::derive_public_key);
        compare(alg, "keygen_many", batches, &Batch::keygen);
        if (girih_[0].is_kem(alg) != 0) {
            compare(alg, "encapsulate", inputs, &Input::encapsulate);
            compare(alg, "decapsulate", inputs, &Input::decapsulate);
            if (!girih_[0].has_kem_batches() || !girih_[1].has_kem_batches()) return;
            compare(alg, "encapsulate_many", batches, &Batch::encapsulate);
            compare(alg, "decapsulate_many", batches, &Batch::decapsulate);
            if (!girih_[0].has_prepared_kem_keys(alg)) return;
            compare(alg, "prepare_encapsulation", inputs, &Input::prepare_encapsulation);
            compare(alg, "prepare_decapsulation", inputs, &Input::prepare_decapsulation);
            compare(alg, "encapsulate_prepared", inputs, &Input::encapsulate_prepared);
            compare(alg, "decapsulate_prepared", inputs, &Input::decapsulate_prepared);
            compare(alg, "encapsulate_many prep.", batches, &Batch::encapsulate_prepared);
            compare(alg, "decapsulate_many prep.", batches, &Batch::decapsulate_prepared);
            return;
        }
        compare(alg, "sign", inputs, &Input::sign);
        compare(alg, "verify", inputs, &Input::verify);
        compare(alg, "prepare_signing_key", inputs, &Input::prepare_signing);
        compare(alg, "prepare_verifying_key", inputs, &Input::prepare_verifying);
        compare(alg, "sign_prepared", inputs, &Input::sign_prepared);
        compare(alg, "verify_prepared", inputs, &Input::verify_prepared);
        compare(alg, "sign_many", batches, &Batch::sign);
        compare(alg, "verify_many", batches, &Batch::verify);
        compare(alg, "verify_many prepared", batches, &Batch::verify_prepared);
    }

    template <class Subject>
    void compare(const girih_alg* alg, const char* operation, std::array<std::deque<Subject>, 2>& subjects,
                 int (Subject::*call)())
    {
        Comparison<Subject> comparison(subjects, call);
        const auto ratio = [&] { return comparison.ticks(1) / comparison.ticks(0); };
        comparison.measure(settings_.seconds);
        if (ratio() > settings_.limit) comparison.measure(3 * settings_.seconds);
        const bool is_slower = ratio() > settings_.limit;
        slower_ += is_slower ? 1 : 0;
        std::printf("%-18s %-22s %12.0f %12.0f %8.3f%s\n", girih_[0].name(alg), operation,
                    comparison.ticks(0), comparison.ticks(1), ratio(), is_slower ? "  slower" : "");
        std::fflush(stdout);
    }

    const Settings& settings_;
    std::array<Functions, 2> girih_;
    int slower_ = 0;
};

Settings read_arguments(int count, char** words)
{
    Settings settings;
    std::vector<std::string> plain;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if ((word == "--seconds" || word == "--limit") && i + 1 < count)
            (word == "--limit" ? settings.limit : settings.seconds) = std::stod(words[++i]);
        else
            plain.emplace_back(word);
    }
    if (plain.size() < 2)
        throw std::invalid_argument("usage: girih_ab [--seconds S] [--limit R] A B [NAME...]");
    settings.paths = {plain[0], plain[1]};
    settings.names.assign(plain.begin() + 2, plain.end());
    return settings;
}

/// Stays on the core that this runs on now.
void stay_on_one_core()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

}  // namespace

int main(int count, char** words)
{
    try {
        const Settings settings = read_arguments(count, words);
        stay_on_one_core();
        return Race(settings).run() == 0 ? 0 : 1;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "girih_ab: %s\n", failure.what());
        return 2;
    }
}
