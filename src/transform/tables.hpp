/// The factors of transforms, in the order in which vectors take them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "transform/roots.hpp"
#include "transform/short_residue.hpp"

namespace girih::transform {

/// The nodes of two rows, lane by lane.
template <std::size_t lanes>
struct RowPair {
    std::array<std::size_t, lanes> a;
    std::array<std::size_t, lanes> b;

    /// Exchanges blocks of `size` as even_blocks and odd_blocks of Lanes do.
    constexpr void exchange(std::size_t size)
    {
        const RowPair old = *this;
        for (std::size_t i = 0; i < lanes; ++i) {
            a[i] = (i & size) == 0 ? old.a[i] : old.b[i - size];
            b[i] = (i & size) == 0 ? old.a[i + size] : old.b[i];
        }
    }
    constexpr void descend()
    {
        for (std::size_t i = 0; i < lanes; ++i) {
            a[i] = 2 * a[i];
            b[i] = 2 * b[i] + 1;
        }
    }
    static constexpr RowPair of(std::size_t first_node)
    {
        RowPair pair{};
        for (std::size_t i = 0; i < lanes; ++i) {
            pair.a[i] = first_node;
            pair.b[i] = first_node + 1;
        }
        return pair;
    }
};

/// Some of the pairs of rows of a transform.
struct Pairs {
    std::size_t first;
    std::size_t count;
};

/// Factors for every lane of some rows.
template <std::size_t lanes, std::size_t count>
struct alignas(64) LaneFactors {
    std::array<std::array<std::int16_t, lanes>, count> value;
    std::array<std::array<std::int16_t, lanes>, count> quotient;

    constexpr void set(std::size_t row, std::size_t lane, ShortFactor f)
    {
        value[row][lane] = f.value;
        quotient[row][lane] = f.quotient;
    }
    template <class Residue>
    [[nodiscard, gnu::always_inline]] typename Residue::Factors load(std::size_t row) const noexcept
    {
        return {Residue::Lanes::load(value[row].data()), Residue::Lanes::load(quotient[row].data())};
    }
};

/// The tables of Transform, whose parameters these are.
template <class Isa, std::int32_t r, std::size_t n, Leaves leaves>
struct TransformTables {
    using Residue = ShortResidue<Isa, r>;
    using Roots = transform::Roots<r, n, leaves.root>;
    static constexpr std::size_t lanes = Isa::ShortLanes::lanes;
    static constexpr std::size_t rows = n / 2 * leaves.degree / lanes;
    /// Layers within two rows.
    static constexpr std::size_t lane_layers = std::bit_width(lanes / leaves.degree) - 1;
    using RowPair = transform::RowPair<lanes>;

    /// The factors of the nodes that consist of whole rows.
    template <Direction direction>
    static constexpr std::array<ShortFactor, 2 * rows> row_factors = [] {
        std::array<ShortFactor, 2 * rows> table{};
        for (std::size_t node = 1; node < table.size(); ++node)
            table[node] = Residue::factor(Roots::template twiddle<direction>(node));
        return table;
    }();

    /// Factors for every lane, in the order of forward transforms: by pair of rows, then by layer.
    /// Negacyclic transforms need one half only.
    template <Direction direction, Pairs pairs>
    static constexpr auto lane_factors = [] {
        LaneFactors<lanes, pairs.count * lane_layers> table{};
        for (std::size_t pair = 0; pair < pairs.count; ++pair) {
            RowPair nodes = RowPair::of(2 * rows + 2 * (pairs.first + pair));
            for (std::size_t layer = 0; layer < lane_layers; ++layer) {
                nodes.exchange(lanes >> (layer + 1));
                for (std::size_t i = 0; i < lanes; ++i)
                    table.set(pair * lane_layers + layer, i,
                              Residue::factor(Roots::template twiddle<direction>(nodes.a[i])));
                nodes.descend();
            }
        }
        return table;
    }();

    /// For leaves of degree 2: z^2 of each pair of lanes in its odd lane, 1 in its even lane.
    static constexpr auto leaf_factors = [] {
        LaneFactors<lanes, 2 * rows> table{};
        for (std::size_t row = 0; row < 2 * rows; ++row) {
            RowPair nodes = RowPair::of(2 * rows + row / 2 * 2);
            for (std::size_t layer = 0; layer < lane_layers; ++layer) {
                nodes.exchange(lanes >> (layer + 1));
                nodes.descend();
            }
            for (std::size_t i = 0; i < lanes; ++i) {
                const std::size_t node = row % 2 == 0 ? nodes.a[i] : nodes.b[i];
                table.set(row, i, Residue::factor(i % 2 == 0 ? 1 : Roots::powers[Roots::exponent(node)]));
            }
        }
        return table;
    }();
};

}  // namespace girih::transform
