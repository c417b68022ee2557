/// The data types of SSH (RFC 4251, Section 5).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/bytes.hpp"

namespace girih::test::ssh {

/// What went wrong outside of girih: a peer that does not answer, or answers what
/// SSH does not have.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline ByteString bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

inline ByteString join(BytesIn<> first, BytesIn<> second)
{
    ByteString all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    return all;
}

class Writer {
  public:
    void byte(Byte value) { bytes_.push_back(value); }
    void uint32(std::size_t value)
    {
        for (unsigned shift = 32; shift > 0; shift -= 8) byte(static_cast<Byte>(value >> (shift - 8)));
    }
    void raw(BytesIn<> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void string(BytesIn<> bytes)
    {
        uint32(bytes.size());
        raw(bytes);
    }
    void string(std::string_view text) { string(bytes_of(text)); }

    [[nodiscard]] const ByteString& bytes() const { return bytes_; }

  private:
    ByteString bytes_;
};

class Reader {
  public:
    explicit Reader(BytesIn<> bytes) : rest_(bytes) {}

    [[nodiscard]] BytesIn<> raw(std::size_t count)
    {
        if (count > rest_.size()) throw Error("a message is cut short");
        const BytesIn<> taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }
    [[nodiscard]] Byte byte() { return raw(1)[0]; }
    [[nodiscard]] std::size_t uint32()
    {
        std::size_t value = 0;
        for (const Byte b : raw(4)) value = value << 8 | b;
        return value;
    }
    [[nodiscard]] BytesIn<> string() { return raw(uint32()); }

    /// Checks that a string comes next that is this text.
    void expect(std::string_view text)
    {
        const BytesIn<> found = string();
        if (std::string_view(reinterpret_cast<const char*>(found.data()), found.size()) != text)
            throw Error("a message does not have \"" + std::string(text) + "\" where it should");
    }

  private:
    BytesIn<> rest_;
};

}  // namespace girih::test::ssh
