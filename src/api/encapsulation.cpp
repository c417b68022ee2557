#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/prepared_key.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// With a prepared key, or with the bytes of one.
int encapsulate(const girih_alg* alg, const girih_encapsulation_key* key, const girih_random* random,
                BytesIn<> public_key, uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                size_t shared_secret_bytes, int error)
{
    Output ciphertext_out{ciphertext, ciphertext_bytes};
    Output secret_out{shared_secret, shared_secret_bytes};
    GIRIH_TRY(check_apart(ciphertext_out, secret_out));
    if (alg == nullptr || alg->kem == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(error);
    if (key == nullptr && public_key.size() != alg->public_key_bytes) return GIRIH_ERROR_LENGTH;
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, alg->kem->shared_secret_bytes));

    Made<max_ciphertext_bytes> made{ciphertext_bytes};
    Made<max_shared_secret_bytes> made_secret{shared_secret_bytes};
    GIRIH_TRY(alg->kem->encapsulate(*alg, key, random, public_key.data(), made.data(), made_secret.data()));
    ciphertext_out.give(made.view());
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}

int decapsulate(const girih_alg* alg, const girih_decapsulation_key* key, BytesIn<> secret_key,
                const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                size_t shared_secret_bytes, int error)
{
    Output secret_out{shared_secret, shared_secret_bytes};
    if (alg == nullptr || alg->kem == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(error);
    if (key == nullptr && secret_key.size() != alg->secret_key_bytes) return GIRIH_ERROR_LENGTH;
    GIRIH_TRY(check(ciphertext, ciphertext_bytes, alg->ciphertext_bytes));
    GIRIH_TRY(check(shared_secret, shared_secret_bytes, alg->kem->shared_secret_bytes));

    Made<max_shared_secret_bytes> made_secret{shared_secret_bytes};
    GIRIH_TRY(alg->kem->decapsulate(*alg, key, secret_key.data(), ciphertext, made_secret.data()));
    secret_out.give(made_secret.view());
    return GIRIH_OK;
}

/// Whether a key's bytes are there.
int check_there(const uint8_t* key, size_t bytes)
{
    return is_there(key, bytes) ? GIRIH_OK : GIRIH_ERROR_ARGUMENT;
}

}  // namespace

int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                      size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                      uint8_t* shared_secret, size_t shared_secret_bytes)
{
    return encapsulate(alg, nullptr, random, view(public_key, public_key_bytes), ciphertext, ciphertext_bytes,
                       shared_secret, shared_secret_bytes, check_there(public_key, public_key_bytes));
}

int girih_encapsulate_prepared(const girih_encapsulation_key* key, const girih_random* random,
                               uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                               size_t shared_secret_bytes)
{
    return encapsulate(alg_of(key), key, random, {}, ciphertext, ciphertext_bytes, shared_secret,
                       shared_secret_bytes, GIRIH_OK);
}

int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                      size_t shared_secret_bytes)
{
    return decapsulate(alg, nullptr, view(secret_key, secret_key_bytes), ciphertext, ciphertext_bytes,
                       shared_secret, shared_secret_bytes, check_there(secret_key, secret_key_bytes));
}

int girih_decapsulate_prepared(const girih_decapsulation_key* key, const uint8_t* ciphertext,
                               size_t ciphertext_bytes, uint8_t* shared_secret, size_t shared_secret_bytes)
{
    return decapsulate(alg_of(key), key, {}, ciphertext, ciphertext_bytes, shared_secret, shared_secret_bytes,
                       GIRIH_OK);
}
