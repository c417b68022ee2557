/// After an operation of ML-KEM, nothing of the decapsulation key, of what is encapsulated, of the
/// noise or of the seeds is left on the stack that the operation used.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/operations.hpp"
#include "painted_stack.hpp"
#include "remains.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"

namespace girih::stack {
namespace {

using namespace ml_kem;
using Isa = isa::portable::Isa;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array names{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};

constexpr std::array<std::uint8_t, seed_bytes> seed = [] {
    std::array<std::uint8_t, seed_bytes> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 5 + i * 9 + 41);
    return bytes;
}();
/// The seed's first bytes, for keys as for m.
constexpr girih_random seed_only{[](void*, std::uint8_t* out, std::size_t bytes) {
                                     std::copy_n(seed.begin(), bytes, out);
                                     return 0;
                                 },
                                 nullptr, 0};

Memory memory_of(const Coefficients& f)
{
    return {reinterpret_cast<const std::uint8_t*>(f.data()), sizeof f};
}

/// Noise: any four coefficients in a row, from a multiple of four on, of which two at least are
/// neither 0, 1 nor -1, and not all are the same.
void add_noise(Secrets& secrets, const std::string& name, const Coefficients& f)
{
    for (std::size_t i = 0; i < n; i += 4) {
        const std::span<const Coefficient> four{&f[i], 4};
        if (std::ranges::count_if(four, [](int c) { return c > 1 || c < -1; }) >= 2 &&
            std::ranges::count(four, four[0]) < 4)
            secrets.add(name, memory_of(f).subspan(2 * i, 8));
    }
}

std::array<Byte, 64> g(BytesIn<> first, BytesIn<> second)
{
    std::array<Byte, 64> digest;
    keccak::Sha3<Isa, 64>{}.absorb(first).absorb(second).squeeze(digest);
    return digest;
}

void add_noise_of(Secrets& secrets, const std::string& name, BytesIn<32> sigma, std::size_t number, int eta)
{
    const auto nonce = static_cast<Byte>(number);
    Bytes bytes(64 * static_cast<std::size_t>(eta));
    keccak::Shake256<Isa>{}.absorb(sigma).absorb(nonce).squeeze(bytes);
    secrets.add(name + ", its bytes", bytes);
    NoisePoly noise;
    if (eta == 2)
        sample_poly_cbd<2, Isa>(BytesIn<128>{bytes}, noise.c);
    else
        sample_poly_cbd<3, Isa>(BytesIn<192>{bytes}, noise.c);
    add_noise(secrets, name, noise.c);
    NttPoly transformed;
    ntt<Isa>(noise, transformed);
    secrets.add(name + ", transformed", memory_of(transformed.c));
    make_canonical<Isa>(transformed.c);
    secrets.add(name + ", canonical", memory_of(transformed.c));
    Factor factor;
    make_factor<Isa>(transformed.c, factor);
    secrets.add(name + ", as a factor", memory_of(factor.straight));
}

/// A key pair and a ciphertext, and all that is secret about them.
struct Subject {
    const girih_alg* alg = nullptr;
    Bytes public_key;
    Bytes secret_key;
    Bytes ciphertext;
    Bytes shared_secret;
    Secrets of_key;
    Secrets of_keygen;
    Secrets of_message;
};

Subject make_subject(std::size_t set)
{
    const Params& p = parameter_sets[set];
    Subject subject;
    subject.alg = girih_algorithm(names[set]);
    const test::KeyPair keys = test::random_key_pair(subject.alg, seed_only);
    subject.public_key = keys.public_key;
    subject.secret_key = keys.secret_key;
    const test::Encapsulation made = test::encapsulate(subject.alg, keys.public_key, &seed_only);
    subject.ciphertext = made.ciphertext;
    subject.shared_secret = made.shared_secret;

    const DecapsulationKeyView view{p, subject.secret_key};
    subject.of_key.add("s^, encoded", view.s_hat());
    subject.of_key.add("z", view.z());
    for (std::size_t i = 0; i < p.k; ++i) {
        Coefficients s;
        byte_decode<12, Isa>(view.s_hat().subspan(i * poly_bytes, poly_bytes), s);
        subject.of_key.add("s^", memory_of(s));
        Factor factor;
        make_factor<Isa>(s, factor);
        subject.of_key.add("s^, as a factor", memory_of(factor.straight));
        subject.of_key.add("s^, crossed", memory_of(factor.crossed));
    }

    const auto k = static_cast<Byte>(p.k);
    const auto seeds = g(BytesIn<>{seed}.first(32), BytesIn<>{&k, 1});
    const BytesIn<32> sigma = BytesIn<64>{seeds}.last<32>();
    subject.of_keygen.add("seed", seed);
    subject.of_keygen.add("sigma", sigma);
    for (std::size_t i = 0; i < 2 * p.k; ++i)
        add_noise_of(subject.of_keygen, i < p.k ? "s" : "e", sigma, i, p.eta1);

    const BytesIn<> m = BytesIn<>{seed}.first(32);
    const auto key_and_r = g(m, view.h());
    const BytesIn<32> r = BytesIn<64>{key_and_r}.last<32>();
    subject.of_message.add("m", m);
    subject.of_message.add("K", BytesIn<64>{key_and_r}.first<32>());
    subject.of_message.add("r", r);
    for (std::size_t i = 0; i <= 2 * p.k; ++i)
        add_noise_of(subject.of_message, i < p.k ? "y" : "e1 or e2", r, i, i < p.k ? p.eta1 : eta2);
    return subject;
}

class WipingOfMlKem : public testing::TestWithParam<std::size_t> {
  protected:
    void SetUp() override
    {
        if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    }

    template <class Function>
    void expect_wiped(std::initializer_list<const Secrets*> secrets, Function function)
    {
        PaintedStack stack;
        int result = GIRIH_ERROR_ARGUMENT;
        stack.run([&] { result = function(); });
        ASSERT_EQ(result, GIRIH_OK);
        for (const Secrets* some : secrets)
            for (const auto& [name, bytes] : some->remains_in(stack.used()))
                ADD_FAILURE() << name << ": " << bytes << " bytes";
    }

    const Subject subject = make_subject(GetParam());
    Bytes public_key = Bytes(subject.public_key.size());
    Bytes secret_key = Bytes(subject.secret_key.size());
    Bytes ciphertext = Bytes(subject.ciphertext.size());
    Bytes secret = Bytes(32);
};

TEST_P(WipingOfMlKem, KeygenLeavesNothing)
{
    expect_wiped({&subject.of_key, &subject.of_keygen}, [&] {
        return girih_keygen(subject.alg, &seed_only, public_key.data(), public_key.size(), secret_key.data(),
                            secret_key.size());
    });
    EXPECT_EQ(secret_key, subject.secret_key);
}

TEST_P(WipingOfMlKem, KeygenOfABatchLeavesNothing)
{
    constexpr std::size_t count = 5;
    std::vector<Bytes> public_keys(count, public_key);
    std::vector<Bytes> secret_keys(count, secret_key);
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back({seed.data(), seed.size(), nullptr, public_keys[i].data(), public_keys[i].size(),
                        secret_keys[i].data(), secret_keys[i].size(), GIRIH_ERROR_ARGUMENT});
    expect_wiped({&subject.of_key, &subject.of_keygen},
                 [&] { return girih_keygen_many(subject.alg, rows.data(), rows.size()); });
    EXPECT_EQ(secret_keys.back(), subject.secret_key);
}

TEST_P(WipingOfMlKem, ImportLeavesNothing)
{
    expect_wiped({&subject.of_key, &subject.of_keygen}, [&] {
        return girih_public_key(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                public_key.data(), public_key.size());
    });
}

TEST_P(WipingOfMlKem, EncapsulationLeavesNothing)
{
    expect_wiped({&subject.of_message}, [&] {
        return girih_encapsulate(subject.alg, &seed_only, subject.public_key.data(),
                                 subject.public_key.size(), ciphertext.data(), ciphertext.size(),
                                 secret.data(), secret.size());
    });
    EXPECT_EQ(ciphertext, subject.ciphertext);
}

TEST_P(WipingOfMlKem, DecapsulationLeavesNothing)
{
    expect_wiped({&subject.of_key, &subject.of_message}, [&] {
        return girih_decapsulate(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                 subject.ciphertext.data(), subject.ciphertext.size(), secret.data(),
                                 secret.size());
    });
    EXPECT_EQ(secret, subject.shared_secret);
}

TEST_P(WipingOfMlKem, PreparedKeysAndBatchesLeaveNothing)
{
    const test::PreparedMemory memory{girih_decapsulation_key_size(subject.alg)};
    girih_decapsulation_key* key = nullptr;
    expect_wiped({&subject.of_key}, [&] {
        return girih_prepare_decapsulation_key(subject.alg, subject.secret_key.data(),
                                               subject.secret_key.size(), memory.data(), memory.size(), &key);
    });
    const test::PreparedEncapsulationKey sending{subject.alg, subject.public_key};
    constexpr std::size_t count = 5;
    std::vector<Bytes> ciphertexts(count, ciphertext);
    std::vector<Bytes> secrets(count, secret);
    std::vector<girih_encapsulate_row> sent;
    std::vector<girih_decapsulate_row> received;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_prepared = i % 2 == 0;
        sent.push_back({is_prepared ? sending.get() : nullptr, subject.public_key.data(),
                        subject.public_key.size(), &seed_only, ciphertexts[i].data(), ciphertexts[i].size(),
                        secrets[i].data(), secrets[i].size(), GIRIH_ERROR_ARGUMENT});
        received.push_back({is_prepared ? key : nullptr, subject.secret_key.data(), subject.secret_key.size(),
                            ciphertexts[i].data(), ciphertexts[i].size(), secrets[i].data(),
                            secrets[i].size(), GIRIH_ERROR_ARGUMENT});
    }
    expect_wiped({&subject.of_message},
                 [&] { return girih_encapsulate_many(subject.alg, sent.data(), sent.size()); });
    EXPECT_EQ(ciphertexts.back(), subject.ciphertext);
    expect_wiped({&subject.of_key, &subject.of_message},
                 [&] { return girih_decapsulate_many(subject.alg, received.data(), received.size()); });
    EXPECT_EQ(secrets.back(), subject.shared_secret);

    // And the prepared key nothing, once it is wiped.
    girih_wipe_decapsulation_key(key);
    const Memory all{static_cast<const std::uint8_t*>(memory.data()), memory.size()};
    for (const auto& [name, bytes] : subject.of_key.remains_in(all))
        ADD_FAILURE() << name << ": " << bytes << " bytes";
}

TEST_P(WipingOfMlKem, WouldBeSeenIfTheyLeftSomething)
{
    const test::PreparedDecapsulationKey key{subject.alg, subject.secret_key};
    const Memory all{reinterpret_cast<const std::uint8_t*>(key.get()),
                     girih_decapsulation_key_size(subject.alg)};
    EXPECT_EQ(subject.of_key.remains_in(all).count("z"), 1U);
    EXPECT_EQ(subject.of_key.remains_in(all).count("s^, as a factor"), 1U);
}

INSTANTIATE_TEST_SUITE_P(Every, WipingOfMlKem, testing::Range(std::size_t{0}, parameter_sets.size()),
                         [](const auto& set) {
                             std::string name = names[set.param];
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace girih::stack
