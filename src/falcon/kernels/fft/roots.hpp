/// The roots of unity of the Fourier transform, computed at compile time and rounded correctly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "falcon/kernels/fft/fixed.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// The cosine and sine of an angle in the first quadrant.
struct Direction {
    Fixed cos;
    Fixed sin;
};

/// The directions of angle pi i / 1024 for i = 0 to 512.
constexpr std::array<Direction, 513> directions()
{
    // Half of an angle: cos(a / 2) = sqrt((1 + cos a) / 2), sin(a / 2) = sqrt((1 - cos a) / 2),
    // from a = pi / 2 down.
    constexpr std::size_t bits = 9;
    std::array<Direction, bits + 1> powers{};
    powers[bits] = {Fixed{}, Fixed::one()};
    for (std::size_t i = bits; i-- > 0;) {
        const Fixed cos = powers[i + 1].cos;
        powers[i] = {sqrt((Fixed::one() + cos).halved()), sqrt((Fixed::one() - cos).halved())};
    }
    std::array<Direction, 513> all{};
    all[0] = {Fixed::one(), Fixed{}};
    for (std::size_t bit = 0; bit <= bits; ++bit) {
        const std::size_t first = std::size_t{1} << bit;
        const Direction turn = powers[bit];
        all[first] = turn;
        for (std::size_t i = 1; i < first && first + i < all.size(); ++i) {
            const Direction from = all[i];
            all[first + i] = {from.cos * turn.cos - from.sin * turn.sin,
                              from.sin * turn.cos + from.cos * turn.sin};
        }
    }
    return all;
}

/// The last `bits` bits of a number in reverse.
constexpr std::size_t reverse_bits(std::size_t a, unsigned bits)
{
    std::size_t reversed = 0;
    for (unsigned i = 0; i < bits; ++i) reversed |= ((a >> i) & 1) << (bits - 1 - i);
    return reversed;
}

/// The factors of the transform's layers. A polynomial modulo x^(2m) - zeta^2 splits into one
/// modulo x^m - zeta and one modulo x^m + zeta. The first modulus is x^(n/2) - i, so the first zeta
/// is exp(i pi / 4); the part of zeta = exp(i pi a) has exp(i pi a / 2) next, and that of -zeta =
/// exp(i pi (a + 1)) has exp(i pi (a + 1) / 2). So part i of layer k has a = 2^-(k + 2) + 2^-k
/// reverse(i), where i is reversed as a number of k bits.
struct RootBits {
    static constexpr std::size_t size = 512;
    std::array<std::uint64_t, size> re{};
    std::array<std::uint64_t, size> im{};
};

constexpr RootBits make_root_bits()
{
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto all = directions();
    RootBits roots;
    for (unsigned layer = 0; layer < 9; ++layer) {
        const std::size_t parts = std::size_t{1} << layer;
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t angle = (256 >> layer) + (reverse_bits(i, layer) << (10 - layer));
            const bool is_obtuse = angle > 512;
            const Direction direction = all[is_obtuse ? 1024 - angle : angle];
            roots.re[parts + i] = direction.cos.to_double_bits() | (is_obtuse ? sign : 0);
            roots.im[parts + i] = direction.sin.to_double_bits();
        }
    }
    return roots;
}

/// The largest degree that an engine transforms: microcontrollers have no flash for unused tables.
template <class Isa>
inline constexpr std::size_t max_degree = 2 * RootBits::size;
template <isa::LimitsDegree Isa>
inline constexpr std::size_t max_degree<Isa> = Isa::max_degree;

/// The roots as numbers of one type: root `part` of `layer` is at 2^layer + part.
template <class Fpr>
struct Roots {
    static constexpr std::size_t size = max_degree<typename Fpr::Engine> / 2;
    std::array<Fpr, size> re;
    std::array<Fpr, size> im;
};

template <class Fpr>
inline constexpr Roots<Fpr> roots = [] {
    const RootBits bits = make_root_bits();  // a constant outside would be computed in every file
    Roots<Fpr> all{};
    for (std::size_t i = 0; i < Roots<Fpr>::size; ++i) {
        all.re[i] = Fpr::of_bits(bits.re[i]);
        all.im[i] = Fpr::of_bits(bits.im[i]);
    }
    return all;
}();

}  // namespace girih::falcon
