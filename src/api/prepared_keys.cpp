#include <array>
#include <cstdint>
#include <new>

#include "api/arguments.hpp"
#include "api/prepared_key.hpp"

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

/// Of a prepared key whose engine's part is of this size.
template <class Functions>
std::size_t size_of(const girih_alg& alg, const Functions& functions, std::size_t secret_key_bytes)
{
    return PreparedKey::bytes(secret_key_bytes, functions.key_size(alg));
}

const SigningFunctions* signing_of(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->signing; }

const VerifyingFunctions* verifying_of(const girih_alg* alg)
{
    return alg == nullptr ? nullptr : alg->verifying;
}

}  // namespace

size_t girih_signing_key_size(const girih_alg* alg)
{
    const SigningFunctions* const functions = signing_of(alg);
    if (functions == nullptr || check_engine() != GIRIH_OK) return 0;
    return size_of(*alg, *functions, alg->secret_key_bytes);
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    const VerifyingFunctions* const functions = verifying_of(alg);
    if (functions == nullptr || check_engine() != GIRIH_OK) return 0;
    return size_of(*alg, *functions, 0);
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    OutputValue key_out{key};
    GIRIH_TRY(check_key_place(key_out, memory, memory_bytes));
    const SigningFunctions* const functions = signing_of(alg);
    if (functions == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check(secret_key, secret_key_bytes, alg->secret_key_bytes));
    GIRIH_TRY(check_memory(memory, memory_bytes, size_of(*alg, *functions, secret_key_bytes)));
    Made<max_secret_key_bytes> copied{secret_key_bytes};  // it may lie in the memory
    copy_secret(secret_key, copied.data(), secret_key_bytes);
    auto* const made = new (memory)
        girih_signing_key{{alg, alg->operations_here(), secret_key_bytes, functions->key_size(*alg)}};
    copy_secret(copied.data(), made->secret_key(), secret_key_bytes);
    if (const int error = functions->prepare(*made); error != GIRIH_OK) {
        girih_wipe_signing_key(made);
        return error;
    }
    key_out.give(made);
    return GIRIH_OK;
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    OutputValue key_out{key};
    GIRIH_TRY(check_key_place(key_out, memory, memory_bytes));
    const VerifyingFunctions* const functions = verifying_of(alg);
    if (functions == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check(public_key, public_key_bytes, alg->public_key_bytes));
    GIRIH_TRY(check_memory(memory, memory_bytes, size_of(*alg, *functions, 0)));
    std::array<Byte, max_public_key_bytes> copied;  // it may lie in the memory
    copy(view(public_key, public_key_bytes), copied);
    auto* const made =
        new (memory) girih_verifying_key{{alg, alg->operations_here(), 0, functions->key_size(*alg)}};
    if (const int error = functions->prepare(copied.data(), *made); error != GIRIH_OK) {
        wipe(BytesOut<>{static_cast<Byte*>(memory), made->bytes()});
        return error;
    }
    key_out.give(made);
    return GIRIH_OK;
}

void girih_wipe_signing_key(girih_signing_key* key)
{
    if (key == nullptr) return;
    wipe(BytesOut<>{reinterpret_cast<Byte*>(key), key->bytes()});
}
