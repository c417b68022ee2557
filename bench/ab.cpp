/// Two builds of the shared library against each other, in one process: girih_ab [--seconds S]
/// [--limit R] A B [NAME...]
///
/// Every operation of every algorithm (or of those named) runs on the same inputs in A and in B,
/// one after the other in changing order, on one core, for S seconds (0.3). Of each input the
/// fastest run counts, and of an operation the sum over its inputs: what else the machine does
/// makes runs slower, never faster. Where B takes more than R times as long as A (1.02), both are
/// measured for three times as long again before it is said. Exit status 1 if it was said. Which
/// engine: GIRIH_ISA.
#include <girih/girih.h>

#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/counter.hpp"

namespace {

using girih::isa::Counter;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t inputs_of_each = 12;
constexpr std::size_t batch_size = 16;
constexpr std::size_t slow_keys = 2;  // Falcon's: a key takes milliseconds, and is made one at a time
constexpr int least_rounds = 6;

/// The functions of one build. (An algorithm is what its own build makes of it, so that
/// is asked as well.)
struct Functions {
    decltype(&girih_algorithm_at) algorithm_at = nullptr;
    decltype(&girih_engine) engine = nullptr;
    decltype(&girih_error_text) error_text = nullptr;
    decltype(&girih_name) name = nullptr;
    decltype(&girih_is_kem) is_kem = nullptr;
    decltype(&girih_has_mu) has_mu = nullptr;
    decltype(&girih_seed_bytes) seed_bytes = nullptr;
    decltype(&girih_public_key_bytes) public_key_bytes = nullptr;
    decltype(&girih_secret_key_bytes) secret_key_bytes = nullptr;
    decltype(&girih_signature_bytes) signature_bytes = nullptr;
    decltype(&girih_ciphertext_bytes) ciphertext_bytes = nullptr;
    decltype(&girih_shared_secret_bytes) shared_secret_bytes = nullptr;
    decltype(&girih_keygen_from_seed) keygen_from_seed = nullptr;
    decltype(&girih_public_key) public_key = nullptr;
    decltype(&girih_sign) sign = nullptr;
    decltype(&girih_verify) verify = nullptr;
    decltype(&girih_encapsulate) encapsulate = nullptr;
    decltype(&girih_decapsulate) decapsulate = nullptr;
    decltype(&girih_signing_key_size) signing_key_size = nullptr;
    decltype(&girih_verifying_key_size) verifying_key_size = nullptr;
    decltype(&girih_prepare_signing_key) prepare_signing_key = nullptr;
    decltype(&girih_prepare_verifying_key) prepare_verifying_key = nullptr;
    decltype(&girih_sign_prepared) sign_prepared = nullptr;
    decltype(&girih_verify_prepared) verify_prepared = nullptr;
    decltype(&girih_keygen_many) keygen_many = nullptr;
    decltype(&girih_sign_many) sign_many = nullptr;
    decltype(&girih_verify_many) verify_many = nullptr;

    explicit Functions(const std::string& path)
    {
        void* const library = dlopen(std::filesystem::absolute(path).c_str(),
                                     RTLD_NOW | RTLD_LOCAL);  // for as long as the program runs
        if (library == nullptr) throw std::runtime_error(dlerror());
        const auto find = [library](auto*& function, const char* symbol) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
            if (function == nullptr) throw std::runtime_error(dlerror());
        };
        find(algorithm_at, "girih_algorithm_at");
        find(engine, "girih_engine");
        find(error_text, "girih_error_text");
        find(name, "girih_name");
        find(is_kem, "girih_is_kem");
        find(has_mu, "girih_has_mu");
        find(seed_bytes, "girih_seed_bytes");
        find(public_key_bytes, "girih_public_key_bytes");
        find(secret_key_bytes, "girih_secret_key_bytes");
        find(signature_bytes, "girih_signature_bytes");
        find(ciphertext_bytes, "girih_ciphertext_bytes");
        find(shared_secret_bytes, "girih_shared_secret_bytes");
        find(keygen_from_seed, "girih_keygen_from_seed");
        find(public_key, "girih_public_key");
        find(sign, "girih_sign");
        find(verify, "girih_verify");
        find(encapsulate, "girih_encapsulate");
        find(decapsulate, "girih_decapsulate");
        find(signing_key_size, "girih_signing_key_size");
        find(verifying_key_size, "girih_verifying_key_size");
        find(prepare_signing_key, "girih_prepare_signing_key");
        find(prepare_verifying_key, "girih_prepare_verifying_key");
        find(sign_prepared, "girih_sign_prepared");
        find(verify_prepared, "girih_verify_prepared");
        find(keygen_many, "girih_keygen_many");
        find(sign_many, "girih_sign_many");
        find(verify_many, "girih_verify_many");
    }
};

/// Randomness that is the same in both builds, begins anew where it is told to, and costs next to
/// nothing (SplitMix64).
struct Repeated {
    std::uint64_t first;
    std::uint64_t state = first;
    girih_random source{fill, this, 0};

    explicit Repeated(std::uint64_t number) : first(number) {}
    Repeated(const Repeated&) = delete;
    Repeated& operator=(const Repeated&) = delete;

    void begin_anew() { state = first; }

    static int fill(void* repeated, std::uint8_t* out, std::size_t bytes)
    {
        std::uint64_t& state = static_cast<Repeated*>(repeated)->state;
        for (std::size_t i = 0; i < bytes; i += sizeof state) {
            std::uint64_t word = state += 0x9E3779B97F4A7C15;
            word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
            word = (word ^ word >> 27) * 0x94D049BB133111EB;
            word ^= word >> 31;
            std::memcpy(out + i, &word, std::min(sizeof word, bytes - i));
        }
        return 0;
    }
};

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

void check(const Functions& girih, int result)
{
    if (result != GIRIH_OK) throw std::runtime_error(girih.error_text(result));
}

/// A key pair, a message and what is made of them, by one build.
struct Input {
    const Functions& girih;
    const girih_alg* alg;
    Repeated random;
    girih_options options;
    Bytes seed;
    Bytes message = Bytes(32);
    Bytes public_key, secret_key, signature, ciphertext, secret;
    Bytes other_public_key, other_secret_key, other_signature;
    std::size_t signature_size = 0, other_size = 0;
    std::vector<Line> signing_memory, verifying_memory;
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;

    Input(const Functions& functions, const girih_alg* algorithm, std::uint64_t number)
        : girih(functions),
          alg(algorithm),
          random(number),
          options{nullptr, 0, nullptr, 0, &random.source, 0},
          seed(girih.seed_bytes(alg)),
          public_key(girih.public_key_bytes(alg)),
          secret_key(girih.secret_key_bytes(alg)),
          signature(girih.signature_bytes(alg)),
          ciphertext(girih.ciphertext_bytes(alg)),
          secret(girih.shared_secret_bytes(alg)),
          other_public_key(public_key),
          other_secret_key(secret_key),
          other_signature(signature),
          signing_memory(girih.signing_key_size(alg) / sizeof(Line)),
          verifying_memory(girih.verifying_key_size(alg) / sizeof(Line))
    {
        Repeated::fill(&random, seed.data(), seed.size());
        Repeated::fill(&random, message.data(), message.size());
        check(girih, keygen());
        if (girih.is_kem(alg) != 0) {
            check(girih, encapsulate());
            return;
        }
        check(girih, sign());
        signature = other_signature;
        signature_size = other_size;
        check(girih, prepare_signing());
        check(girih, prepare_verifying());
    }

    [[nodiscard]] const Functions& functions() const { return girih; }

    int keygen()
    {
        return girih.keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                      secret_key.data(), secret_key.size());
    }
    int derive_public_key()
    {
        return girih.public_key(alg, secret_key.data(), secret_key.size(), other_public_key.data(),
                                other_public_key.size());
    }
    int sign()
    {
        random.begin_anew();
        return girih.sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(), &options,
                          other_signature.data(), other_signature.size(), &other_size);
    }
    int verify()
    {
        return girih.verify(alg, public_key.data(), public_key.size(), message.data(), message.size(),
                            nullptr, signature.data(), signature_size);
    }
    int prepare_signing()
    {
        return girih.prepare_signing_key(alg, secret_key.data(), secret_key.size(), signing_memory.data(),
                                         signing_memory.size() * sizeof(Line), &signing);
    }
    int prepare_verifying()
    {
        return girih.prepare_verifying_key(alg, public_key.data(), public_key.size(), verifying_memory.data(),
                                           verifying_memory.size() * sizeof(Line), &verifying);
    }
    int sign_prepared()
    {
        random.begin_anew();
        return girih.sign_prepared(signing, message.data(), message.size(), &options, other_signature.data(),
                                   other_signature.size(), &other_size);
    }
    int verify_prepared()
    {
        return girih.verify_prepared(verifying, message.data(), message.size(), nullptr, signature.data(),
                                     signature_size);
    }
    int encapsulate()
    {
        random.begin_anew();
        return girih.encapsulate(alg, &random.source, public_key.data(), public_key.size(), ciphertext.data(),
                                 ciphertext.size(), secret.data(), secret.size());
    }
    int decapsulate()
    {
        return girih.decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(),
                                 ciphertext.size(), secret.data(), secret.size());
    }
};

/// Several inputs as one batch.
class Batch {
  public:
    Batch(const Functions& functions, const girih_alg* alg, std::uint64_t number)
        : girih_(functions), alg_(alg)
    {
        for (std::size_t i = 0; i < batch_size; ++i) inputs_.emplace_back(functions, alg, number + i);
        for (Input& in : inputs_) {
            if (girih_.has_mu(alg) != 0 || girih_.is_kem(alg) != 0 || keygen_.size() < slow_keys)
                keygen_.push_back({in.seed.data(), in.seed.size(), nullptr, in.other_public_key.data(),
                                   in.public_key.size(), in.other_secret_key.data(), in.secret_key.size(),
                                   0});
            sign_.push_back({in.signing, nullptr, 0, in.message.data(), in.message.size(), &in.options,
                             in.other_signature.data(), in.other_signature.size(), 0, 0});
            verify_.push_back({nullptr, in.public_key.data(), in.public_key.size(), in.message.data(),
                               in.message.size(), nullptr, in.signature.data(), in.signature_size, 0});
            verify_prepared_.push_back(verify_.back());
            verify_prepared_.back().key = in.verifying;
        }
    }

    [[nodiscard]] const Functions& functions() const { return girih_; }

    int keygen() { return girih_.keygen_many(alg_, keygen_.data(), keygen_.size()); }
    int sign()
    {
        for (Input& in : inputs_) in.random.begin_anew();
        return girih_.sign_many(alg_, sign_.data(), sign_.size());
    }
    int verify() { return girih_.verify_many(alg_, verify_.data(), verify_.size()); }
    int verify_prepared()
    {
        return girih_.verify_many(alg_, verify_prepared_.data(), verify_prepared_.size());
    }

  private:
    const Functions& girih_;
    const girih_alg* alg_;
    std::deque<Input> inputs_;
    std::vector<girih_keygen_row> keygen_;
    std::vector<girih_sign_row> sign_;
    std::vector<girih_verify_row> verify_, verify_prepared_;
};

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
        for (std::size_t i = 0; const girih_alg* a = girih_[0].algorithm_at(i); ++i)
            if (is_wanted(girih_[0].name(a))) run(i);
        return slower_;
    }

  private:
    [[nodiscard]] bool is_wanted(std::string_view name) const
    {
        return settings_.names.empty() ||
               std::find(settings_.names.begin(), settings_.names.end(), name) != settings_.names.end();
    }

    void run(std::size_t number)
    {
        std::array<std::deque<Input>, 2> inputs;
        std::array<std::deque<Batch>, 2> batches;
        for (std::size_t build = 0; build < 2; ++build) {
            const girih_alg* alg = girih_[build].algorithm_at(number);
            for (std::size_t i = 0; i < inputs_of_each; ++i)
                inputs[build].emplace_back(girih_[build], alg, i);
            batches[build].emplace_back(girih_[build], alg, 1000);
        }
        const girih_alg* alg = girih_[0].algorithm_at(number);
        compare(alg, "keygen_from_seed", inputs, &Input::keygen);
        compare(alg, "public_key", inputs, &Input::derive_public_key);
        compare(alg, "keygen_many", batches, &Batch::keygen);
        if (girih_[0].is_kem(alg) != 0) {
            compare(alg, "encapsulate", inputs, &Input::encapsulate);
            compare(alg, "decapsulate", inputs, &Input::decapsulate);
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
