#include <cstdint>
#include <new>

#include "api/prepared_key.hpp"
#include "api/signing.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// The memory for a prepared key of `size`, if it will do.
int check_memory(const void* memory, size_t memory_bytes, size_t size)
{
    if (memory == nullptr) return GIRIH_ERROR_ARGUMENT;
    if (reinterpret_cast<std::uintptr_t>(memory) % GIRIH_PREPARED_ALIGNMENT != 0) return GIRIH_ERROR_ARGUMENT;
    return memory_bytes >= PreparedKey::bytes(size) ? GIRIH_OK : GIRIH_ERROR_LENGTH;
}

const girih_alg* alg_of(const PreparedKey* key) { return key == nullptr ? nullptr : key->alg; }

}  // namespace

size_t girih_signing_key_size(const girih_alg* alg)
{
    const ml_dsa::Operations* operations;
    return alg == nullptr || alg->find(operations) != GIRIH_OK
               ? 0
               : PreparedKey::bytes(operations->signing_key_size);
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    const ml_dsa::Operations* operations;
    return alg == nullptr || alg->find(operations) != GIRIH_OK
               ? 0
               : PreparedKey::bytes(operations->verifying_key_size);
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    if (key == nullptr) return GIRIH_ERROR_ARGUMENT;
    *key = nullptr;
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const ml_dsa::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
    GIRIH_TRY(check_memory(memory, memory_bytes, operations->signing_key_size));

    auto* const made = new (memory) girih_signing_key{{alg, operations}};
    if (!operations->prepare_signing_key(secret_key, made->scheme_key())) {
        girih_wipe_signing_key(made);
        return GIRIH_ERROR_SECRET_KEY;
    }
    *key = made;
    return GIRIH_OK;
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    if (key == nullptr) return GIRIH_ERROR_ARGUMENT;
    *key = nullptr;
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    const ml_dsa::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
    GIRIH_TRY(check_memory(memory, memory_bytes, operations->verifying_key_size));

    auto* const made = new (memory) girih_verifying_key{{alg, operations}};
    operations->prepare_verifying_key(public_key, made->scheme_key());
    *key = made;
    return GIRIH_OK;
}

void girih_wipe_signing_key(girih_signing_key* key)
{
    if (key == nullptr) return;
    const std::size_t size = PreparedKey::bytes(key->operations->signing_key_size);
    wipe(BytesOut<>{reinterpret_cast<Byte*>(key), size});
}

int girih_sign_prepared(const girih_signing_key* key, const uint8_t* message, size_t message_bytes,
                        const girih_options* options, uint8_t* signature, size_t signature_capacity,
                        size_t* signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    return sign_with(alg, GIRIH_OK, options, {signature, signature_capacity, signature_bytes},
                     [&](const ml_dsa::Operations&, const Byte* rnd) {
                         return with_message(alg, options, message, message_bytes,
                                             [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                                                 return attempts_error(key->operations->sign_prepared(
                                                     key->scheme_key(), frame, body, rnd, signature));
                                             });
                     });
}

int girih_sign_mu_prepared(const girih_signing_key* key, const uint8_t* mu, size_t mu_bytes,
                           const girih_options* options, uint8_t* signature, size_t signature_capacity,
                           size_t* signature_bytes)
{
    return sign_with(
        alg_of(key), GIRIH_OK, options, {signature, signature_capacity, signature_bytes},
        [&](const ml_dsa::Operations&, const Byte* rnd) {
            GIRIH_TRY(check_mu(mu, mu_bytes, options));
            return attempts_error(key->operations->sign_mu_prepared(key->scheme_key(), mu, rnd, signature));
        });
}

int girih_verify_prepared(const girih_verifying_key* key, const uint8_t* message, size_t message_bytes,
                          const girih_options* options, const uint8_t* signature, size_t signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    return verify_with(alg, GIRIH_OK, signature, signature_bytes, [&](const ml_dsa::Operations&) {
        return with_message(
            alg, options, message, message_bytes, [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                return verdict(key->operations->verify_prepared(key->scheme_key(), frame, body, signature));
            });
    });
}

int girih_verify_mu_prepared(const girih_verifying_key* key, const uint8_t* mu, size_t mu_bytes,
                             const uint8_t* signature, size_t signature_bytes)
{
    return verify_with(alg_of(key), GIRIH_OK, signature, signature_bytes, [&](const ml_dsa::Operations&) {
        GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
        return verdict(key->operations->verify_mu_prepared(key->scheme_key(), mu, signature));
    });
}
