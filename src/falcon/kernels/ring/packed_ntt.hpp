/// The transforms of ntt.hpp on two residues a word, three layers at a time (see
/// packed_layers.hpp).
///
/// Forward, three layers stay below 32,768 after a reduction of a alone, or from residues in [0,
/// q). Backward, a number is reduced after at most two sums.
///
/// Constant time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "falcon/kernels/ring/residue.hpp"
#include "transform/packed_layers.hpp"

namespace girih::falcon {

template <class Isa, std::size_t n>
class PackedNtt {
    using Halves = typename Isa::template HalfwordsOf<static_cast<std::int32_t>(q)>;
    using Pair = typename Halves::Pair;
    using Layers = transform::PackedLayers<Halves, ResiduePoly<n>>;

    static constexpr std::int32_t bound = Halves::product_bound;
    static_assert(static_cast<std::int32_t>(q) - 1 + 3 * bound < 32768 && 4 * bound < 32768);

  public:
    static void forward(ResiduePoly<n>& f) noexcept
    {
        if constexpr (has_single_layer) {
            for (std::size_t i = 0; i < n / 2; i += 2) {
                auto v = Layers::template load<2>(f, i, n / 2);
                Layers::butterfly(v[0], v[1], factors[1]);
                Layers::store(f, i, n / 2, v);
            }
        } else {
            Layers::template part_thrice<false>(f, factors.data(), 1, 0, n / 8);
        }
        std::size_t parts = has_single_layer ? 2 : 8;
        for (std::size_t stride = n / 8 / parts; stride > 1; parts *= 8, stride /= 8)
            for (std::size_t part = 0; part < parts; ++part)
                Layers::template part_thrice<true>(f, factors.data(), parts, part, stride);
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
                auto v = Layers::template load<2>(f, i, n / 2);
                Layers::inverse_butterfly(v[0], v[1], factors[1]);
                for (Pair& a : v) a = Halves::canonical(Halves::multiply(a, scale));
                Layers::store(f, i, n / 2, v);
            }
        } else {
            inverse_layers<true>(f, 1, 0, n / 8);
        }
    }

  private:
    static constexpr unsigned count_of_layers = static_cast<unsigned>(std::bit_width(n)) - 1;
    static_assert(count_of_layers % 3 != 2);
    static constexpr bool has_single_layer = count_of_layers % 3 == 1;

    /// The factor of part i in a layer of `parts` parts is at parts + i. Its inverse is minus the
    /// factor of part parts - 1 - i.
    static constexpr std::array<std::uint32_t, n> factors = [] {
        std::array<std::uint32_t, n> all{};
        for (std::size_t i = 1; i < n; ++i)
            all[i] = Halves::factor(modulo_q::multiply(modulo_q::zetas<n>[i], 1));
        return all;
    }();
    static constexpr std::uint32_t one = Layers::one;
    static constexpr std::uint32_t scale = Halves::factor(q - (q - 1) / n);

    /// The last three layers: a part has eight coefficients, and the last layer is between halves
    /// of a word.
    [[gnu::always_inline]] static void last_layers(ResiduePoly<n>& f, std::size_t part) noexcept
    {
        const std::uint32_t* const z2 = &factors[n / 4 + 2 * part];
        const std::uint32_t* const z3 = &factors[n / 2 + 4 * part];
        auto v = Layers::template load<4>(f, 8 * part, 2);
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            v[k] = Halves::multiply(v[k], one);
            Layers::butterfly(v[k], v[k + 2], factors[n / 8 + part]);
        });
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            Pair& low = v[2 * k];
            Pair& high = v[2 * k + 1];
            Layers::butterfly(low, high, z2[k]);
            Pair a = Halves::lows(low, high);
            Pair b = Halves::highs(low, high);
            Layers::butterfly(a, b, z3[2 * k], z3[2 * k + 1]);
            low = Halves::canonical(Halves::multiply(Halves::lows(a, b), one));
            high = Halves::canonical(Halves::multiply(Halves::highs(a, b), one));
        });
        Layers::store(f, 8 * part, 2, v);
    }

    [[gnu::always_inline]] static void first_inverse_layers(ResiduePoly<n>& f, std::size_t part) noexcept
    {
        const std::uint32_t* const z3 = &factors[n - 4 * part - 4];
        const std::uint32_t* const z2 = &factors[n / 2 - 2 * part - 2];
        auto v = Layers::template load<4>(f, 8 * part, 2);
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            Pair& low = v[2 * k];
            Pair& high = v[2 * k + 1];
            Pair a = Halves::lows(low, high);
            Pair b = Halves::highs(low, high);
            Layers::inverse_butterfly(a, b, z3[3 - 2 * k], z3[2 - 2 * k]);
            a = Halves::multiply(a, one);
            low = Halves::lows(a, b);
            high = Halves::highs(a, b);
            Layers::inverse_butterfly(low, high, z2[1 - k]);
        });
        unroll<2>([&](auto k) __attribute__((always_inline)) {
            Layers::inverse_butterfly(v[k], v[k + 2], factors[n / 4 - 1 - part]);
            v[k] = Halves::multiply(v[k], one);
        });
        Layers::store(f, 8 * part, 2, v);
    }
    template <bool is_last>
    [[gnu::always_inline]] static void inverse_layers(ResiduePoly<n>& f, std::size_t parts, std::size_t part,
                                                      std::size_t stride) noexcept
    {
        Layers::join_thrice(f, factors.data(), parts, part, stride, [](auto& v) {
            unroll<8>([&](auto k) __attribute__((always_inline)) {
                if constexpr (is_last)
                    v[k] = Halves::canonical(Halves::multiply(v[k], scale));
                else if constexpr (k < 4)
                    v[k] = Halves::multiply(v[k], one);
            });
        });
    }
};

}  // namespace girih::falcon
