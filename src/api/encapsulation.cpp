#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"

using namespace girih;
using namespace girih::api;

int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                      size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                      uint8_t* shared_secret, size_t shared_secret_bytes)
{
    Output ciphertext_out{ciphertext, ciphertext_bytes};
    Output secret_out{shared_secret, shared_secret_bytes};
    GIRIH_TRY(check_apart(ciphertext_out, secret_out));
    if (alg == nullptr || alg->kem == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check(public_key, public_key_bytes, alg->public_key_bytes));
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, alg->kem->shared_secret_bytes));

    Made<max_ciphertext_bytes> made{ciphertext_bytes};
    Made<max_shared_secret_bytes> made_secret{shared_secret_bytes};
    GIRIH_TRY(alg->kem->encapsulate(*alg, random, public_key, made.data(), made_secret.data()));
    ciphertext_out.give(made.view());
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}

int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                      size_t shared_secret_bytes)
{
    Output secret_out{shared_secret, shared_secret_bytes};
    if (alg == nullptr || alg->kem == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check(secret_key, secret_key_bytes, alg->secret_key_bytes));
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, alg->kem->shared_secret_bytes));

    Made<max_shared_secret_bytes> made_secret{shared_secret_bytes};
    alg->kem->decapsulate(*alg, secret_key, ciphertext, made_secret.data());
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}
