/// girih bench: the time of operations on this machine.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "cli/commands/subcommands.hpp"
#include "cli/output/progress.hpp"

namespace girih::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

/// The algorithms that are timed by default: those that people choose from.
constexpr std::array usual{"ML-DSA-44",  "ML-DSA-65",  "ML-DSA-87",   "Falcon-512", "Falcon-1024",
                           "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761"};
constexpr std::array<const char*, 3> signing{"keygen", "sign", "verify"};
constexpr std::array<const char*, 3> encapsulating{"keygen", "encap", "decap"};

constexpr std::size_t message_bytes = 32;
constexpr std::size_t min_runs = 5;
constexpr std::size_t max_runs = 100'000;

struct Options {
    std::vector<std::string> algorithms;
    unsigned milliseconds = 100;
    bool json = false;
};

/// The time of an operation.
struct Figure {
    nanoseconds median;
    nanoseconds min;
    std::size_t runs;
};

/// A key pair, and the data of its operations.
class TimedAlgorithm {
  public:
    explicit TimedAlgorithm(const girih_alg* alg)
        : alg_(alg),
          public_key_(girih_public_key_bytes(alg)),
          secret_key_(girih_secret_key_bytes(alg)),
          sent_(is_kem() ? girih_ciphertext_bytes(alg) : girih_signature_bytes(alg)),
          shared_secret_(girih_shared_secret_bytes(alg))
    {
    }

    [[nodiscard]] bool is_kem() const { return girih_is_kem(alg_) == 1; }

    void keygen()
    {
        expect_ok(girih_keygen(alg_, nullptr, public_key_.data(), public_key_.size(), secret_key_.data(),
                               secret_key_.size()));
    }

    /// sign or encap, with another message or other randomness each time.
    void send()
    {
        if (is_kem())
            return expect_ok(girih_encapsulate(alg_, nullptr, public_key_.data(), public_key_.size(),
                                               sent_.data(), sent_.size(), shared_secret_.data(),
                                               shared_secret_.size()));
        for (std::uint8_t& byte : message_)
            if (++byte != 0) break;
        expect_ok(girih_sign(alg_, secret_key_.data(), secret_key_.size(), message_.data(), message_.size(),
                             nullptr, sent_.data(), sent_.size(), &sent_bytes_));
    }

    /// verify or decap, of the last result of send().
    void receive()
    {
        if (is_kem())
            return expect_ok(girih_decapsulate(alg_, secret_key_.data(), secret_key_.size(), sent_.data(),
                                               sent_.size(), shared_secret_.data(), shared_secret_.size()));
        expect_ok(girih_verify(alg_, public_key_.data(), public_key_.size(), message_.data(), message_.size(),
                               nullptr, sent_.data(), sent_bytes_));
    }

  private:
    const girih_alg* alg_;
    key_files::Bytes public_key_;
    key_files::SecretBytes secret_key_;
    key_files::Bytes sent_;
    std::size_t sent_bytes_ = 0;
    key_files::SecretBytes shared_secret_;
    std::array<std::uint8_t, message_bytes> message_{};
};

/// Times an operation for a while. `prepare` runs before each and is not timed.
template <class Prepare, class Timed>
Figure time(std::chrono::milliseconds patience, Prepare prepare, Timed timed)
{
    std::vector<nanoseconds> runs;
    const Clock::time_point end = Clock::now() + patience;
    while (runs.size() < min_runs || (Clock::now() < end && runs.size() < max_runs)) {
        prepare();
        const Clock::time_point begin = Clock::now();
        timed();
        runs.push_back(Clock::now() - begin);
    }
    std::sort(runs.begin(), runs.end());
    return {runs[runs.size() / 2], runs.front(), runs.size()};
}

/// The operations of one algorithm, in the order of their names.
std::array<Figure, 3> time_all(const girih_alg* alg, std::chrono::milliseconds patience, Bar& bar)
{
    TimedAlgorithm timed(alg);
    const auto& names = timed.is_kem() ? encapsulating : signing;
    const auto nothing = [] {};
    const auto step = [&](std::size_t i) { bar.step(std::string(girih_name(alg)) + " " + names[i]); };
    step(0);
    const Figure keygen = time(patience, nothing, [&] { timed.keygen(); });
    step(1);
    const Figure send = time(patience, nothing, [&] { timed.send(); });
    step(2);
    const Figure receive = time(patience, [&] { timed.send(); }, [&] { timed.receive(); });
    return {keygen, send, receive};
}

std::string title(const std::array<const char*, 3>& operations)
{
    std::array<char, 96> text{};
    (void)std::snprintf(text.data(), text.size(), "%-20s%12s%12s%12s\n", "", operations[0], operations[1],
                        operations[2]);
    return text.data();
}

std::string row(const girih_alg* alg, const std::array<Figure, 3>& figures)
{
    const auto microseconds = [&](std::size_t i) {
        return static_cast<double>(figures[i].median.count()) / 1000;
    };
    std::array<char, 96> text{};
    (void)std::snprintf(text.data(), text.size(), "%-20s%12.1f%12.1f%12.1f\n", girih_name(alg),
                        microseconds(0), microseconds(1), microseconds(2));
    return text.data();
}

/// The requested algorithms, signatures first.
std::vector<const girih_alg*> algorithms_of(const Options& options)
{
    std::array<std::vector<const girih_alg*>, 2> all;
    const auto add = [&](const girih_alg* alg) { all[girih_is_kem(alg) == 1 ? 1 : 0].push_back(alg); };
    for (const std::string& name : options.algorithms) add(algorithm_of(name));
    if (options.algorithms.empty())
        for (const char* name : usual)
            if (const girih_alg* alg = girih_algorithm(name)) add(alg);  // if it is in this build
    all[0].insert(all[0].end(), all[1].begin(), all[1].end());
    return all[0];
}

void bench(const Options& options)
{
    const auto algorithms = algorithms_of(options);
    require_standard_output();
    std::string text;
    Json results = Json::array();
    {
        Bar bar(algorithms.size() * signing.size());
        bool was_kem = false;
        for (const girih_alg* alg : algorithms) {
            const bool is_kem = girih_is_kem(alg) == 1;
            const auto& names = is_kem ? encapsulating : signing;
            const auto figures = time_all(alg, std::chrono::milliseconds(options.milliseconds), bar);
            if (text.empty() || is_kem != was_kem) text += (text.empty() ? "" : "\n") + title(names);
            was_kem = is_kem;
            text += row(alg, figures);
            for (std::size_t i = 0; i < names.size(); ++i)
                results.push_back(Json{{"algorithm", girih_name(alg)},
                                       {"operation", names[i]},
                                       {"median_ns", figures[i].median.count()},
                                       {"least_ns", figures[i].min.count()},
                                       {"runs", figures[i].runs}});
        }
    }
    if (options.json)
        print_good_json({{"version", GIRIH_VERSION},
                         {"engine", girih_engine()},
                         {"engine_reason", girih_engine_reason()},
                         {"message_bytes", message_bytes},
                         {"results", results}});
    else
        print(text + "\nMedian microseconds of a call, on one thread; messages of 32 bytes.\nEngine: " +
              girih_engine() + " (" + girih_engine_reason() + ").\n");
}

}  // namespace

void add_bench(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "bench", "time the operations on this machine");
    add(sub, "--alg NAME", options->algorithms,
        "an algorithm; may be given again; if not given, the most used ones");
    add(sub, "--milliseconds COUNT", options->milliseconds,
        "how long each operation is run; 100 if not given")
        .between(1, 600'000);
    add(sub, "--json", options->json, "in JSON, with the shortest time and the number of runs");
    on_use(sub, [options] { return bench(*options); });
}

}  // namespace girih::cli
