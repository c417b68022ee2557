#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/prepared_keys/prepared_key.hpp"
#include "api/rows.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// Encapsulates for a row that is not yet checked, except that its outputs do not overlap.
int encapsulate(const girih_alg* alg, const girih_encapsulate_row& row)
{
    Output ciphertext_out{row.ciphertext, row.ciphertext_bytes};
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    GIRIH_TRY(check_apart(ciphertext_out, secret_out));
    GIRIH_TRY(check_has(alg, &girih_alg::kem));
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_row(*alg, row));

    ResultBuffer<max_ciphertext_bytes> made{row.ciphertext_bytes};
    ResultBuffer<max_shared_secret_bytes> made_secret{row.shared_secret_bytes};
    GIRIH_TRY(
        alg->kem->encapsulate(*alg, row.key, row.random, row.public_key, made.data(), made_secret.data()));
    ciphertext_out.write(made.view());
    secret_out.write(made_secret.view());
    return GIRIH_OK;
}

enum class Results { one, two_equal };

[[gnu::noinline]] int decapsulate(const girih_alg* alg, const girih_decapsulate_row& row,
                                  Results results = Results::one)
{
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    GIRIH_TRY(check_has(alg, &girih_alg::kem));
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_row(*alg, row));

    ResultBuffer<max_shared_secret_bytes> made_secret{row.shared_secret_bytes};
    GIRIH_TRY(alg->kem->decapsulate(*alg, row.key, row.secret_key, row.ciphertext, made_secret.data()));
    if (results == Results::two_equal) {
        ResultBuffer<max_shared_secret_bytes> again{row.shared_secret_bytes};
        if (alg->kem->decapsulate(*alg, row.key, row.secret_key, row.ciphertext, again.data()) != GIRIH_OK)
            return GIRIH_ERROR_FAULT;
        GIRIH_TRY(check_equal(made_secret.view(), again.view()));
    }
    secret_out.write(made_secret.view());
    return GIRIH_OK;
}

}  // namespace

int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                      size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                      uint8_t* shared_secret, size_t shared_secret_bytes)
{
    return encapsulate(alg, {nullptr, public_key, public_key_bytes, random, ciphertext, ciphertext_bytes,
                             shared_secret, shared_secret_bytes, GIRIH_OK});
}

int girih_encapsulate_prepared(const girih_encapsulation_key* key, const girih_random* random,
                               uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                               size_t shared_secret_bytes)
{
    return encapsulate(alg_of(key), {key, nullptr, 0, random, ciphertext, ciphertext_bytes, shared_secret,
                                     shared_secret_bytes, GIRIH_OK});
}

int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                      size_t shared_secret_bytes)
{
    return decapsulate(alg, {nullptr, secret_key, secret_key_bytes, ciphertext, ciphertext_bytes,
                             shared_secret, shared_secret_bytes, GIRIH_OK});
}

int girih_decapsulate_checked(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                              size_t shared_secret_bytes)
{
    return decapsulate(alg,
                       {nullptr, secret_key, secret_key_bytes, ciphertext, ciphertext_bytes, shared_secret,
                        shared_secret_bytes, GIRIH_OK},
                       Results::two_equal);
}

int girih_decapsulate_prepared(const girih_decapsulation_key* key, const uint8_t* ciphertext,
                               size_t ciphertext_bytes, uint8_t* shared_secret, size_t shared_secret_bytes)
{
    return decapsulate(alg_of(key), {key, nullptr, 0, ciphertext, ciphertext_bytes, shared_secret,
                                     shared_secret_bytes, GIRIH_OK});
}
