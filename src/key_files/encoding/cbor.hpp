/// The part of CBOR (RFC 8949) that COSE needs: definite lengths, heads in their shortest form, no
/// label twice in a map that is read. Maps that are skipped are not compared.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "key_files/encoding/malformed.hpp"

namespace girih::key_files::cbor {

enum Major : Byte { unsigned_number, negative_number, bytes, text, array, map, tag, simple };

inline constexpr Byte null = 0xF6;

/// Reads items in order. Functions throw Malformed.
class Reader {
  public:
    /// Messages call the file `name`.
    Reader(BytesIn<> file, std::string_view name) : file_(file), name_(name) {}

    /// The argument of the next item, which has to be of a type; `field` is its standard name.
    [[nodiscard]] std::uint64_t head(Major type, std::string_view field);
    [[nodiscard]] BytesIn<> byte_string(std::string_view field);
    /// An integer from -2^63 to 2^63 - 1.
    [[nodiscard]] std::int64_t number(std::string_view field);

    /// Whether the next item is of the type, or begins with the byte.
    [[nodiscard]] bool next_is(Major type) const noexcept { return !at_end() && file_[at_] >> 5 == type; }
    [[nodiscard]] bool take(Byte byte) noexcept;

    /// Reads a map of at most 1000 labels. `value` is called for each label that is an integer: it
    /// reads the label's value, or returns false to have it skipped. Values of labels in text are
    /// skipped.
    void entries(std::string_view field, const std::function<bool(std::int64_t label)>& value);
    /// Skips an item, with all that is in it.
    void skip();
    /// Checks that nothing is left.
    void end();

    /// Throws an error of the item read last.
    [[noreturn]] void fail(Problem problem, const std::string& what) const;

  private:
    struct Head {
        Byte type;
        std::uint64_t argument;
    };
    [[nodiscard]] bool at_end() const noexcept { return at_ == file_.size(); }
    [[nodiscard]] Head any_head(std::string_view field);
    [[nodiscard]] BytesIn<> content(std::uint64_t count, std::string_view field);

    BytesIn<> file_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t item_ = 0;  ///< where the item read last begins
};

void append_head(SecretBytes& out, Major type, std::uint64_t argument);
void append_number(SecretBytes& out, std::int64_t number);
void append_bytes(SecretBytes& out, BytesIn<> content);

}  // namespace girih::key_files::cbor
