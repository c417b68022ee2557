#include <cstdint>
#include <new>

#include "api/arguments.hpp"
#include "api/prepared_key.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// Checks the memory for a prepared key of `size` bytes.
int check_memory(const void* memory, size_t memory_bytes, size_t size)
{
    if (memory == nullptr) return GIRIH_ERROR_ARGUMENT;
    if (reinterpret_cast<std::uintptr_t>(memory) % GIRIH_PREPARED_ALIGNMENT != 0) return GIRIH_ERROR_ARGUMENT;
    return memory_bytes >= size ? GIRIH_OK : GIRIH_ERROR_LENGTH;
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

/// The size of a prepared key: scheme_bytes(functions) for the engine's part, and `kept_bytes` for
/// a copy of the key. 0 if the algorithm lacks these functions.
template <class Functions, class SchemeBytes>
size_t size_of(const Functions* functions, size_t kept_bytes, SchemeBytes scheme_bytes)
{
    if (functions == nullptr || check_engine() != GIRIH_OK) return 0;
    return PreparedKey::bytes(kept_bytes, scheme_bytes(*functions));
}

/// The input of preparing a key.
struct Source {
    const girih_alg* alg;
    const uint8_t* bytes;
    size_t size;
    size_t wanted_size;
    size_t kept_bytes;  ///< of the key's copy in front of the engine's part
};

/// Prepares a key in the memory: prepare(functions, bytes, key) computes the engine's part, from a
/// copy, because the bytes may lie in the memory.
template <class Key, class Functions, class SchemeBytes, class Prepare>
int prepare_key(const Source& source, const Functions* functions, void* memory, size_t memory_bytes,
                Key** key, SchemeBytes scheme_bytes, Prepare prepare)
{
    OutputValue key_out{key};
    GIRIH_TRY(check_key_place(key_out, memory, memory_bytes));
    if (functions == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check(source.bytes, source.size, source.wanted_size));
    const size_t size = scheme_bytes(*functions);
    GIRIH_TRY(check_memory(memory, memory_bytes, PreparedKey::bytes(source.kept_bytes, size)));
    ResultBuffer<max_secret_key_bytes> copied{source.size};
    copy_secret(source.bytes, copied.data(), source.size);
    auto* const made =
        new (memory) Key{{source.alg, source.alg->selected_operations(), source.kept_bytes, size}};
    copy_secret(copied.data(), made->secret_key(), source.kept_bytes);
    if (const int error = prepare(*functions, copied.data(), *made); error != GIRIH_OK) {
        wipe(BytesOut<>{static_cast<Byte*>(memory), made->bytes()});
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
    return size_of(signing_of(alg), girih_secret_key_bytes(alg),
                   [&](const SigningFunctions& signing) { return signing.key_size(*alg); });
}

size_t girih_verifying_key_size(const girih_alg* alg)
{
    return size_of(verifying_of(alg), 0,
                   [&](const VerifyingFunctions& verifying) { return verifying.key_size(*alg); });
}

size_t girih_encapsulation_key_size(const girih_alg* alg)
{
    return size_of(prepared_kem_of(alg), 0,
                   [&](const PreparedKemFunctions& kem) { return kem.encapsulation_key_size(*alg); });
}

size_t girih_decapsulation_key_size(const girih_alg* alg)
{
    return size_of(prepared_kem_of(alg), 0,
                   [&](const PreparedKemFunctions& kem) { return kem.decapsulation_key_size(*alg); });
}

int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                              void* memory, size_t memory_bytes, girih_signing_key** key)
{
    return prepare_key(
        Source{alg, secret_key, secret_key_bytes, girih_secret_key_bytes(alg), secret_key_bytes},
        signing_of(alg), memory, memory_bytes, key,
        [&](const SigningFunctions& signing) { return signing.key_size(*alg); },
        [](const SigningFunctions& signing, const Byte*, girih_signing_key& made) {
            return signing.prepare(made);
        });
}

int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                void* memory, size_t memory_bytes, girih_verifying_key** key)
{
    return prepare_key(
        Source{alg, public_key, public_key_bytes, girih_public_key_bytes(alg), 0}, verifying_of(alg), memory,
        memory_bytes, key, [&](const VerifyingFunctions& verifying) { return verifying.key_size(*alg); },
        [](const VerifyingFunctions& verifying, const Byte* bytes, girih_verifying_key& made) {
            return verifying.prepare(bytes, made);
        });
}

int girih_prepare_encapsulation_key(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                    void* memory, size_t memory_bytes, girih_encapsulation_key** key)
{
    return prepare_key(
        Source{alg, public_key, public_key_bytes, girih_public_key_bytes(alg), 0}, prepared_kem_of(alg),
        memory, memory_bytes, key,
        [&](const PreparedKemFunctions& kem) { return kem.encapsulation_key_size(*alg); },
        [](const PreparedKemFunctions& kem, const Byte* bytes, girih_encapsulation_key& made) {
            return kem.prepare_encapsulation_key(bytes, made);
        });
}

int girih_prepare_decapsulation_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                    void* memory, size_t memory_bytes, girih_decapsulation_key** key)
{
    return prepare_key(
        Source{alg, secret_key, secret_key_bytes, girih_secret_key_bytes(alg), 0}, prepared_kem_of(alg),
        memory, memory_bytes, key,
        [&](const PreparedKemFunctions& kem) { return kem.decapsulation_key_size(*alg); },
        [](const PreparedKemFunctions& kem, const Byte* bytes, girih_decapsulation_key& made) {
            return kem.prepare_decapsulation_key(bytes, made);
        });
}

void girih_wipe_signing_key(girih_signing_key* key) { wipe_key(key); }

void girih_wipe_decapsulation_key(girih_decapsulation_key* key) { wipe_key(key); }
