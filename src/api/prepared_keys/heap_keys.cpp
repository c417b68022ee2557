/// Prepared keys in memory from the C library's heap: the only file of the library that allocates.
#include <cstdlib>
#if defined(_WIN32)
#    include <malloc.h>
#endif

#include "api/signing.hpp"

using namespace girih::api;

namespace {

// Sizes of prepared keys are multiples of the alignment, as C11 asks for.
void* allocate(std::size_t bytes)
{
#if defined(_WIN32)
    return _aligned_malloc(bytes, GIRIH_PREPARED_ALIGNMENT);
#else
    return std::aligned_alloc(GIRIH_PREPARED_ALIGNMENT, bytes);
#endif
}

void release(void* memory)
{
#if defined(_WIN32)
    _aligned_free(memory);
#else
    std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc): of aligned_alloc
#endif
}

/// Prepares a key in new memory of `size` bytes by a function of girih.h. That function reports all
/// errors, including those for which no memory is needed (size 0).
template <class Key>
int prepare_new(const girih_alg* alg, const GivenBytes& bytes, Key** key, std::size_t size,
                int (*prepare)(const girih_alg*, const uint8_t*, size_t, void*, size_t, Key**))
{
    OutputValue key_out{key};
    if (!key_out.is_there()) return GIRIH_ERROR_ARGUMENT;
    alignas(GIRIH_PREPARED_ALIGNMENT) girih::Byte none[1];
    void* const memory = size == 0 ? none : allocate(size);
    if (memory == nullptr) return GIRIH_ERROR_MEMORY;
    Key* made = nullptr;
    const int error = prepare(alg, bytes.data, bytes.bytes, memory, size, &made);
    if (error != GIRIH_OK && size != 0) release(memory);
    key_out.write(made);
    return error;
}

}  // namespace

int girih_prepare_signing_key_new(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                  girih_signing_key** key)
{
    return prepare_new(alg, {secret_key, secret_key_bytes}, key, girih_signing_key_size(alg),
                       girih_prepare_signing_key);
}

int girih_prepare_verifying_key_new(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                    girih_verifying_key** key)
{
    return prepare_new(alg, {public_key, public_key_bytes}, key, girih_verifying_key_size(alg),
                       girih_prepare_verifying_key);
}

int girih_prepare_encapsulation_key_new(const girih_alg* alg, const uint8_t* public_key,
                                        size_t public_key_bytes, girih_encapsulation_key** key)
{
    return prepare_new(alg, {public_key, public_key_bytes}, key, girih_encapsulation_key_size(alg),
                       girih_prepare_encapsulation_key);
}

int girih_prepare_decapsulation_key_new(const girih_alg* alg, const uint8_t* secret_key,
                                        size_t secret_key_bytes, girih_decapsulation_key** key)
{
    return prepare_new(alg, {secret_key, secret_key_bytes}, key, girih_decapsulation_key_size(alg),
                       girih_prepare_decapsulation_key);
}

void girih_prepare_signing_key_free(girih_signing_key* key)
{
    girih_wipe_signing_key(key);
    release(key);
}

void girih_prepare_verifying_key_free(girih_verifying_key* key) { release(key); }

void girih_prepare_encapsulation_key_free(girih_encapsulation_key* key) { release(key); }

void girih_prepare_decapsulation_key_free(girih_decapsulation_key* key)
{
    girih_wipe_decapsulation_key(key);
    release(key);
}
