/// The roots of the Fourier transform as integers, for the key generator without floating point.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/kernels/fft/roots.hpp"

namespace girih::falcon {

/// A number high 2^32 + low in units of 2^-62. Both parts are signed, so that 32-bit products
/// suffice. |high| <= 2^30.
struct Halves {
    std::int32_t high;
    std::int32_t low;
};

/// Root `part` of `layer` is at 2^layer + part, as in RootBits.
template <std::size_t size>
struct ScaledRoots {
    std::array<Halves, size> re{};
    std::array<Halves, size> im{};
};

template <std::size_t size>
inline constexpr ScaledRoots<size> scaled_roots_of = [] {
    const auto all = directions();
    const auto halves = [](Fixed a, bool is_negative) {
        constexpr int dropped = Fixed::point - 62;
        const auto rounded = static_cast<std::int64_t>((a.high << (64 - dropped)) + (a.low >> dropped) +
                                                       ((a.low >> (dropped - 1)) & 1));
        const std::int64_t value = is_negative ? -rounded : rounded;
        const auto low = static_cast<std::int32_t>(value & 0xFFFFFFFF);
        return Halves{static_cast<std::int32_t>((value - low) >> 32), low};
    };
    ScaledRoots<size> roots;
    for (unsigned layer = 0; std::size_t{1} << layer < size; ++layer) {
        const std::size_t parts = std::size_t{1} << layer;
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t angle = (256 >> layer) + (reverse_bits(i, layer) << (10 - layer));
            const bool is_obtuse = angle > 512;
            const Direction direction = all[is_obtuse ? 1024 - angle : angle];
            roots.re[parts + i] = halves(direction.cos, is_obtuse);
            roots.im[parts + i] = halves(direction.sin, false);
        }
    }
    return roots;
}();
template <class Isa>
inline constexpr const auto& scaled_roots = scaled_roots_of<max_degree<Isa> / 2>;

}  // namespace girih::falcon
