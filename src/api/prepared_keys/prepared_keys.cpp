#include <cstdint>
#include <new>

#include "api/arguments.hpp"
#include "api/prepared_keys/prepared_key.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// Checks the memory for a prepared key of `size` bytes.
int check_memory(const void* memory, size_t memory_bytes, size_t size)
{
    if (memory == nullptr) return GIRIH_ERROR_ARGUMENT;
    if (reinterpret_cast<std::uintptr_t>(memory) % GIRIH_PREPARED_ALIGNMENT != 0)
        return GIRIH_ERROR_ALIGNMENT;
    return memory_bytes >= size ? GIRIH_OK : GIRIH_ERROR_CAPACITY;
}

/// Checks that the pointer to the key is given and lies outside the key's memory.
template <class Key>
int check_key_place(OutputValue<Key*>& key, const void* memory, size_t memory_bytes)
{
    if (!key.is_there()) return GIRIH_ERROR_ARGUMENT;
    if (!overlap(key.bytes().data(), key.bytes().size(), memory, memory_bytes)) return GIRIH_OK;
    key.leave_unchanged();
    return GIRIH_ERROR_OVERLAP;
}

const SigningFunctions* signing_of(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->signing; }

const VerifyingFunctions* verifying_of(const girih_alg* alg)
{
    return alg == nullptr ? nullptr : alg->verifying;
}

const PreparedKemFunctions* prepared_kem_of(const girih_alg* alg)
{
    return alg == nullptr || alg->kem == nullptr ? nullptr : alg->kem->prepared;
}

/// Bytes of the engine's part of a prepared key, and how it is made: members of a scheme's table.
template <class Functions>
using KeySize = std::size_t (*Functions::*)(const girih_alg&);
template <class Functions, class Key>
using Prepare = int (*Functions::*)(const Byte*, Key&);

/// The size of a prepared key with a copy of the key of `kept_bytes`. 0 if the algorithm lacks
/// these functions.
template <class Functions>
size_t size_of(const girih_alg* alg, const Functions* functions, size_t kept_bytes,
               KeySize<Functions> key_size)
{
    if (functions == nullptr || check_engine() != GIRIH_OK) return 0;
    return PreparedKey::bytes(kept_bytes, (functions->*key_size)(*alg));
}

/// The input of preparing a key.
struct Source {
    const girih_alg* alg;
    const uint8_t* bytes;
    size_t size;
    int (*check)(const girih_alg&, const void*, std::size_t);
    size_t kept_bytes;  ///< of the key's copy, which precedes the engine's part
};

/// The memory for it, and the pointer to it.
template <class Key>
struct Target {
    void* memory;
    size_t bytes;
    Key** key;
};

/// Prepares a key in the memory, from a copy, because the bytes may lie in the memory.
template <class Functions, class Key>
int prepare_key(const Source& source, const Target<Key>& target, const Functions* functions,
                KeySize<Functions> key_size, Prepare<Functions, Key> prepare)
{
    OutputValue key_out{target.key};
    GIRIH_TRY(check_key_place(key_out, target.memory, target.bytes));
    GIRIH_TRY(check_able(source.alg, functions != nullptr));
    GIRIH_TRY(check_engine());
    GIRIH_TRY(source.check(*source.alg, source.bytes, source.size));
    const size_t size = (functions->*key_size)(*source.alg);
    GIRIH_TRY(check_memory(target.memory, target.bytes, PreparedKey::bytes(source.kept_bytes, size)));
    ResultBuffer<max_secret_key_bytes> copied{source.size};
    copy_secret(source.bytes, copied.data(), source.size);
    auto* const made =
        new (target.memory) Key{{source.alg, source.alg->selected_operations(), source.kept_bytes, size}};
    copy_secret(copied.data(), made->secret_key(), source.kept_bytes);
    if (const int error = (functions->*prepare)(copied.data(), *made); error != GIRIH_OK) {
        wipe(BytesOut<>{static_cast<Byte*>(target.memory), made->bytes()});
        return error;
    }
    key_out.write(made);
    return GIRIH_OK;
}

template <class Key>
void wipe_key(Key* key)
{
    if (key == nullptr) return;
    wipe(BytesOut<>{reinterpret_cast<Byte*>(key), key->bytes()});
}

}  // namespace

size_t girih_signing_key_size(const girih_alg* alg)
{
    return size_of(alg, signing_of(alg), girih_secret_key_bytes(alg), &SigningFunctions::key_size);
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    return size_of(alg, verifying_of(alg), 0, &VerifyingFunctions::key_size);
}

size_t girih_encapsulation_key_size(const girih_alg* alg)
{
    return size_of(alg, prepared_kem_of(alg), 0, &PreparedKemFunctions::encapsulation_key_size);
}

size_t girih_decapsulation_key_size(const girih_alg* alg)
{
    return size_of(alg, prepared_kem_of(alg), 0, &PreparedKemFunctions::decapsulation_key_size);
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    return prepare_key(
        Source{alg, secret_key, secret_key_bytes, check_secret_key<girih_alg>, secret_key_bytes},
        Target<girih_signing_key>{memory, memory_bytes, key}, signing_of(alg), &SigningFunctions::key_size,
        &SigningFunctions::prepare);
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    return prepare_key(Source{alg, public_key, public_key_bytes, check_public_key<girih_alg>, 0},
                       Target<girih_verifying_key>{memory, memory_bytes, key}, verifying_of(alg),
                       &VerifyingFunctions::key_size, &VerifyingFunctions::prepare);
}

int girih_prepare_encapsulation_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                    void* memory, size_t memory_bytes, girih_encapsulation_key** key)
{
    return prepare_key(Source{alg, public_key, public_key_bytes, check_public_key<girih_alg>, 0},
                       Target<girih_encapsulation_key>{memory, memory_bytes, key}, prepared_kem_of(alg),
                       &PreparedKemFunctions::encapsulation_key_size,
                       &PreparedKemFunctions::prepare_encapsulation_key);
}

int girih_prepare_decapsulation_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                    void* memory, size_t memory_bytes, girih_decapsulation_key** key)
{
    return prepare_key(Source{alg, secret_key, secret_key_bytes, check_secret_key<girih_alg>, 0},
                       Target<girih_decapsulation_key>{memory, memory_bytes, key}, prepared_kem_of(alg),
                       &PreparedKemFunctions::decapsulation_key_size,
                       &PreparedKemFunctions::prepare_decapsulation_key);
}

void girih_wipe_signing_key(girih_signing_key* key) { wipe_key(key); }

void girih_wipe_decapsulation_key(girih_decapsulation_key* key) { wipe_key(key); }
