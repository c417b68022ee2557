#include "api/algorithm.hpp"
#include "api/arguments.hpp"

using namespace girih;
using namespace girih::api;

int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(seed, seed_bytes, girih_seed_bytes(alg)));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    const ml_dsa::Operations* operations = alg->operations();
    if (operations == nullptr) return GIRIH_ERROR_ENGINE;

    operations->keygen(seed, public_key, secret_key);
    public_out.keep();
    secret_out.keep();
    return GIRIH_OK;
}

int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                 size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    Wiped<std::array<Byte, ml_dsa::seed_bytes>> seed;
    if (!draw(random, *seed)) return GIRIH_ERROR_RANDOM;
    GIRIH_TRY(girih_keygen_from_seed(alg, seed->data(), seed->size(), public_key, public_key_bytes,
                                     secret_key, secret_key_bytes));
    public_out.keep();
    secret_out.keep();
    return GIRIH_OK;
}

int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                     uint8_t* public_key, size_t public_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    const ml_dsa::Operations* operations = alg->operations();
    if (operations == nullptr) return GIRIH_ERROR_ENGINE;

    switch (operations->public_key(secret_key, public_key)) {
        case ml_dsa::KeyCheck::malformed:
            return GIRIH_ERROR_SECRET_KEY;
        case ml_dsa::KeyCheck::inconsistent:
            return GIRIH_ERROR_KEY_MISMATCH;
        case ml_dsa::KeyCheck::good:
            break;
    }
    public_out.keep();
    return GIRIH_OK;
}
