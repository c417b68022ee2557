/// Memory runs out: each allocation of OpenSSL's and of the provider's fails in turn. The operation
/// then fails, but nothing crashes, no answer is wrong, and the next try succeeds.

#include <dlfcn.h>
#include <openssl/crypto.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "provider/support.hpp"

namespace {

/// How many allocations succeed before one fails; negative: none fails.
long before_failure = -1;
bool has_failed = false;

bool fails_now() noexcept
{
    if (before_failure < 0 || before_failure-- != 0) return false;
    has_failed = true;
    return true;
}

void* allocate(std::size_t bytes, const char*, int) { return fails_now() ? nullptr : std::malloc(bytes); }
void* reallocate(void* from, std::size_t bytes, const char*, int)
{
    return fails_now() ? nullptr : std::realloc(from, bytes);
}
void release(void* memory, const char*, int) { std::free(memory); }

/// Before OpenSSL allocates for the first time.
const bool is_watched = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

}  // namespace

// The provider's own, which the dynamic linker finds here first.
void* operator new(std::size_t bytes)
{
    void* memory = fails_now() ? nullptr : std::malloc(bytes != 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

/// It counts as one allocation: OpenSSL 3.0 crashes if one of those inside fails.
OSSL_LIB_CTX* OSSL_LIB_CTX_new_child(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in)
{
    if (fails_now()) return nullptr;
    static auto* const openssls =
        reinterpret_cast<decltype(&OSSL_LIB_CTX_new_child)>(dlsym(RTLD_NEXT, "OSSL_LIB_CTX_new_child"));
    const long left = std::exchange(before_failure, -1);
    OSSL_LIB_CTX* made = openssls(handle, in);
    before_failure = left;
    return made;
}

namespace girih::tests {
namespace {

using Kem = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;

/// Whether an operation succeeds if memory runs out after `allocations`.
template <class Operation>
bool succeeds_after(long allocations, const Operation& operation)
{
    has_failed = false;
    before_failure = allocations;
    bool is_done = false;
    try {
        is_done = operation();
    } catch (const std::bad_alloc&) {  // of the test's own
    }
    before_failure = -1;
    ERR_clear_error();
    return is_done;
}

/// Runs an operation, each time with another allocation failing, and judges those that succeed
/// nevertheless.
template <class Operation, class Judge>
void exhaust(const Operation& operation, const Judge& is_right)
{
    ASSERT_TRUE(is_watched);
    ASSERT_TRUE(operation()) << "with enough memory, which fills OpenSSL's caches";
    long allocations = 0;
    for (has_failed = true; has_failed; ++allocations) {
        const bool is_done = succeeds_after(allocations, operation);
        const bool has_run_out = has_failed;
        ASSERT_TRUE(is_done || has_run_out) << "it fails with enough memory";
        ASSERT_TRUE(!is_done || is_right()) << "with allocation " << allocations << " failing";
        has_failed = has_run_out;
    }
    ASSERT_GT(allocations, 1) << "no allocation was made";
}

/// Key, signature and file of an algorithm, made with enough memory.
struct Made {
    explicit Made(const char* algorithm) : key(generated(algorithm)), signature(sign(key, message)) {}
    Key key;
    Bytes signature;
    Bytes file = private_der(key);
};

class Memory : public testing::TestWithParam<const char*> {};

TEST_P(Memory, EndsInKeyGeneration)
{
    Key key;
    exhaust(
        [&] {
            key = generated(GetParam());
            return key != nullptr;
        },
        [&] { return verifies(key, sign(key, message), message); });
}

TEST_P(Memory, EndsInSigning)
{
    const Made made(GetParam());
    Bytes signature;
    exhaust(
        [&] {
            signature = sign(made.key, message);
            return !signature.empty();
        },
        [&] { return verifies(made.key, signature, message); });
}

TEST_P(Memory, EndsInVerification)
{
    const Made made(GetParam());
    exhaust([&] { return verifies(made.key, made.signature, message); }, [] { return true; });
    Bytes forged = made.signature;
    forged.back() ^= 1;  // of the second half, if there are two
    for (long allocations = 0; has_failed || allocations == 0; ++allocations)
        ASSERT_FALSE(succeeds_after(allocations, [&] { return verifies(made.key, forged, message); }));
}

TEST_P(Memory, EndsInWriting)
{
    const Made made(GetParam());
    Bytes file;
    exhaust(
        [&] {
            file = private_der(made.key);
            return !file.empty();
        },
        [&] { return file == made.file; });
}

TEST_P(Memory, EndsInReading)
{
    const Made made(GetParam());
    Key key;
    exhaust(
        [&] {
            key = decoded(made.file, EVP_PKEY_KEYPAIR, GetParam());
            return key != nullptr;
        },
        [&] { return same(key, made.key) && private_der(key) == made.file; });
}

TEST_P(Memory, EndsInCopying)
{
    const Made made(GetParam());
    Key key;
    exhaust(
        [&] {
            key.reset(EVP_PKEY_dup(made.key.get()));
            return key != nullptr;
        },
        [&] { return same(key, made.key); });
}

INSTANTIATE_TEST_SUITE_P(Of, Memory, testing::Values("ML-DSA-44", "Falcon-512", composites[0]), name_of);

TEST(MemoryOfFiles, EndsInEncryption)
{
    const Made made("ML-DSA-44");
    Bytes file;
    const Encoding how{EVP_PKEY_KEYPAIR, "DER", "EncryptedPrivateKeyInfo", "phrase"};
    exhaust(
        [&] {
            file = encoded(made.key, how, Params().text("cipher", "AES-256-CBC"));
            return !file.empty();
        },
        [&] { return file.size() > made.file.size(); });
}

class MemoryOfKems : public testing::TestWithParam<const char*> {};

/// The secret that a function writes beside a ciphertext; empty if there is none.
Bytes encapsulated(const Key& key, Bytes& ciphertext)
{
    const Kem kem = context_of(key);
    Bytes secret(64);
    ciphertext.resize(8192);
    std::size_t in_ciphertext = ciphertext.size(), in_secret = secret.size();
    if (!kem || EVP_PKEY_encapsulate_init(kem.get(), nullptr) != 1 ||
        EVP_PKEY_encapsulate(kem.get(), ciphertext.data(), &in_ciphertext, secret.data(), &in_secret) != 1)
        return {};
    ciphertext.resize(in_ciphertext);
    secret.resize(in_secret);
    return secret;
}

Bytes decapsulated(const Key& key, const Bytes& ciphertext)
{
    const Kem kem = context_of(key);
    Bytes secret(64);
    std::size_t in_secret = secret.size();
    if (!kem || EVP_PKEY_decapsulate_init(kem.get(), nullptr) != 1 ||
        EVP_PKEY_decapsulate(kem.get(), secret.data(), &in_secret, ciphertext.data(), ciphertext.size()) != 1)
        return {};
    secret.resize(in_secret);
    return secret;
}

TEST_P(MemoryOfKems, EndsInBothDirections)
{
    Key key;
    Bytes ciphertext, secret, again;
    exhaust(
        [&] {
            key = generated(GetParam());
            return key != nullptr;
        },
        [&] {
            secret = encapsulated(key, ciphertext);
            return !secret.empty() && decapsulated(key, ciphertext) == secret;
        });
    exhaust(
        [&] {
            secret = encapsulated(key, ciphertext);
            return !secret.empty();
        },
        [&] { return decapsulated(key, ciphertext) == secret; });
    secret = encapsulated(key, ciphertext);
    exhaust(
        [&] {
            again = decapsulated(key, ciphertext);
            return !again.empty();
        },
        [&] { return again == secret; });
}

INSTANTIATE_TEST_SUITE_P(Of, MemoryOfKems, testing::Values("ML-KEM-512", "X-Wing", "X25519MLKEM768"),
                         name_of);

/// The number of allocations that the provider's initialization makes before one fails.
long before_failure_in_loading = -1;

/// The module's initialization, while memory runs out. (OpenSSL 3.0 crashes where its own part of
/// loading cannot allocate.)
int initialize(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in, const OSSL_DISPATCH** out,
               void** context)
{
    static void* const module = dlopen(GIRIH_PROVIDER_FOLDER "/girih-provider.so", RTLD_NOW);
    if (module == nullptr) return 0;
    static auto* const function =
        reinterpret_cast<OSSL_provider_init_fn*>(dlsym(module, "OSSL_provider_init"));
    const bool is_done =
        succeeds_after(before_failure_in_loading, [&] { return function(handle, in, out, context) == 1; });
    return is_done ? 1 : 0;
}

/// Whether the provider is loaded; its program's context has no Ed25519, and OpenSSL's default one,
/// which the provider does not ask, has.
TEST(MemoryOfModules, EndsInLoading)
{
    const std::string file = testing::TempDir() + "girih-memory-" + std::to_string(getpid()) + ".cnf";
    std::ofstream(file) << "openssl_conf = init\n[init]\nproviders = all\n[all]\nwatched = girih\n"
                           "[girih]\nactivate = 1\ncomposites = on\n";
    bool is_loaded = false;
    for (before_failure_in_loading = 0; has_failed || before_failure_in_loading == 0;
         ++before_failure_in_loading) {
        has_failed = false;
        const Library context(OSSL_LIB_CTX_new());
        OSSL_PROVIDER_add_builtin(context.get(), "watched", initialize);
        is_loaded = OSSL_LIB_CTX_load_config(context.get(), file.c_str()) == 1 &&
                    OSSL_PROVIDER_available(context.get(), "watched") == 1;
        if (is_loaded) {
            ASSERT_NE(generated("ML-DSA-44", {}, context.get()), nullptr);
            ASSERT_EQ(generated(composites[0], {}, context.get()), nullptr) << before_failure_in_loading;
        }
        ERR_clear_error();
    }
    EXPECT_TRUE(is_loaded) << "it fails with enough memory";
    EXPECT_GT(before_failure_in_loading, 10);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace girih::tests
