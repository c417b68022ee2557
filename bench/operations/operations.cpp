#include "bench/operations/operations.hpp"

#include "bench/support/table.hpp"
#include "ml_dsa/params.hpp"

namespace girih::bench {

namespace {

constexpr std::int64_t usual_message_bytes = 32;  // as in the dilithium library's tables

enum class Operation { keygen, sign, verify };

/// Runs and times one operation in each iteration, and checks every result. What it
/// needs is made untimed.
void measure(benchmark::State& state, const girih_alg* algorithm, Operation timed, Material material)
{
    const bool fixed = material == Material::fixed;
    Random random = fixed ? Random{0} : Random{};
    Signer signer{algorithm, static_cast<std::size_t>(usual_message_bytes)};
    signer.draw(random);
    Durations durations{state};
    const auto run = [&](Operation operation, const char* name, auto f) {
        const int error = operation == timed ? durations.time(f) : f();
        if (error != GIRIH_OK) fail(state, failure(name, error));
        return error == GIRIH_OK;
    };
    for (auto _ : state) {
        if (!fixed) signer.draw(random);
        if (!run(Operation::keygen, "keygen", [&] { return signer.keygen(); })) return;
        if (!run(Operation::sign, "sign", [&] { return signer.sign(); })) return;
        if (!run(Operation::verify, "verify", [&] { return signer.verify(); })) return;
    }
    durations.report();
}

void add(const std::string& name, const girih_alg* algorithm, Operation operation, Material material)
{
    auto* row = add_operation_row(
        name, [=](benchmark::State& state) { measure(state, algorithm, operation, material); });
    if (operation != Operation::keygen) row->Arg(usual_message_bytes);
}

void add_dilithium(const char* name, ml_dsa::Params p, Material material)
{
    const girih_alg* algorithm = girih_algorithm(name);
    const auto k = static_cast<std::int64_t>(p.k);
    const auto l = static_cast<std::int64_t>(p.l);
    const auto tau = static_cast<std::int64_t>(p.tau);
    const auto omega = static_cast<std::int64_t>(p.omega);
    const auto full = {k,
                       l,
                       std::int64_t{ml_dsa::d},
                       std::int64_t{p.eta},
                       std::int64_t{p.gamma1},
                       std::int64_t{p.gamma2},
                       tau,
                       std::int64_t{p.beta()},
                       omega};
    add(dilithium_name("keygen", {k, l, ml_dsa::d, p.eta}), algorithm, Operation::keygen, material);
    add(dilithium_name("sign", full), algorithm, Operation::sign, material);
    add(dilithium_name("verify", full), algorithm, Operation::verify, material);
}

void add_ml_dsa(const std::string& set, Material material)
{
    const girih_alg* algorithm = girih_algorithm(("ML-DSA-" + set).c_str());
    add("bench_ml_dsa::keygen<" + set + ">", algorithm, Operation::keygen, material);
    add("bench_ml_dsa::sign<" + set + ">", algorithm, Operation::sign, material);
    add("bench_ml_dsa::verify<" + set + ">", algorithm, Operation::verify, material);
}

}  // namespace

Signer::Signer(const girih_alg* algorithm, std::size_t message_bytes)
    : algorithm_(algorithm),
      seed_(girih_seed_bytes(algorithm)),
      public_key_(girih_public_key_bytes(algorithm)),
      secret_key_(girih_secret_key_bytes(algorithm)),
      message_(message_bytes),
      signature_(girih_signature_bytes(algorithm))
{
}

void Signer::draw(Random& random)
{
    random.fill(seed_);
    random.fill(message_);
}

int Signer::keygen()
{
    return girih_keygen_from_seed(algorithm_, seed_.data(), seed_.size(), public_key_.data(),
                                  public_key_.size(), secret_key_.data(), secret_key_.size());
}

int Signer::sign()
{
    girih_options options{};
    options.deterministic = 1;
    std::size_t bytes = 0;
    return girih_sign(algorithm_, secret_key_.data(), secret_key_.size(), message_.data(), message_.size(),
                      &options, signature_.data(), signature_.size(), &bytes);
}

int Signer::verify() const
{
    return girih_verify(algorithm_, public_key_.data(), public_key_.size(), message_.data(), message_.size(),
                        nullptr, signature_.data(), signature_.size());
}

void add_operation_rows(Material material)
{
    add_dilithium("Dilithium2", ml_dsa::dilithium2, material);
    add_dilithium("Dilithium3", ml_dsa::dilithium3, material);
    add_dilithium("Dilithium5", ml_dsa::dilithium5, material);
    for (const char* set : {"44", "65", "87"}) add_ml_dsa(set, material);
}

std::string failure(std::string_view operation, int error)
{
    return std::string{operation} + ": " + girih_error_text(error);
}

}  // namespace girih::bench
