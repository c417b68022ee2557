/// Keccak, SHA-3 and SHAKE against another implementation, every way of cutting a message or an
/// output into pieces, and many sponges at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "isa/portable/engine.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/typed.hpp"

namespace {

using namespace girih;
using Portable = isa::portable::Isa;

/// A function of FIPS 202, and SHA3-256 over its outputs for the first 0, 1, ..., 2 rate + 1 bytes
/// of message(600), made with Python's hashlib: the digest, or for SHAKE as many bytes as the
/// message has.
struct Answer {
    const char* name;
    keccak::Function function;
    std::size_t digest_bytes;  ///< 0 for SHAKE
    std::string_view every_length;
};
constexpr std::array<Answer, 6> answers{
    {{"Sha3With224Bits", keccak::sha3_function(28), 28,
      "A3C6BAE6BF0BE5D33A493690ABB75139BE7C372A4D54E90BF6B4AF8505F2B27D"},
     {"Sha3With256Bits", keccak::sha3_function(32), 32,
      "1242785216A3478C6AB5DEB4D109DFDDB82256C40D2B522F92AA9875D06FF875"},
     {"Sha3With384Bits", keccak::sha3_function(48), 48,
      "5ED4D3E96C1EA8648DA6F3BA47EFD8ABFDE837C9D389057C8CDCC3756592FC54"},
     {"Sha3With512Bits", keccak::sha3_function(64), 64,
      "AC515F58D1E1EF8221AE3118C87CC489DE1AE66953FFB8A9914B22899270067E"},
     {"Shake128", keccak::shake128_function, 0,
      "C8FDC383BB9A0D173706AE81DB86117DE819E7FFC6398B414C697B0CC4148EFC"},
     {"Shake256", keccak::shake256_function, 0,
      "2B01C72124687C8D7012A4DB3BDC4E88407AAF143C7C59B64EF6ED8B797D986D"}}};

/// A function as a type, by its place among the answers, for gtest to run each claim with.
template <std::size_t place>
struct Of {
    static constexpr const Answer& answer = answers[place];
    static constexpr const char* name = answer.name;
    static constexpr std::size_t rate = answer.function.rate;
    using Sponge = keccak::Sponge<Portable, answer.function>;
};
using Sha3_256 = Of<1>;
using Shake128 = Of<4>;
using Shake256 = Of<5>;
using Functions = testing::Types<Of<0>, Sha3_256, Of<2>, Of<3>, Shake128, Shake256>;

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
    typename T::Sponge{}.absorb(input).squeeze(output);
    return output;
}

template <class T>
class Keccak : public testing::Test {};
TYPED_TEST_SUITE(Keccak, Functions, test::AlgorithmNames);

TYPED_TEST(Keccak, HashesMessagesOfEveryLengthUpToTwoBlocks)
{
    const test::ByteString whole = message(600);
    Sha3_256::Sponge all;
    for (std::size_t size = 0; size <= 2 * TypeParam::rate + 1; ++size) {
        const std::size_t digest_bytes = TypeParam::answer.digest_bytes;
        all.absorb(hash<TypeParam>(BytesIn<>{whole}.first(size), digest_bytes == 0 ? size : digest_bytes));
    }
    test::ByteString digest(32);
    all.squeeze(digest);
    EXPECT_EQ(test::to_hex(digest), TypeParam::answer.every_length);
}

/// Calls claim(first, middle) with the ends of the first two of three pieces, at every place.
template <class Claim>
void for_each_cut(std::size_t size, Claim claim)
{
    for (std::size_t first = 0; first <= size; ++first)
        for (const std::size_t second : {0U, 1U, 8U, 13U}) {
            SCOPED_TRACE(testing::Message() << first << " + " << second);
            claim(first, std::min(first + second, size));
        }
}

TYPED_TEST(Keccak, AbsorbsTheSameMessageHoweverItIsCut)
{
    const test::ByteString whole = message(2 * TypeParam::rate + 3);
    const test::ByteString expected = hash<TypeParam>(whole, 32);
    test::ByteString output(32);
    for_each_cut(whole.size(), [&](std::size_t first, std::size_t middle) {
        typename TypeParam::Sponge sponge;
        sponge.absorb(BytesIn<>{whole}.first(first)).absorb(BytesIn<>{whole}.subspan(first, middle - first));
        sponge.absorb(BytesIn<>{whole}.subspan(middle)).squeeze(output);
        ASSERT_EQ(output, expected);
    });
    typename TypeParam::Sponge by_bytes;
    for (const Byte byte : whole) by_bytes.absorb(byte);
    by_bytes.squeeze(output);
    EXPECT_EQ(output, expected);
}

TYPED_TEST(Keccak, SqueezesTheSameOutputHoweverItIsCut)
{
    const test::ByteString input = message(20);
    const test::ByteString expected = hash<TypeParam>(input, 2 * TypeParam::rate + 11);
    for_each_cut(expected.size(), [&](std::size_t first, std::size_t middle) {
        test::ByteString output(expected.size());
        const BytesOut<> out = output;
        typename TypeParam::Sponge sponge;
        sponge.absorb(input).squeeze(out.first(first));
        sponge.squeeze(out.subspan(first, middle - first)).squeeze(out.subspan(middle));
        ASSERT_EQ(output, expected);
    });
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

    template <int bits>
    static Words rotate_left(Words a)
    {
        for (std::uint64_t& lane : a.lanes) lane = One::rotate_left<bits>(lane);
        return a;
    }
    static Words chi(Words a, const Words& b, const Words& c)
    {
        for (std::size_t i = 0; i < count; ++i) a.lanes[i] = One::chi(a.lanes[i], b.lanes[i], c.lanes[i]);
        return a;
    }
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

/// Five states, whose last tasks go on in three lanes or one.
struct FiveWords : ArrayWords<5> {
    using Fewer = ArrayWords<3>;
};

/// Four states that are kept apart, and absorb row by row.
struct ApartWords {
    static constexpr std::size_t count = 4;
    using Fewer = ArrayWords<2>;
    using One = Portable::WideWords;
    using State = std::array<std::array<std::uint64_t, keccak::words>, count>;

    static void permute(State& states)
    {
        for (auto& state : states) keccak::permute<One>(state);
    }
    static constexpr int single_rows = count;
    static void absorb_row(State& states, std::size_t lane, keccak::Row& row, bool is_fresh)
    {
        std::array<keccak::Row, 1> rows{row};
        One::absorb_rows(states[lane], rows, {is_fresh});
        row = {};
    }
    static void absorb_rows(State& states, std::array<keccak::Row, count>& rows,
                            const std::array<bool, count>& fresh)
    {
        for (std::size_t lane = 0; lane < count; ++lane) absorb_row(states, lane, rows[lane], fresh[lane]);
    }
};
static_assert(keccak::PermutesTasks<ApartWords>);

/// Absorbs less than a block of SHAKE128, wants a number of blocks, and keeps them.
class Blocks final : public keccak::Task {
  public:
    static constexpr keccak::Function function = keccak::shake128_function;

    /// The task with this number: each has another input, the first ones nearly a block.
    Blocks(std::size_t number, std::size_t wanted)
        : input_(test::counting(number * 167 % 168, static_cast<unsigned>(number))), wanted_(wanted)
    {
    }
    void start(keccak::Lane lane) noexcept override
    {
        lane.absorb(input_);
        lane.pad(function, input_.size());
    }
    Task* resume(keccak::Lane lane) noexcept override
    {
        output_.resize(output_.size() + function.rate);
        lane.squeeze(BytesOut<>{output_}.last(function.rate));
        return blocks() == wanted_ ? nullptr : this;
    }
    [[nodiscard]] std::size_t blocks() const { return output_.size() / function.rate; }
    [[nodiscard]] const test::ByteString& output() const { return output_; }
    [[nodiscard]] test::ByteString expected() const
    {
        return hash<Shake128>(input_, wanted_ * function.rate);
    }

  private:
    test::ByteString input_;
    std::size_t wanted_;
    test::ByteString output_;
};

/// Pointers to tasks, as the scheduler takes them.
template <class T>
std::vector<keccak::Task*> pointers_to(std::deque<T>& tasks)
{
    std::vector<keccak::Task*> pointers;
    for (T& task : tasks) pointers.push_back(&task);
    return pointers;
}

template <class Lanes>
class KeccakScheduler : public testing::Test {};
struct PairedWords : ArrayWords<4> {
    static constexpr bool permutes_pairs = true;
};
using AllLanes = testing::Types<Portable::WideWords, ArrayWords<4>, FiveWords, PairedWords, ApartWords>;
TYPED_TEST_SUITE(KeccakScheduler, AllLanes, );

TYPED_TEST(KeccakScheduler, RunsEachSpongeAsAlone)
{
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 6U, 17U, 23U}) {
        std::deque<Blocks> tasks;
        for (std::size_t i = 0; i < count; ++i) tasks.emplace_back(i, 1 + i * 5 % 7);
        keccak::run<TypeParam, /*in_pairs=*/true>(std::span<keccak::Task* const>{pointers_to(tasks)});
        for (const Blocks& task : tasks) EXPECT_EQ(task.output(), task.expected()) << count;
    }
}

/// Tasks that begin when another has so many blocks, or never, as it has not so many: as many as
/// fit beside what is at work in fewer lanes, and more.
TYPED_TEST(KeccakScheduler, BeginsTasksThatWaitedForOthers)
{
    for (std::size_t first = 1; first <= 7; ++first)
        for (std::size_t later = 0; later <= 7; ++later)
            for (const std::size_t blocks : {1U, 2U, 7U}) {
                SCOPED_TRACE(testing::Message() << first << " and " << later << " after " << blocks);
                std::deque<Blocks> early, late;
                for (std::size_t i = 0; i < first; ++i) early.emplace_back(i, 2 + i % 5);
                for (std::size_t i = first; i < first + later; ++i) late.emplace_back(i, 2 + i % 5);
                const auto is_ready = [&] { return early.back().blocks() >= blocks; };
                keccak::run<TypeParam, /*in_pairs=*/true>(pointers_to(early), is_ready, pointers_to(late));
                for (const Blocks& task : early) ASSERT_EQ(task.output(), task.expected());
                for (const Blocks& task : late)
                    ASSERT_EQ(task.output(), blocks < 7 ? task.expected() : test::ByteString{});
            }
}

/// H of every message of up to two blocks and a byte, in two pieces, followed by H of the digest:
/// one chain a message.
TYPED_TEST(KeccakScheduler, RunsChainsOfHashes)
{
    using Hash = keccak::HashTask<Portable>;
    constexpr std::size_t messages = 2 * keccak::shake256_function.rate + 2;
    const test::ByteString whole = message(messages);
    std::vector<std::array<Byte, 64>> first(messages);
    std::vector<std::array<Byte, 48>> second(messages);
    std::deque<Hash> begin, follow;
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        follow.emplace_back(Hash::Pieces{BytesIn<>{first[size]}, text}, second[size]);
        begin.emplace_back(Hash::Pieces{text.first(size / 3), text.subspan(size / 3)}, first[size],
                           &follow.back());
    }
    keccak::run<TypeParam, /*in_pairs=*/true>(std::span<keccak::Task* const>{pointers_to(begin)});
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        test::ByteString expected = hash<Shake256>(text, 64);
        ASSERT_TRUE(std::ranges::equal(first[size], expected)) << size;
        expected.insert(expected.end(), text.begin(), text.end());
        ASSERT_TRUE(std::ranges::equal(second[size], hash<Shake256>(expected, 48))) << size;
    }
}

}  // namespace
