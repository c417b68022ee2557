/// The provider being loaded by threads at once.

#include <algorithm>
#include <array>
#include <barrier>
#include <thread>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

constexpr int thread_count = 8;

bool loads_and_makes_a_key(std::barrier<>& all)
{
    const Library context(OSSL_LIB_CTX_new());
    find_girih(context.get());
    const Module standard(OSSL_PROVIDER_load(context.get(), "default"));
    all.arrive_and_wait();
    const Module girih(OSSL_PROVIDER_load(context.get(), "girih-provider"));
    const KeyContext generation(EVP_PKEY_CTX_new_from_name(context.get(), "ML-KEM-768", from_girih));
    EVP_PKEY* key = nullptr;
    if (girih && generation && EVP_PKEY_keygen_init(generation.get()) == 1)
        (void)EVP_PKEY_generate(generation.get(), &key);
    return Key(key) && ERR_peek_error() == 0;
}

bool all_load_at_once()
{
    std::barrier<> all(thread_count);
    std::array<char, thread_count> good{};
    std::array<std::thread, thread_count> threads;
    for (std::size_t t = 0; t < threads.size(); ++t)
        threads[t] = std::thread([&, t] { good[t] = loads_and_makes_a_key(all) ? 1 : 0; });
    for (auto& thread : threads) thread.join();
    return std::ranges::count(good, 1) == thread_count;
}

/// Identifiers are registered by the first load of a process. (A death test of the style
/// "threadsafe" is a process that has done nothing yet.)
TEST(ProviderLoadDeathTest, BySeveralThreadsAtOnce)
{
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    for (int round = 0; round < 60 && !HasFailure(); ++round)
        EXPECT_EXIT(std::exit(all_load_at_once() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace girih::tests
