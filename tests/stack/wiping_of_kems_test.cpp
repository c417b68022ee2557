/// After an operation of NTRU Prime, nothing of the secret key, of what is encapsulated or of its
/// randomness is left on the stack that the operation used.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "ntru_prime/operations.hpp"
#include "painted_stack.hpp"
#include "remains.hpp"
#include "support/kems.hpp"

namespace girih::stack {
namespace {

using namespace ntru_prime;
using Isa = isa::portable::Isa;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, seed_bytes> seed = [] {
    std::array<std::uint8_t, seed_bytes> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 5 + i * 9 + 41);
    return bytes;
}();
constexpr girih_random seed_only{[](void*, std::uint8_t* out, std::size_t bytes) {
                                     std::copy_n(seed.begin(), bytes, out);
                                     return 0;
                                 },
                                 nullptr, 0};

/// A key pair and a ciphertext, both made from the one seed, and all that is secret about them.
struct Subject {
    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    Bytes ciphertext;
    Secrets of_key;
    Secrets of_seed;
    Secrets of_input;
    std::size_t wiped_stack_bytes;  ///< below each operation
};

template <Params P>
void add_small(Secrets& secrets, const std::string& name, Memory encoded)
{
    secrets.add(name + ", encoded", encoded);
    Small<room_of<P.ring>> small;
    small_decode<Isa>(ring_of<P.ring>, encoded.first(P.ring.small_bytes()), small);
    secrets.add_trits(name, std::span{small.c}.template first<P.ring.p>());
}

template <Params P>
void add_key(Secrets& secrets, Memory sk)
{
    add_small<P>(secrets, "f or a", sk.first(P.ring.small_bytes()));
    if (P.is_streamlined())
        add_small<P>(secrets, "1/g", sk.subspan(P.ring.small_bytes(), P.ring.small_bytes()));
    const SecretKeyView<SetOf<P>> view{set_of<P>, sk.data()};
    secrets.add("rho", view.rho());
}

/// The seed and what it is expanded to, which becomes polynomials; but not what NTRU
/// LPRime publishes of it.
template <Params P>
void add_seed(Secrets& secrets)
{
    secrets.add("seed", Memory{seed});
    Bytes expanded(2 * P.ring.p * sizeof(std::uint32_t));
    Expansion<Isa>{seed}.bytes(expanded);
    secrets.add("random words", Memory{expanded}.subspan(P.is_streamlined() ? 0 : generator_bytes));
}

template <Params P>
void add_input(Secrets& secrets)
{
    secrets.add("seed", Memory{seed});
    RandomStream<Isa> random{Randomness{seed.data()}};
    using Core = ntru_prime::Core<SetOf<P>, Isa>;
    typename Core::Input input;
    Core::random_input(set_of<P>, random, input);
    if constexpr (P.is_streamlined())
        add_small<P>(secrets, "r", Memory{input}.first(P.input_bytes()));
    else
        secrets.add("r", Memory{input});
    std::array<Byte, hash_bytes> hash;
    hash_input<SetOf<P>, Isa>(set_of<P>, input, hash);
    secrets.add("hash of r", Memory{hash});
}

template <Params P>
Subject make_subject(const girih_alg* alg)
{
    const test::KeyPair keys = test::random_key_pair(alg, seed_only);
    const std::string engine = girih_engine();
    Subject subject{alg,
                    keys.public_key,
                    keys.secret_key,
                    {},
                    {},
                    {},
                    {},
                    stack_bytes_of(P, engine == "avx2" || engine == "avx512")};
    subject.ciphertext = test::encapsulate(alg, subject.public_key, &seed_only).ciphertext;
    add_key<P>(subject.of_key, subject.secret_key);
    add_seed<P>(subject.of_seed);
    add_input<P>(subject.of_input);
    return subject;
}

constexpr auto subject_makers = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{make_subject<parameter_sets[i]>...};
}(std::make_index_sequence<parameter_sets.size()>{});

class WipingOfKems : public testing::TestWithParam<std::size_t> {
  protected:
    void SetUp() override
    {
        if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
        subject = subject_makers[GetParam()](girih_algorithm(test::kem_names[GetParam()]));
    }

    /// What the public function and this test take of the stack, at most. Where keys are made, a
    /// pair of the longest that there are (2592 and 4896 bytes, of ML-DSA-87) is there, and wiped
    /// where it lay; where what is made is written over the arguments, as much as a public key.
    static constexpr std::size_t most_beside_keys = 2048 + 2592 + 4896;
    static constexpr std::size_t most_beside_copy = 1024 + 2592;
    static constexpr std::size_t most_besides = 1024;

    /// Nothing of any of the secrets is left of a call, whose frames are within what is wiped.
    template <class Function>
    void expect_wiped(std::initializer_list<const Secrets*> secrets, Function function,
                      std::size_t most_besides_wiped = most_besides)
    {
        PaintedStack stack;
        int result = GIRIH_ERROR_ARGUMENT;
        stack.run([&] { result = function(); });
        ASSERT_EQ(result, GIRIH_OK);
        ASSERT_GE(stack.used().size(), subject.wiped_stack_bytes);
        ASSERT_LE(stack.used().size(), subject.wiped_stack_bytes + most_besides_wiped)
            << "more than is wiped";
        for (const Secrets* some : secrets)
            for (const auto& [name, bytes] : some->remains_in(stack.used()))
                ADD_FAILURE() << name << ": " << bytes << " bytes";
    }

    Subject subject{};
};

TEST_P(WipingOfKems, KeygenLeavesNothing)
{
    Bytes public_key(subject.public_key.size());
    Bytes secret_key(subject.secret_key.size());
    expect_wiped(
        {&subject.of_key, &subject.of_seed},
        [&] {
            return girih_keygen(subject.alg, &seed_only, public_key.data(), public_key.size(),
                                secret_key.data(), secret_key.size());
        },
        most_beside_keys);
    EXPECT_EQ(secret_key, subject.secret_key);
}

TEST_P(WipingOfKems, KeygenOfABatchLeavesNothing)
{
    constexpr std::size_t count = 3;
    std::vector<Bytes> public_keys(count, Bytes(subject.public_key.size()));
    std::vector<Bytes> secret_keys(count, Bytes(subject.secret_key.size()));
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back({seed.data(), seed.size(), nullptr, public_keys[i].data(), public_keys[i].size(),
                        secret_keys[i].data(), secret_keys[i].size(), GIRIH_ERROR_ARGUMENT});
    expect_wiped(
        {&subject.of_key, &subject.of_seed},
        [&] { return girih_keygen_many(subject.alg, rows.data(), rows.size()); }, rows_at_once * 10240);
    EXPECT_EQ(secret_keys.back(), subject.secret_key);
}

TEST_P(WipingOfKems, ImportLeavesNothing)
{
    Bytes public_key(subject.public_key.size());
    expect_wiped(
        {&subject.of_key},
        [&] {
            return girih_public_key(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                    public_key.data(), public_key.size());
        },
        most_beside_copy);
}

TEST_P(WipingOfKems, EncapsulationLeavesNothing)
{
    Bytes ciphertext(subject.ciphertext.size());
    Bytes shared_secret(girih_shared_secret_bytes(subject.alg));
    expect_wiped(
        {&subject.of_input},
        [&] {
            return girih_encapsulate(subject.alg, &seed_only, subject.public_key.data(),
                                     subject.public_key.size(), ciphertext.data(), ciphertext.size(),
                                     shared_secret.data(), shared_secret.size());
        },
        most_beside_copy);
    EXPECT_EQ(ciphertext, subject.ciphertext);
}

TEST_P(WipingOfKems, DecapsulationLeavesNothing)
{
    Bytes shared_secret(girih_shared_secret_bytes(subject.alg));
    expect_wiped({&subject.of_key, &subject.of_input}, [&] {
        return girih_decapsulate(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                 subject.ciphertext.data(), subject.ciphertext.size(), shared_secret.data(),
                                 shared_secret.size());
    });
}

INSTANTIATE_TEST_SUITE_P(Every, WipingOfKems, testing::Range(std::size_t{0}, parameter_sets.size()),
                         [](const auto& set) { return std::string{test::kem_names[set.param]}; });

}  // namespace
}  // namespace girih::stack
