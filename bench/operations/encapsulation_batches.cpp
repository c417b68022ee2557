/// Prepared keys and batches of key encapsulation.
#include <cstdint>
#include <vector>

#include "bench/operations/encapsulations.hpp"
#include "bench/operations/prepared_key.hpp"
#include "bench/support/inputs.hpp"
#include "bench/support/table.hpp"

namespace girih::bench {

namespace {

constexpr std::size_t rows_of_a_batch = 32;

/// Key pairs, of which the first is prepared too, and a ciphertext to each. Every function returns
/// a girih_error. Randomness comes from `random`, without the system's help.
class Encapsulations {
  public:
    Encapsulations(const girih_alg* algorithm, Random random) : algorithm_(algorithm), random_(random)
    {
        for (std::size_t i = 0; i < rows_of_a_batch; ++i) pairs_.emplace_back(algorithm);
        draw_seeds();
        error_ = keygen_many();
        const bool has_prepared_keys = girih_encapsulation_key_size(algorithm) != 0;
        if (error_ == GIRIH_OK && has_prepared_keys) error_ = prepare();
    }
    Encapsulations(const Encapsulations&) = delete;
    Encapsulations& operator=(const Encapsulations&) = delete;

    [[nodiscard]] int error() const { return error_; }

    void draw_seeds()
    {
        for (Pair& pair : pairs_) random_.fill(pair.seed);
    }

    int keygen_many()
    {
        std::vector<girih_keygen_row> rows;
        for (Pair& pair : pairs_)
            rows.push_back({pair.seed.data(), pair.seed.size(), nullptr, pair.public_key.data(),
                            pair.public_key.size(), pair.secret_key.data(), pair.secret_key.size(), 1});
        return girih_keygen_many(algorithm_, rows.data(), rows.size());
    }
    int prepare_encapsulation_key()
    {
        return prepared_encapsulation_key(algorithm_, pairs_[0].public_key).error();
    }
    int prepare_decapsulation_key()
    {
        return prepared_decapsulation_key(algorithm_, pairs_[0].secret_key).error();
    }
    int encapsulate_prepared()
    {
        Pair& pair = pairs_[0];
        return girih_encapsulate_prepared(to_[0].get(), &source_, pair.ciphertext.data(),
                                          pair.ciphertext.size(), pair.sent.data(), pair.sent.size());
    }
    int decapsulate_prepared()
    {
        Pair& pair = pairs_[0];
        return girih_decapsulate_prepared(by_[0].get(), pair.ciphertext.data(), pair.ciphertext.size(),
                                          pair.received.data(), pair.received.size());
    }
    /// Each with a key of its own.
    int encapsulate_many() { return encapsulate_many(nullptr); }
    int decapsulate_many() { return decapsulate_many(nullptr); }
    /// All with the prepared key.
    int encapsulate_many_prepared() { return encapsulate_many(to_[0].get()); }
    int decapsulate_many_prepared() { return decapsulate_many(by_[0].get()); }

    /// Whether the secrets that the last two operations made are the same.
    int agree()
    {
        for (const Pair& pair : pairs_)
            if (pair.sent != pair.received) return GIRIH_ERROR_FAULT;
        return GIRIH_OK;
    }

  private:
    struct Pair {
        std::vector<Byte> seed, public_key, secret_key, ciphertext, sent, received;

        explicit Pair(const girih_alg* algorithm)
            : seed(girih_seed_bytes(algorithm)),
              public_key(girih_public_key_bytes(algorithm)),
              secret_key(girih_secret_key_bytes(algorithm)),
              ciphertext(girih_ciphertext_bytes(algorithm)),
              sent(girih_shared_secret_bytes(algorithm)),
              received(girih_shared_secret_bytes(algorithm))
        {
        }
    };

    int prepare()
    {
        to_.push_back(prepared_encapsulation_key(algorithm_, pairs_[0].public_key));
        by_.push_back(prepared_decapsulation_key(algorithm_, pairs_[0].secret_key));
        return to_[0].error() != GIRIH_OK ? to_[0].error() : by_[0].error();
    }
    int encapsulate_many(const girih_encapsulation_key* key)
    {
        std::vector<girih_encapsulate_row> rows;
        for (Pair& pair : pairs_)
            rows.push_back({key, pair.public_key.data(), pair.public_key.size(), &source_,
                            pair.ciphertext.data(), pair.ciphertext.size(), pair.sent.data(),
                            pair.sent.size(), 1});
        return girih_encapsulate_many(algorithm_, rows.data(), rows.size());
    }
    int decapsulate_many(const girih_decapsulation_key* key)
    {
        std::vector<girih_decapsulate_row> rows;
        for (Pair& pair : pairs_)
            rows.push_back({key, pair.secret_key.data(), pair.secret_key.size(), pair.ciphertext.data(),
                            pair.ciphertext.size(), pair.received.data(), pair.received.size(), 1});
        return girih_decapsulate_many(algorithm_, rows.data(), rows.size());
    }
    static int fill(void* random, std::uint8_t* out, std::size_t bytes)
    {
        static_cast<Random*>(random)->fill({out, bytes});
        return 0;
    }

    const girih_alg* algorithm_;
    Random random_;
    girih_random source_{fill, &random_, 0};
    std::vector<Pair> pairs_;
    std::vector<PreparedKey<girih_encapsulation_key>> to_;  // one, if there are prepared keys
    std::vector<PreparedKey<girih_decapsulation_key>> by_;
    int error_ = GIRIH_OK;
};

/// A row that times an operation in each iteration, behind what it needs and before what checks it,
/// both untimed. `checks` decapsulates what is then compared with what was sent.
struct Timed {
    using Function = int (Encapsulations::*)();
    Function needs;
    Function operation;
    Function checks;
    bool has_secrets;
};

void measure(benchmark::State& state, const girih_alg* algorithm, const Timed& row, Material material)
{
    Encapsulations encapsulations{algorithm, material == Material::fixed ? Random{0} : Random{}};
    if (encapsulations.error() != GIRIH_OK) return fail(state, failure("prepare", encapsulations.error()));
    Durations durations{state};
    const auto run = [&](const char* name, Timed::Function f, bool is_timed) {
        if (f == nullptr) return true;
        const auto call = [&] { return (encapsulations.*f)(); };
        const int error = is_timed ? durations.time(call) : call();
        if (error != GIRIH_OK) fail(state, failure(name, error));
        return error == GIRIH_OK;
    };
    for (auto _ : state) {
        if (row.operation == &Encapsulations::keygen_many && material == Material::fresh)
            encapsulations.draw_seeds();
        if (!run("before", row.needs, false) || !run("operation", row.operation, true) ||
            !run("check", row.checks, false) ||
            (row.has_secrets && !run("agreement", &Encapsulations::agree, false)))
            return;
    }
    durations.report();
}

}  // namespace

void add_encapsulation_batch_rows(const std::string& scheme, const girih_alg* algorithm, Material material)
{
    using E = Encapsulations;
    const std::string set = std::string{"<"} + girih_name(algorithm) + ">";
    const auto add = [&](const std::string& name, const Timed& row) {
        add_operation_row(scheme + name,
                          [=](benchmark::State& state) { measure(state, algorithm, row, material); });
    };
    const std::string batch = set + "/" + std::to_string(rows_of_a_batch) + " rows";
    add("keygen_many" + batch, {nullptr, &E::keygen_many, nullptr, false});
    if (girih_encapsulation_key_size(algorithm) == 0) return;
    add("prepare_encapsulation_key" + set, {nullptr, &E::prepare_encapsulation_key, nullptr, false});
    add("prepare_decapsulation_key" + set, {nullptr, &E::prepare_decapsulation_key, nullptr, false});
    add("encapsulate_prepared" + set, {nullptr, &E::encapsulate_prepared, &E::decapsulate_prepared, true});
    add("decapsulate_prepared" + set, {&E::encapsulate_prepared, &E::decapsulate_prepared, nullptr, true});
    add("encapsulate_many" + batch, {nullptr, &E::encapsulate_many, &E::decapsulate_many, true});
    add("decapsulate_many" + batch, {&E::encapsulate_many, &E::decapsulate_many, nullptr, true});
    add("encapsulate_many_prepared" + batch,
        {nullptr, &E::encapsulate_many_prepared, &E::decapsulate_many_prepared, true});
    add("decapsulate_many_prepared" + batch,
        {&E::encapsulate_many_prepared, &E::decapsulate_many_prepared, nullptr, true});
}

}  // namespace girih::bench
