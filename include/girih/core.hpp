/// Views of bytes, errors and options, which all typed C++ headers of girih share.
///
/// Header-only, over the C functions of girih.h; the conventions there (lengths in bytes, outputs
/// zeroed on failure, constant time, thread safety) hold here too.
#pragma once

#include <girih/girih.h>
#include <girih/detail/bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#if defined(__cpp_exceptions)
#    include <stdexcept>
#endif

namespace girih {

/// An algorithm's name as a template argument.
template <std::size_t size>
struct AlgorithmName {
    char text[size];
    constexpr AlgorithmName(const char (&name)[size]) noexcept
    {
        for (std::size_t i = 0; i < size; ++i) text[i] = name[i];
    }
};

namespace detail {
template <std::size_t size>
void wipe(std::array<std::uint8_t, size>& bytes) noexcept
{
    girih_wipe(bytes.data(), size);
}
}  // namespace detail

/// The errors of girih.h, typed.
enum class Error : int {
    none = GIRIH_OK,
    argument = GIRIH_ERROR_ARGUMENT,
    length = GIRIH_ERROR_LENGTH,
    context = GIRIH_ERROR_CONTEXT,
    pre_hash = GIRIH_ERROR_PRE_HASH,
    secret_key = GIRIH_ERROR_SECRET_KEY,
    key_mismatch = GIRIH_ERROR_KEY_MISMATCH,
    signature = GIRIH_ERROR_SIGNATURE,
    random = GIRIH_ERROR_RANDOM,
    attempts = GIRIH_ERROR_ATTEMPTS,
    engine = GIRIH_ERROR_ENGINE,
    public_key = GIRIH_ERROR_PUBLIC_KEY,
    overlap = GIRIH_ERROR_OVERLAP,
    fault = GIRIH_ERROR_FAULT,
    memory = GIRIH_ERROR_MEMORY,
    algorithm = GIRIH_ERROR_ALGORITHM,
    option = GIRIH_ERROR_OPTION,
    alignment = GIRIH_ERROR_ALIGNMENT,
    message = GIRIH_ERROR_MESSAGE,
    public_key_length = GIRIH_ERROR_PUBLIC_KEY_LENGTH,
    secret_key_length = GIRIH_ERROR_SECRET_KEY_LENGTH,
    capacity = GIRIH_ERROR_CAPACITY,
};

[[nodiscard]] inline const char* text(Error error) noexcept
{
    return girih_error_text(static_cast<int>(error));
}

#if defined(__cpp_exceptions)
/// Thrown by functions that return a value; the others return an Error.
class Exception : public std::runtime_error {
  public:
    explicit Exception(Error error) : std::runtime_error(girih::text(error)), error_(error) {}
    [[nodiscard]] Error error() const noexcept { return error_; }

  private:
    Error error_;
};

namespace detail {
inline void throw_if(Error error)
{
    if (error != Error::none) throw Exception(error);
}
}  // namespace detail
#endif

namespace detail {
/// A range to copy `size` bytes from. Without exceptions, its type has to fix that length.
template <class Range, std::size_t size>
concept Copied = ByteRange<Range> && (fixed_size<Range> == size
#if defined(__cpp_exceptions)
                                      || fixed_size<Range> == std::dynamic_extent
#endif
                                     );

/// Copies the bytes. Throws `of_length` if they are not `size`.
template <std::size_t size>
void copy_checked(FixedBytesView<size> from, std::array<std::uint8_t, size>& to,
                  [[maybe_unused]] Error of_length = Error::length)
{
#if defined(__cpp_exceptions)
    throw_if(from.has_wanted_size() ? Error::none : of_length);
#endif
    std::memcpy(to.data(), from.data(), size);
}
}  // namespace detail

/// An array that can also be made from any range of its length: a signature or a ciphertext.
template <std::size_t size_>
struct FixedBytes : std::array<std::uint8_t, size_> {
    FixedBytes() noexcept = default;

    /// Copies the bytes. Throws Error::length.
    template <detail::Copied<size_> Range>
    explicit FixedBytes(const Range& bytes) noexcept(fixed_size<Range> == size_)
    {
        detail::copy_checked<size_>(bytes, *this);
    }

    /// Copies the bytes; std::nullopt if their number is wrong.
    [[nodiscard]] static std::optional<FixedBytes> from_bytes(FixedBytesView<size_> bytes) noexcept
    {
        if (!bytes.has_wanted_size()) return std::nullopt;
        FixedBytes copied;
        std::memcpy(copied.data(), bytes.data(), size_);
        return copied;
    }
};

/// How a message is signed or verified. Default: no context, no pre-hash, hedged with the operating
/// system's randomness. Only ML-DSA has contexts (up to 255 bytes) and pre-hashes.
struct Options {
    BytesView context{};
    const char* pre_hash = nullptr;  ///< the name of a pre-hash (HashML-DSA): "SHA2-256", "SHAKE128", ...
    bool deterministic = false;      ///< signing only: draws no randomness
    const girih_random* random = nullptr;  ///< signing only; null: the operating system's
    bool verify_after_sign = false;        ///< signing only: a signature that does not verify is Error::fault

    /// For the functions of girih.h. The result refers to the context, pre-hash and randomness.
    [[nodiscard]] girih_options c_options() const noexcept
    {
        return {context.data(),
                context.size(),
                pre_hash,
                deterministic ? 1 : 0,
                random,
                verify_after_sign ? 1 : 0,
                {}};
    }
};

}  // namespace girih
