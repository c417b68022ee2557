#include "lab/benchmark/operations.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "lab/benchmark/rows.hpp"
#include "lab/measure/table.hpp"
#include "lab/operations/operations.hpp"
#include "ml_dsa/params.hpp"

namespace girih::lab {

namespace {

const Contender& girih()
{
    static const Contender linked = girih_contender("girih", Functions::linked());
    return linked;
}

/// How many iterations share a key, unless keys are timed: making one takes up to a hundred times
/// as long.
constexpr std::size_t iterations_of_a_key = 64;

/// A row: an operation of an algorithm, one at a time or `rows` in one call.
struct OperationRow {
    std::string algorithm;
    Operation operation;
    std::size_t rows = 1;
    std::size_t message_bytes = 32;
};

/// Checks a row's outputs, untimed: signatures are verified, and ciphertexts decapsulated.
void check(const OperationRow& row, const Material& material, const Strings& inputs, const Job& job)
{
    if (row.operation.shown == nullptr) return;
    const Proof proof = row.operation.shown(material, inputs, job.outputs());
    if (material.made(proof.operation, proof.inputs) != proof.outputs)
        throw std::runtime_error(row.operation.name + ": " + proof.failure);
}

/// Runs and times the operations of one job after another, as many as there are iterations.
void measure(benchmark::State& state, const OperationRow& row, Inputs kind)
try {
    const Material material{row.algorithm, girih(), {}, row.message_bytes};
    Random random = kind == Inputs::fixed ? Random{0} : Random{};
    const auto& name = row.operation.name;
    const std::size_t count = row.rows > 1 ? row.rows : kind == Inputs::fixed ? 1 : iterations_of_a_key;
    Strings inputs;
    std::unique_ptr<Job> job;
    Durations durations{state};
    std::size_t next = count;
    for (auto _ : state) {
        if (next == count && (job == nullptr || kind == Inputs::fresh)) {
            if (job != nullptr) check(row, material, inputs, *job);
            inputs = row.operation.inputs(material, random, count);
            job = girih().job(row.algorithm, name, inputs);
            if (job == nullptr) return fail(state, name + ": not offered");
        }
        if (next == count) next = 0;
        const std::size_t end = next + (row.rows > 1 ? count : 1);
        if (!durations.time([&] { return job->run(next, end); })) return fail(state, name + ": it fails");
        next = end;
    }
    if (next == count && job != nullptr) check(row, material, inputs, *job);
    durations.report();
} catch (const std::exception& failure) {
    fail(state, failure.what());
}

/// Adds a row: its name, and a description for people.
void add(const std::string& name, std::string_view what, const OperationRow& row, Inputs kind)
{
    add_operation_row(name, joined({row.algorithm, ": ", what}),
                      [=](benchmark::State& state) { measure(state, row, kind); });
}

/// Adds the operations of an algorithm. Calls for many (`_many`) get `rows` rows each.
void add_all(const std::string& prefix, const std::string& algorithm, const std::string& set,
             const std::vector<std::string>& names, std::size_t rows, Inputs kind)
{
    for (const std::string& name : names) {
        const bool is_many = name.find("_many") != std::string::npos;
        std::string in_rows = name;
        if (name == "sign_many prepared") in_rows = "sign_many";
        if (name == "prepare public key") in_rows = "prepare_encapsulation_key";
        if (name == "prepare secret key") in_rows = "prepare_decapsulation_key";
        std::string what = name == "reference keygen" ? "keygen of round 3's known answers" : in_rows;
        std::ranges::replace(in_rows, ' ', '_');
        std::ranges::replace(what, '_', ' ');
        const std::string count = std::to_string(rows);
        if (is_many) what += joined({", a call of ", count, " rows"});
        add(joined({prefix, in_rows, "<", set, ">", is_many ? joined({"/", count, " rows"}) : ""}), what,
            {algorithm, operation_of(algorithm, name), is_many ? rows : 1}, kind);
    }
}

constexpr const char* of_short_messages = ", 32-byte message";

void add_dilithium(const char* name, ml_dsa::Params p, Inputs kind)
{
    const auto k = static_cast<std::int64_t>(p.k);
    const auto l = static_cast<std::int64_t>(p.l);
    const std::initializer_list<std::int64_t> all = {k,
                                                     l,
                                                     ml_dsa::d,
                                                     p.eta,
                                                     p.gamma1,
                                                     p.gamma2,
                                                     static_cast<std::int64_t>(p.tau),
                                                     p.beta(),
                                                     static_cast<std::int64_t>(p.omega)};
    add(lattice_of_both.prefix + name_of("keygen", {k, l, ml_dsa::d, p.eta}), "keygen",
        {name, operation_of(name, "keygen")}, kind);
    for (const char* operation : {"sign", "verify"})
        add(joined({lattice_of_both.prefix, name_of(operation, all), "/32"}),
            joined({operation, of_short_messages}), {name, operation_of(name, operation)}, kind);
}

/// Rows of one algorithm of each scheme: the cost of a message by its length, and of a row by the
/// size of its batch.
void add_scales(Inputs kind)
{
    for (const std::size_t bytes : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18}) {
        const std::string length = std::to_string(bytes);
        for (const std::string operation : {"sign", "verify"}) {
            const std::string what = joined({operation, ", ", length, "-byte message"});
            add(joined({"bench_ml_dsa::", operation, "<65>/", length}), what,
                {"ML-DSA-65", operation_of("ML-DSA-65", operation), 1, bytes}, kind);
            add(joined({"bench_falcon::", operation, "<512>/", length}), what,
                {"Falcon-512", operation_of("Falcon-512", operation), 1, bytes}, kind);
        }
    }
    for (const std::size_t rows : {2U, 8U, 128U}) {
        add_all("bench_ml_dsa::", "ML-DSA-65", "65", {"keygen_many", "sign_many prepared", "verify_many"},
                rows, kind);
        add_all("bench_falcon::", "Falcon-512", "512", {"sign_many prepared", "verify_many"}, rows, kind);
        add_all("bench_ml_kem::", "ML-KEM-768", "ML-KEM-768",
                {"keygen_many", "encapsulate_many", "decapsulate_many"}, rows, kind);
        add_all("bench_ntru_prime::", "sntrup761", "sntrup761", {"keygen_many"}, rows, kind);
    }
}

}  // namespace

void add_operation_rows(Inputs kind, bool has_scales)
{
    add_dilithium("Dilithium2", ml_dsa::dilithium2, kind);
    add_dilithium("Dilithium3", ml_dsa::dilithium3, kind);
    add_dilithium("Dilithium5", ml_dsa::dilithium5, kind);
    for (const std::string set : {"44", "65", "87"}) {
        const std::string name = joined({"ML-DSA-", set});
        add(joined({"bench_ml_dsa::keygen<", set, ">"}), "keygen", {name, operation_of(name, "keygen")},
            kind);
        for (const std::string operation : {"sign", "verify"})
            add(joined({"bench_ml_dsa::", operation, "<", set, ">/32"}),
                joined({operation, of_short_messages}), {name, operation_of(name, operation)}, kind);
        add_all("bench_ml_dsa::", name, set,
                {"sign prepared", "verify prepared", "keygen_many", "sign_many prepared", "verify_many"}, 32,
                kind);
    }
    for (const std::string set : {"512", "1024"})
        add_all("bench_falcon::", joined({"Falcon-", set}), set,
                {"keygen", "reference keygen", "sign", "sign prepared", "sign_many prepared", "verify",
                 "verify prepared", "verify_many"},
                64, kind);
    for (std::size_t i = 0; girih_algorithm_at(i) != nullptr; ++i) {
        if (girih_is_kem(girih_algorithm_at(i)) == 0) continue;
        const std::string name = girih_name(girih_algorithm_at(i));
        const bool is_ml_kem = name.starts_with("ML-KEM");
        std::vector<std::string> operations{"keygen", "encapsulate", "decapsulate", "keygen_many"};
        if (is_ml_kem)
            operations.insert(operations.end(),
                              {"prepare public key", "prepare secret key", "encapsulate prepared",
                               "decapsulate prepared", "encapsulate_many", "decapsulate_many",
                               "encapsulate_many prepared", "decapsulate_many prepared"});
        add_all(is_ml_kem ? "bench_ml_kem::" : "bench_ntru_prime::", name, name, operations, 32, kind);
    }
    if (has_scales) add_scales(kind);
}

namespace {

/// Signs all messages with the key of an all-zero seed. An iteration is one of them, and the row
/// ends with the last, so that its time is the mean of all.
void sign_all(benchmark::State& state, const Material& material)
try {
    Random random;
    const OperationRow row{material.algorithm, operations_of(material.algorithm)[1][0]};
    const std::size_t count = material.messages.size();
    const Strings inputs = row.operation.inputs(material, random, count);
    const auto job = girih().job(material.algorithm, "sign", inputs);
    Durations durations{state};
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(count)))
        for (std::size_t i = 0; i < count; ++i)
            if (!durations.time([&] { return job->run(i, i + 1); })) return fail(state, "sign: it fails");
    check(row, material, inputs, *job);
    durations.report(count);
} catch (const std::exception& failure) {
    fail(state, failure.what());
}

}  // namespace

std::string add_representative_rows()
{
    const char* named = std::getenv("GIRIH_VECTORS");
    const std::filesystem::path vectors = named != nullptr ? named : GIRIH_VECTORS_BESIDE_SOURCE;
    for (const std::string set : {"44", "65", "87"}) {
        const std::string name = joined({"ML-DSA-", set});
        const auto material = std::make_shared<const Material>(
            Material{name, girih(), representative_messages(name, vectors.string())});
        if (material->messages.empty())
            return joined({"skipped: no messages for ", name, " in ",
                           (vectors / "cctv").lexically_normal().string(),
                           " (GIRIH_VECTORS names the folder of vectors)"});
        add_operation_row(joined({"bench_ml_dsa::sign_representative<", set, ">"}),
                          joined({name, ": sign, a message of the representative set"}),
                          [=](benchmark::State& state) { sign_all(state, *material); });
    }
    return (vectors / "cctv").lexically_normal().string();
}

}  // namespace girih::lab
