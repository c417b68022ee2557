/// Runs every operation that touches a secret, on secrets that the memory checker
/// knows to be secret:
///
///     valgrind --error-exitcode=99 girih_constant_time ML-DSA-65
///
/// The checker reports each branch and each address that depends on one, unless the library
/// declassified it first. The public results are used as such, so a part of them that was never
/// declassified is reported, too.
#include <girih/girih.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "steps.hpp"

namespace {

using namespace girih;
using namespace girih::test;

/// What a test program returns that has nothing to run on.
constexpr int skipped = 77;

/// Enough signatures that each of the frequent rejections happens under the checker.
constexpr int signatures_each_way = 4;

/// One algorithm, with a key pair that was made from a secret seed.
class Operations {
  public:
    Operations(const girih_alg* alg, Steps& steps) : alg_(alg), steps_(steps), key_(alg)
    {
        const girih_random random = random_.source();
        steps_.expect("keygen",
                      girih_keygen_checked(alg, &random, key_.public_key.data(), key_.public_key.size(),
                                           key_.secret_key.data(), key_.secret_key.size()));
    }

    void generate_from_seed()
    {
        Bytes seed(girih_seed_bytes(alg_), 0x5A);
        mark_secret(seed);
        KeyPair pair{alg_};
        steps_.expect(
            "keygen from seed",
            girih_keygen_from_seed(alg_, seed.data(), seed.size(), pair.public_key.data(),
                                   pair.public_key.size(), pair.secret_key.data(), pair.secret_key.size()));
    }

    /// A secret key as it comes from a file: every byte of it secret, with one of them
    /// changed if so asked.
    void import(int expected, std::optional<std::size_t> changed = std::nullopt, std::uint8_t change = 0)
    {
        Bytes secret_key = key_.secret_key;
        if (changed) secret_key[*changed] ^= change;
        mark_secret(secret_key);
        Bytes public_key(key_.public_key.size());
        const int result = girih_public_key(alg_, secret_key.data(), secret_key.size(), public_key.data(),
                                            public_key.size());
        steps_.expect("import", result, expected);
        if (result == GIRIH_OK && public_key != key_.public_key)
            steps_.expect("import", GIRIH_ERROR_KEY_MISMATCH);
    }

    void sign(girih_options options)
    {
        Bytes secret_key = key_.secret_key;
        mark_secret(secret_key);
        const girih_random random = random_.source();
        options.random = &random;
        for (std::uint8_t i = 0; i < signatures_each_way; ++i) {
            const std::array<std::uint8_t, 3> message{'n', 'o', i};
            Bytes signature(girih_signature_bytes(alg_));
            std::size_t bytes = 0;
            steps_.expect(
                "sign", girih_sign(alg_, secret_key.data(), secret_key.size(), message.data(), message.size(),
                                   &options, signature.data(), signature.size(), &bytes));
            steps_.expect("verify",
                          girih_verify(alg_, key_.public_key.data(), key_.public_key.size(), message.data(),
                                       message.size(), &options, signature.data(), bytes));
        }
    }

    void sign_representative(girih_options options)
    {
        Bytes secret_key = key_.secret_key;
        mark_secret(secret_key);
        const girih_random random = random_.source();
        options.random = &random;
        std::array<std::uint8_t, GIRIH_MU_BYTES> mu{};
        girih_message message;
        steps_.expect("begin", girih_message_begin_secret(&message, alg_, secret_key.data(),
                                                          secret_key.size(), nullptr));
        steps_.expect("mu", girih_message_mu(&message, mu.data(), mu.size()));
        mark_public(mu);  // a hash of tr, which is a hash of the public key
        for (std::uint8_t i = 0; i < signatures_each_way; ++i, ++mu[0]) {
            Bytes signature(girih_signature_bytes(alg_));
            std::size_t bytes = 0;
            steps_.expect("sign mu",
                          girih_sign_mu(alg_, secret_key.data(), secret_key.size(), mu.data(), mu.size(),
                                        &options, signature.data(), signature.size(), &bytes));
            steps_.expect("verify mu", girih_verify_mu(alg_, key_.public_key.data(), key_.public_key.size(),
                                                       mu.data(), mu.size(), signature.data(), bytes));
        }
    }

    /// Prepared keys and batches: fewer and more rows than an engine has lanes.
    void sign_batch(girih_options options)
    {
        Bytes secret_key = key_.secret_key;
        mark_secret(secret_key);
        const girih_random random = random_.source();
        options.random = &random;
        std::vector<Line> memory(girih_signing_key_size(alg_) / sizeof(Line));
        girih_signing_key* key = nullptr;
        steps_.expect("prepare",
                      girih_prepare_signing_key(alg_, secret_key.data(), secret_key.size(), memory.data(),
                                                memory.size() * sizeof(Line), &key));
        const std::array<std::uint8_t, 2> message{'n', 'o'};
        std::vector<Bytes> signatures(10, Bytes(girih_signature_bytes(alg_)));
        std::vector<girih_sign_row> rows;
        for (Bytes& signature : signatures)
            rows.push_back({key, nullptr, 0, message.data(), message.size(), &options, signature.data(),
                            signature.size(), 0, GIRIH_ERROR_ARGUMENT});
        steps_.expect("sign many", girih_sign_many(alg_, rows.data(), rows.size()));
        std::size_t bytes = 0;
        steps_.expect("sign prepared",
                      girih_sign_prepared(key, message.data(), message.size(), &options, signatures[0].data(),
                                          signatures[0].size(), &bytes));
        rows[0].signature_bytes = bytes;
        for (const girih_sign_row& row : rows)
            steps_.expect("verify",
                          girih_verify(alg_, key_.public_key.data(), key_.public_key.size(), message.data(),
                                       message.size(), &options, row.signature, row.signature_bytes));
        girih_wipe_signing_key(key);
    }

    void generate_batch()
    {
        const girih_random random = random_.source();
        std::vector<KeyPair> pairs(3, KeyPair{alg_});
        std::vector<girih_keygen_row> rows;
        for (KeyPair& pair : pairs)
            rows.push_back({nullptr, 0, &random, pair.public_key.data(), pair.public_key.size(),
                            pair.secret_key.data(), pair.secret_key.size(), GIRIH_ERROR_ARGUMENT});
        steps_.expect("keygen many", girih_keygen_many(alg_, rows.data(), rows.size()));
        if (pairs[0].public_key == pairs[1].public_key) steps_.expect("keygen many", GIRIH_ERROR_RANDOM);
    }

  private:
    const girih_alg* alg_;
    Steps& steps_;
    SecretRandom random_;
    KeyPair key_;
};

void run(const girih_alg* alg, Steps& steps)
{
    constexpr std::size_t s1_offset_in_ml_dsa = 32 + 32 + 64;  // behind rho, K and tr
    const std::size_t last = girih_secret_key_bytes(alg) - 1;  // a byte of t0
    Operations operations{alg, steps};
    operations.generate_from_seed();
    operations.import(GIRIH_OK);
    operations.import(GIRIH_ERROR_KEY_MISMATCH, last, 1);

    girih_options hedged{};
    girih_options deterministic{};
    deterministic.deterministic = 1;
    operations.sign(hedged);
    operations.sign(deterministic);
    operations.sign_representative(hedged);
    operations.sign_representative(deterministic);
    operations.sign_batch(hedged);
    operations.generate_batch();
    girih_options checked{};
    checked.verify_after_sign = 1;
    operations.sign(checked);
    if (girih_has_context(alg) == 0) return;

    operations.import(GIRIH_ERROR_SECRET_KEY, s1_offset_in_ml_dsa, 0xFF);
    const std::array<std::uint8_t, 3> context{'c', 't', 'x'};
    hedged.context = context.data();
    hedged.context_bytes = context.size();
    operations.sign(hedged);
    hedged.pre_hash = "SHA2-512";
    operations.sign(hedged);
    hedged.pre_hash = "SHAKE128";
    operations.sign(hedged);
}

/// Falcon: nothing deterministic, no representatives.
void run_falcon(const girih_alg* alg, Steps& steps)
{
    const std::size_t last = girih_secret_key_bytes(alg) - 1;  // a coefficient of F
    Operations operations{alg, steps};
    operations.generate_from_seed();
    operations.import(GIRIH_OK);
    operations.import(GIRIH_ERROR_SECRET_KEY, last, 1);
    operations.sign({});
    operations.sign_batch({});
    operations.generate_batch();
    girih_options checked{};
    checked.verify_after_sign = 1;
    operations.sign(checked);
}

}  // namespace

int main(int count, char** arguments)
{
    if (!secret_checker::is_watching()) {
        std::fputs("no memory checker watches: run this under valgrind\n", stderr);
        return 2;
    }
    const girih_alg* alg = count == 2 ? girih_algorithm(arguments[1]) : nullptr;
    if (alg == nullptr) {
        std::fputs("usage: girih_constant_time ALGORITHM\n", stderr);
        return 2;
    }
    if (girih_engine() == nullptr) {
        std::fprintf(stderr, "skipped: %s\n", girih_engine_reason());
        return skipped;
    }
    Steps steps;
    if (girih_is_kem(alg) != 0) {
        run_kem(alg, steps);
    } else if (girih_has_mu(alg) == 0) {
        run_falcon(alg, steps);
    } else {
        run(alg, steps);
    }
    return steps.all_good() ? 0 : 1;
}
