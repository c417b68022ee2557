/// Reading takes time in proportion to the file's length, whatever its content. Time is counted in
/// steps, so that the verdict is the same on every machine.
#include <algorithm>
#include <functional>

#include <gtest/gtest-spi.h>

#include "key_files/encoding/pem.hpp"
#include "key_files/encryption/pbes2.hpp"
#include "key_files/structures.hpp"
#include "samples.hpp"
#include "steps.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using namespace std::string_literals;
using namespace std::string_view_literals;

/// A file this much longer takes 8 times the steps where work is linear, and 64 times where it
/// grows with the square; the limit between them leaves room for a logarithm.
constexpr std::size_t times_longer = 8;
constexpr std::uint64_t most_times_the_steps = 12;

std::uint64_t steps_of(const std::function<void()>& work)
{
    const std::uint64_t before = steps();
    work();
    return steps() - before;
}

/// `piece` again and again, until there are `bytes`.
Bytes repeated(std::string_view piece, std::size_t bytes)
{
    Bytes all;
    all.reserve(bytes + piece.size());
    while (all.size() < bytes) all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

Bytes in_a_block(const Bytes& body)
{
    return join({bytes_of("-----BEGIN PRIVATE KEY-----\n"), body, bytes_of("\n-----END PRIVATE KEY-----\n")});
}

/// SEQUENCEs within SEQUENCEs, each with its right length, around nothing.
Bytes nested(std::size_t bytes)
{
    Bytes reversed;
    while (reversed.size() < bytes) {
        const std::size_t inside = reversed.size();
        std::size_t count = 0;
        for (std::size_t rest = inside; rest != 0 && inside >= 0x80; rest >>= 8, ++count)
            reversed.push_back(static_cast<std::uint8_t>(rest));
        reversed.push_back(static_cast<std::uint8_t>(count == 0 ? inside : 0x80 | count));
        reversed.push_back(0x30);
    }
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
}

struct Junk {
    std::string name;
    std::function<Bytes(std::size_t bytes)> make;
};
void PrintTo(const Junk& junk, std::ostream* out) { *out << junk.name; }

constexpr std::pair<const char*, std::string_view> pieces[]{
    {"EqualsSigns", "="},
    {"Dashes", "-"},
    {"LineFeeds", "\n"},
    {"CarriageReturns", "\r"},
    {"Blanks", " "},
    {"Colons", ":"},
    {"Zeros", "\0"sv},
    {"Letters", "A"},
    {"ShortLines", "A\n"},
    {"EqualsSignsInLines", "=\n"},
    {"LettersAndEqualsSigns", "AAA="},
    {"LettersAndBlanks", "A \t"},
    {"FalseLetters", "AAA*"},
    {"DashesInLines", "----\n"},
    {"CutBegins", "-----BEGI"},
    {"CutBeginLines", "-----BEGIN PRIVATE KEY----\n"},
    {"BeginLines", "-----BEGIN PRIVATE KEY-----\n"},
    {"BeginsInOneLine", "-----BEGIN PRIVATE KEY-----"},
    {"EndLines", "-----END PRIVATE KEY-----\n"},
    {"Blocks", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"},
    {"BlocksOfOtherKinds", "-----BEGIN X-----\nAAAA\n-----END X-----\n"},
    {"JoinedBlocks", "-----BEGIN X-----\n-----END X-----"},
    {"ByteOrderMarks", "\xEF\xBB\xBF\n"},
    {"BeginsWithinLines", "a -----BEGIN X-----\n"},
    {"CutBeginsInUtf16", "-\0-\0-\0-\0-\0B\0E\0G\0I\0"sv},
    {"Sequences", "\x30\x02"},
    {"IndefiniteSequences", "\x30\x80"},
    {"LongLengths", "\x30\x84\x7F\xFF\xFF\xFF"},
    {"LongerLengths", "\x30\xFE\xFF"},
};

std::vector<Junk> junk()
{
    std::vector<Junk> all;
    const auto add = [&all](const std::string& name, std::function<Bytes(std::size_t bytes)> make) {
        all.push_back({name, std::move(make)});
    };
    for (const auto& [name, piece] : pieces) {
        const auto fill = [text = piece](std::size_t bytes) { return repeated(text, bytes); };
        const Bytes begin = bytes_of("-----BEGIN PRIVATE KEY-----\n");
        add(name, fill);
        add(name + "AfterBegin"s, [=](std::size_t bytes) { return join({begin, fill(bytes)}); });
        add(name + "InABlock"s, [=](std::size_t bytes) { return in_a_block(fill(bytes)); });
    }
    const auto in_issuer = [](const Bytes& issuer) {
        return Certificate{.issuer = sequence({issuer})}.der();
    };
    add("LettersThenEqualsSigns", [](std::size_t bytes) {
        return in_a_block(join({Bytes(bytes / 2, 'A'), Bytes(bytes / 2, '='), {'A'}}));
    });
    add("LongLabel", [](std::size_t bytes) {
        return join({bytes_of("-----BEGIN "), Bytes(bytes, 'A'), bytes_of("-----\n")});
    });
    add("NestedSequences", nested);
    add("NestedInACertificate", [=](std::size_t bytes) { return in_issuer(nested(bytes)); });
    add("TinyElementsInACertificate",
        [=](std::size_t bytes) { return in_issuer(repeated("\x05\x00"sv, bytes)); });
    add("TinySetsInACertificate",
        [=](std::size_t bytes) { return in_issuer(repeated("\x31\x02\x05\x00"sv, bytes)); });
    add("TinyElementsInAttributes", [](std::size_t bytes) {
        const Bytes attributes = element(0xA0, repeated("\x05\x00"sv, bytes));
        return pkcs8("ML-DSA-44", seed_choice(Bytes(32, 7)), 0, attributes);
    });
    add("LongIdentifier", [](std::size_t bytes) {
        return sequence({sequence({element(0x06, Bytes(bytes, 0x81))}), element(0x03, {0})});
    });
    add("Members", [](std::size_t bytes) {
        std::string text = "{\"a\":[";
        while (text.size() < bytes) text += "{\"b\":[],\"c\":0},";
        return bytes_of(text);
    });
    add("Escapes", [](std::size_t bytes) { return join({bytes_of("{\""), repeated("\\u00e9", bytes)}); });
    add("NestedArrays", [](std::size_t bytes) { return join({{0xA1, 4}, Bytes(bytes, 0x81)}); });
    return all;
}

/// How the steps of `work` grow from the `shorter` file to the `longer`.
void expect_linear(const Bytes& shorter, const Bytes& longer, const char* what,
                   const std::function<void(const Bytes&)>& work)
{
    const std::uint64_t before = steps_of([&] { work(shorter); });
    const std::uint64_t after = steps_of([&] { work(longer); });
    EXPECT_GT(before, 0U) << what << " is counted";
    EXPECT_LT(after, most_times_the_steps * before)
        << what << " takes " << after << " steps for " << longer.size() << " bytes, and " << before << " for "
        << shorter.size();
}

class LinearTime : public testing::TestWithParam<Junk> {};

TEST_P(LinearTime, OfReadingAFileUpToTheLongestAndOfEveryDecoder)
{
    const auto file_of = [](std::size_t bytes) {
        Bytes file = GetParam().make(bytes - 8192);
        file.resize(std::min(file.size(), bytes));
        return file;
    };
    const Bytes shorter = file_of(max_file_bytes / times_longer);
    const Bytes longer = file_of(max_file_bytes);
    const auto expect = [&](const char* what, const std::function<void(const Bytes&)>& work) {
        expect_linear(shorter, longer, what, work);
    };
    Found found;
    expect("reading", [](const Bytes& file) {
        const auto key = read(file);
        EXPECT_LT(key ? 0 : key.error().message.size(), 1000u) << "a message is a line";
        (void)read(file, girih_algorithm("Falcon-512"));
    });
    expect("PEM", [](const Bytes& file) { (void)pem::decode(file); });
    expect("PKCS#8", [&](const Bytes& file) { (void)read_pkcs8(file, found); });
    expect("SubjectPublicKeyInfo", [&](const Bytes& file) { (void)read_public_key_info(file, found); });
    expect("certificate", [&](const Bytes& file) { (void)read_certificate(file, found); });
    expect("encrypted private key", [](const Bytes& file) { (void)pbes2::parse(file, {}); });
}

INSTANTIATE_TEST_SUITE_P(Junk, LinearTime, testing::ValuesIn(junk()),
                         [](const auto& made) { return made.param.name; });

/// In loops, in allocations, and in moves within memory.
TEST(TheTestOfLinearTime, NoticesASquare)
{
    static const Bytes shorter(std::size_t{1} << 12);
    static const Bytes longer(shorter.size() * times_longer);
    static const auto look_again = [](const Bytes& file) {
        volatile unsigned sum = 0;
        for (std::size_t i = 0; i < file.size(); ++i)
            for (std::size_t j = 0; j < i; j += 64) sum = sum + file[j];
    };
    static const auto copy_again = [](const Bytes& file) {
        for (std::size_t i = 0; i < file.size(); i += 64) (void)Bytes(file.begin(), file.end()).data();
    };
    [[maybe_unused]] static const auto erase_again = [](const Bytes& file) {
        for (Bytes rest = file; !rest.empty();) rest.erase(rest.begin());
    };
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "looking", look_again), "looking takes");
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "copying", copy_again), "copying takes");
#if !defined(GIRIH_CHECK_BOUNDS)  // the address sanitizer moves memory by functions of its own
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "erasing", erase_again), "erasing takes");
#endif
}

TEST(LongestFile, IsRefusedOnlyBeyondItsLength)
{
    const Bytes key = write_public_key(public_half(key_of(girih_algorithm("ML-DSA-44"))), Format::pem);
    const Bytes text(max_file_bytes - key.size() - 1, 'x');
    EXPECT_TRUE(read(join({text, {'\n'}, key})));
    expect_refused({join({text, {'\n', '\n'}, key}), Problem::too_long,
                    "the file has 1048577 bytes, but a key file has at most 1048576"});
    expect_refused({join({text, {'\n', '\n'}, key}), Problem::too_long, "at most"},
                   girih_algorithm("ML-DSA-44"));
}

TEST(LongestFile, IsManyTimesWhatKeysTake)
{
    std::size_t longest = 0;
    for (const girih_alg* alg : algorithms()) {
        const PrivateKey key = key_of(alg);
        const PrivateForm form = has_all_forms(alg) ? PrivateForm::both : PrivateForm::expanded;
        longest = std::max(longest, write_private_key(key, form, Format::pem)->size());
    }
    EXPECT_LT(20 * longest, max_file_bytes);
}

}  // namespace
}  // namespace girih::key_files
