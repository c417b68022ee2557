/// Reading takes time in proportion to the file's length, whatever is in it. Time is counted in
/// steps, so that the verdict is the same on every machine.
#include <algorithm>
#include <functional>

#include <gtest/gtest-spi.h>

#include "key_files/encryption/pbes2.hpp"
#include "key_files/pem.hpp"
#include "key_files/structures.hpp"
#include "samples.hpp"
#include "steps.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// Longer than any file that is read, and not so long that counting takes long.
constexpr std::size_t junk_bytes = std::size_t{1} << 21;

/// A file this much longer takes 8 times the steps where work is linear, and 64 times where it
/// grows with the square; between them there is room for a logarithm.
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

/// A certificate whose issuer is what is given.
Bytes certificate_of(const Bytes& issuer)
{
    const Bytes key =
        public_key_info("ML-DSA-44", join({{0}, key_of(girih_algorithm("ML-DSA-44")).public_key}));
    const Bytes tbs = join({element(0x02, {1}), algorithm_of("ML-DSA-44"), element(0x30, issuer),
                            element(0x30, {}), element(0x30, {}), key});
    return element(0x30, join({element(0x30, tbs), algorithm_of("ML-DSA-44"), element(0x03, {0})}));
}

struct Junk {
    std::string name;
    std::function<Bytes(std::size_t bytes)> make;
};
void PrintTo(const Junk& junk, std::ostream* out) { *out << junk.name; }

/// The same piece again and again: alone, after a BEGIN line, and within a whole block.
void add_repeated(std::vector<Junk>& all, const std::string& name, const std::string& piece)
{
    const auto fill = [piece](std::size_t bytes) { return repeated(piece, bytes); };
    all.push_back({name, fill});
    all.push_back({name + "AfterBegin", [fill](std::size_t bytes) {
                       return join({bytes_of("-----BEGIN PRIVATE KEY-----\n"), fill(bytes)});
                   }});
    all.push_back({name + "InABlock", [fill](std::size_t bytes) { return in_a_block(fill(bytes)); }});
}

std::vector<Junk> junk()
{
    std::vector<Junk> all;
    const auto repeat = [&all](const std::string& name, const std::string& piece) {
        add_repeated(all, name, piece);
    };
    repeat("EqualsSigns", "=");
    repeat("Dashes", "-");
    repeat("LineFeeds", "\n");
    repeat("CarriageReturns", "\r");
    repeat("Blanks", " ");
    repeat("Colons", ":");
    repeat("Zeros", std::string(1, '\0'));
    repeat("Letters", "A");
    repeat("ShortLines", "A\n");
    repeat("EqualsSignsInLines", "=\n");
    repeat("LettersAndEqualsSigns", "AAA=");
    repeat("LettersAndBlanks", "A \t");
    repeat("FalseLetters", "AAA*");
    repeat("DashesInLines", "----\n");
    repeat("CutBegins", "-----BEGI");
    repeat("CutBeginLines", "-----BEGIN PRIVATE KEY----\n");
    repeat("BeginLines", "-----BEGIN PRIVATE KEY-----\n");
    repeat("BeginsInOneLine", "-----BEGIN PRIVATE KEY-----");
    repeat("EndLines", "-----END PRIVATE KEY-----\n");
    repeat("Blocks", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    repeat("BlocksOfOtherKinds", "-----BEGIN X-----\nAAAA\n-----END X-----\n");
    repeat("JoinedBlocks", "-----BEGIN X-----\n-----END X-----");
    repeat("ByteOrderMarks", "\xEF\xBB\xBF\n");
    repeat("BeginsWithinLines", "a -----BEGIN X-----\n");
    repeat("CutBeginsInUtf16", std::string("-\0-\0-\0-\0-\0B\0E\0G\0I\0", 18));
    repeat("Sequences", "\x30\x02");
    repeat("IndefiniteSequences", "\x30\x80");
    repeat("LongLengths", "\x30\x84\x7F\xFF\xFF\xFF");
    repeat("LongerLengths", "\x30\xFE\xFF");
    all.push_back({"LettersThenEqualsSigns", [](std::size_t bytes) {
                       return in_a_block(join({Bytes(bytes / 2, 'A'), Bytes(bytes / 2, '='), {'A'}}));
                   }});
    all.push_back({"LongLabel", [](std::size_t bytes) {
                       return join({bytes_of("-----BEGIN "), Bytes(bytes, 'A'), bytes_of("-----\n")});
                   }});
    all.push_back({"NestedSequences", nested});
    all.push_back({"NestedInACertificate", [](std::size_t bytes) { return certificate_of(nested(bytes)); }});
    all.push_back({"TinyElementsInACertificate", [](std::size_t bytes) {
                       return certificate_of(repeated(std::string("\x05\x00", 2), bytes));
                   }});
    all.push_back({"TinySetsInACertificate", [](std::size_t bytes) {
                       return certificate_of(repeated(std::string("\x31\x02\x05\x00", 4), bytes));
                   }});
    all.push_back({"TinyElementsInAttributes", [](std::size_t bytes) {
                       return pkcs8("ML-DSA-44", element(0x80, Bytes(32, 7)), 0,
                                    element(0xA0, repeated(std::string("\x05\x00", 2), bytes)));
                   }});
    all.push_back({"LongIdentifier", [](std::size_t bytes) {
                       return element(0x30, join({element(0x30, element(0x06, Bytes(bytes, 0x81))),
                                                  element(0x03, {0})}));
                   }});
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

TEST_P(LinearTime, OfTheLongestFileThatIsRead)
{
    const auto file_of = [](std::size_t bytes) {
        Bytes file = GetParam().make(bytes - 8192);
        file.resize(std::min(file.size(), bytes));
        return file;
    };
    expect_linear(file_of(max_file_bytes / times_longer), file_of(max_file_bytes), "reading",
                  [](const Bytes& file) {
                      const auto key = read(file);
                      EXPECT_LT(key ? 0 : key.error().message.size(), 1000u) << "a message is a line";
                      (void)read(file, girih_algorithm("Falcon-512"));
                  });
}

TEST_P(LinearTime, OfEveryDecoderOnLongerOnes)
{
    const Bytes shorter = GetParam().make(junk_bytes / times_longer);
    const Bytes longer = GetParam().make(junk_bytes);
    Found found;
    const auto expect = [&](const char* what, const std::function<void(const Bytes&)>& work) {
        expect_linear(shorter, longer, what, work);
    };
    expect("PEM", [](const Bytes& file) { (void)pem::decode(file); });
    expect("PKCS#8", [&](const Bytes& file) { (void)read_pkcs8(file, found); });
    expect("SubjectPublicKeyInfo", [&](const Bytes& file) { (void)read_public_key_info(file, found); });
    expect("certificate", [&](const Bytes& file) { (void)read_certificate(file, found); });
    expect("encrypted private key", [](const Bytes& file) { (void)pbes2::parse(file, {}); });
}

INSTANTIATE_TEST_SUITE_P(Junk, LinearTime, testing::ValuesIn(junk()),
                         [](const auto& made) { return made.param.name; });

/// Work that grows with the square: in loops, in allocations, and in moves within memory.
void look_again(const Bytes& file)
{
    volatile unsigned sum = 0;
    for (std::size_t i = 0; i < file.size(); ++i)
        for (std::size_t j = 0; j < i; j += 64) sum = sum + file[j];
}
void copy_again(const Bytes& file)
{
    for (std::size_t i = 0; i < file.size(); i += 64) (void)Bytes(file.begin(), file.end()).data();
}
[[maybe_unused]] void erase_again(const Bytes& file)
{
    for (Bytes rest = file; !rest.empty();) rest.erase(rest.begin());
}

TEST(TheTestOfLinearTime, NoticesASquare)
{
    static const Bytes shorter(std::size_t{1} << 12);
    static const Bytes longer(shorter.size() * times_longer);
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "looking again", look_again),
                            "looking again takes");
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "copying again", copy_again),
                            "copying again takes");
#if !defined(GIRIH_CHECK_BOUNDS)  // the address sanitizer moves memory by functions of its own
    EXPECT_NONFATAL_FAILURE(expect_linear(shorter, longer, "erasing again", erase_again),
                            "erasing again takes");
#endif
}

TEST(LongestFile, IsRefusedOnlyBeyondItsLength)
{
    const Bytes key = write_public_key(public_half(key_of(girih_algorithm("ML-DSA-44"))), Format::pem);
    const Bytes text(max_file_bytes - key.size() - 1, 'x');
    EXPECT_TRUE(read(join({text, {'\n'}, key})));
    expect_refused({"", join({text, {'\n', '\n'}, key}), Problem::too_long,
                    "the file has 1048577 bytes, and a key file at most 1048576"});
    expect_refused({"", join({text, {'\n', '\n'}, key}), Problem::too_long, "at most"},
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
