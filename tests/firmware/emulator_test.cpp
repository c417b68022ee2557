/// An image on an emulated Cortex-M7, over its serial line: girih_emulator_tests IMAGE.elf
/// [option of GoogleTest...]
///
/// The end of an image's name tells its role: -verify, -sign, or neither. It must answer as girih
/// does on this machine, which tests/vectors holds against the known answers of each algorithm.
/// GIRIH_STACK_BYTES in the environment is the size of its stack.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/system/failure.hpp"
#include "firmware/host/link.hpp"
#include "firmware/host/port.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/known_answers.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using cli::board::ByteString;
using cli::board::signature_and_message;
using cli::board::Status;
using test::KeyPair;

std::string image;

bool name_ends_with(std::string_view end) { return image.ends_with(std::string(end) + ".elf"); }
bool only_verifies() { return name_ends_with("-verify"); }
bool only_signs() { return name_ends_with("-sign"); }
bool makes_keys() { return !only_verifies() && !only_signs(); }

/// The bytes that the image's stack has room for.
std::size_t stack_bytes()
{
    const char* bytes = std::getenv("GIRIH_STACK_BYTES");
    if (bytes == nullptr) throw std::runtime_error("GIRIH_STACK_BYTES is not set");
    return std::stoul(bytes);
}

ByteString with_bit_flipped(ByteString bytes, std::size_t at)
{
    bytes[at] ^= 1;
    return bytes;
}

/// NIST's generator, which remembers its output.
class Recorder {
  public:
    explicit Recorder(BytesIn<> seed) : drbg_(test::drbg_of(seed)) {}
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] const girih_random* source() const { return &source_; }
    /// The bytes drawn since the last call.
    [[nodiscard]] ByteString take() { return std::exchange(given_, {}); }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& self = *static_cast<Recorder*>(state);
        self.drbg_.generate({out, bytes});
        self.given_.insert(self.given_.end(), out, out + bytes);
        return 0;
    }

    test::Drbg drbg_;
    ByteString given_;
    girih_random source_{fill, this, 1};
};

class Image : public testing::Test {
  protected:
    void SetUp() override
    {
        (void)link.wait_until_ready();
        info = link.info();
        alg = girih_algorithm(info.name.c_str());
        ASSERT_NE(alg, nullptr) << info.name << " is none of girih's algorithms";
        std::string name = info.name;
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        ASSERT_EQ(std::filesystem::path(image).filename().string().rfind(name, 0), 0U)
            << "the image of " << name;
        is_kem = girih_signature_bytes(alg) == 0;
    }

    /// No operation takes more of the stack than the image was linked for.
    void TearDown() override
    {
        if (HasFatalFailure()) return;
        EXPECT_LE(link.number("asking for the stack", 'X'), stack_bytes());
    }

    // ---- What the image makes

    void set_random(const ByteString& bytes) { (void)link.demand("giving random bytes", 'Z', bytes, 0); }
    [[nodiscard]] ByteString bytes(char letter, const ByteString& argument = {})
    {
        return link.bytes(std::string(1, letter), letter, argument);
    }
    [[nodiscard]] Status status(char letter, const ByteString& argument = {})
    {
        return link.ask(letter, argument).status;
    }

    /// The signature that this machine makes, and its verdict on it and on one with a flipped bit.
    void expect_signatures(const KeyPair& keys, const ByteString& message, Recorder& random)
    {
        const girih_options options{nullptr, 0, nullptr, 0, random.source(), 0, {}};
        const ByteString signature = test::sign(alg, keys.secret_key, message, options);
        if (!only_verifies()) {
            set_random(random.take());
            EXPECT_EQ(bytes('S', message), signature);
        }
        if (only_signs()) return;
        const ByteString argument = signature_and_message(signature, message);
        EXPECT_EQ(status('V', argument), Status::ok);
        for (const std::size_t byte :
             {std::size_t{2}, signature.size() / 2, signature.size() + 1, argument.size() - 1})
            EXPECT_EQ(status('V', with_bit_flipped(argument, byte)), Status::error) << "byte " << byte;
        EXPECT_EQ(status('V', {}), Status::error);
        EXPECT_EQ(status('V', {0xFF, 0xFF, 0}), Status::error) << "shorter than it says";
    }

    /// An image with a key pair of this machine: as much of it as the image takes.
    void have_key_pair(const KeyPair& keys)
    {
        ASSERT_EQ(only_verifies() ? status('P', keys.public_key) : status('M', keys.secret_key), Status::ok);
    }
    [[nodiscard]] KeyPair have_key_pair()
    {
        const Recorder random(test::counting(test::Drbg::seed_bytes));
        KeyPair keys = test::random_key_pair(alg, *random.source());
        have_key_pair(keys);
        return keys;
    }

    cli::board::Emulator emulator{image};
    cli::board::Link link{emulator.take_port(), "the emulator", std::chrono::seconds{120}};
    cli::board::Info info;
    const girih_alg* alg = nullptr;
    bool is_kem = false;
};

TEST_F(Image, SaysWhatItIs)
{
    EXPECT_EQ(info.public_key_bytes, girih_public_key_bytes(alg));
    EXPECT_EQ(info.private_key_bytes, girih_secret_key_bytes(alg));
}

TEST_F(Image, MakesTheFirstKnownAnswers)
{
    test::Drbg master = test::master_drbg();
    for (std::size_t count = 0; count < 3; ++count) {
        SCOPED_TRACE(count);
        const auto seed = test::draw(master, test::Drbg::seed_bytes);
        const auto message = is_kem ? ByteString{} : test::draw(master, 33 * (count + 1));
        Recorder random(seed);
        const KeyPair keys = test::random_key_pair(alg, *random.source());
        const ByteString drawn = random.take();
        if (makes_keys()) {
            set_random(drawn);
            ASSERT_EQ(status('G'), Status::ok);
            EXPECT_EQ(bytes('P'), keys.public_key);
            if (const auto private_key = link.ask('K'); private_key.status == Status::ok) {
                EXPECT_EQ(private_key.lines, std::vector{test::to_hex(keys.secret_key)});
            }
        } else {
            have_key_pair(keys);
        }
        if (is_kem) {
            const auto [ciphertext, secret] = test::encapsulate(alg, keys.public_key, random.source());
            set_random(random.take());
            EXPECT_EQ(link.ask('E').lines, (std::vector{test::to_hex(ciphertext), test::to_hex(secret)}));
            EXPECT_EQ(bytes('D', ciphertext), secret);
            EXPECT_NE(bytes('D', with_bit_flipped(ciphertext, 5)), secret);
        } else {
            expect_signatures(keys, message, random);
        }
    }
}

TEST_F(Image, SignsFromPowerOn)
{
    if (is_kem || !makes_keys()) GTEST_SKIP() << "for images that make keys and sign";
    ASSERT_EQ(status('S', {1, 2, 3}), Status::error) << "without a key";
    ASSERT_EQ(status('G'), Status::ok);
    const ByteString message{1, 2, 3};
    const ByteString signature = bytes('S', message);
    EXPECT_EQ(test::verify(alg, bytes('P'), message, signature), GIRIH_OK);
    EXPECT_EQ(status('V', signature_and_message(signature, message)), Status::ok);
    EXPECT_NE(bytes('S', message), signature) << "random bytes come twice";
    EXPECT_EQ(test::verify(alg, bytes('P'), {}, bytes('S')), GIRIH_OK) << "the empty message";
}

/// No branch depends on a secret: under other keys, with other random numbers, and for a ciphertext
/// that is not what its input encrypts to, each operation takes the same number of instructions.
/// (The timer counts two or three at once. The time to draw ML-KEM's matrix, which is public,
/// depends on its seed: the key is the same there.)
TEST_F(Image, TakesAsManyInstructionsWhateverIsSecret)
{
    if (!is_kem) GTEST_SKIP() << "for KEMs";
    std::vector<std::uint64_t> encapsulations;
    std::vector<std::uint64_t> decapsulations;
    const bool has_drawn_matrix = info.name.rfind("ML-KEM", 0) == 0;
    for (int key = 0; key < 3; ++key) {
        if (key == 0 || !has_drawn_matrix) {
            ASSERT_EQ(status('G'), Status::ok);
        }
        const auto made = link.ask('E');
        ASSERT_EQ(made.lines.size(), 2U);
        encapsulations.push_back(link.number("", 'N'));
        test::ByteString ciphertext = test::from_hex(made.lines[0]);
        for (const int flipped : {0, 1}) {
            ciphertext[5] = static_cast<Byte>(ciphertext[5] ^ flipped);
            ASSERT_EQ(status('D', ciphertext), Status::ok);
            decapsulations.push_back(link.number("", 'N'));
        }
    }
    for (const auto& counts : {encapsulations, decapsulations}) {
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        EXPECT_GT(*least, 100'000U);
        EXPECT_LE(*most - *least, 6U);
    }
}

TEST_F(Image, DerivesThePublicKeyOfAPrivateOneAndForgetsItForAnother)
{
    if (!makes_keys()) GTEST_SKIP() << "for images that make keys";
    const KeyPair keys = have_key_pair();
    EXPECT_EQ(bytes('P'), keys.public_key);
    EXPECT_GT(link.number("", 'X'), 1000U);
    EXPECT_GT(link.number("", 'N'), 10'000U);
    EXPECT_EQ(status('P', keys.public_key), Status::ok);
    EXPECT_EQ(is_kem ? status('D', ByteString(info.max_message_bytes)) : status('S', {1}), Status::error);
    EXPECT_EQ(status('K'), Status::error);
    EXPECT_EQ(status('M', ByteString(keys.secret_key.size(), 0xFF)), Status::error) << "malformed";
    EXPECT_EQ(status('P'), Status::error) << "the old key is gone";
}

TEST_F(Image, KeepsThePrivateKeyWhereTheBuildSaysSo)
{
    const bool is_debug = image.find("firmware-debug") != std::string::npos;
    (void)have_key_pair();
    EXPECT_EQ(status('K'), is_debug && !only_verifies() ? Status::ok : Status::error);
}

TEST_F(Image, RefusesWhatItsRoleLacksAndWhatIsTooLong)
{
    EXPECT_EQ(status('M', {1, 2, 3}), Status::error);
    EXPECT_EQ(status('D', {1, 2, 3}), Status::error);
    if (!makes_keys()) {
        EXPECT_EQ(status('G'), Status::error);
    }
    if (only_verifies()) {
        EXPECT_EQ(status('S', {1}), Status::error);
    } else {
        EXPECT_EQ(status('M', ByteString(info.private_key_bytes + 1)), Status::overflow);
        if (!is_kem) {
            EXPECT_EQ(status('S', ByteString(info.max_message_bytes + 1)), Status::overflow);
        }
    }
    if (only_signs()) {
        EXPECT_EQ(status('V', {0, 1, 1, 1}), Status::error);
        EXPECT_EQ(status('P'), Status::error);
    } else {
        EXPECT_EQ(status('P', ByteString(info.public_key_bytes + 1)), Status::overflow);
    }
    link.send("AT+S 0G\r\n");
    EXPECT_EQ(link.next_line(), "ERROR");
}

TEST_F(Image, StaysInItsStack)
{
    const std::size_t most = stack_bytes();
    const ByteString once{0, 1};
    if (makes_keys()) {
        for (const char letter : {'R', 'B', 'C'}) {
            const auto run = link.ask(letter, once);
            ASSERT_EQ(run.lines.size(), 1U);
            EXPECT_LE(cli::board::parse_run(run.lines[0]).stack_bytes, most) << letter;
        }
    } else {
        const KeyPair keys = have_key_pair();
        const Recorder random(test::counting(test::Drbg::seed_bytes));
        const girih_options options{nullptr, 0, nullptr, 0, random.source(), 0, {}};
        const ByteString message{1};
        const ByteString signature = test::sign(alg, keys.secret_key, message, options);
        EXPECT_EQ(
            only_signs() ? status('S', message) : status('V', signature_and_message(signature, message)),
            Status::ok);
        EXPECT_GT(link.number("", 'X'), most / 4) << "images.cmake says more than is needed";
    }
}

TEST_F(Image, CountsMilliseconds)
{
    const std::uint64_t before = link.number("", 'T');
    (void)have_key_pair();
    std::uint64_t after = before;
    for (int i = 0; i < 1000 && after == before; ++i) after = link.number("", 'T');
    EXPECT_GT(after, before);
}

/// The image of that name: Falcon-512 with 20 KiB of stack. A key takes 14 and a signature 38.
TEST(SmallStack, ThatRunsOverStopsTheBoard)
{
    cli::board::Emulator emulator(image);
    cli::board::Link link{emulator.take_port(), "the emulator", std::chrono::seconds{120}};
    (void)link.wait_until_ready();
    EXPECT_EQ(link.ask('G').status, Status::ok);
    const ByteString message{1, 2, 3};
    try {
        (void)link.ask('S', message);
        FAIL() << "it signed";
    } catch (const cli::Failure& failure) {
        EXPECT_STREQ(failure.what(),
                     "the emulator: has stopped at a fault, such as a stack that was too small; reset it");
    }
}

}  // namespace

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "girih_emulator_tests IMAGE.elf\n");
        return 2;
    }
    image = argv[1];
    return RUN_ALL_TESTS();
}
