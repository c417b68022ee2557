/// Prepared keys on the heap: freed once, wiped before that, and an error when memory is short.
#include <girih/girih.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace {

bool is_memory_short = false;
std::uint8_t* last = nullptr;
std::size_t last_bytes = 0;

}  // namespace

/// Replaces the library's allocations.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
    void* memory = nullptr;
    if (is_memory_short || posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
    last = static_cast<std::uint8_t*>(memory);
    last_bytes = bytes;
    return memory;
}

namespace {

std::size_t bytes_in_use()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// Makes a prepared key, and frees it, except for the bytes with which the C library aligned it. A
/// refused key and a lack of memory leave nothing allocated.
template <class Key>
void expect_made_and_freed(const girih_alg* alg, std::vector<std::uint8_t> bytes,
                           int (*make)(const girih_alg*, const std::uint8_t*, std::size_t, Key**),
                           void (*free_key)(Key*), bool is_secret)
{
    const std::size_t before = bytes_in_use();
    Key* key = nullptr;
    ASSERT_EQ(make(alg, bytes.data(), bytes.size(), &key), GIRIH_OK);
    EXPECT_GE(bytes_in_use(), before + last_bytes);
    free_key(key);
    EXPECT_LT(bytes_in_use(), before + last_bytes / 2);
    if (is_secret) {
        constexpr std::size_t list = 64;  // the C library's, in free memory
        const volatile std::uint8_t* const freed = last;
        std::size_t left = 0;
        for (std::size_t i = list; i + list < last_bytes; ++i) left += freed[i] != 0 ? 1U : 0U;
        EXPECT_EQ(left, 0U);
    }
    is_memory_short = true;
    const int error = make(alg, bytes.data(), bytes.size(), &key);
    is_memory_short = false;  // GoogleTest allocates as well
    EXPECT_EQ(error, GIRIH_ERROR_MEMORY);
    EXPECT_EQ(key, nullptr);
    std::ranges::fill(bytes, std::uint8_t{0xFF});
    if (is_secret) {
        EXPECT_LT(make(alg, bytes.data(), bytes.size(), &key), GIRIH_OK);
        EXPECT_LT(bytes_in_use(), before + last_bytes / 2);
    }
}

TEST(HeapKeys, AreFreedAndWiped)
{
    for (const girih_alg* const alg : {girih_ml_dsa_44(), girih_ml_kem_768()}) {
        std::vector<std::uint8_t> pk(girih_public_key_bytes(alg)), sk(girih_secret_key_bytes(alg));
        ASSERT_EQ(girih_keygen(alg, nullptr, pk.data(), pk.size(), sk.data(), sk.size()), GIRIH_OK);
        if (girih_is_kem(alg) == 0) {
            expect_made_and_freed(alg, sk, girih_prepare_signing_key_new, girih_prepare_signing_key_free,
                                  true);
            expect_made_and_freed(alg, pk, girih_prepare_verifying_key_new, girih_prepare_verifying_key_free,
                                  false);
        } else {
            expect_made_and_freed(alg, sk, girih_prepare_decapsulation_key_new,
                                  girih_prepare_decapsulation_key_free, true);
            expect_made_and_freed(alg, pk, girih_prepare_encapsulation_key_new,
                                  girih_prepare_encapsulation_key_free, false);
        }
    }
}

}  // namespace
