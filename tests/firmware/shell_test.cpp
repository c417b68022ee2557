/// The firmware's shell, a character at a time.
#include "link/shell.hpp"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <vector>

#include "support/bytes.hpp"

namespace {

using namespace girih;
using firmware::Answer;
using firmware::Command;
using firmware::Shell;
using firmware::Status;

/// A shell whose commands do nothing but be remembered. X answers a line of bytes, Y a line of text
/// and of a number, O OVERFLOW, and all but A, O, X and Y ERROR.
class ShellTest : public testing::Test {
  protected:
    struct Seen {
        char letter;
        bool has_argument;
        test::ByteString argument;
    };

    /// Sends characters, and returns what comes back.
    std::string say(std::string_view text)
    {
        heard_.clear();
        for (const char c : text) shell_->take(c);
        return heard_;
    }

    std::vector<Seen> seen;
    const Byte* buffer = nullptr;  ///< the shell's own, where the last argument was

  private:
    static Status run(void* test, const Command& command, Answer& answer)
    {
        auto& self = *static_cast<ShellTest*>(test);
        self.buffer = command.argument.data();
        self.seen.push_back(
            {command.letter, command.has_argument, {command.argument.begin(), command.argument.end()}});
        switch (command.letter) {
            case 'X':
                answer.hex_line(command.argument);
                return Status::ok;
            case 'Y':
                answer.text_line("text");
                answer.decimal_line(18'446'744'073'709'551'615U);
                return Status::ok;
            case 'O':
                return Status::overflow;
            case 'A':
                return Status::ok;
            default:
                return Status::error;
        }
    }
    static void put(void* test, char c) { static_cast<ShellTest*>(test)->heard_ += c; }

    std::string heard_;
    std::unique_ptr<Shell> shell_ = std::make_unique<Shell>(firmware::Wire{put, this}, run, this);
};

TEST_F(ShellTest, AnswersEveryLine)
{
    for (const auto& [line, answer] : std::initializer_list<std::pair<const char*, const char*>>{
             {"AT+X 00ffA5\n", "00FFA5\r\nOK\r\n"},  // either line end, and either letter case
             {"AT+X 00ffA5\r\n", "00FFA5\r\nOK\r\n"},
             {"at+x 00FFa5\n", "00FFA5\r\nOK\r\n"},
             {"aT+X 00Ffa5\r\n", "00FFA5\r\nOK\r\n"},
             {"AT\r\n", "OK\r\n"},
             {"\r\n\n\r\n", ""},  // empty lines
             {"AT+Y\n", "text\r\n18446744073709551615\r\nOK\r\n"},
             {"AT+O\n", "OVERFLOW\r\n"},
             {"AT+Q", ""},  // not before its end
             {"\n", "ERROR\r\n"}})
        EXPECT_EQ(say(line), answer) << line;
    ASSERT_EQ(seen.size(), 7U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(seen[i].argument, (test::ByteString{0, 0xFF, 0xA5}));
    EXPECT_EQ(seen[6].letter, 'Q');
    EXPECT_FALSE(seen[6].has_argument);
}

TEST_F(ShellTest, RefusesWhateverIsNoCommandAndGoesOn)
{
    for (const char* line :
         {"A\n",       "AT+\n",        "ATA\n",        "AT-A\n",     "BT+A\n",   "AAT+A\n",    " AT+A\n",
          "AT+1\n",    "AT+AA\n",      "AT+A \n",      "AT+A  00\n", "AT+A 0\n", "AT+A 000\n", "AT+A 0g\n",
          "AT+A g0\n", "AT+A 00 00\n", "AT+A 00\r0\n", "AT\r+A\n",   "\rAT+A\n", "AT+A\r\r\n", "AT+A\t00\n",
          "AT+[\n",    "AT+@\n",       "AT+A -1\n",    "AT+A 0x00\n"})
        EXPECT_EQ(say(line), "ERROR\r\n") << line;
    EXPECT_EQ(say(std::string("AT+A\0\n", 6)), "ERROR\r\n");
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(say("AT+A\n"), "OK\r\n");
}

std::string line_of(std::size_t bytes)
{
    std::string line = "AT+A ";
    for (std::size_t i = 0; i < bytes; ++i) line += "5A";
    return line;
}

TEST_F(ShellTest, TakesAsManyBytesAsItHasRoomForAndNoMore)
{
    EXPECT_EQ(say(line_of(Shell::buffer_bytes) + "\n"), "OK\r\n");
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].argument, test::ByteString(Shell::buffer_bytes, 0x5A));
    EXPECT_EQ(say(line_of(Shell::buffer_bytes) + "0\n"), "OVERFLOW\r\n") << "half a byte more";
    EXPECT_EQ(say(line_of(Shell::buffer_bytes + 1) + "\n"), "OVERFLOW\r\n");
    EXPECT_EQ(say(line_of(Shell::buffer_bytes + 1) + "??\n"), "OVERFLOW\r\n") << "what is wrong first";
    EXPECT_EQ(say(line_of(1) + "??" + line_of(Shell::buffer_bytes + 1) + "\n"), "ERROR\r\n");
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_EQ(say("AT+A 01\n"), "OK\r\n");
    EXPECT_EQ(seen.back().argument, test::ByteString{1});
}

TEST_F(ShellTest, OutlivesALineThatDoesNotEnd)
{
    for (int i = 0; i < 20; ++i) EXPECT_EQ(say(line_of(Shell::buffer_bytes)), "");
    EXPECT_EQ(say("\n"), "OVERFLOW\r\n");
    for (int i = 0; i < 20; ++i) EXPECT_EQ(say(std::string(10000, '\r')), "");
    EXPECT_EQ(say("\nAT+A\n"), "ERROR\r\nOK\r\n");
}

TEST_F(ShellTest, ForgetsTheLastLinesBytes)
{
    EXPECT_EQ(say("AT+A 010203\n"), "OK\r\n");
    EXPECT_EQ((test::ByteString{buffer, buffer + 3}), test::ByteString(3)) << "it may have been a key";
    EXPECT_EQ(say("AT+A 04\n"), "OK\r\n");
    EXPECT_EQ(seen.back().argument, test::ByteString{4});
    EXPECT_EQ(say("AT+A\n"), "OK\r\n");
    EXPECT_FALSE(seen.back().has_argument);
    EXPECT_TRUE(seen.back().argument.empty());
}

/// The right answer to a line, told another way than by the states of the shell.
std::string expected_answer(const std::string& line)
{
    static const std::regex command{"AT(\\+([A-Z])( (([0-9A-F]{2})+))?)?\r?", std::regex::icase};
    std::smatch parts;
    if (line.empty() || line == "\r") return "";
    if (!std::regex_match(line, parts, command)) return "ERROR\r\n";
    if (!parts[1].matched) return "OK\r\n";
    std::string digits = parts[4];
    for (char& c : digits) c = static_cast<char>(std::toupper(c));
    switch (std::toupper(*parts[2].first)) {
        case 'X':
            return digits + "\r\nOK\r\n";
        case 'Y':
            return "text\r\n18446744073709551615\r\nOK\r\n";
        case 'O':
            return "OVERFLOW\r\n";
        case 'A':
            return "OK\r\n";
        default:
            return "ERROR\r\n";
    }
}

TEST_F(ShellTest, AnswersRandomLinesAsTheyDeserve)
{
    // Mostly characters of commands, so that many lines are nearly right.
    constexpr std::string_view likely = "AT+AT+AT+axyoq 0123456789abcdefABCDEF\r";
    std::mt19937 random{1};
    const auto draw = [&random](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>{0, below - 1}(random);
    };
    int good = 0;
    for (int i = 0; i < 60'000; ++i) {
        std::string line;
        if (draw(2) == 0) line += "AT+";
        if (draw(2) == 0) line += likely[8 + draw(6)];
        if (draw(2) == 0) line += ' ';
        for (std::size_t length = draw(8); length > 0; --length) {
            const char c = draw(20) == 0 ? static_cast<char>(draw(256)) : likely[draw(likely.size())];
            if (c != '\n') line += c;
        }
        if (draw(4) == 0) line += '\r';
        const std::string answer = say(line + '\n');
        ASSERT_EQ(answer, expected_answer(line)) << testing::PrintToString(line);
        good += answer.ends_with("OK\r\n") ? 1 : 0;
    }
    EXPECT_GT(good, 1000);
}

TEST_F(ShellTest, SurvivesRandomBytes)
{
    std::mt19937 random{2};
    std::uniform_int_distribution<int> byte{0, 255};
    std::string bytes(200'000, ' ');
    for (char& c : bytes) c = static_cast<char>(byte(random));
    (void)say(bytes);
    EXPECT_EQ(say("\n").find("OK"), std::string::npos);
    EXPECT_EQ(say("AT+A\n"), "OK\r\n");
}

}  // namespace
