#include "link/shell.hpp"

#include "core/wipe.hpp"

namespace girih::firmware {
namespace {

constexpr int no_digit = -1;

constexpr int digit_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : no_digit;
}

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

void Answer::text(std::string_view text)
{
    for (const char c : text) wire_->put(wire_->device, c);
}

void Answer::decimal(std::uint64_t number)
{
    std::array<char, 20> digits;  // the length of 2^64 - 1
    std::size_t first = digits.size();
    do {
        digits[--first] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    text({&digits[first], digits.size() - first});
}

void Answer::hex(BytesIn<> bytes)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const Byte byte : bytes) {
        wire_->put(wire_->device, digits[byte >> 4]);
        wire_->put(wire_->device, digits[byte & 15]);
    }
}

void Answer::end_line() { text("\r\n"); }

void Answer::text_line(std::string_view line)
{
    text(line);
    end_line();
}

void Answer::decimal_line(std::uint64_t number)
{
    decimal(number);
    end_line();
}

void Answer::hex_line(BytesIn<> bytes)
{
    hex(bytes);
    end_line();
}

void Shell::refuse(Status why)
{
    if (verdict_ == Status::ok) verdict_ = why;
    expects_ = Expects::nothing;
}

void Shell::begin_line()
{
    wipe(std::span{buffer_}.first(size_));  // it may have been a private key
    size_ = 0;
    letter_ = 0;
    verdict_ = Status::ok;
    expects_ = Expects::a;
}

void Shell::take(char character)
{
    if (character == '\n') return finish();
    if (expects_ == Expects::line_feed) refuse(Status::error);  // a carriage return within a line
    if (character == '\r') {
        before_return_ = expects_;
        expects_ = Expects::line_feed;
        return;
    }
    take_inside(character);
}

void Shell::take_inside(char character)
{
    const auto expect = [this](bool is_right, Expects next) {
        if (is_right)
            expects_ = next;
        else
            refuse(Status::error);
    };
    switch (expects_) {
        case Expects::a:
            return expect(upper(character) == 'A', Expects::t);
        case Expects::t:
            return expect(upper(character) == 'T', Expects::plus);
        case Expects::plus:
            return expect(character == '+', Expects::letter);
        case Expects::letter:
            letter_ = upper(character);
            return expect(letter_ >= 'A' && letter_ <= 'Z', Expects::space);
        case Expects::space:
            return expect(character == ' ', Expects::high_digit);
        case Expects::high_digit:
        case Expects::low_digit: {
            const int digit = digit_value(character);
            if (digit == no_digit) return refuse(Status::error);
            if (expects_ == Expects::high_digit) {
                if (size_ == buffer_.size()) return refuse(Status::overflow);
                high_ = static_cast<std::uint8_t>(digit << 4);
                expects_ = Expects::low_digit;
            } else {
                buffer_[size_++] = static_cast<Byte>(high_ | digit);
                expects_ = Expects::high_digit;
            }
            return;
        }
        case Expects::line_feed:
        case Expects::nothing:
            return;
    }
}

void Shell::finish()
{
    const Expects at_end = expects_ == Expects::line_feed ? before_return_ : expects_;
    if (verdict_ != Status::ok) {
        end(verdict_);
    } else if (at_end == Expects::plus) {
        end(Status::ok);  // AT
    } else if (at_end == Expects::space || (at_end == Expects::high_digit && size_ != 0)) {
        const Command command{letter_, size_ != 0, std::span{buffer_}.first(size_)};
        Answer answer{wire_};
        end(run_(context_, command, answer));
    } else if (at_end != Expects::a) {
        end(Status::error);
    }
    begin_line();
}

void Shell::end(Status status)
{
    Answer answer{wire_};
    switch (status) {
        case Status::ok:
            return answer.text_line("OK");
        case Status::error:
            return answer.text_line("ERROR");
        case Status::overflow:
            return answer.text_line("OVERFLOW");
    }
}

}  // namespace girih::firmware
