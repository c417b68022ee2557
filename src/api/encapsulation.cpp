#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/randomness.hpp"

using namespace girih;
using namespace girih::api;

int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                      size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                      uint8_t* shared_secret, size_t shared_secret_bytes)
{
    Output ciphertext_out{ciphertext, ciphertext_bytes};
    Output secret_out{shared_secret, shared_secret_bytes};
    GIRIH_TRY(check_apart(ciphertext_out, secret_out));
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const ntru_prime::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, girih_ciphertext_bytes(alg)));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, girih_shared_secret_bytes(alg)));

    Wiped<std::array<Byte, ntru_prime::seed_bytes>> seed;
    ntru_prime::Randomness randomness{seed->data()};
    if (is_piecewise(random)) {
        randomness = pieces_of(random);
    } else if (!draw(random, *seed)) {
        return GIRIH_ERROR_RANDOM;
    }
    Made<max_ciphertext_bytes> made{ciphertext_bytes};
    Made<ntru_prime::shared_secret_bytes> made_secret{shared_secret_bytes};
    if (!operations->encapsulate(randomness, public_key, made.data(), made_secret.data()))
        return GIRIH_ERROR_RANDOM;
    ciphertext_out.give(made.view());
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}

int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                      size_t shared_secret_bytes)
{
    Output secret_out{shared_secret, shared_secret_bytes};
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const ntru_prime::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, girih_ciphertext_bytes(alg)));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, girih_shared_secret_bytes(alg)));

    Made<ntru_prime::shared_secret_bytes> made_secret{shared_secret_bytes};
    operations->decapsulate(secret_key, ciphertext, made_secret.data());
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}
