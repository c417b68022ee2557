/// The transforms of ntt.hpp on two residues a word, three layers at a time: a word is loaded and
/// stored once for them.
///
/// Numbers have a sign and are not reduced before it is needed. Forward, a layer makes (a, b) to
/// a + b z and a - b z: a product is at most q / 2 + 1, so numbers grow by that, and three layers
/// after a reduction of a alone, or three from residues in [0, q), stay below 32,768. Backward, it
/// makes a + b, twice as large, and a product: a number is reduced after two sums at the most.
///
/// Constant time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"
#include "falcon/ring/residue.hpp"

namespace girih::falcon {

template <class Isa, std::size_t n>
class PackedNtt {
    using Halves = typename Isa::template HalfwordsOf<static_cast<std::int32_t>(q)>;
    using Pair = typename Halves::Pair;
    template <std::size_t count>
    using Group = std::array<Pair, count>;

    static constexpr std::int32_t bound = Halves::product_bound;
    static_assert(static_cast<std::int32_t>(q) - 1 + 3 * bound < 32768 && 4 * bound < 32768);

  public:
    static void forward(ResiduePoly<n>& f) noexcept
    {
        if constexpr (has_single_layer) {
            for (std::size_t i = 0; i < n / 2; i += 2) {
                Group<2> v = load<2>(f, i, n / 2);
                butterfly(v[0], v[1], factors[1]);
                store(f, i, n / 2, v);
            }
        } else {
            layers<true>(f, 1, 0, n / 8);
        }
        std::size_t parts = has_single_layer ? 2 : 8;
        for (std::size_t stride = n / 8 / parts; stride > 1; parts *= 8, stride /= 8)
            for (std::size_t part = 0; part < parts; ++part) layers<false>(f, parts, part, stride);
        for (std::size_t part = 0; part < n / 8; ++part) last_layers(f, part);
    }

    static void inverse(ResiduePoly<n>& f) noexcept
    {
        for (std::size_t part = 0; part < n / 8; ++part) first_inverse_layers(f, part);
        std::size_t stride = 8;
        for (std::size_t parts = n / 64; parts > 1; parts /= 8, stride *= 8)
            for (std::size_t part = 0; part < parts; ++part) inverse_layers<false>(f, parts, part, stride);
        if constexpr (has_single_layer) {
            for (std::size_t i = 0; i < n / 2; i += 2) {
                Group<2> v = load<2>(f, i, n / 2);
                inverse_butterfly(v[0], v[1], factors[1]);
                for (Pair& a : v) a = Halves::canonical(Halves::multiply(a, scale));
                store(f, i, n / 2, v);
            }
        } else {
            inverse_layers<true>(f, 1, 0, n / 8);
        }
    }

  private:
    static constexpr unsigned count_of_layers = static_cast<unsigned>(std::bit_width(n)) - 1;
    static_assert(count_of_layers % 3 != 2);
    static constexpr bool has_single_layer = count_of_layers % 3 == 1;

    /// What part i of a layer of so many parts multiplies with is at parts + i. The inverse is less
    /// that of the layer's part parts - 1 - i.
    static constexpr std::array<std::uint32_t, n> factors = [] {
        std::array<std::uint32_t, n> all{};
        for (std::size_t i = 1; i < n; ++i)
            all[i] = Halves::factor(modulo_q::multiply(modulo_q::zetas<n>.forward[i], 1));
        return all;
    }();
    static constexpr std::uint32_t one = Halves::factor(1);
    static constexpr std::uint32_t scale = Halves::factor(q - (q - 1) / n);

    /// Words a stride apart; both in coefficients.
    template <std::size_t count>
    [[nodiscard, gnu::always_inline]] static Group<count> load(const ResiduePoly<n>& f, std::size_t first,
                                                               std::size_t stride) noexcept
    {
        Group<count> v;
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            std::memcpy(&v[k], &f[first + k * stride], sizeof v[k]);
        });
        return v;
    }
    template <std::size_t count>
    [[gnu::always_inline]] static void store(ResiduePoly<n>& f, std::size_t first, std::size_t stride,
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

    /// Three layers of a part, eight words at a time: they are a stride apart, n / 8 / parts.
    template <bool is_canonical>
    [[gnu::always_inline]] static void layers(ResiduePoly<n>& f, std::size_t parts, std::size_t part,
                                              std::size_t stride) noexcept
    {
        const std::uint32_t* const z1 = &factors[parts + part];
        const std::uint32_t* const z2 = &factors[2 * (parts + part)];
        const std::uint32_t* const z3 = &factors[4 * (parts + part)];
        const std::size_t first = part * 8 * stride;
        for (std::size_t i = first; i < first + stride; i += 2) {
            Group<8> v = load<8>(f, i, stride);
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                if constexpr (!is_canonical) v[k] = Halves::multiply(v[k], one);
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
    /// The last three: eight coefficients are a part, and in the last layer halves of a word meet.
    [[gnu::always_inline]] static void last_layers(ResiduePoly<n>& f, std::size_t part) noexcept
    {
        const std::uint32_t* const z2 = &factors[n / 4 + 2 * part];
        const std::uint32_t* const z3 = &factors[n / 2 + 4 * part];
        Group<4> v = load<4>(f, 8 * part, 2);
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            v[k] = Halves::multiply(v[k], one);
            butterfly(v[k], v[k + 2], factors[n / 8 + part]);
        });
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            Pair& low = v[2 * k];
            Pair& high = v[2 * k + 1];
            butterfly(low, high, z2[k]);
            Pair a = Halves::lows(low, high);
            Pair b = Halves::highs(low, high);
            butterfly(a, b, z3[2 * k], z3[2 * k + 1]);
            low = Halves::canonical(Halves::multiply(Halves::lows(a, b), one));
            high = Halves::canonical(Halves::multiply(Halves::highs(a, b), one));
        });
        store(f, 8 * part, 2, v);
    }

    [[gnu::always_inline]] static void first_inverse_layers(ResiduePoly<n>& f, std::size_t part) noexcept
    {
        const std::uint32_t* const z3 = &factors[n - 4 * part - 4];
        const std::uint32_t* const z2 = &factors[n / 2 - 2 * part - 2];
        Group<4> v = load<4>(f, 8 * part, 2);
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            Pair& low = v[2 * k];
            Pair& high = v[2 * k + 1];
            Pair a = Halves::lows(low, high);
            Pair b = Halves::highs(low, high);
            inverse_butterfly(a, b, z3[3 - 2 * k], z3[2 - 2 * k]);
            a = Halves::multiply(a, one);
            low = Halves::lows(a, b);
            high = Halves::highs(a, b);
            inverse_butterfly(low, high, z2[1 - k]);
        });
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            inverse_butterfly(v[k], v[k + 2], factors[n / 4 - 1 - part]);
            v[k] = Halves::multiply(v[k], one);
        });
        store(f, 8 * part, 2, v);
    }
    template <bool is_last>
    [[gnu::always_inline]] static void inverse_layers(ResiduePoly<n>& f, std::size_t parts, std::size_t part,
                                                      std::size_t stride) noexcept
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
            unroll<8>([&](auto k) __attribute__((always_inline)) {
                if constexpr (is_last)
                    v[k] = Halves::canonical(Halves::multiply(v[k], scale));
                else if constexpr (k < 4)
                    v[k] = Halves::multiply(v[k], one);
            });
            store(f, i, stride, v);
        }
    }
};

}  // namespace girih::falcon
