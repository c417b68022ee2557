/// Layers of number-theoretic transforms on words of two residues. Three layers run at a time, so
/// that each word is loaded and stored once for all three.
///
/// Numbers are signed, and are reduced only where they might overflow. A forward layer maps (a, b)
/// to (a + b z, a - b z); products are at most product_bound, so numbers grow by that. An inverse
/// layer computes a + b, which doubles the bound, and a product of b - a.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"

namespace girih::transform {

/// `Poly` is an array of coefficients of 16 bits; `Halves` are the words (Isa::HalfwordsOf).
template <class Halves, class Poly>
struct PackedLayers {
    using Pair = typename Halves::Pair;
    template <std::size_t count>
    using Group = std::array<Pair, count>;

    /// `count` words from coefficient `first` on, `stride` coefficients apart.
    template <std::size_t count>
    [[nodiscard, gnu::always_inline]] static Group<count> load(const Poly& f, std::size_t first,
                                                               std::size_t stride) noexcept
    {
        Group<count> v;
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            std::memcpy(&v[k], &f[first + k * stride], sizeof v[k]);
        });
        return v;
    }
    template <std::size_t count>
    [[gnu::always_inline]] static void store(Poly& f, std::size_t first, std::size_t stride,
                                             const Group<count>& v) noexcept
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            std::memcpy(&f[first + k * stride], &v[k], sizeof v[k]);
        });
    }

    [[gnu::always_inline]] static void butterfly(Pair& a, Pair& b, std::uint32_t low,
                                                 std::uint32_t high) noexcept
    {
        const Pair product = Halves::multiply(b, low, high);
        b = Halves::subtract(a, product);
        a = Halves::add(a, product);
    }
    [[gnu::always_inline]] static void butterfly(Pair& a, Pair& b, std::uint32_t factor) noexcept
    {
        butterfly(a, b, factor, factor);
    }
    [[gnu::always_inline]] static void inverse_butterfly(Pair& a, Pair& b, std::uint32_t low,
                                                         std::uint32_t high) noexcept
    {
        const Pair difference = Halves::subtract(b, a);
        a = Halves::add(a, b);
        b = Halves::multiply(difference, low, high);
    }
    [[gnu::always_inline]] static void inverse_butterfly(Pair& a, Pair& b, std::uint32_t factor) noexcept
    {
        inverse_butterfly(a, b, factor, factor);
    }

    static constexpr std::uint32_t one = Halves::factor(1);

    /// Three layers of part `part` of `parts`, on eight words at a time, `stride` apart. The factor
    /// of part i in a layer of `parts` parts is factors[parts + i].
    template <bool reduces_first>
    [[gnu::always_inline]] static void part_thrice(Poly& f, const std::uint32_t* factors, std::size_t parts,
                                                   std::size_t part, std::size_t stride) noexcept
    {
        const std::uint32_t* const z1 = &factors[parts + part];
        const std::uint32_t* const z2 = &factors[2 * (parts + part)];
        const std::uint32_t* const z3 = &factors[4 * (parts + part)];
        const std::size_t first = part * 8 * stride;
        for (std::size_t i = first; i < first + stride; i += 2) {
            Group<8> v = load<8>(f, i, stride);
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                if constexpr (reduces_first) v[k] = Halves::multiply(v[k], one);
                butterfly(v[k], v[k + 4], z1[0]);
            });
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                constexpr std::size_t a = k + k / 2 * 2;  // 0, 1, 4, 5
                butterfly(v[a], v[a + 2], z2[k / 2]);
            });
            unroll<4>([&](auto k)
                          __attribute__((always_inline)) { butterfly(v[2 * k], v[2 * k + 1], z3[k]); });
            store(f, i, stride, v);
        }
    }

    /// The inverse of part_thrice, times 8. The inverse of part i's factor is the negative of the
    /// factor of part parts - 1 - i. Words that were added twice are reduced before the third
    /// layer; finish(v) ends it.
    template <class Finish>
    [[gnu::always_inline]] static void join_thrice(Poly& f, const std::uint32_t* factors, std::size_t parts,
                                                   std::size_t part, std::size_t stride,
                                                   Finish finish) noexcept
    {
        const std::uint32_t* const z1 = &factors[2 * parts - 1 - part];
        const std::uint32_t* const z2 = &factors[4 * parts - 2 - 2 * part];
        const std::uint32_t* const z3 = &factors[8 * parts - 4 - 4 * part];
        const std::size_t first = part * 8 * stride;
        for (std::size_t i = first; i < first + stride; i += 2) {
            Group<8> v = load<8>(f, i, stride);
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                inverse_butterfly(v[2 * k], v[2 * k + 1], z3[3 - k]);
            });
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                constexpr std::size_t a = k + k / 2 * 2;  // 0, 1, 4, 5
                inverse_butterfly(v[a], v[a + 2], z2[1 - k / 2]);
            });
            v[0] = Halves::multiply(v[0], one);
            v[4] = Halves::multiply(v[4], one);
            unroll<4>([&](auto k)
                          __attribute__((always_inline)) { inverse_butterfly(v[k], v[k + 4], z1[0]); });
            finish(v);
            store(f, i, stride, v);
        }
    }
};

}  // namespace girih::transform
