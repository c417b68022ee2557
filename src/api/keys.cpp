#include "api/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/falcon.hpp"
#include "api/randomness.hpp"

using namespace girih;
using namespace girih::api;

namespace {

int check_key_pair(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                   const uint8_t* secret_key, size_t secret_key_bytes)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    return check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg));
}

/// The key pair of a seed.
int keygen(const ml_dsa::Operations& operations, const Byte* seed, Byte* pk, Byte* sk)
{
    operations.keygen(seed, pk, sk);
    return GIRIH_OK;
}
int keygen(const falcon::Operations& operations, const Byte* seed, Byte* pk, Byte* sk)
{
    operations.keygen(seed, pk, sk);
    return GIRIH_OK;
}
int keygen(const ntru_prime::Operations& operations, const Byte* seed, Byte* pk, Byte* sk)
{
    return operations.keygen({seed}, pk, sk) ? GIRIH_OK : GIRIH_ERROR_RANDOM;
}

template <class KeyCheck>
int error_of(KeyCheck check)
{
    switch (check) {
        case KeyCheck::malformed:
            return GIRIH_ERROR_SECRET_KEY;
        case KeyCheck::inconsistent:
            return GIRIH_ERROR_KEY_MISMATCH;
        case KeyCheck::good:
            break;
    }
    return GIRIH_OK;
}

}  // namespace

int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    GIRIH_TRY(check(seed, seed_bytes, girih_seed_bytes(alg)));
    GIRIH_TRY(alg->with_operations(
        [&](const auto& operations) { return keygen(operations, seed, public_key, secret_key); }));
    public_out.keep();
    secret_out.keep();
    return GIRIH_OK;
}

int girih_falcon_reference_keygen(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                  uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                  size_t secret_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    if (!is_falcon(alg)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    GIRIH_TRY(check(seed, seed_bytes, girih_seed_bytes(alg)));
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    operations->reference_keygen(seed, public_key, secret_key);
    public_out.keep();
    secret_out.keep();
    return GIRIH_OK;
}

int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                 size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    if (is_piecewise(random) && alg != nullptr && alg->is_kem()) {
        GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
        const ntru_prime::Operations* operations;
        GIRIH_TRY(alg->find(operations));
        if (!operations->keygen(pieces_of(random), public_key, secret_key)) return GIRIH_ERROR_RANDOM;
    } else {
        Wiped<std::array<Byte, max_seed_bytes>> memory;
        const BytesOut<> seed = BytesOut<>{*memory}.first(girih_seed_bytes(alg));
        if (alg != nullptr && !draw(random, seed)) return GIRIH_ERROR_RANDOM;
        GIRIH_TRY(girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key, public_key_bytes,
                                         secret_key, secret_key_bytes));
    }
    public_out.keep();
    secret_out.keep();
    return GIRIH_OK;
}

int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                     uint8_t* public_key, size_t public_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    GIRIH_TRY(alg->with_operations(
        [&](const auto& operations) { return error_of(operations.public_key(secret_key, public_key)); }));
    public_out.keep();
    return GIRIH_OK;
}
