/// __builtin_shufflevector (g++ from version 12 on) with lanes as arguments.
#pragma once

#if !defined(__clang__) && __GNUC__ < 12
#    include <cstddef>
#    include <type_traits>

namespace girih::isa {

/// Lane k of the result is lane i_k of a followed by b.
template <class Vector, class... Index>
[[nodiscard, gnu::always_inline]] inline auto shuffle_vector(const Vector& a, const Vector& b,
                                                             Index... i) noexcept
{
    using Lane = std::remove_cvref_t<decltype(a[0])>;
    using Result [[gnu::vector_size(sizeof(Lane) * sizeof...(i))]] = Lane;
    constexpr std::size_t lanes = sizeof(Vector) / sizeof(Lane);
    return Result{(static_cast<std::size_t>(i) < lanes ? a[i] : b[static_cast<std::size_t>(i) - lanes])...};
}

}  // namespace girih::isa
#    define __builtin_shufflevector girih::isa::shuffle_vector
#endif
