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

/// The answers of one function for messages of 0 and 1600 bits (200 times A3), NIST's examples
/// with intermediate values for FIPS 202 (of SHAKE the first 32 bytes); and SHA3-256 over the
/// outputs for the first 0, 1, ..., 2 rate + 1 bytes of message(600), made with Python's hashlib:
/// the digest, or for SHAKE as many bytes as the message has.
struct Answers {
    std::string_view name, of_nothing, of_a3, every_length;
};

constexpr Answers sha3_224_answers{"Sha3With224Bits",
                                   "6B4E03423667DBB73B6E15454F0EB1ABD4597F9A1B078E3F5B5A6BC7",
                                   "9376816ABA503F72F96CE7EB65AC095DEEE3BE4BF9BBC2A1CB7E11E0",
                                   "A3C6BAE6BF0BE5D33A493690ABB75139BE7C372A4D54E90BF6B4AF8505F2B27D"};
constexpr Answers sha3_256_answers{"Sha3With256Bits",
                                   "A7FFC6F8BF1ED76651C14756A061D662F580FF4DE43B49FA82D80A4B80F8434A",
                                   "79F38ADEC5C20307A98EF76E8324AFBFD46CFD81B22E3973C65FA1BD9DE31787",
                                   "1242785216A3478C6AB5DEB4D109DFDDB82256C40D2B522F92AA9875D06FF875"};
constexpr Answers sha3_384_answers{
    "Sha3With384Bits",
    "0C63A75B845E4F7D01107D852E4C2485C51A50AAAA94FC61995E71BBEE983A2AC3713831264ADB47FB6BD1E058D5F004",
    "1881DE2CA7E41EF95DC4732B8F5F002B189CC1E42B74168ED1732649CE1DBCDD76197A31FD55EE989F2D7050DD473E8F",
    "5ED4D3E96C1EA8648DA6F3BA47EFD8ABFDE837C9D389057C8CDCC3756592FC54"};
constexpr Answers sha3_512_answers{
    "Sha3With512Bits",
    "A69F73CCA23A9AC5C8B567DC185A756E97C982164FE25859E0D1DCC1475C80A615B2123AF1F5F94C11E3E9402C3AC558"
    "F500199D95B6D3E301758586281DCD26",
    "E76DFAD22084A8B1467FCF2FFA58361BEC7628EDF5F3FDC0E4805DC48CAEECA81B7C13C30ADF52A3659584739A2DF46B"
    "E589C51CA1A4A8416DF6545A1CE8BA00",
    "AC515F58D1E1EF8221AE3118C87CC489DE1AE66953FFB8A9914B22899270067E"};
constexpr Answers shake128_answers{"Shake128",
                                   "7F9C2BA4E88F827D616045507605853ED73B8093F6EFBC88EB1A6EACFA66EF26",
                                   "131AB8D2B594946B9C81333F9BB6E0CE75C3B93104FA3469D3917457385DA037",
                                   "C8FDC383BB9A0D173706AE81DB86117DE819E7FFC6398B414C697B0CC4148EFC"};
constexpr Answers shake256_answers{"Shake256",
                                   "46B9DD2B0BA88D13233B3FEB743EEB243FCD52EA62B81B82B50C27646ED5762F",
                                   "CD8A920ED141AA0407A22D59288652E9D9F1A7EE0C1E7C1CA699424DA84A904D",
                                   "2B01C72124687C8D7012A4DB3BDC4E88407AAF143C7C59B64EF6ED8B797D986D"};

/// A function of FIPS 202 as a type, for gtest to run each claim with.
template <keccak::Function function_, std::size_t digest_bytes_, const Answers& answers_>
struct Of {
    static constexpr keccak::Function function = function_;
    static constexpr std::size_t digest_bytes = digest_bytes_;  ///< 0 for SHAKE
    static constexpr const Answers& answers = answers_;
};
using Sha3_256 = Of<keccak::sha3_function(32), 32, sha3_256_answers>;
using Shake128 = Of<keccak::shake128_function, 0, shake128_answers>;
using Shake256 = Of<keccak::shake256_function, 0, shake256_answers>;
using Functions = testing::Types<Of<keccak::sha3_function(28), 28, sha3_224_answers>, Sha3_256,
                                 Of<keccak::sha3_function(48), 48, sha3_384_answers>,
                                 Of<keccak::sha3_function(64), 64, sha3_512_answers>, Shake128, Shake256>;

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
TYPED_TEST_SUITE(Keccak, Functions, FunctionNames);

TYPED_TEST(Keccak, GivesThePublishedAnswers)
{
    const std::size_t size = TypeParam::answers.of_nothing.size() / 2;
    EXPECT_EQ(test::to_hex(hash<TypeParam>({}, size)), TypeParam::answers.of_nothing);
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
    test::ByteString output(32);
    SpongeOf<TypeParam> by_bytes;
    for (const Byte byte : whole) by_bytes.absorb(byte);
    by_bytes.squeeze(output);
    EXPECT_EQ(output, expected);
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

/// Tasks, and pointers to them as the scheduler takes them.
template <class T>
struct List {
    std::vector<std::unique_ptr<T>> tasks;
    std::vector<keccak::Task*> pointers;

    template <class... Arguments>
    T& add(Arguments&&... arguments)
    {
        tasks.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
        return *tasks.back();
    }
    void start_with(T& task) { pointers.push_back(&task); }
    [[nodiscard]] std::span<keccak::Task* const> span() const { return pointers; }
};

template <class Lanes>
class KeccakScheduler : public testing::Test {};
using AllLanes = testing::Types<Portable::WideWords, FourWords, FiveWords>;
TYPED_TEST_SUITE(KeccakScheduler, AllLanes, );

TYPED_TEST(KeccakScheduler, RunsEachSpongeAsAlone)
{
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 6U, 17U, 23U}) {
        List<Blocks> list;
        for (std::size_t i = 0; i < count; ++i) list.start_with(list.add(i, 1 + i * 5 % 7));
        keccak::run<TypeParam>(list.span());
        for (const auto& task : list.tasks) EXPECT_EQ(task->output(), task->expected()) << count;
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
                List<Blocks> early, late;
                for (std::size_t i = 0; i < first; ++i) early.start_with(early.add(i, 2 + i % 5));
                for (std::size_t i = first; i < first + later; ++i) late.start_with(late.add(i, 2 + i % 5));
                const auto is_ready = [&] { return early.tasks.back()->blocks() >= blocks; };
                keccak::run<TypeParam>(early.span(), is_ready, late.span());
                for (const auto& task : early.tasks) ASSERT_EQ(task->output(), task->expected());
                for (const auto& task : late.tasks)
                    ASSERT_EQ(task->output(), blocks < 7 ? task->expected() : test::ByteString{});
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
    List<Hash> list;
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        Hash& next = list.add(Hash::Pieces{BytesIn<>{first[size]}, text}, second[size]);
        list.start_with(
            list.add(Hash::Pieces{text.first(size / 3), text.subspan(size / 3)}, first[size], &next));
    }
    keccak::run<TypeParam>(list.span());
    for (std::size_t size = 0; size < messages; ++size) {
        const BytesIn<> text = BytesIn<>{whole}.first(size);
        test::ByteString expected = hash<Shake256>(text, 64);
        ASSERT_TRUE(std::ranges::equal(first[size], expected)) << size;
        expected.insert(expected.end(), text.begin(), text.end());
        ASSERT_TRUE(std::ranges::equal(second[size], hash<Shake256>(expected, 48))) << size;
    }
}

}  // namespace
