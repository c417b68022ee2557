/// Keccak, SHA-3 and SHAKE against published answers, and every way of cutting a message or an
/// output into pieces.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/portable/lanes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using Portable = isa::portable::Isa;

/// The answers of one function. Those for messages of 0 and 1600 bits (200 times A3) are NIST's
/// examples with intermediate values for FIPS 202. SHAKEs: the first 64 bytes.
struct Answers {
    std::string_view name, of_nothing, of_abc, of_a3;
    /// SHA3-256 over the outputs for the first 0, 1, ..., 2 rate + 1 bytes of
    /// message(600): the digest, or for SHAKE as many bytes as the message has. Made with
    /// the SHA-3 of Python's hashlib.
    std::string_view every_length;
};

// clang-format off
constexpr Answers sha3_224_answers{
    "Sha3With224Bits",
    "6B4E03423667DBB73B6E15454F0EB1ABD4597F9A1B078E3F5B5A6BC7",
    "E642824C3F8CF24AD09234EE7D3C766FC9A3A5168D0C94AD73B46FDF",
    "9376816ABA503F72F96CE7EB65AC095DEEE3BE4BF9BBC2A1CB7E11E0",
    "A3C6BAE6BF0BE5D33A493690ABB75139BE7C372A4D54E90BF6B4AF8505F2B27D"};
constexpr Answers sha3_256_answers{
    "Sha3With256Bits",
    "A7FFC6F8BF1ED76651C14756A061D662F580FF4DE43B49FA82D80A4B80F8434A",
    "3A985DA74FE225B2045C172D6BD390BD855F086E3E9D525B46BFE24511431532",
    "79F38ADEC5C20307A98EF76E8324AFBFD46CFD81B22E3973C65FA1BD9DE31787",
    "1242785216A3478C6AB5DEB4D109DFDDB82256C40D2B522F92AA9875D06FF875"};
constexpr Answers sha3_384_answers{
    "Sha3With384Bits",
    "0C63A75B845E4F7D01107D852E4C2485C51A50AAAA94FC61995E71BBEE983A2AC3713831264ADB47FB6BD1E058D5F004",
    "EC01498288516FC926459F58E2C6AD8DF9B473CB0FC08C2596DA7CF0E49BE4B298D88CEA927AC7F539F1EDF228376D25",
    "1881DE2CA7E41EF95DC4732B8F5F002B189CC1E42B74168ED1732649CE1DBCDD76197A31FD55EE989F2D7050DD473E8F",
    "5ED4D3E96C1EA8648DA6F3BA47EFD8ABFDE837C9D389057C8CDCC3756592FC54"};
constexpr Answers sha3_512_answers{
    "Sha3With512Bits",
    "A69F73CCA23A9AC5C8B567DC185A756E97C982164FE25859E0D1DCC1475C80A615B2123AF1F5F94C11E3E9402C3AC558F500199D95B6D3E301758586281DCD26",
    "B751850B1A57168A5693CD924B6B096E08F621827444F70D884F5D0240D2712E10E116E9192AF3C91A7EC57647E3934057340B4CF408D5A56592F8274EEC53F0",
    "E76DFAD22084A8B1467FCF2FFA58361BEC7628EDF5F3FDC0E4805DC48CAEECA81B7C13C30ADF52A3659584739A2DF46BE589C51CA1A4A8416DF6545A1CE8BA00",
    "AC515F58D1E1EF8221AE3118C87CC489DE1AE66953FFB8A9914B22899270067E"};
constexpr Answers shake128_answers{
    "Shake128",
    "7F9C2BA4E88F827D616045507605853ED73B8093F6EFBC88EB1A6EACFA66EF263CB1EEA988004B93103CFB0AEEFD2A686E01FA4A58E8A3639CA8A1E3F9AE57E2",
    "5881092DD818BF5CF8A3DDB793FBCBA74097D5C526A6D35F97B83351940F2CC844C50AF32ACD3F2CDD066568706F509BC1BDDE58295DAE3F891A9A0FCA578378",
    "131AB8D2B594946B9C81333F9BB6E0CE75C3B93104FA3469D3917457385DA037CF232EF7164A6D1EB448C8908186AD852D3F85A5CF28DA1AB6FE343817197846",
    "C8FDC383BB9A0D173706AE81DB86117DE819E7FFC6398B414C697B0CC4148EFC"};
constexpr Answers shake256_answers{
    "Shake256",
    "46B9DD2B0BA88D13233B3FEB743EEB243FCD52EA62B81B82B50C27646ED5762FD75DC4DDD8C0F200CB05019D67B592F6FC821C49479AB48640292EACB3B7C4BE",
    "483366601360A8771C6863080CC4114D8DB44530F8F1E1EE4F94EA37E78B5739D5A15BEF186A5386C75744C0527E1FAA9F8726E462A12A4FEB06BD8801E751E4",
    "CD8A920ED141AA0407A22D59288652E9D9F1A7EE0C1E7C1CA699424DA84A904D2D700CAAE7396ECE96604440577DA4F3AA22AEB8857F961C4CD8E06F0AE6610B",
    "2B01C72124687C8D7012A4DB3BDC4E88407AAF143C7C59B64EF6ED8B797D986D"};
// clang-format on

/// A function of FIPS 202 as a type, for gtest to run each claim with.
template <keccak::Function function_, std::size_t digest_bytes_, const Answers& answers_>
struct Under {
    static constexpr keccak::Function function = function_;
    static constexpr std::size_t digest_bytes = digest_bytes_;  ///< 0 for SHAKE
    static constexpr const Answers& answers = answers_;
};

using Sha3_224 = Under<keccak::sha3_function(28), 28, sha3_224_answers>;
using Sha3_256 = Under<keccak::sha3_function(32), 32, sha3_256_answers>;
using Sha3_384 = Under<keccak::sha3_function(48), 48, sha3_384_answers>;
using Sha3_512 = Under<keccak::sha3_function(64), 64, sha3_512_answers>;
using Shake128 = Under<keccak::shake128_function, 0, shake128_answers>;
using Shake256 = Under<keccak::shake256_function, 0, shake256_answers>;

template <class T>
using SpongeOf = keccak::Sponge<Portable, T::function>;

test::ByteString message(std::size_t size)
{
    test::ByteString bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<Byte>(7 * i + 3);
    return bytes;
}

template <class T>
test::ByteString hash(BytesIn<> input, std::size_t output_bytes)
{
    test::ByteString output(output_bytes);
    SpongeOf<T>{}.absorb(input).squeeze(output);
    return output;
}

template <class T>
class Keccak : public testing::Test {};
class FunctionNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return std::string{T::answers.name};
    }
};
using Functions = testing::Types<Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256>;
TYPED_TEST_SUITE(Keccak, Functions, FunctionNames);

TYPED_TEST(Keccak, GivesThePublishedAnswers)
{
    const std::size_t size = TypeParam::answers.of_nothing.size() / 2;
    const test::ByteString abc{'a', 'b', 'c'};
    EXPECT_EQ(test::to_hex(hash<TypeParam>({}, size)), TypeParam::answers.of_nothing);
    EXPECT_EQ(test::to_hex(hash<TypeParam>(abc, size)), TypeParam::answers.of_abc);
    EXPECT_EQ(test::to_hex(hash<TypeParam>(test::ByteString(200, 0xA3), size)), TypeParam::answers.of_a3);
}

TYPED_TEST(Keccak, HashesMessagesOfEveryLengthUpToTwoBlocks)
{
    const test::ByteString whole = message(600);
    SpongeOf<Sha3_256> all;
    for (std::size_t size = 0; size <= 2 * TypeParam::function.rate + 1; ++size) {
        const std::size_t output_bytes = TypeParam::digest_bytes == 0 ? size : TypeParam::digest_bytes;
        all.absorb(hash<TypeParam>(BytesIn<>{whole}.first(size), output_bytes));
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    EXPECT_EQ(test::to_hex(digest), TypeParam::answers.every_length);
}

TYPED_TEST(Keccak, AbsorbsTheSameMessageHoweverItIsCut)
{
    const test::ByteString whole = message(2 * TypeParam::function.rate + 3);
    const test::ByteString expected = hash<TypeParam>(whole, 32);
    for (std::size_t first = 0; first <= whole.size(); ++first) {
        for (const std::size_t second : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{13}}) {
            const BytesIn<> rest = BytesIn<>{whole}.subspan(first);
            const std::size_t middle = std::min(second, rest.size());
            test::ByteString output(32);
            SpongeOf<TypeParam> sponge;
            sponge.absorb(BytesIn<>{whole}.first(first));
            sponge.absorb(rest.first(middle)).absorb(rest.subspan(middle)).squeeze(output);
            ASSERT_EQ(output, expected) << first << " + " << middle;
        }
    }
}

TYPED_TEST(Keccak, AbsorbsBytesOneByOne)
{
    const test::ByteString whole = message(2 * TypeParam::function.rate + 3);
    test::ByteString output(32);
    SpongeOf<TypeParam> sponge;
    for (const Byte byte : whole) sponge.absorb(byte);
    sponge.squeeze(output);
    EXPECT_EQ(output, hash<TypeParam>(whole, 32));
}

TYPED_TEST(Keccak, SqueezesTheSameOutputHoweverItIsCut)
{
    const test::ByteString input = message(20);
    const test::ByteString expected = hash<TypeParam>(input, 2 * TypeParam::function.rate + 11);
    for (std::size_t first = 0; first <= expected.size(); ++first) {
        for (const std::size_t second : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{13}}) {
            test::ByteString output(expected.size());
            const BytesOut<> rest = BytesOut<>{output}.subspan(first);
            const std::size_t middle = std::min(second, rest.size());
            SpongeOf<TypeParam> sponge;
            sponge.absorb(input).squeeze(BytesOut<>{output}.first(first));
            sponge.squeeze(rest.first(middle)).squeeze(rest.subspan(middle));
            ASSERT_EQ(output, expected) << first << " + " << middle;
        }
    }
}

/// States as an array of integers a word.
template <std::size_t states>
struct ArrayWords {
    static constexpr std::size_t count = states;
    using One = Portable::SerialWords;

    struct Words {
        std::array<std::uint64_t, count> lanes{};

        std::uint64_t& operator[](std::size_t lane) { return lanes[lane]; }
        const std::uint64_t& operator[](std::size_t lane) const { return lanes[lane]; }
        friend Words operator^(Words a, const Words& b) { return a ^= b; }
        Words& operator^=(const Words& b)
        {
            for (std::size_t i = 0; i < count; ++i) lanes[i] ^= b.lanes[i];
            return *this;
        }
    };

    /// f of each lane of the operands.
    template <class F, class... In>
    static Words each(F f, const In&... in)
    {
        Words out;
        for (std::size_t i = 0; i < count; ++i) out.lanes[i] = f(in.lanes[i]...);
        return out;
    }

    template <int bits>
    static Words rotate_left(const Words& a)
    {
        return each(One::rotate_left<bits>, a);
    }
    static Words chi(const Words& a, const Words& b, const Words& c) { return each(One::chi, a, b, c); }
    static Words xor5(const Words& a, const Words& b, const Words& c, const Words& d, const Words& e)
    {
        return a ^ b ^ c ^ d ^ e;
    }
    static Words broadcast(std::uint64_t word)
    {
        Words all;
        all.lanes.fill(word);
        return all;
    }

    template <class State, class Rows>
    static void absorb_rows(State& state, Rows& rows, const std::array<bool, count>& fresh)
    {
        for (std::size_t lane = 0; lane < count; ++lane)
            for (std::size_t i = 0; i < keccak::words; ++i) {
                std::uint64_t& word = state[i].lanes[lane];
                word = (fresh[lane] ? 0 : word) ^ (i < rows[lane].size() ? rows[lane][i] : 0);
            }
        rows = {};
    }
    template <class State, class Rows>
    static void to_rows(const State& state, Rows& rows)
    {
        for (std::size_t lane = 0; lane < count; ++lane)
            for (std::size_t i = 0; i < rows[lane].size(); ++i) rows[lane][i] = state[i].lanes[lane];
    }
};

using FourWords = ArrayWords<4>;

/// Five states, whose last tasks go on in three lanes or one.
struct FiveWords : ArrayWords<5> {
    using Fewer = ArrayWords<3>;
};

/// Absorbs less than a block of SHAKE128, wants a number of blocks, and keeps them.
class Blocks final : public keccak::Task {
  public:
    static constexpr keccak::Function function = keccak::shake128_function;

    Blocks(test::ByteString input, std::size_t wanted) : input_(std::move(input)), wanted_(wanted) {}

    void start(keccak::Lane lane) noexcept override
    {
        lane.absorb(input_);
        lane.pad(function, input_.size());
    }
    Task* resume(keccak::Lane lane) noexcept override
    {
        output_.resize(output_.size() + function.rate);
        lane.squeeze(BytesOut<>{output_}.last(function.rate));
        return output_.size() == wanted_ * function.rate ? nullptr : this;
    }
    [[nodiscard]] const test::ByteString& output() const { return output_; }

  private:
    test::ByteString input_;
    std::size_t wanted_;
    test::ByteString output_;
};

template <class Lanes, std::size_t count>
void expect_each_equals_its_own_sponge_of()
{
    // Inputs up to one byte less than a block, and tasks that end at different times.
    const auto input_of = [](std::size_t i) {
        return test::counting((i * 167) % 168, static_cast<unsigned>(i));
    };
    const auto blocks_of = [](std::size_t i) { return 1 + i * 5 % 7; };
    auto tasks = keccak::make_tasks<count>([&](std::size_t i) { return Blocks{input_of(i), blocks_of(i)}; });
    keccak::run<Lanes>(tasks);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(tasks[i].output(), hash<Shake128>(input_of(i), blocks_of(i) * 168)) << i << " of " << count;
}
template <class Lanes, std::size_t... counts>
void expect_each_equals_its_own_sponge()
{
    (expect_each_equals_its_own_sponge_of<Lanes, counts>(), ...);
}

TEST(KeccakScheduler, RunsEachSpongeAsAloneOnOneLane)
{
    expect_each_equals_its_own_sponge<Portable::WideWords, 1, 5>();
}

TEST(KeccakScheduler, RunsEachSpongeAsAloneOnFourLanes)
{
    expect_each_equals_its_own_sponge<FourWords, 1, 3, 4, 5, 17>();
}

TEST(KeccakScheduler, RunsTheLastSpongesInFewerLanes)
{
    expect_each_equals_its_own_sponge<FiveWords, 1, 2, 3, 4, 5, 6, 23>();
}

/// Tasks that begin when another has so many blocks, or never, as it has not so many: as many as
/// fit beside what is at work in fewer lanes, and more.
template <class Lanes>
void expect_later_tasks()
{
    const auto make = [](std::size_t first, std::size_t count) {
        std::vector<std::unique_ptr<Blocks>> tasks;
        for (std::size_t i = first; i < first + count; ++i)
            tasks.push_back(std::make_unique<Blocks>(test::counting(i, static_cast<unsigned>(i)), 2 + i % 5));
        return tasks;
    };
    const auto pointers = [](const std::vector<std::unique_ptr<Blocks>>& tasks) {
        std::vector<keccak::Task*> list;
        for (const auto& task : tasks) list.push_back(task.get());
        return list;
    };
    for (std::size_t first = 1; first <= 7; ++first)
        for (std::size_t later = 0; later <= 7; ++later)
            for (const std::size_t blocks : {1U, 2U, 7U}) {
                const auto early_tasks = make(0, first);
                const auto later_tasks = make(first, later);
                const auto is_ready = [&] { return early_tasks.back()->output().size() >= blocks * 168; };
                keccak::run<Lanes>(std::span<keccak::Task* const>{pointers(early_tasks)}, is_ready,
                                   std::span<keccak::Task* const>{pointers(later_tasks)});
                for (std::size_t i = 0; i < first + later; ++i) {
                    const auto& task = i < first ? early_tasks[i] : later_tasks[i - first];
                    const std::size_t expected = i < first || blocks < 7 ? 2 + i % 5 : 0;
                    ASSERT_EQ(task->output(),
                              hash<Shake128>(test::counting(i, static_cast<unsigned>(i)), expected * 168))
                        << i << " of " << first << " and " << later << " after " << blocks;
                }
            }
}

TEST(KeccakScheduler, BeginsTasksThatWaitedForOthers)
{
    expect_later_tasks<Portable::WideWords>();
    expect_later_tasks<FourWords>();
    expect_later_tasks<FiveWords>();
}

/// H of every message of up to two blocks and a byte, in two pieces, followed by H of the digest:
/// one chain a message.
template <class Lanes>
void expect_chains_of_hashes()
{
    using Hash = keccak::HashTask<Portable>;
    constexpr std::size_t messages = 2 * keccak::shake256_function.rate + 2;
    const test::ByteString whole = message(messages);
    std::vector<std::array<Byte, 64>> first(messages);
    std::vector<std::array<Byte, 48>> second(messages);
    std::vector<std::unique_ptr<Hash>> hashes;
    std::vector<keccak::Task*> tasks;
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        hashes.push_back(std::make_unique<Hash>(Hash::Pieces{BytesIn<>{first[size]}, text}, second[size]));
        hashes.push_back(std::make_unique<Hash>(Hash::Pieces{text.first(size / 3), text.subspan(size / 3)},
                                                first[size], hashes.back().get()));
        tasks.push_back(hashes.back().get());
    }
    keccak::run<Lanes>(std::span<keccak::Task* const>{tasks});
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        test::ByteString expected = hash<Shake256>(text, 64);
        ASSERT_EQ(test::ByteString(first[size].begin(), first[size].end()), expected) << size;
        expected.insert(expected.end(), text.begin(), text.end());
        ASSERT_EQ(test::ByteString(second[size].begin(), second[size].end()), hash<Shake256>(expected, 48))
            << size;
    }
}

TEST(KeccakScheduler, RunsChainsOfHashesOnOneLane) { expect_chains_of_hashes<Portable::WideWords>(); }

TEST(KeccakScheduler, RunsChainsOfHashesOnFourLanes) { expect_chains_of_hashes<FourWords>(); }

TEST(KeccakScheduler, RunsChainsOfHashesInFewerLanes) { expect_chains_of_hashes<FiveWords>(); }

TEST(KeccakTables, AreThoseOfTheStandard)
{
    // FIPS 202, Table 2 (modulo 64): rotations of the words (x, 0) and the largest of all.
    EXPECT_EQ(keccak::tables::rotations[0], 0);
    EXPECT_EQ(keccak::tables::rotations[1], 1);
    EXPECT_EQ(keccak::tables::rotations[2], 190 % 64);
    EXPECT_EQ(keccak::tables::rotations[3], 28);
    EXPECT_EQ(keccak::tables::rotations[4], 91 % 64);
    EXPECT_EQ(keccak::tables::round_constants[0], 0x0000000000000001U);
    EXPECT_EQ(keccak::tables::round_constants[1], 0x0000000000008082U);
    EXPECT_EQ(keccak::tables::round_constants[23], 0x8000000080008008U);
}

}  // namespace
