#include <cstdint>
#include <new>

#include "api/falcon.hpp"
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

/// f(operations), if the algorithm is one that has prepared keys.
template <class F>
int with_signing_operations(const girih_alg* alg, F f)
{
    if (alg == nullptr || alg->is_kem()) return GIRIH_ERROR_ARGUMENT;
    return alg->with_operations([&](const auto& operations) {
        if constexpr (requires { operations.signing_key_size; }) {
            return f(operations);
        } else {
            return int{GIRIH_ERROR_ARGUMENT};
        }
    });
}

/// The size of a prepared key, 0 if there are none.
template <class Size>
size_t key_size(const girih_alg* alg, Size size)
{
    size_t bytes = 0;
    const int error = with_signing_operations(alg, [&](const auto& operations) {
        bytes = PreparedKey::bytes(size(operations));
        return int{GIRIH_OK};
    });
    return error == GIRIH_OK ? bytes : 0;
}

bool prepare(const ml_dsa::Operations& operations, const uint8_t* public_key, void* memory)
{
    operations.prepare_verifying_key(public_key, memory);
    return true;
}
bool prepare(const falcon::Operations& operations, const uint8_t* public_key, void* memory)
{
    return operations.prepare_verifying_key(public_key, memory);
}

size_t size_of_signing_key(const girih_signing_key& key)
{
    return key.alg->is_falcon() ? key.operations_as<falcon::Operations>().signing_key_size
                                : key.operations_as<ml_dsa::Operations>().signing_key_size;
}

}  // namespace

size_t girih_signing_key_size(const girih_alg* alg)
{
    return key_size(alg, [](const auto& operations) { return operations.signing_key_size; });
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    return key_size(alg, [](const auto& operations) { return operations.verifying_key_size; });
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    if (key == nullptr) return GIRIH_ERROR_ARGUMENT;
    *key = nullptr;
    return with_signing_operations(alg, [&](const auto& operations) {
        GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
        GIRIH_TRY(check_memory(memory, memory_bytes, operations.signing_key_size));
        auto* const made = new (memory) girih_signing_key{{alg, &operations}};
        if (!operations.prepare_signing_key(secret_key, made->scheme_key())) {
            girih_wipe_signing_key(made);
            return int{GIRIH_ERROR_SECRET_KEY};
        }
        *key = made;
        return int{GIRIH_OK};
    });
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    if (key == nullptr) return GIRIH_ERROR_ARGUMENT;
    *key = nullptr;
    return with_signing_operations(alg, [&](const auto& operations) {
        GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
        GIRIH_TRY(check_memory(memory, memory_bytes, operations.verifying_key_size));
        auto* const made = new (memory) girih_verifying_key{{alg, &operations}};
        if (!prepare(operations, public_key, made->scheme_key())) return int{GIRIH_ERROR_PUBLIC_KEY};
        *key = made;
        return int{GIRIH_OK};
    });
}

void girih_wipe_signing_key(girih_signing_key* key)
{
    if (key == nullptr) return;
    wipe(BytesOut<>{reinterpret_cast<Byte*>(key), PreparedKey::bytes(size_of_signing_key(*key))});
}

int girih_sign_prepared(const girih_signing_key* key, const uint8_t* message, size_t message_bytes,
                        const girih_options* options, uint8_t* signature, size_t signature_capacity,
                        size_t* signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    if (is_falcon(alg))
        return falcon_sign(*key, options, message, message_bytes,
                           {signature, signature_capacity, signature_bytes});
    return sign_with(alg, GIRIH_OK, options, {signature, signature_capacity, signature_bytes},
                     [&](const ml_dsa::Operations&, const Byte* rnd) {
                         return with_message(
                             alg, options, message, message_bytes,
                             [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                                 return attempts_error(key->operations_as<ml_dsa::Operations>().sign_prepared(
                                     key->scheme_key(), frame, body, rnd, signature));
                             });
                     });
}

int girih_sign_mu_prepared(const girih_signing_key* key, const uint8_t* mu, size_t mu_bytes,
                           const girih_options* options, uint8_t* signature, size_t signature_capacity,
                           size_t* signature_bytes)
{
    return sign_with(alg_of(key), GIRIH_OK, options, {signature, signature_capacity, signature_bytes},
                     [&](const ml_dsa::Operations&, const Byte* rnd) {
                         GIRIH_TRY(check_mu(mu, mu_bytes, options));
                         return attempts_error(key->operations_as<ml_dsa::Operations>().sign_mu_prepared(
                             key->scheme_key(), mu, rnd, signature));
                     });
}

int girih_verify_prepared(const girih_verifying_key* key, const uint8_t* message, size_t message_bytes,
                          const girih_options* options, const uint8_t* signature, size_t signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    if (is_falcon(alg))
        return falcon_verify(*key, options, message, message_bytes, signature, signature_bytes);
    return verify_with(alg, GIRIH_OK, signature, signature_bytes, [&](const ml_dsa::Operations&) {
        return with_message(alg, options, message, message_bytes,
                            [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                                return verdict(key->operations_as<ml_dsa::Operations>().verify_prepared(
                                    key->scheme_key(), frame, body, signature));
                            });
    });
}

int girih_verify_mu_prepared(const girih_verifying_key* key, const uint8_t* mu, size_t mu_bytes,
                             const uint8_t* signature, size_t signature_bytes)
{
    return verify_with(alg_of(key), GIRIH_OK, signature, signature_bytes, [&](const ml_dsa::Operations&) {
        GIRIH_TRY(check(mu, mu_bytes, GIRIH_MU_BYTES));
        return verdict(
            key->operations_as<ml_dsa::Operations>().verify_mu_prepared(key->scheme_key(), mu, signature));
    });
}
