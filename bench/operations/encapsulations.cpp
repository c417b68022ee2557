#include "bench/operations/encapsulations.hpp"

#include <algorithm>
#include <array>

#include "bench/support/table.hpp"

namespace girih::bench {

namespace {

/// A key pair, and what is encapsulated with it. Every function returns a girih_error.
///
/// Key pairs and encapsulations are expanded from seeds: no row waits for the system's randomness.
class Encapsulator {
  public:
    explicit Encapsulator(const girih_alg* algorithm)
        : algorithm_(algorithm),
          seed_(girih_seed_bytes(algorithm)),
          public_key_(girih_public_key_bytes(algorithm)),
          secret_key_(girih_secret_key_bytes(algorithm)),
          ciphertext_(girih_ciphertext_bytes(algorithm)),
          sent_(girih_shared_secret_bytes(algorithm)),
          received_(girih_shared_secret_bytes(algorithm))
    {
    }

    /// Draws a seed, of the next key pair or encapsulation.
    void draw(Random& random) { random.fill(seed_); }

    int keygen()
    {
        return girih_keygen_from_seed(algorithm_, seed_.data(), seed_.size(), public_key_.data(),
                                      public_key_.size(), secret_key_.data(), secret_key_.size());
    }

    int encapsulate()
    {
        const girih_random random{fill_from_seed, this, 0};
        return girih_encapsulate(algorithm_, &random, public_key_.data(), public_key_.size(),
                                 ciphertext_.data(), ciphertext_.size(), sent_.data(), sent_.size());
    }

    int decapsulate()
    {
        return girih_decapsulate(algorithm_, secret_key_.data(), secret_key_.size(), ciphertext_.data(),
                                 ciphertext_.size(), received_.data(), received_.size());
    }

    [[nodiscard]] bool is_agreed() const { return sent_ == received_; }

  private:
    /// What encapsulate asks for: at most as many bytes as a seed has.
    static int fill_from_seed(void* self, std::uint8_t* out, std::size_t bytes)
    {
        const auto& seed = static_cast<const Encapsulator*>(self)->seed_;
        if (bytes > seed.size()) return -1;
        std::copy_n(seed.begin(), bytes, out);
        return 0;
    }

    const girih_alg* algorithm_;
    std::vector<Byte> seed_, public_key_, secret_key_, ciphertext_, sent_, received_;
};

enum class Operation { keygen, encapsulate, decapsulate };

/// How many encapsulations share a key pair where that is not what is timed: making one takes up to
/// a hundred times as long.
constexpr benchmark::IterationCount encapsulations_of_a_key = 64;

/// Of how many results one is checked by the operations that come after, where these are
/// not what is timed.
constexpr benchmark::IterationCount results_of_a_check = 16;

/// Runs and times one operation in each iteration. What it needs is made untimed,
/// and so are checks.
void measure(benchmark::State& state, const girih_alg* algorithm, Operation timed, Material material)
{
    const bool fixed = material == Material::fixed;
    Random random = fixed ? Random{0} : Random{};
    Encapsulator pair{algorithm};
    Durations durations{state};
    const auto run = [&](Operation operation, const char* name, auto f) {
        if (!fixed) pair.draw(random);
        const int error = operation == timed ? durations.time(f) : f();
        if (error != GIRIH_OK) fail(state, failure(name, error));
        return error == GIRIH_OK;
    };
    pair.draw(random);
    benchmark::IterationCount iteration = 0;
    for (auto _ : state) {
        const bool is_checked = iteration % results_of_a_check == 0;
        const bool has_new_key = timed == Operation::keygen || iteration % encapsulations_of_a_key == 0;
        ++iteration;
        if (has_new_key && !run(Operation::keygen, "keygen", [&] { return pair.keygen(); })) return;
        if (timed == Operation::keygen && !is_checked) continue;
        if (!run(Operation::encapsulate, "encapsulate", [&] { return pair.encapsulate(); })) return;
        if (timed == Operation::encapsulate && !is_checked) continue;
        if (!run(Operation::decapsulate, "decapsulate", [&] { return pair.decapsulate(); })) return;
        if (!pair.is_agreed()) return fail(state, "decapsulate: it gives another shared secret");
    }
    durations.report();
}

void add(const std::string& name, const girih_alg* algorithm, Operation operation, Material material)
{
    add_operation_row(name, [=](benchmark::State& state) { measure(state, algorithm, operation, material); });
}

}  // namespace

void add_encapsulation_rows(Material material)
{
    for (std::size_t i = 0;; ++i) {
        const girih_alg* algorithm = girih_algorithm_at(i);
        if (algorithm == nullptr) return;
        if (girih_is_kem(algorithm) == 0) continue;
        const std::string name = girih_name(algorithm);
        const std::string scheme = name.starts_with("ML-KEM") ? "bench_ml_kem::" : "bench_ntru_prime::";
        const auto row = [&](const char* operation) {
            std::string of = scheme;
            return of.append(operation).append("<").append(name).append(">");
        };
        add(row("keygen"), algorithm, Operation::keygen, material);
        add(row("encapsulate"), algorithm, Operation::encapsulate, material);
        add(row("decapsulate"), algorithm, Operation::decapsulate, material);
        add_encapsulation_batch_rows(scheme, algorithm, material);
    }
}

}  // namespace girih::bench
