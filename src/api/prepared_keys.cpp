#include <array>
#include <cstdint>
#include <new>
#include <type_traits>

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
    return memory_bytes >= size ? GIRIH_OK : GIRIH_ERROR_LENGTH;
}

/// The pointer to the key has a place, outside the key's memory.
template <class Key>
int check_key_place(OutputValue<Key*>& key, const void* memory, size_t memory_bytes)
{
    if (!key.is_there()) return GIRIH_ERROR_ARGUMENT;
    if (!overlap(key.bytes().data(), key.bytes().size(), memory, memory_bytes)) return GIRIH_OK;
    key.leave();
    return GIRIH_ERROR_OVERLAP;
}

const girih_alg* alg_of(const PreparedKey* key) { return key == nullptr ? nullptr : key->alg; }

BytesIn<> secret_key_of(const PreparedKey* key) { return key == nullptr ? BytesIn<>{} : key->secret_key(); }

/// f(operations), if the algorithm is one that has prepared keys for that purpose.
template <Use purpose, class F>
int with_signing_operations(const girih_alg* alg, F f)
{
    if (alg == nullptr || alg->is_kem()) return GIRIH_ERROR_ARGUMENT;
    return alg->with_operations<purpose>([&](const auto& operations) {
        if constexpr (requires { operations.signing_key_size; }) {
            return f(operations);
        } else {
            return int{GIRIH_ERROR_ARGUMENT};
        }
    });
}

/// The engine's part of a key, made in its memory.
template <class Operations>
int prepare(const Operations& operations, girih_signing_key& key)
{
    if (operations.prepare_signing_key(key.secret_key(), key.scheme_key())) return GIRIH_OK;
    if constexpr (std::is_same_v<Operations, falcon::Operations>)
        return why_malformed(*key.alg, key.secret_key());
    else
        return GIRIH_ERROR_SECRET_KEY;
}
int prepare(const ml_dsa::Operations& operations, const Byte* public_key, girih_verifying_key& key)
{
    operations.prepare_verifying_key(public_key, key.scheme_key());
    return GIRIH_OK;
}
int prepare(const falcon::Operations& operations, const Byte* public_key, girih_verifying_key& key)
{
    return operations.prepare_verifying_key(public_key, key.scheme_key()) ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY;
}

}  // namespace

size_t girih_signing_key_size(const girih_alg* alg)
{
    size_t bytes = 0;
    (void)with_signing_operations<Use::everything>(alg, [&](const auto& operations) {
        bytes = PreparedKey::bytes(alg->secret_key_bytes, operations.signing_key_size);
        return int{GIRIH_OK};
    });
    return bytes;
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    size_t bytes = 0;
    (void)with_signing_operations<Use::verifying>(alg, [&](const auto& operations) {
        bytes = PreparedKey::bytes(0, operations.verifying_key_size);
        return int{GIRIH_OK};
    });
    return bytes;
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    OutputValue key_out{key};
    GIRIH_TRY(check_key_place(key_out, memory, memory_bytes));
    return with_signing_operations<Use::everything>(alg, [&](const auto& operations) {
        GIRIH_TRY(check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)));
        GIRIH_TRY(check_memory(memory, memory_bytes, girih_signing_key_size(alg)));
        Made<max_secret_key_bytes> copied{secret_key_bytes};  // it may lie in the memory
        copy_secret(secret_key, copied.data(), secret_key_bytes);
        auto* const made =
            new (memory) girih_signing_key{{alg, &operations, secret_key_bytes, operations.signing_key_size}};
        copy_secret(copied.data(), made->secret_key(), secret_key_bytes);
        if (const int error = prepare(operations, *made); error != GIRIH_OK) {
            girih_wipe_signing_key(made);
            return error;
        }
        key_out.give(made);
        return int{GIRIH_OK};
    });
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    OutputValue key_out{key};
    GIRIH_TRY(check_key_place(key_out, memory, memory_bytes));
    return with_signing_operations<Use::verifying>(alg, [&](const auto& operations) {
        GIRIH_TRY(check(public_key, public_key_bytes, girih_public_key_bytes(alg)));
        GIRIH_TRY(check_memory(memory, memory_bytes, girih_verifying_key_size(alg)));
        std::array<Byte, max_public_key_bytes> copied;  // it may lie in the memory
        copy(view(public_key, public_key_bytes), copied);
        auto* const made =
            new (memory) girih_verifying_key{{alg, &operations, 0, operations.verifying_key_size}};
        if (const int error = prepare(operations, copied.data(), *made); error != GIRIH_OK) {
            wipe(BytesOut<>{static_cast<Byte*>(memory), made->bytes()});
            return error;
        }
        key_out.give(made);
        return int{GIRIH_OK};
    });
}

void girih_wipe_signing_key(girih_signing_key* key)
{
    if (key == nullptr) return;
    wipe(BytesOut<>{reinterpret_cast<Byte*>(key), key->bytes()});
}

int girih_sign_prepared(const girih_signing_key* key, const uint8_t* message, size_t message_bytes,
                        const girih_options* options, uint8_t* signature, size_t signature_capacity,
                        size_t* signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    if (is_falcon(alg))
        return falcon_sign(*key, options, message, message_bytes,
                           {signature, signature_capacity, signature_bytes});
    return sign_with(
        alg, GIRIH_OK, secret_key_of(key), options, {signature, signature_capacity, signature_bytes},
        [&](const ml_dsa::Operations&, const Byte* rnd, Byte* made) {
            return with_message(
                alg, options, message, message_bytes, [&](const ml_dsa::Frame& frame, BytesIn<> body) {
                    return attempts_error(key->operations_as<ml_dsa::Operations>().sign_prepared(
                        key->scheme_key(), frame, body, rnd, made));
                });
        },
        verifying(alg, message, message_bytes, options));
}

int girih_sign_mu_prepared(const girih_signing_key* key, const uint8_t* mu, size_t mu_bytes,
                           const girih_options* options, uint8_t* signature, size_t signature_capacity,
                           size_t* signature_bytes)
{
    const girih_alg* const alg = alg_of(key);
    return sign_with(
        alg, GIRIH_OK, secret_key_of(key), options, {signature, signature_capacity, signature_bytes},
        [&](const ml_dsa::Operations&, const Byte* rnd, Byte* made) {
            GIRIH_TRY(check_mu(mu, mu_bytes, options));
            return attempts_error(
                key->operations_as<ml_dsa::Operations>().sign_mu_prepared(key->scheme_key(), mu, rnd, made));
        },
        verifying_mu(alg, mu, mu_bytes));
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
