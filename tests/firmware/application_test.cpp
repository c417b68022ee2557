/// The commands of an image, on a scripted algorithm and board: secrets that may not leave, and
/// secrets that may not stay.
#include "app/application.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/algorithm.hpp"
#include "app/measure.hpp"
#include "boards/board.hpp"
#include "link/shell.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::firmware {
namespace {

/// The next results of the algorithm.
struct Behaviour {
    bool makes_keys = true;
    bool derives = true;
    bool signs = true;
    bool verifies = true;
    std::uint64_t now = 0;
};
Behaviour next;

constexpr std::size_t key_bytes = 4;
std::array<Byte, key_bytes> public_key_bytes;
std::array<Byte, key_bytes> secret_key_bytes;
constexpr Byte signature_byte = 0x5A;

}  // namespace

// ---- An algorithm whose keys and signatures are bytes of one value

namespace algorithm {

const Facts facts{"stub", key_bytes, key_bytes, 3};

BytesOut<> public_key() { return public_key_bytes; }
BytesOut<> secret_key() { return secret_key_bytes; }

bool keygen()
{
    secret_key_bytes.fill(0x11);
    public_key_bytes.fill(0x22);
    return next.makes_keys;
}
bool derive_public_key()
{
    public_key_bytes.fill(0x33);
    return next.derives;
}
std::size_t sign(BytesIn<>, Byte* signature)
{
    std::fill_n(signature, 3, signature_byte);
    return next.signs ? 3 : 0;
}
bool verify(BytesIn<>, BytesIn<>) { return next.verifies; }
bool encapsulate(Byte* ciphertext, Byte* shared_secret)
{
    std::fill_n(ciphertext, 3, Byte{0x44});
    std::fill_n(shared_secret, shared_secret_bytes, Byte{0x55});
    return true;
}
void decapsulate(const Byte*, Byte* shared_secret)
{
    std::fill_n(shared_secret, shared_secret_bytes, Byte{0x66});
}

}  // namespace algorithm

// ---- A board

void paint_stack() {}
std::size_t painted_stack_used() { return 7; }
std::uint64_t board::milliseconds() { return next.now; }
std::uint64_t board::cycles() { return 1000 * next.now++; }
bool board::set_random(BytesIn<>) { return false; }

namespace {

template <Role role>
class Image {
  public:
    std::string say(std::string_view text)
    {
        heard_.clear();
        for (const char c : text) shell_->take(c);
        return heard_;
    }
    /// Whether the byte is anywhere in the application's own memory.
    [[nodiscard]] bool holds(Byte byte) const
    {
        const BytesIn<> bytes{reinterpret_cast<const Byte*>(application_.get()), sizeof *application_};
        return std::ranges::find(bytes, byte) != bytes.end();
    }

  private:
    static void put(void* image, char c) { static_cast<Image*>(image)->heard_ += c; }

    std::string heard_;
    std::unique_ptr<Application<role>> application_ = std::make_unique<Application<role>>();
    std::unique_ptr<Shell> shell_ = std::make_unique<Shell>(
        Wire{put, this}, static_cast<Shell::Run>(Application<role>::run), application_.get());
};

class ApplicationTest : public testing::Test {
  protected:
    void SetUp() override
    {
        next = {};
        public_key_bytes.fill(0);
        secret_key_bytes.fill(0);
    }
};

TEST_F(ApplicationTest, KeepsASignatureThatIsNotGoodAndWipesIt)
{
    for (bool Behaviour::* does : {&Behaviour::verifies, &Behaviour::signs}) {
        Image<full_role> image;
        next = {};
        EXPECT_EQ(image.say("AT+G\n"), "OK\r\n");
        next.*does = false;
        EXPECT_EQ(image.say("AT+S 00\n"), "ERROR\r\n");
        EXPECT_FALSE(image.holds(signature_byte));
    }
}

TEST_F(ApplicationTest, WipesThePrivateKeyThatGoes)
{
    Image<full_role> image;
    EXPECT_EQ(image.say("AT+G\n"), "OK\r\n");
    EXPECT_EQ(image.say("AT+P 01020304\n"), "OK\r\n");
    EXPECT_TRUE(test::is_zero(secret_key_bytes));
    EXPECT_EQ(image.say("AT+P\n"), "01020304\r\nOK\r\n");
    EXPECT_EQ(image.say("AT+S 00\n"), "ERROR\r\n");

    next.derives = false;
    EXPECT_EQ(image.say("AT+M 01020304\n"), "ERROR\r\n");
    EXPECT_TRUE(test::is_zero(secret_key_bytes)) << "a malformed one";
    EXPECT_EQ(image.say("AT+P\n"), "ERROR\r\n");

    next.makes_keys = false;
    EXPECT_EQ(image.say("AT+G\n"), "ERROR\r\n");
    EXPECT_TRUE(test::is_zero(secret_key_bytes)) << "one that was not made to its end";
}

TEST_F(ApplicationTest, DoesWhatItsRoleSays)
{
    Image<full_role> full;
    EXPECT_EQ(full.say("AT+S 00\n"), "ERROR\r\n") << "without a key";
    EXPECT_EQ(full.say("AT+G\nAT+S 00\n"), "OK\r\n5A5A5A\r\nOK\r\n");
    Image<blank_role> blank;
    Image<signing_role> signing;
    Image<verifying_role> verifying;
    Image<kem_role> kem;
    for (const char* line : {"AT+G\n", "AT+S 00\n", "AT+V 000100\n", "AT+E\n", "AT+M 01020304\n", "AT+P\n"})
        EXPECT_EQ(blank.say(line), "ERROR\r\n") << line;
    EXPECT_EQ(signing.say("AT+M 01020304\nAT+S 00\n"), "OK\r\n5A5A5A\r\nOK\r\n");
    EXPECT_EQ(signing.say("AT+P 01020304\n"), "ERROR\r\n");
    EXPECT_EQ(signing.say("AT+S 00\n"), "5A5A5A\r\nOK\r\n") << "its key is still there";
    EXPECT_EQ(signing.say("AT+V 000100\nAT+G\n"), "ERROR\r\nERROR\r\n");
    EXPECT_EQ(verifying.say("AT+V 000100\n"), "ERROR\r\n") << "without a key";
    EXPECT_EQ(verifying.say("AT+P 01020304\nAT+V 000100\n"), "OK\r\nOK\r\n");
    EXPECT_EQ(verifying.say("AT+S 00\nAT+M 01020304\nAT+G\n"), "ERROR\r\nERROR\r\nERROR\r\n");
    EXPECT_EQ(kem.say("AT+G\nAT+S 00\n"), "OK\r\nERROR\r\n");
    EXPECT_EQ(kem.say("AT+D 444444\n").size(), 64 + std::string_view{"\r\nOK\r\n"}.size());
    EXPECT_EQ(kem.say("AT+D 4444\n"), "ERROR\r\n");
    EXPECT_EQ(kem.say("AT+D 44444444\n"), "OVERFLOW\r\n");
}

TEST_F(ApplicationTest, MeasuresWhatItDid)
{
    Image<full_role> image;
    next.now = 5;
    EXPECT_EQ(image.say("AT+T\n"), "5\r\nOK\r\n");
    EXPECT_EQ(image.say("AT+G\n"), "OK\r\n");
    EXPECT_EQ(image.say("AT+N\nAT+X\n"), "1000\r\nOK\r\n7\r\nOK\r\n");
    EXPECT_EQ(image.say("AT+B 0002\n"), "2 1000 7\r\n2 1000 7\r\nOK\r\n");
    EXPECT_EQ(image.say("AT+B 02\n"), "ERROR\r\n");
    next.verifies = false;
    EXPECT_EQ(image.say("AT+C 0002\n"), "ERROR\r\n");
}

TEST_F(ApplicationTest, SurvivesRandomCommands)
{
    Image<full_role> signatures;
    Image<kem_role> kem;
    std::mt19937 random{3};
    const auto draw = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
    for (int i = 0; i < 20'000; ++i) {
        std::string line{"AT+"};
        line += static_cast<char>('A' + draw(26));
        if (line.back() == 'R' || line.back() == 'B' || line.back() == 'C') {
            line += " 0001";  // or it does that 50 times
        } else if (draw(2) == 0) {
            line += ' ' + test::to_hex(test::counting(draw(8), draw(256)));
        }
        next = {draw(8) != 0, draw(2) != 0, draw(2) != 0, draw(2) != 0, next.now};
        for (const std::string& answer : {signatures.say(line + "\n"), kem.say(line + "\n")})
            ASSERT_TRUE(answer.ends_with("OK\r\n") || answer.ends_with("ERROR\r\n") ||
                        answer.ends_with("OVERFLOW\r\n"))
                << line << ": " << answer;
    }
}

}  // namespace
}  // namespace girih::firmware
