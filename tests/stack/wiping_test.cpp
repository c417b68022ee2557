/// After an operation on a secret key, nothing of the key is left on the stack that
/// the operation used.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/operations.hpp"
#include "painted_stack.hpp"
#include "remains.hpp"

namespace girih::stack {
namespace {

using Isa = isa::portable::Isa;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, ml_dsa::seed_bytes> seed = [] {
    std::array<std::uint8_t, ml_dsa::seed_bytes> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 7 + i * 3 + 23);
    return bytes;
}();
constexpr std::array<std::uint8_t, ml_dsa::mu_bytes> mu{'m', 'u'};

/// A key pair of a parameter set, and all that is secret about it and about the
/// deterministic signature of mu.
struct Subject {
    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    Secrets of_key;
    Secrets of_keygen;  ///< what key generation sees besides
    Secrets of_signing;
};

template <class Vector>
void add_all_large(Secrets& secrets, const std::string& name, const Vector& vector)
{
    for (const auto& poly : vector.p) secrets.add_large(name, poly.c);
}

template <ml_dsa::Shape S>
void add_key(const ml_dsa::Version& version, Secrets& secrets, Memory bytes)
{
    ml_dsa::SecretKey<S> key;
    ASSERT_TRUE((ml_dsa::sk_decode<S, Isa>(version, bytes, key)));
    secrets.add("K", *key.key);
    secrets.add("packed s1, s2 and t0",
                bytes.subspan(ml_dsa::rho_bytes + ml_dsa::key_bytes + version.tr_bytes));
    for (const auto& s1 : key.s.s1.p) secrets.add_small("s1", s1.c);
    for (const auto& s2 : key.s.s2.p) secrets.add_small("s2", s2.c);
    for (const auto& s1 : key.s.s1.p) secrets.add_small_bytes("s1 in bytes", s1.c);
    for (const auto& s2 : key.s.s2.p) secrets.add_small_bytes("s2 in bytes", s2.c);
    for (const auto& s1 : key.s.s1.p) secrets.add_large("NTT(s1)", ml_dsa::ntt<Isa>(s1).c);
    for (const auto& s2 : key.s.s2.p) secrets.add_large("NTT(s2)", ml_dsa::ntt<Isa>(s2).c);
    for (const auto& t0 : key.t0.p) secrets.add_small("t0", t0.c);
    for (const auto& t0 : key.t0.p) secrets.add_large("NTT(t0)", ml_dsa::ntt<Isa>(t0).c);

    ml_dsa::PreparedSigningKey<S> prepared;
    ASSERT_TRUE((ml_dsa::prepare_signing_key<S, Isa>(version, bytes, prepared)));
    ml_dsa::PolyVector<S.l, decltype(ml_dsa::ntt<Isa>(key.s.s1[0]))> s1_hat;
    for (std::size_t j = 0; j < S.l; ++j) s1_hat[j] = ml_dsa::ntt<Isa>(key.s.s1[j]);
    for (const auto& row : prepared.a_hat) {
        const auto a_s1 = ml_dsa::dot<Isa>(row, s1_hat);
        secrets.add_large("NTT(A s1)", a_s1.c);
        secrets.add_large("A s1", ml_dsa::inverse_ntt<Isa>(a_s1).c);
    }
}

/// The states of the sponge of a seed with a number behind it.
std::vector<std::uint64_t> numbered_sponge_states(Memory bytes, std::size_t number, std::size_t blocks)
{
    Bytes numbered{bytes.begin(), bytes.end()};
    numbered.insert(numbered.end(), {static_cast<Byte>(number), static_cast<Byte>(number >> 8)});
    return sponge_states<keccak::shake256_function>(numbered, blocks);
}

/// The first part of ML-DSA.KeyGen_internal again: rho' and what lies between it and s1, s2.
template <ml_dsa::Params P>
void add_seeds(Secrets& secrets)
{
    Bytes input{seed.begin(), seed.end()};
    if (P.seed_names_dimensions()) input.insert(input.end(), {Byte{P.k}, Byte{P.l}});
    std::array<Byte, ml_dsa::rho_bytes> rho;
    std::array<Byte, ml_dsa::rho_prime_bytes> rho_prime;
    keccak::Shake256<Isa>{}.absorb(input).squeeze(rho).squeeze(rho_prime);
    secrets.add("seed", seed);
    secrets.add("rho'", rho_prime);
    auto sponge = sponge_states<keccak::shake256_function>(input, 1);
    const auto squeezed = sponge.end() - keccak::words;
    sponge.erase(squeezed, squeezed + ml_dsa::rho_bytes / 8);  // rho, which is public
    secrets.add("the sponge of the seed", sponge);
    for (std::size_t r = 0; r < P.k + P.l; ++r)
        secrets.add("a sponge of rho'", numbered_sponge_states(rho_prime, r, 3));
}

/// The last attempt of ML-DSA.Sign_internal again.
template <ml_dsa::Shape S>
void add_signing(const ml_dsa::Version& version, Secrets& secrets, Memory bytes)
{
    ml_dsa::PreparedSigningKey<S> key;
    ASSERT_TRUE((ml_dsa::prepare_signing_key<S, Isa>(version, bytes, key)));
    Bytes signature(S.signature_bytes(version));
    std::size_t rejections = 0;
    ASSERT_TRUE((ml_dsa::sign_mu<S, Isa>(key, mu, {}, signature, [&](ml_dsa::Rejection) { ++rejections; })));

    std::array<Byte, ml_dsa::rho_prime_bytes> rho_double_prime;
    ml_dsa::private_random_seed<Isa>(version, *key.key, {}, mu, rho_double_prime);
    secrets.add("rho''", rho_double_prime);
    Bytes input{key.key->begin(), key.key->end()};
    if (version.is_hedged()) input.resize(input.size() + version.rnd_bytes());
    input.insert(input.end(), mu.begin(), mu.end());
    secrets.add("the sponge of K", sponge_states<keccak::shake256_function>(input, 1));

    ml_dsa::PolyVector<S.l, ml_dsa::MaskPoly<S>> y;
    ml_dsa::Attempt<S, Isa> w;
    ml_dsa::expand_mask<S, Isa>(rho_double_prime, rejections * S.l, y);
    ml_dsa::Scratch<S> scratch;
    ml_dsa::commit<S, Isa>(key.a_hat, ml_dsa::Mask<S>{[&](std::size_t j) { return &y[j]; }}, scratch, w);
    add_all_large(secrets, "y", y);
    add_all_large(secrets, "w0", w.w0);
    for (std::size_t i = 0; i < S.l; ++i) {
        secrets.add_large("NTT(y)", ml_dsa::ntt<Isa>(y[i]).c);
        secrets.add("a sponge of rho''", numbered_sponge_states(rho_double_prime, rejections * S.l + i, 5));
    }
    const ml_dsa::ChallengeTerms<S, Isa> c{
        ml_dsa::sample_in_ball<S, Isa>(Memory{signature}.first(version.c_tilde_bytes))};
    const ml_dsa::Coefficients zero{};
    const auto product = [&](const auto& s) {
        ml_dsa::Coefficients cs;
        ml_dsa::kernels::add_product<Isa>(zero, c.terms(), s, scratch.cs, cs);
        return cs;
    };
    for (const auto& s1 : key.s1) secrets.add_small("c s1", product(s1));
    for (const auto& s2 : key.s2) secrets.add_small("c s2", product(s2));
}

template <ml_dsa::Params P>
Subject make_subject(const girih_alg* alg)
{
    Subject subject{alg, Bytes(P.public_key_bytes()), Bytes(P.secret_key_bytes()), {}, {}, {}};
    const BytesOut<P.secret_key_bytes()> secret_key{subject.secret_key.data(), P.secret_key_bytes()};
    ml_dsa::keygen<P.shape(), Isa>(
        P, seed, BytesOut<P.public_key_bytes()>{subject.public_key.data(), P.public_key_bytes()}, secret_key);
    add_key<P.shape()>(P, subject.of_key, secret_key);
    add_seeds<P>(subject.of_keygen);
    add_signing<P.shape()>(P, subject.of_signing, secret_key);
    return subject;
}

constexpr auto subject_makers = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{make_subject<ml_dsa::parameter_sets[i]>...};
}(std::make_index_sequence<ml_dsa::parameter_sets.size()>{});

std::string list(const Remains& remains)
{
    std::string text;
    for (const auto& [name, bytes] : remains) text += "  " + name + ": " + std::to_string(bytes) + " bytes\n";
    return text;
}

class Wiping : public testing::TestWithParam<std::size_t> {
  protected:
    Wiping() : subject_(subject_makers[GetParam()](girih_algorithm_at(GetParam()))) {}

    void SetUp() override
    {
        if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    }

    /// Nothing of the key, nor of `more`, is left of a call.
    template <class Function>
    void expect_wiped(const Secrets& more, Function function, int expected = GIRIH_OK)
    {
        PaintedStack stack;
        int result = GIRIH_ERROR_ARGUMENT;
        stack.run([&] { result = function(); });
        ASSERT_EQ(result, expected);
        ASSERT_GT(stack.used().size(), subject_.secret_key.size());
        auto remains = subject_.of_key.remains_in(stack.used());
        remains.merge(more.remains_in(stack.used()));
        EXPECT_TRUE(remains.empty()) << list(remains);
    }

    /// Memory of a prepared key.
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
    };

    Subject subject_;
};

TEST_P(Wiping, KeygenLeavesNothing)
{
    Bytes public_key(subject_.public_key.size());
    Bytes secret_key(subject_.secret_key.size());
    expect_wiped(subject_.of_keygen, [&] {
        return girih_keygen_from_seed(subject_.alg, seed.data(), seed.size(), public_key.data(),
                                      public_key.size(), secret_key.data(), secret_key.size());
    });
    EXPECT_EQ(secret_key, subject_.secret_key);
}

TEST_P(Wiping, KeygenWithItsOwnRandomnessLeavesNothing)
{
    const girih_random random{[](void*, std::uint8_t* out, std::size_t bytes) {
                                  std::copy_n(seed.begin(), bytes, out);
                                  return 0;
                              },
                              nullptr, 0};
    Bytes public_key(subject_.public_key.size());
    Bytes secret_key(subject_.secret_key.size());
    expect_wiped(subject_.of_keygen, [&] {
        return girih_keygen(subject_.alg, &random, public_key.data(), public_key.size(), secret_key.data(),
                            secret_key.size());
    });
    EXPECT_EQ(secret_key, subject_.secret_key);
}

TEST_P(Wiping, ImportLeavesNothing)
{
    Bytes public_key(subject_.public_key.size());
    expect_wiped({}, [&] {
        return girih_public_key(subject_.alg, subject_.secret_key.data(), subject_.secret_key.size(),
                                public_key.data(), public_key.size());
    });
}

/// Nothing overwrites what was decoded of a key before it is refused.
TEST_P(Wiping, AMalformedKeyLeavesNothing)
{
    Bytes& malformed = subject_.secret_key;
    const std::size_t head = ml_dsa::rho_bytes + ml_dsa::key_bytes;
    const std::size_t tr_bytes = std::string{girih_name(subject_.alg)}.starts_with("ML-DSA") ? 64 : 32;
    malformed[head + tr_bytes] = 0xFF;  // a coefficient of s1 below -eta
    Bytes public_key(subject_.public_key.size());
    expect_wiped(
        {},
        [&] {
            return girih_public_key(subject_.alg, malformed.data(), malformed.size(), public_key.data(),
                                    public_key.size());
        },
        GIRIH_ERROR_SECRET_KEY);
    Bytes signature(girih_signature_bytes(subject_.alg));
    std::size_t bytes = 0;
    expect_wiped(
        {},
        [&] {
            return girih_sign(subject_.alg, malformed.data(), malformed.size(), mu.data(), mu.size(), nullptr,
                              signature.data(), signature.size(), &bytes);
        },
        GIRIH_ERROR_SECRET_KEY);
    std::vector<Line> memory(girih_signing_key_size(subject_.alg) / sizeof(Line));
    girih_signing_key* key = nullptr;
    expect_wiped(
        {},
        [&] {
            return girih_prepare_signing_key(subject_.alg, malformed.data(), malformed.size(), memory.data(),
                                             memory.size() * sizeof(Line), &key);
        },
        GIRIH_ERROR_SECRET_KEY);
}

TEST_P(Wiping, SigningARepresentativeLeavesNothing)
{
    Bytes signature(girih_signature_bytes(subject_.alg));
    std::size_t bytes = 0;
    girih_options options{};
    options.deterministic = 1;
    expect_wiped(subject_.of_signing, [&] {
        return girih_sign_mu(subject_.alg, subject_.secret_key.data(), subject_.secret_key.size(), mu.data(),
                             mu.size(), &options, signature.data(), signature.size(), &bytes);
    });
}

TEST_P(Wiping, SigningAMessageLeavesNothing)
{
    Bytes signature(girih_signature_bytes(subject_.alg));
    std::size_t bytes = 0;
    expect_wiped({}, [&] {
        return girih_sign(subject_.alg, subject_.secret_key.data(), subject_.secret_key.size(), mu.data(),
                          mu.size(), nullptr, signature.data(), signature.size(), &bytes);
    });
}

TEST_P(Wiping, PreparingAndSigningABatchLeaveNothing)
{
    std::vector<Line> memory(girih_signing_key_size(subject_.alg) / sizeof(Line));
    girih_signing_key* key = nullptr;
    expect_wiped({}, [&] {
        return girih_prepare_signing_key(subject_.alg, subject_.secret_key.data(), subject_.secret_key.size(),
                                         memory.data(), memory.size() * sizeof(Line), &key);
    });
    girih_options options{};
    options.deterministic = 1;
    const std::array<std::uint8_t, 2> message{'m', 'u'};
    std::vector<Bytes> signatures(9, Bytes(girih_signature_bytes(subject_.alg)));
    std::vector<girih_sign_row> rows;
    for (Bytes& signature : signatures)
        rows.push_back({key, nullptr, 0, message.data(), message.size(), &options, signature.data(),
                        signature.size(), 0, GIRIH_ERROR_ARGUMENT});
    expect_wiped({}, [&] { return girih_sign_many(subject_.alg, rows.data(), rows.size()); });
}

TEST_P(Wiping, KeygenOfABatchLeavesNothing)
{
    Bytes public_key(subject_.public_key.size());
    Bytes secret_key(subject_.secret_key.size());
    girih_keygen_row row{seed.data(),       seed.size(),       nullptr,           public_key.data(),
                         public_key.size(), secret_key.data(), secret_key.size(), GIRIH_ERROR_ARGUMENT};
    expect_wiped(subject_.of_keygen, [&] { return girih_keygen_many(subject_.alg, &row, 1); });
    EXPECT_EQ(secret_key, subject_.secret_key);
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info)
{
    std::string name = girih_name(girih_algorithm_at(info.param));
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Wiping, testing::Range(std::size_t{0}, ml_dsa::parameter_sets.size()),
                         name_of);

// The same of the parts, where no later part has yet written over what an earlier one left.

using ml_dsa::ml_dsa_65;
constexpr std::array<std::uint8_t, ml_dsa::rho_prime_bytes> long_seed = [] {
    std::array<std::uint8_t, ml_dsa::rho_prime_bytes> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 11 + i * 5 + 71);
    return bytes;
}();

/// Nothing of `secrets` is left of a call.
template <class Function>
void expect_wiped(const Secrets& secrets, Function function)
{
    PaintedStack stack;
    stack.run(function);
    const Remains remains = secrets.remains_in(stack.used());
    EXPECT_TRUE(remains.empty()) << list(remains);
}

TEST(WipingOfParts, ExpandSLeavesNothing)
{
    const auto s = std::make_unique<ml_dsa::SecretVectors<ml_dsa_65.shape()>>();
    const auto expand = [&] { ml_dsa::expand_s<ml_dsa_65.shape(), Isa>(long_seed, *s); };
    expand();
    Secrets secrets;
    secrets.add("rho'", long_seed);
    for (std::size_t r = 0; r < ml_dsa_65.l + ml_dsa_65.k; ++r)
        secrets.add("a sponge of rho'", numbered_sponge_states(long_seed, r, 3));
    for (const auto& s1 : s->s1.p) {
        secrets.add_small("s1", s1.c);
        secrets.add_small_bytes("s1 as bytes", s1.c);
    }
    for (const auto& s2 : s->s2.p) {
        secrets.add_small("s2", s2.c);
        secrets.add_small_bytes("s2 as bytes", s2.c);
    }
    expect_wiped(secrets, expand);
}

TEST(WipingOfParts, ExpandMaskLeavesNothing)
{
    const auto y = std::make_unique<ml_dsa::PolyVector<ml_dsa_65.l, ml_dsa::MaskPoly<ml_dsa_65.shape()>>>();
    const auto expand = [&] { ml_dsa::expand_mask<ml_dsa_65.shape(), Isa>(long_seed, 0, *y); };
    expand();
    Secrets secrets;
    secrets.add("rho''", long_seed);
    add_all_large(secrets, "y", *y);
    for (std::size_t r = 0; r < ml_dsa_65.l; ++r)
        secrets.add("a sponge of rho''", numbered_sponge_states(long_seed, r, 5));
    expect_wiped(secrets, expand);
}

TEST(WipingOfParts, ASpongeLeavesNothingOfWhatItAbsorbed)
{
    Secrets secrets;
    secrets.add("K", Memory{seed});
    expect_wiped(secrets, [] {
        keccak::Shake256<Isa> h;
        h.absorb(seed);
        __asm__ __volatile__("" : : "r"(&h) : "memory");
    });
}

/// What the tests above rest on: a copy that is not wiped is seen.
TEST(Remains, OfACopyOnTheStackAreFound)
{
    Secrets secrets;
    secrets.add("seed", Memory{seed});
    PaintedStack stack;
    stack.run([] {
        auto copy = seed;
        __asm__ __volatile__("" : : "r"(&copy) : "memory");
    });
    EXPECT_EQ(secrets.remains_in(stack.used()), (Remains{{"seed", seed.size()}}));
}

TEST(Remains, OfAWipedCopyAreNone)
{
    Secrets secrets;
    secrets.add("seed", Memory{seed});
    PaintedStack stack;
    stack.run([] {
        Wiped copy{seed};
        __asm__ __volatile__("" : : "r"(&copy) : "memory");
    });
    EXPECT_TRUE(secrets.remains_in(stack.used()).empty());
}

}  // namespace
}  // namespace girih::stack
