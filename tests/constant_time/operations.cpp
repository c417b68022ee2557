/// Runs every operation that touches a secret, on inputs that the memory checker knows to be
/// secret:
///
///     valgrind --error-exitcode=99 girih_constant_time ML-DSA-65
///
/// The checker reports each branch and each address that depends on one, unless the library
/// declassified it first. Public results are used as such, so a part of them that was never
/// declassified is reported as well.
#include <girih/girih.h>

#include <cstdint>
#include <string_view>

#include "steps.hpp"
#include "support/every_operation.hpp"

namespace {

using namespace girih;
using namespace girih::test;

volatile std::uint32_t observed;

/// Branches on every byte.
void use(BytesIn<> bytes)
{
    for (const Byte byte : bytes)
        if ((byte & 1) != 0) observed = byte;
}

/// More rows than an engine has lanes.
std::size_t batch_size() { return std::string_view(girih_engine()) == "avx512" ? 10 : 6; }

/// One algorithm, under secrets.
class Run {
  public:
    Run(const girih_alg* alg, Steps& steps) : steps_(steps), operations_(alg, batch_size(), &source_) {}

    void every_operation()
    {
        operations_.options.deterministic = 0;
        for (const Operation& operation : operations_.all)
            if (!operation.is_public() && operation.name != "falcon_reference_keygen") run(operation);
    }

    /// A secret key as it comes from a file, with another byte.
    void import_damaged(std::size_t place, int expected)
    {
        Byte& byte = operations_.given.secret_key[place];
        const Byte good = byte;
        byte = good == 0xFF ? 0xFE : 0xFF;
        run(operations_.named("public_key"), expected);
        byte = good;
    }

    void sign(const girih_options& options, std::string_view name = "sign")
    {
        operations_.options = options;
        operations_.options.random = &source_;
        run(operations_.named(name));
    }

    /// Implicit rejection: another ciphertext gives another secret.
    void decapsulate_changed(std::size_t place)
    {
        is_changed_ = true;
        operations_.given.ciphertext[place] ^= 1;
        run(operations_.named("decapsulate"));
        run(operations_.named("decapsulate_many"));
        operations_.given.ciphertext[place] ^= 1;
        is_changed_ = false;
    }

    /// From a request for every piece.
    void generate_piecewise()
    {
        source_.piecewise = 1;
        run(operations_.named("keygen"));
    }

  private:
    void run(const Operation& operation, int expected = GIRIH_OK)
    {
        Products& made = operations_.made;
        made.signature_bytes = 0;
        mark_secret(operations_.seed);
        mark_secret(operations_.given.secret_key);
        steps_.expect(operation.name, operation.call(), expected);
        if (operation.name == "public_key") compare_public_keys(operation, expected);
        use_public(made);
        for (const Products& row : operations_.rows) use_public(row);
        if (made.signature_bytes != 0) verify(operation);
        if (operation.name.starts_with("decapsulate")) compare_secrets(operation);
    }

    static void use_public(const Products& products)
    {
        use(products.public_key);
        use(products.signature);
        use(products.ciphertext);
    }

    void verify(const Operation& operation)
    {
        const BytesIn<> signature =
            BytesIn<>{operations_.made.signature}.first(operations_.made.signature_bytes);
        steps_.expect(operation.name, call(girih_verify, operations_.alg, operations_.given.public_key,
                                           operations_.message, &operations_.options, signature));
    }

    void compare_public_keys(const Operation& operation, int expected)
    {
        // NTRU Prime's secret keys have the public key in them, which is copied.
        if (girih_is_kem(operations_.alg) != 0 && girih_encapsulation_key_size(operations_.alg) == 0)
            mark_public(operations_.made.public_key);
        const bool is_same = operations_.made.public_key == operations_.given.public_key;
        steps_.expect(is_same == (expected == GIRIH_OK), operation.name, "the wrong public key");
    }

    void compare_secrets(const Operation& operation)
    {
        mark_public(operations_.made.shared_secret);
        mark_public(operations_.given.shared_secret);
        const bool is_same = operations_.made.shared_secret == operations_.given.shared_secret;
        steps_.expect(is_same != is_changed_, operation.name, "the wrong secret");
    }

    Steps& steps_;
    SecretRandom random_;
    girih_random source_ = random_.source();
    EveryOperation operations_;
    bool is_changed_ = false;
};

void run_kem(const girih_alg* alg, Run& run)
{
    // The first bytes are of a polynomial: coefficients of two bits in NTRU Prime, of 12 in ML-KEM.
    // The public key's hash is at the end or, in ML-KEM, before the 32 bytes of z.
    const bool is_ml_kem = girih_encapsulation_key_size(alg) != 0;
    run.import_damaged(is_ml_kem ? 1 : 0, GIRIH_ERROR_SECRET_KEY);
    run.import_damaged(girih_secret_key_bytes(alg) - (is_ml_kem ? 33 : 1), GIRIH_ERROR_KEY_MISMATCH);
    run.decapsulate_changed(0);
    run.decapsulate_changed(girih_ciphertext_bytes(alg) - 1);
    run.generate_piecewise();
}

void run_ml_dsa(const girih_alg* alg, Run& run)
{
    const std::size_t s1 = 32 + 32 + (girih_has_context(alg) != 0 ? 64 : 32);  // after rho, K and tr
    run.import_damaged(s1, GIRIH_ERROR_SECRET_KEY);
    run.import_damaged(girih_secret_key_bytes(alg) - 1, GIRIH_ERROR_KEY_MISMATCH);  // t0
    girih_options deterministic{};
    deterministic.deterministic = 1;
    run.sign(deterministic);
    run.sign(deterministic, "sign_mu");
    if (girih_has_context(alg) == 0) return;

    const ByteString context{'c', 't', 'x'};
    for (const char* pre_hash : {static_cast<const char*>(nullptr), "SHA2-512", "SHAKE128"})
        run.sign({context.data(), context.size(), pre_hash, 0, nullptr, 0, {}});
}

void run_signatures(const girih_alg* alg, Run& run)
{
    // Enough signatures that each of the frequent rejections happens under the checker.
    for (int i = 0; i < 3; ++i) run.sign({});
    girih_options checked{};
    checked.verify_after_sign = 1;
    run.sign(checked);
    if (girih_has_mu(alg) != 0) return run_ml_dsa(alg, run);
    run.import_damaged(girih_secret_key_bytes(alg) - 1, GIRIH_ERROR_SECRET_KEY);  // a coefficient of F
}

}  // namespace

int main(int count, char** names)
{
    return run_each(count, names, [](const girih_alg* alg, Steps& steps) {
        Run run{alg, steps};
        run.every_operation();
        girih_is_kem(alg) != 0 ? run_kem(alg, run) : run_signatures(alg, run);
    });
}
