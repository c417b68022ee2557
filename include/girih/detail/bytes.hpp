/// Views of bytes, wherever they are: in strings, vectors, arrays and spans.
#pragma once

#include <girih/detail/cpp20.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace girih {

namespace detail {
template <class T>
concept Byte = std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::byte> || std::is_same_v<T, char>;

/// The length that a range's type fixes.
template <class T, std::size_t size>
std::integral_constant<std::size_t, size> fixed_size_of(const std::array<T, size>&);
template <class T, std::size_t size>
std::integral_constant<std::size_t, size> fixed_size_of(const T (&)[size]);
template <class T, std::size_t size>
std::integral_constant<std::size_t, size> fixed_size_of(const std::span<T, size>&);
std::integral_constant<std::size_t, std::dynamic_extent> fixed_size_of(...);

template <class Range>
concept Text = std::is_convertible_v<const Range&, std::string_view>;
}  // namespace detail

/// Contiguous bytes: a string, a vector, an array or a span of unsigned char, std::byte or char.
template <class Range>
concept ByteRange = detail::Text<Range> || requires(const Range& range) {
    requires detail::Byte<std::remove_cvref_t<decltype(*std::data(range))>>;
    std::size(range);
};

/// The number of bytes of a range if its type fixes it, as an array's does; else
/// std::dynamic_extent. Text that ends at its zero fixes none.
template <ByteRange Range>
inline constexpr std::size_t fixed_size =
    detail::Text<Range> ? std::dynamic_extent
                        : decltype(detail::fixed_size_of(std::declval<const Range&>()))::value;

/// A read-only view of contiguous bytes, which have to outlive it. A string literal, another array
/// of char or a `const char*` ends before its first zero.
class BytesView {
  public:
    constexpr BytesView() = default;
    constexpr BytesView(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <ByteRange Range>
    constexpr BytesView(const Range& range) noexcept
    {
        if constexpr (std::is_array_v<Range> && detail::Text<Range>) {
            const std::string_view text{range, std::size(range)};
            *this = of(std::data(range), std::min(text.find('\0'), text.size()));
        } else if constexpr (detail::Text<Range>) {
            const std::string_view text = range;
            *this = of(text.data(), text.size());
        } else {
            *this = of(std::data(range), std::size(range));
        }
    }

    [[nodiscard]] constexpr const std::uint8_t* data() const noexcept { return data_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr const std::uint8_t* begin() const noexcept { return data_; }
    [[nodiscard]] constexpr const std::uint8_t* end() const noexcept { return data_ + size_; }

  private:
    template <class Byte>
    static constexpr BytesView of(const Byte* data, std::size_t size) noexcept
    {
        if constexpr (std::is_same_v<Byte, std::uint8_t>)
            return {data, size};
        else
            return {reinterpret_cast<const std::uint8_t*>(data), size};
    }

    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A view of `wanted` bytes: of a key, a ciphertext, a seed. An array of another length does not
/// convert to it; the length of a vector or a string is checked by the function that takes the
/// view: Error::length.
template <std::size_t wanted>
class FixedBytesView : public BytesView {
  public:
    template <ByteRange Range>
        requires(fixed_size<Range> == wanted || fixed_size<Range> == std::dynamic_extent)
    constexpr FixedBytesView(const Range& range) noexcept : BytesView(range)
    {
    }
    [[nodiscard]] constexpr bool has_wanted_size() const noexcept { return size() == wanted; }
};

}  // namespace girih
