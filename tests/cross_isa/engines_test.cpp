/// Every engine that runs here gives the bytes of the portable one.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/operations.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using Portable = isa::portable::Isa;

/// Rounds of each parameter set: 10,000 with GIRIH_EXHAUSTIVE set, enough to see
/// every path without.
std::size_t rounds() { return test::rounds(200, 10000); }

/// Memory for a prepared key.
struct alignas(ml_dsa::prepared_key_alignment) Line {
    std::array<Byte, ml_dsa::prepared_key_alignment> bytes;
};
std::vector<Line> memory_of(std::size_t size) { return std::vector<Line>(size / sizeof(Line) + 1); }

/// The rows of a batch of signatures, one after the other.
class Feed {
  public:
    explicit Feed(std::vector<ml_dsa::SigningRow> rows) : rows_(std::move(rows)) {}
    [[nodiscard]] ml_dsa::SigningRows rows() { return {next, done, this}; }
    [[nodiscard]] std::size_t signed_rows() const { return signed_; }

  private:
    static bool next(void* self, ml_dsa::SigningRow& row)
    {
        auto& feed = *static_cast<Feed*>(self);
        if (feed.taken_ == feed.rows_.size()) return false;
        row = feed.rows_[feed.taken_++];
        return true;
    }
    static void done(void* self, std::size_t, bool is_signed)
    {
        static_cast<Feed*>(self)->signed_ += is_signed ? 1 : 0;
    }

    std::vector<ml_dsa::SigningRow> rows_;
    std::size_t taken_ = 0;
    std::size_t signed_ = 0;
};

/// Keys, signatures and verdicts of batches larger and smaller than the lanes, into a hash.
void absorb_batches(const ml_dsa::Operations& run, const ml_dsa::Params& p, test::Numbers& numbers,
                    keccak::Shake256<Portable>& all)
{
    constexpr std::size_t count = 11;
    std::vector<test::ByteString> seeds;
    std::vector<test::ByteString> pks(count, test::ByteString(p.public_key_bytes()));
    std::vector<test::ByteString> sks(count, test::ByteString(p.secret_key_bytes()));
    std::vector<test::ByteString> sigs(count, test::ByteString(p.signature_bytes()));
    std::vector<test::ByteString> messages;
    std::vector<KeygenRow> keygen;
    for (std::size_t i = 0; i < count; ++i) {
        seeds.push_back(numbers.bytes(ml_dsa::seed_bytes));
        messages.push_back(numbers.bytes(i == 4 ? 2000 : 40 * i));
    }
    for (std::size_t i = 0; i < count; ++i) keygen.push_back({seeds[i].data(), pks[i].data(), sks[i].data()});
    run.keygen_many(keygen);
    for (const auto& pk : pks) all.absorb(pk);
    for (const auto& sk : sks) all.absorb(sk);

    auto signing = memory_of(run.signing_key_size);
    auto verifying = memory_of(run.verifying_key_size);
    EXPECT_TRUE(run.prepare_signing_key(sks[0].data(), signing.data()));
    run.prepare_verifying_key(pks[0].data(), verifying.data());
    std::vector<ml_dsa::SigningRow> to_sign;
    for (std::size_t i = 0; i < count; ++i)
        to_sign.push_back({signing.data(), ml_dsa::Frame::none(), messages[i], nullptr, sigs[i].data(), i});
    Feed feed{to_sign};
    run.sign_many(feed.rows());
    EXPECT_EQ(feed.signed_rows(), count);
    for (const auto& sig : sigs) all.absorb(sig);

    std::vector<ml_dsa::VerifyingRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 4 == 3) sigs[i][i] ^= 1;
        rows.push_back({i % 2 == 0 ? nullptr : verifying.data(), pks[0].data(), ml_dsa::Frame::none(),
                        messages[i], sigs[i].data(), i % 4 == 3});
    }
    run.verify_many(rows);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(rows[i].verifies, i % 4 != 3) << i;
}

/// All that an engine makes of a sequence of seeds: keys, signatures from every kind of input, and
/// verdicts on good and spoilt ones. The messages grow past the length at which they are hashed
/// beside the matrix.
test::ByteString digest_of_operations(const ml_dsa::Operations& run, const ml_dsa::Params& p,
                                      std::size_t rounds)
{
    test::Numbers numbers{42};
    keccak::Shake256<Portable> all;
    for (std::size_t round = 0; round < rounds; ++round) {
        const test::ByteString seed = numbers.bytes(ml_dsa::seed_bytes);
        test::ByteString pk(p.public_key_bytes());
        test::ByteString sk(p.secret_key_bytes());
        run.keygen(seed.data(), pk.data(), sk.data());
        all.absorb(pk).absorb(sk);

        test::ByteString again(pk.size());
        EXPECT_EQ(run.public_key(sk.data(), again.data()), ml_dsa::KeyCheck::good);
        EXPECT_EQ(again, pk);

        const test::ByteString message = numbers.bytes(round * 37 % 3000);
        const test::ByteString context = numbers.bytes(round % 256);
        const test::ByteString rnd = numbers.bytes(p.rnd_bytes());
        const auto frame = p.has_context() ? ml_dsa::Frame::with(context) : ml_dsa::Frame::none();
        test::ByteString sig(p.signature_bytes());
        EXPECT_EQ(run.sign(sk.data(), frame, message, round % 2 == 0 ? nullptr : rnd.data(), sig.data()),
                  ml_dsa::SignResult::good);
        all.absorb(sig);
        EXPECT_TRUE(run.verify(pk.data(), frame, message, sig.data()));

        const test::ByteString mu = numbers.bytes(ml_dsa::mu_bytes);
        EXPECT_EQ(run.sign_mu(sk.data(), mu.data(), nullptr, sig.data()), ml_dsa::SignResult::good);
        all.absorb(sig);
        EXPECT_TRUE(run.verify_mu(pk.data(), mu.data(), sig.data()));

        const auto bit =
            static_cast<std::size_t>(numbers.between(0, static_cast<std::int64_t>(8 * sig.size()) - 1));
        sig[bit / 8] = static_cast<Byte>(sig[bit / 8] ^ 1 << bit % 8);
        all.absorb(Byte{run.verify_mu(pk.data(), mu.data(), sig.data())});
        if (round % 20 == 0) absorb_batches(run, p, numbers, all);
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    return digest;
}

class Engines : public testing::TestWithParam<std::size_t> {};

TEST_P(Engines, GiveTheBytesOfThePortableOne)
{
    const engines::Candidate& candidate = engines::candidates()[GetParam()];
    if (!candidate.runs_here()) GTEST_SKIP() << "this processor does not support " << candidate.engine->name;
    const engines::Candidate& portable = engines::candidates().back();
    for (std::size_t set = 0; set < ml_dsa::parameter_sets.size(); ++set) {
        const ml_dsa::Params& p = ml_dsa::parameter_sets[set];
        const ml_dsa::Operations& operations = test::ml_dsa_on(*candidate.engine, set);
        const ml_dsa::Operations& expected = test::ml_dsa_on(*portable.engine, set);
        if (&operations == &expected) GTEST_SKIP() << "the text is portable's";
        EXPECT_EQ(digest_of_operations(operations, p, rounds()), digest_of_operations(expected, p, rounds()))
            << "parameter set " << set;
    }
}

INSTANTIATE_TEST_SUITE_P(Each, Engines, testing::Range(std::size_t{0}, engines::candidates().size()),
                         [](const auto& engine) {
                             return std::string{engines::candidates()[engine.param].engine->name};
                         });

}  // namespace
