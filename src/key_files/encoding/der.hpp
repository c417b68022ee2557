/// The part of DER (X.690) that keys and certificates need: one-byte tags, definite lengths in the
/// fewest bytes.
#pragma once

#include <girih/key_files.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/secret.hpp"

namespace girih::key_files::der {

enum Tag : Byte {
    boolean = 0x01,
    integer = 0x02,
    bit_string = 0x03,
    octet_string = 0x04,
    null = 0x05,
    object_identifier = 0x06,
    enumerated = 0x0A,
    sequence = 0x30,
    set = 0x31,
};

/// [n] of a primitive or of a constructed type, with IMPLICIT or EXPLICIT tagging.
constexpr Byte context_primitive(unsigned n) { return static_cast<Byte>(0x80 | n); }
constexpr Byte context_constructed(unsigned n) { return static_cast<Byte>(0xA0 | n); }

/// Reads the elements of one content, in order. All readers of a file share the first error; after
/// it, everything read is empty, so that a caller may read on and check once at the end.
///
/// Branches depend on tags, lengths and values of public types (numbers, identifiers, BIT STRINGs);
/// contents that may hold secrets are returned as views only.
class Reader {
  public:
    /// Reads a whole file, whose structure is called `name`.
    Reader(BytesIn<> file, std::string_view name, std::optional<Error>& error) noexcept
        : rest_(file), name_(name), error_(&error)
    {
    }

    /// The content of the next element, which has to be `tag`; `field` is its name in the standard.
    [[nodiscard]] BytesIn<> element(Byte tag, std::string_view field);

    /// A reader of the content of a constructed element, or of one that wraps DER.
    [[nodiscard]] Reader inside(Byte tag, std::string_view field);

    /// The content of the next element, which has to be `tag` and contain well-formed DER: whole
    /// elements, tags below 31, and simple values in DER's form.
    [[nodiscard]] BytesIn<> well_formed(Byte tag, std::string_view field);

    /// An INTEGER from 0 to 2^64 - 1.
    [[nodiscard]] std::uint64_t number(std::string_view field);

    /// The rest, which need not be elements.
    [[nodiscard]] BytesIn<> everything() noexcept { return take(rest_.size()); }
    [[nodiscard]] std::size_t size() const noexcept { return rest_.size(); }

    /// The bytes of a BIT STRING that has no unused bits.
    [[nodiscard]] BytesIn<> whole_bytes(Byte tag, std::string_view field);

    /// A reader of a BIT STRING's bytes, which are DER.
    [[nodiscard]] Reader inside_whole_bytes(Byte tag, std::string_view field);

    /// Whether the next element has the tag.
    [[nodiscard]] bool next_is(Byte tag) const noexcept { return !rest_.empty() && front() == tag; }
    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

    /// Checks that nothing is left.
    void end();

    /// Records an error about the element read last, unless there is an error already.
    void fail(Problem problem, const std::string& what);

    [[nodiscard]] bool failed() const noexcept { return error_->has_value(); }

  private:
    Reader(BytesIn<> content, std::size_t offset, std::string_view name, std::optional<Error>* error) noexcept
        : rest_(content), offset_(offset), last_(offset), name_(name), error_(error)
    {
    }
    /// The next byte, which is a tag or belongs to a length.
    [[nodiscard]] Byte front() const noexcept
    {
        return declassify(Secret(rest_.front()), "tags and lengths are alike in all keys of an algorithm");
    }
    [[nodiscard]] BytesIn<> take(std::size_t bytes) noexcept;
    [[nodiscard]] Byte take_front() noexcept;
    [[nodiscard]] std::optional<std::size_t> length(std::string_view field);
    [[nodiscard]] BytesIn<> content_of(Byte tag, std::string_view field);
    void check_value(Byte tag, BytesIn<> content);
    void check_elements(BytesIn<> content);
    void fail_at(std::size_t offset, Problem problem, const std::string& what);

    BytesIn<> rest_;
    std::size_t offset_ = 0;  ///< of rest_ in the file
    std::size_t last_ = 0;    ///< of the element that was read last
    std::string_view name_;
    std::optional<Error>* error_;
};

/// Appends an element. The content may be secret.
void append(SecretBytes& out, Byte tag, BytesIn<> content);

/// A SEQUENCE of elements.
[[nodiscard]] SecretBytes in_sequence(BytesIn<> elements);

/// Appends an INTEGER.
void append_number(SecretBytes& out, std::uint64_t number);

}  // namespace girih::key_files::der
