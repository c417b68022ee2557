/// After an operation of Falcon, nothing of the secret key, of what is computed from it or of the
/// seed is left on the stack that the operation used.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "falcon/operations.hpp"
#include "isa/portable/lanes.hpp"
#include "painted_stack.hpp"
#include "remains.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::stack {
namespace {

using namespace falcon;
using Isa = isa::portable::Isa;
using Fpr = Isa::Fpr;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, seed_bytes> seed = [] {
    std::array<std::uint8_t, seed_bytes> bytes{};
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i * 5 + i * 9 + 41);
    return bytes;
}();
/// Of a signature's randomness, the seed of the sampler is secret; the salt is not.
constexpr girih_random seed_only{[](void*, std::uint8_t* out, std::size_t bytes) {
                                     if (bytes == seed_bytes)
                                         std::copy_n(seed.begin(), bytes, out);
                                     else
                                         std::fill_n(out, bytes, std::uint8_t{7});
                                     return 0;
                                 },
                                 nullptr, 0};

struct Subject {
    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    Secrets secrets;
};

template <std::size_t n>
void add_small(Secrets& secrets, const std::string& name, const SmallPoly<n>& f)
{
    secrets.add_small_bytes(name, std::span<const std::int8_t>{f});
}

/// Values at roots: eight bytes each, unless they are a small power of two or 0.
template <std::size_t count>
void add_values(Secrets& secrets, const std::string& name, const std::array<Fpr, count>& values)
{
    std::vector<std::uint64_t> telling;
    for (const Fpr& a : values)
        if ((a.bits() & 0xFFFFFFFF) != 0) telling.push_back(a.bits());
    secrets.add(name, std::span<const std::uint64_t>{telling});
}

template <Params P>
Subject make_subject(const girih_alg* alg)
{
    constexpr Params keys = P.keys();
    Subject subject{alg, {}, {}, {}};
    const test::KeyPair pair = test::key_pair(alg, seed);
    subject.public_key = pair.public_key;
    subject.secret_key = pair.secret_key;
    const BytesIn<P.secret_key_bytes()> sk{subject.secret_key.data(), P.secret_key_bytes()};
    Basis<P.n()> basis;
    EXPECT_TRUE((decode_secret_key<keys, Isa>(sk, basis)));
    Secrets& secrets = subject.secrets;
    secrets.add("seed", Memory{seed});
    secrets.add("secret key", Memory{subject.secret_key}.subspan(1));
    add_small<P.n()>(secrets, "f", basis.f);
    add_small<P.n()>(secrets, "g", basis.g);
    add_small<P.n()>(secrets, "F", basis.big_f);
    add_small<P.n()>(secrets, "G", basis.big_g);
    const auto prepared = std::make_unique<PreparedSigningKey<keys, Isa>>();
    EXPECT_TRUE((prepare_signing_key<keys, Isa>(sk, *prepared)));
    add_values(secrets, "values of the basis", prepared->basis.b00);
    add_values(secrets, "values of the basis", prepared->basis.b01);
    add_values(secrets, "values of the basis", prepared->basis.b10);
    add_values(secrets, "values of the basis", prepared->basis.b11);
    add_values(secrets, "tree", prepared->l10);
    add_values(secrets, "tree", prepared->left);
    add_values(secrets, "tree", prepared->right);
    return subject;
}

constexpr auto subject_makers = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{make_subject<parameter_sets[i]>...};
}(std::make_index_sequence<parameter_sets.size()>{});

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

class WipingOfFalcon : public testing::TestWithParam<std::size_t> {
  protected:
    void SetUp() override
    {
        if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
        subject = subject_makers[GetParam()](girih_algorithm(test::falcon_names[GetParam()]));
        options.random = &seed_only;
    }

    /// Nothing of any of the secrets is left of a call.
    template <class Function>
    void expect_wiped(Function function)
    {
        PaintedStack stack;
        int result = GIRIH_ERROR_ARGUMENT;
        stack.run([&] { result = function(); });
        ASSERT_EQ(result, GIRIH_OK);
        ASSERT_GE(stack.used().size(), subject.secret_key.size());
        for (const auto& [name, bytes] : subject.secrets.remains_in(stack.used()))
            ADD_FAILURE() << name << ": " << bytes << " bytes";
    }

    Subject subject{};
    girih_options options{};
    const Bytes message = test::counting(33);
};

TEST_P(WipingOfFalcon, KeygenLeavesNothing)
{
    Bytes public_key(subject.public_key.size());
    Bytes secret_key(subject.secret_key.size());
    expect_wiped([&] {
        return girih_keygen_from_seed(subject.alg, seed.data(), seed.size(), public_key.data(),
                                      public_key.size(), secret_key.data(), secret_key.size());
    });
    EXPECT_EQ(secret_key, subject.secret_key);
}

TEST_P(WipingOfFalcon, ImportLeavesNothing)
{
    Bytes public_key(subject.public_key.size());
    expect_wiped([&] {
        return girih_public_key(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                public_key.data(), public_key.size());
    });
}

TEST_P(WipingOfFalcon, SigningLeavesNothing)
{
    Bytes signature(girih_signature_bytes(subject.alg));
    std::size_t bytes = 0;
    expect_wiped([&] {
        return girih_sign(subject.alg, subject.secret_key.data(), subject.secret_key.size(), message.data(),
                          message.size(), &options, signature.data(), signature.size(), &bytes);
    });
}

TEST_P(WipingOfFalcon, PreparingAndSigningABatchLeaveNothing)
{
    std::vector<Line> memory(girih_signing_key_size(subject.alg) / sizeof(Line));
    girih_signing_key* key = nullptr;
    expect_wiped([&] {
        return girih_prepare_signing_key(subject.alg, subject.secret_key.data(), subject.secret_key.size(),
                                         memory.data(), memory.size() * sizeof(Line), &key);
    });
    Bytes signature(girih_signature_bytes(subject.alg));
    std::size_t bytes = 0;
    expect_wiped([&] {
        return girih_sign_prepared(key, message.data(), message.size(), &options, signature.data(),
                                   signature.size(), &bytes);
    });
    std::vector<Bytes> signatures(16, Bytes(girih_signature_bytes(subject.alg)));
    std::vector<girih_sign_row> rows;
    for (Bytes& one : signatures)
        rows.push_back({key, nullptr, 0, message.data(), message.size(), &options, one.data(), one.size(), 0,
                        GIRIH_ERROR_ARGUMENT});
    expect_wiped([&] { return girih_sign_many(subject.alg, rows.data(), rows.size()); });
    girih_wipe_signing_key(key);
}

INSTANTIATE_TEST_SUITE_P(Every, WipingOfFalcon, testing::Range(std::size_t{0}, parameter_sets.size()),
                         [](const auto& set) {
                             std::string name = test::falcon_names[set.param];
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace girih::stack
