/// Secrets, and the one way out of them.
///
/// `Secret<T>` has no conversion to bool, no index, no division and no comparison: a branch or a
/// table look-up on a secret does not compile. If the standard publishes something computed from
/// secrets (a signature, the fact of a rejection), `declassify` returns it, with the reason in the
/// source.
///
/// In a build with GIRIH_CHECK_CONSTANT_TIME, `declassify` also informs the memory checker, so that
/// a run with poisoned secrets reports every other leak. Apart from that, the instructions are
/// those of the shipped library (memcheck) or of clang's memory sanitizer.
///
/// Secrets select values through masks, which are all ones or 0. A compiler that can prove this of
/// a mask may turn it into a branch, so masks come from the functions below, which end with a
/// barrier; `tools/check masks` finds others.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#if defined(GIRIH_CHECK_CONSTANT_TIME)
#    if defined(__has_feature)
#        if __has_feature(memory_sanitizer)
#            define GIRIH_MEMORY_SANITIZER
#        endif
#    endif
#    if defined(GIRIH_MEMORY_SANITIZER)
#        include <sanitizer/msan_interface.h>
#    else
#        include <valgrind/memcheck.h>
#    endif
#endif

namespace girih {

/// Why a value computed from secrets may be published: a sentence, with the section of the
/// standard.
using Reason = std::string_view;

namespace secret_checker {

/// Tells the memory checker that branches and addresses may depend on `bytes` bytes at `data` from
/// now on.
constexpr void mark_public([[maybe_unused]] const void* data, [[maybe_unused]] std::size_t bytes) noexcept
{
#if defined(GIRIH_CHECK_CONSTANT_TIME)
    if (!std::is_constant_evaluated()) {
#    if defined(GIRIH_MEMORY_SANITIZER)
        __msan_unpoison(data, bytes);
#    else
        (void)VALGRIND_MAKE_MEM_DEFINED(data, bytes);
#    endif
    }
#endif
}

/// Tells the memory checker that no branch and no index may depend on these bytes. For tests.
inline void mark_secret([[maybe_unused]] const void* data, [[maybe_unused]] std::size_t bytes) noexcept
{
#if defined(GIRIH_CHECK_CONSTANT_TIME)
#    if defined(GIRIH_MEMORY_SANITIZER)
    __msan_allocated_memory(data, bytes);
#    else
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, bytes);
#    endif
#endif
}

}  // namespace secret_checker

/// The value barrier: `value`, hidden from the optimiser. Costs no instruction.
template <std::integral T>
[[nodiscard, gnu::always_inline]] constexpr T value_barrier(T value) noexcept
{
#if !defined(GIRIH_MEMORY_SANITIZER)  // which treats the results of assembly as public
    if (!std::is_constant_evaluated()) {
        if constexpr (sizeof value <= sizeof(void*)) {
            asm("" : "+r"(value));
        } else {  // two registers: not every compiler accepts a pair of them
            auto low = static_cast<std::uint32_t>(value);
            auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32);
            asm("" : "+r"(low), "+r"(high));
            value = static_cast<T>(std::uint64_t{high} << 32 | low);
        }
    }
#endif
    return value;
}

/// All ones if the highest bit of `a` is set, else 0, without the barrier, which would prevent
/// vectorised loops. Only for sums such as a + (q & mask) in loops over coefficients.
template <std::integral T>
[[nodiscard, gnu::always_inline]] constexpr T negative_lane(T a) noexcept
{
    return static_cast<T>(static_cast<std::make_signed_t<T>>(a) >> (8 * sizeof a - 1));
}

/// negative_lane with the barrier.
template <std::integral T>
[[nodiscard, gnu::always_inline]] constexpr T negative_mask(T a) noexcept
{
    return value_barrier(negative_lane(a));
}

/// All ones if `a` is not 0, else 0.
template <std::integral T>
[[nodiscard, gnu::always_inline]] constexpr T nonzero_mask(T a) noexcept
{
    const auto bits = static_cast<std::make_unsigned_t<T>>(a);
    return negative_mask(static_cast<T>(bits | (0 - bits)));
}

/// All ones if the lowest bit of `a` is set, else 0.
template <std::integral T>
[[nodiscard, gnu::always_inline]] constexpr T odd_mask(T a) noexcept
{
    return value_barrier(static_cast<T>(T{0} - (a & 1)));
}

/// A secret integer. Shift amounts are public.
template <std::integral T>
class Secret {
  public:
    constexpr Secret() = default;
    constexpr explicit Secret(T value) noexcept : value_(value) {}

    [[nodiscard]] friend constexpr Secret operator&(Secret a, Secret b) noexcept
    {
        return of(a.value_ & b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator|(Secret a, Secret b) noexcept
    {
        return of(a.value_ | b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator^(Secret a, Secret b) noexcept
    {
        return of(a.value_ ^ b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator+(Secret a, Secret b) noexcept
    {
        return of(a.value_ + b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator-(Secret a, Secret b) noexcept
    {
        return of(a.value_ - b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator*(Secret a, Secret b) noexcept
    {
        return of(a.value_ * b.value_);
    }
    [[nodiscard]] friend constexpr Secret operator~(Secret a) noexcept { return of(~a.value_); }
    [[nodiscard]] friend constexpr Secret operator<<(Secret a, int bits) noexcept
    {
        return of(a.value_ << bits);
    }
    [[nodiscard]] friend constexpr Secret operator>>(Secret a, int bits) noexcept
    {
        return of(a.value_ >> bits);
    }
    constexpr Secret& operator|=(Secret other) noexcept { return *this = *this | other; }
    constexpr Secret& operator^=(Secret other) noexcept { return *this = *this ^ other; }
    constexpr Secret& operator+=(Secret other) noexcept { return *this = *this + other; }

    /// The value, as public data.
    [[nodiscard]] friend constexpr T declassify(const Secret& secret, Reason) noexcept
    {
        T value = secret.value_;
        secret_checker::mark_public(&value, sizeof value);
        return value;
    }

  private:
    template <class Wide>
    static constexpr Secret of(Wide value) noexcept
    {
        return Secret{static_cast<T>(value)};
    }

    T value_{};
};

/// A whole array, as public data.
template <class T, std::size_t n>
constexpr void declassify(std::span<T, n> values, Reason) noexcept
{
    secret_checker::mark_public(values.data(), values.size_bytes());
}

}  // namespace girih
