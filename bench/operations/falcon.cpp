#include "bench/operations/falcon.hpp"

#include <girih/girih.h>

#include <string>
#include <vector>

#include "bench/operations/operations.hpp"
#include "bench/operations/prepared_key.hpp"
#include "bench/support/inputs.hpp"
#include "bench/support/table.hpp"

namespace girih::bench {

namespace {

constexpr std::size_t message_bytes = 32;
constexpr std::size_t rows_of_a_batch = 64;

/// A key pair, as bytes and prepared, and messages with their signatures. Randomness comes from
/// `random`, without the system's help.
class FalconSigner {
  public:
    explicit FalconSigner(const girih_alg* algorithm)
        : algorithm_(algorithm),
          seed_(girih_seed_bytes(algorithm)),
          public_key_(girih_public_key_bytes(algorithm)),
          secret_key_(girih_secret_key_bytes(algorithm)),
          keygen_error_((random_.fill(seed_), keygen())),
          signing_key_(girih_signing_key_size(algorithm),
                       [&](void* memory, std::size_t bytes, girih_signing_key** key) {
                           return girih_prepare_signing_key(algorithm, secret_key_.data(), secret_key_.size(),
                                                            memory, bytes, key);
                       }),
          verifying_key_(girih_verifying_key_size(algorithm),
                         [&](void* memory, std::size_t bytes, girih_verifying_key** key) {
                             return girih_prepare_verifying_key(algorithm, public_key_.data(),
                                                                public_key_.size(), memory, bytes, key);
                         }),
          messages_(rows_of_a_batch, std::vector<Byte>(message_bytes)),
          signatures_(rows_of_a_batch, std::vector<Byte>(girih_signature_bytes(algorithm)))
    {
    }
    FalconSigner(const FalconSigner&) = delete;
    FalconSigner& operator=(const FalconSigner&) = delete;

    [[nodiscard]] int error() const
    {
        if (keygen_error_ != GIRIH_OK) return keygen_error_;
        return signing_key_.error() != GIRIH_OK ? signing_key_.error() : verifying_key_.error();
    }

    void draw_seed() { random_.fill(seed_); }
    void draw_messages()
    {
        for (auto& message : messages_) random_.fill(message);
    }

    int keygen()
    {
        return girih_keygen_from_seed(algorithm_, seed_.data(), seed_.size(), public_key_.data(),
                                      public_key_.size(), secret_key_.data(), secret_key_.size());
    }
    int reference_keygen()
    {
        return girih_falcon_reference_keygen(algorithm_, seed_.data(), seed_.size(), public_key_.data(),
                                             public_key_.size(), secret_key_.data(), secret_key_.size());
    }
    int sign()
    {
        auto& signature = signatures_[0];
        return girih_sign(algorithm_, secret_key_.data(), secret_key_.size(), messages_[0].data(),
                          message_bytes, &options_, signature.data(), signature.size(), &signature_bytes_);
    }
    int sign_prepared()
    {
        auto& signature = signatures_[0];
        return girih_sign_prepared(signing_key_.get(), messages_[0].data(), message_bytes, &options_,
                                   signature.data(), signature.size(), &signature_bytes_);
    }
    int verify()
    {
        return girih_verify(algorithm_, public_key_.data(), public_key_.size(), messages_[0].data(),
                            message_bytes, nullptr, signatures_[0].data(), signature_bytes_);
    }
    int verify_prepared()
    {
        return girih_verify_prepared(verifying_key_.get(), messages_[0].data(), message_bytes, nullptr,
                                     signatures_[0].data(), signature_bytes_);
    }
    int sign_many()
    {
        signing_.clear();
        for (std::size_t i = 0; i < rows_of_a_batch; ++i)
            signing_.push_back({signing_key_.get(), nullptr, 0, messages_[i].data(), message_bytes, &options_,
                                signatures_[i].data(), signatures_[i].size(), 0, GIRIH_OK});
        return girih_sign_many(algorithm_, signing_.data(), signing_.size());
    }
    int verify_many()
    {
        verifying_.clear();
        for (std::size_t i = 0; i < rows_of_a_batch; ++i)
            verifying_.push_back({verifying_key_.get(), nullptr, 0, messages_[i].data(), message_bytes,
                                  nullptr, signatures_[i].data(), signing_[i].signature_bytes, GIRIH_OK});
        return girih_verify_many(algorithm_, verifying_.data(), verifying_.size());
    }

  private:
    static int fill(void* random, std::uint8_t* out, std::size_t bytes)
    {
        static_cast<Random*>(random)->fill({out, bytes});
        return 0;
    }

    const girih_alg* algorithm_;
    Random random_;
    std::vector<Byte> seed_, public_key_, secret_key_;
    int keygen_error_;
    PreparedKey<girih_signing_key> signing_key_;
    PreparedKey<girih_verifying_key> verifying_key_;
    girih_random source_{fill, &random_, 0};
    girih_options options_{nullptr, 0, nullptr, 0, &source_, 0, {}};
    std::vector<std::vector<Byte>> messages_, signatures_;
    std::size_t signature_bytes_ = 0;
    std::vector<girih_sign_row> signing_;
    std::vector<girih_verify_row> verifying_;
};

/// A row that times an operation in each iteration, behind what it needs; and checks what it
/// made, both untimed.
struct Timed {
    int (FalconSigner::*needs)();
    int (FalconSigner::*operation)();
    int (FalconSigner::*checks)();
};

void measure(benchmark::State& state, const girih_alg* algorithm, const Timed& row)
{
    FalconSigner signer{algorithm};
    if (signer.error() != GIRIH_OK) return fail(state, failure("prepare", signer.error()));
    Durations durations{state};
    const auto run = [&](const char* name, int (FalconSigner::*f)(), bool is_timed) {
        if (f == nullptr) return true;
        const int error = is_timed ? durations.time([&] { return (signer.*f)(); }) : (signer.*f)();
        if (error != GIRIH_OK) fail(state, failure(name, error));
        return error == GIRIH_OK;
    };
    for (auto _ : state) {
        signer.draw_messages();
        if (row.needs == nullptr && row.checks == nullptr) signer.draw_seed();
        if (!run("before", row.needs, false) || !run("operation", row.operation, true) ||
            !run("check", row.checks, false))
            return;
    }
    durations.report();
}

}  // namespace

void add_falcon_rows()
{
    using F = FalconSigner;
    for (const char* degree : {"512", "1024"}) {
        const std::string set = std::string{"<"} + degree + ">";
        const girih_alg* algorithm = girih_algorithm((std::string{"Falcon-"} + degree).c_str());
        const auto add = [&](const std::string& name, const Timed& row) {
            add_operation_row("bench_falcon::" + name,
                              [=](benchmark::State& state) { measure(state, algorithm, row); });
        };
        const std::string batch = set + "/" + std::to_string(rows_of_a_batch) + " rows";
        add("keygen" + set, {nullptr, &F::keygen, nullptr});
        add("reference_keygen" + set, {nullptr, &F::reference_keygen, nullptr});
        add("sign" + set, {nullptr, &F::sign, &F::verify});
        add("sign_prepared" + set, {nullptr, &F::sign_prepared, &F::verify});
        add("sign_many" + batch, {nullptr, &F::sign_many, &F::verify_many});
        add("verify" + set, {&F::sign_prepared, &F::verify, nullptr});
        add("verify_prepared" + set, {&F::sign_prepared, &F::verify_prepared, nullptr});
        add("verify_many" + batch, {&F::sign_many, &F::verify_many, nullptr});
    }
}

}  // namespace girih::bench
