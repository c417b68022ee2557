/// Two builds of the shared library against each other, in one process: girih_ab [--seconds S]
/// [--limit R] A B [NAME...]
///
/// Every operation of every algorithm that both have (or of those named) runs on the same inputs in
/// A and in B, one after the other in changing order, on one core, for S seconds (0.3). The fastest
/// run of each input counts, and the mean of those: what else the machine does makes runs slower,
/// never faster. Where B takes more than R times as long as A (1.02), both are measured for three
/// times as long again before it is said. Exit status 1 if it was said. Which engine: GIRIH_ISA.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "lab/measure/clock.hpp"
#include "lab/measure/table.hpp"
#include "lab/operations/operations.hpp"

namespace {

using namespace girih::lab;

constexpr std::size_t inputs_of_each = 12;
constexpr std::size_t rows_of_a_call = 16;
constexpr int least_rounds = 6;

/// The fastest runs so far of one operation, in ticks: of each input, in A and in B.
class Comparison {
  public:
    using Jobs = std::vector<std::array<std::unique_ptr<Job>, 2>>;

    explicit Comparison(Jobs jobs) : jobs_(std::move(jobs)), fastest_(jobs_.size(), {UINT64_MAX, UINT64_MAX})
    {
    }

    void measure(double seconds)
    {
        const double end = CoreTime::now().elapsed + seconds;
        for (std::size_t round = 0; round < least_rounds || CoreTime::now().elapsed < end; ++round) {
            for (std::size_t i = 0; i < jobs_.size(); ++i) {
                run((round + i) % 2, i);
                run((round + i + 1) % 2, i);
            }
        }
    }

    [[nodiscard]] double ticks(std::size_t build) const
    {
        double sum = 0;
        for (const auto& fastest : fastest_) sum += static_cast<double>(fastest[build]);
        return sum / static_cast<double>(fastest_.size());
    }
    [[nodiscard]] double ratio() const { return ticks(1) / ticks(0); }

  private:
    void run(std::size_t build, std::size_t i)
    {
        const std::uint64_t begin = Counter::start();
        const bool succeeded = jobs_[i][build]->run();
        const std::uint64_t ticks = Counter::stop() - begin;
        if (!succeeded) throw std::runtime_error("an operation fails");
        fastest_[i][build] = std::min(fastest_[i][build], ticks);
    }

    Jobs jobs_;
    std::vector<std::array<std::uint64_t, 2>> fastest_;
};

struct Settings {
    double seconds = 0.3;
    double limit = 1.02;
    std::vector<std::string> paths, names;
};

class Ab {
  public:
    explicit Ab(const Settings& settings) : settings_(settings)
    {
        for (std::size_t build = 0; build < 2; ++build) {
            girih_[build] = Functions::of(settings.paths[build]);
            if (girih_[build].engine() == nullptr)
                throw std::runtime_error("GIRIH_ISA names no engine that runs here");
            std::printf("%c: %s, engine %s\n", "AB"[build], settings.paths[build].c_str(),
                        girih_[build].engine());
            contenders_[build] = girih_contender(settings.paths[build], girih_[build]);
        }
        std::printf("\n%s", table_.head().c_str());
    }

    /// How many operations are slower in B.
    int run()
    {
        for (std::size_t i = 0; const girih_alg* alg = girih_[0].algorithm_at(i); ++i) {
            const std::string name = girih_[0].name(alg);
            const auto& wanted = settings_.names;
            if (girih_[1].algorithm(name.c_str()) == nullptr ||
                (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()))
                continue;
            Group all = own_operations(name);
            for (const Group& group : operations_of(name))
                for (const Operation& operation : group)
                    if (!operation.signs_the_set()) all.push_back(operation);
            for (const Operation& operation : all) compare(name, operation);
        }
        return slower_;
    }

  private:
    void compare(const std::string& algorithm, const Operation& operation)
    {
        const Material material{algorithm, contenders_[0]};
        Random random{1};
        const bool in_one_call = operation.name.find("_many") != std::string::npos;
        Comparison::Jobs jobs(in_one_call ? 1 : inputs_of_each);
        for (auto& pair : jobs) {
            const Strings inputs = operation.inputs(material, random, in_one_call ? rows_of_a_call : 1);
            for (std::size_t build = 0; build < 2; ++build) {
                pair[build] = contenders_[build].job(algorithm, operation.name, inputs);
                if (pair[build] == nullptr) return;
            }
        }
        Comparison comparison{std::move(jobs)};
        comparison.measure(settings_.seconds);
        if (comparison.ratio() > settings_.limit) comparison.measure(3 * settings_.seconds);
        const bool is_slower = comparison.ratio() > settings_.limit;
        slower_ += is_slower ? 1 : 0;
        std::printf("%s", table_
                              .line({algorithm, operation.name, fixed(comparison.ticks(0), 0),
                                     fixed(comparison.ticks(1), 0), fixed(comparison.ratio(), 3),
                                     is_slower ? "slower" : ""})
                              .c_str());
        std::fflush(stdout);
    }

    const Settings& settings_;
    std::array<Functions, 2> girih_;
    std::array<Contender, 2> contenders_;
    const Table table_{"",
                       {{"algorithm", true, 18},
                        {"operation", true, 25},
                        {"A, ticks", false, 12},
                        {"B, ticks", false, 12},
                        {"B/A", false, 6},
                        {"", true}}};
    int slower_ = 0;
};

Settings read_arguments(const std::vector<std::string>& words)
{
    Settings settings;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if ((words[i] == "--seconds" || words[i] == "--limit") && i + 1 < words.size()) {
            (words[i] == "--limit" ? settings.limit : settings.seconds) = std::stod(words[i + 1]);
            ++i;
        } else {
            (settings.paths.size() < 2 ? settings.paths : settings.names).push_back(words[i]);
        }
    }
    if (settings.paths.size() < 2)
        throw std::invalid_argument("usage: girih_ab [--seconds S] [--limit R] A B [NAME...]");
    return settings;
}

}  // namespace

int main(int count, char** words)
{
    try {
        const Settings settings = read_arguments({words + 1, words + count});
        (void)stay_on_core();
        return Ab(settings).run() == 0 ? 0 : 1;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "girih_ab: %s\n", failure.what());
        return 2;
    }
}
