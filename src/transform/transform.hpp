/// Number-theoretic transforms modulo a small prime, in 16-bit lanes.
///
/// Z/r[z]/(z^n - 1) splits, one layer of butterflies at a time, into n values at the powers of an
/// n-th root of unity w. Node i of that tree is the ring modulo z^(n / 2^level) - w^e(i); its
/// children, 2i and 2i + 1, have half the degree, and + and - the square root of w^e(i). The root
/// is node 1, with e = 0.
///
/// The first layer has no products and gives two halves, nodes 2 and 3, modulo z^(n/2) - 1 and
/// z^(n/2) + 1; from there on, each is transformed by itself. Half a polynomial is n / 2L rows of L
/// lanes. Layers run between whole rows, in groups that fit into registers, until a row is a node.
/// Then two rows exchange blocks before each layer, so that a butterfly is always between two
/// vectors. The lane of each value is the same for all polynomials.
///
/// The tree may also end at nodes of degree 2, for polynomials with twice as many coefficients:
/// even and odd coefficients are two polynomials in z^2, and neighbours are transformed together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/unroll.hpp"
#include "isa/options.hpp"
#include "transform/roots.hpp"
#include "transform/short_butterflies.hpp"
#include "transform/short_residue.hpp"
#include "transform/tables.hpp"

namespace girih::transform {

/// Transforms of polynomials modulo z^n - 1 (`forward`, `inverse`) or modulo z^(n/2) + 1
/// (`forward_negacyclic`, `inverse_negacyclic`). z is the polynomial's variable to the power of the
/// leaves' degree.
template <class Isa, std::int32_t r, std::size_t n, Leaves leaves = Leaves{}>
class Transform {
    using Points = transform::Points<n * leaves.degree>;
    using HalfPoints = transform::Points<n / 2 * leaves.degree>;
    using Tables = TransformTables<Isa, r, n, leaves>;
    static constexpr std::size_t half_points = n / 2 * leaves.degree;

  public:
    using Residue = ShortResidue<Isa, r>;
    using Butterflies = ShortButterflies<Isa, r>;
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Factors = typename Residue::Factors;

    static constexpr std::size_t lanes = Lanes::lanes;
    static constexpr std::size_t rows = half_points / lanes;

    /// The bound after the first layer of cyclic forward transforms, and of negacyclic ones' input.
    static constexpr std::int32_t first_layer_bound = 5248;
    static constexpr std::int32_t negacyclic_bound = 8192;
    /// The bound of negacyclic inverse transforms.
    static constexpr std::int32_t inverse_bound = Residue::product_bound(32767);
    /// That bound, where the scale is fixed.
    static constexpr std::int32_t fixed_inverse_bound()
    {
        if (!has_two_blocks) return inverse_bound;
        return Residue::product_bound(2 * inverse_bound_after(lane_layers + block_layers));
    }
    /// The bound of the values that cyclic forward transforms give.
    static constexpr std::int32_t forward_value_bound()
    {
        return Butterflies::bound_after(first_layer_bound, std::bit_width(n) - 2, true);
    }
    /// The bound of cyclic inverse transforms.
    static constexpr std::int32_t cyclic_inverse_bound()
    {
        return 2 * inverse_bound_after(std::bit_width(n) - 2);
    }
    static constexpr std::int32_t inverse_value_bound =
        leaves.bound != 0 ? leaves.bound : Residue::reduced_bound;

    /// The values of a polynomial at all roots.
    static void forward(const Points& in, Points& out) noexcept
    {
        if constexpr (is_whole) {
            forward_whole(in, out);
        } else {
            forward_half<0, true>(in.half(0), out.half(0));
            forward_half<1, true>(in.half(0), out.half(1));
        }
    }
    static void forward_negacyclic(const HalfPoints& in, HalfPoints& out) noexcept
    {
        forward_negacyclic(in.c, out.c);
    }
    /// Half the points: forward_negacyclic takes them aligned or not.
    using Half = std::array<std::int16_t, half_points>;
    static void forward_negacyclic(const Half& in, Half& out) noexcept
    {
        forward_half<1, false>(in.data(), out.data());
    }

    /// n times the polynomial with these values, which are at most inverse_value_bound.
    static void inverse(Points& w) noexcept
    {
        if constexpr (is_whole) {
            inverse_whole(w);
        } else {
            inverse_half<0>(w.half(0));
            inverse_half<1>(w.half(1));
            for (std::size_t i = 0; i < half_points; i += lanes)
                last_layer(w, i, Lanes::load(w.half(0) + i), Lanes::load(w.half(1) + i));
        }
    }
    /// The polynomial with these values, times n / 2 and `scale`; coefficients are results of
    /// Residue::multiply.
    static void inverse_negacyclic(HalfPoints& w, ShortFactor scale) noexcept
    {
        inverse_negacyclic(w.c, scale);
    }
    static void inverse_negacyclic(Half& w, ShortFactor scale) noexcept
    {
        inverse_half<1>(w.data());
        const Factors factors = Factors::of(scale);
        for (std::size_t i = 0; i < half_points; i += lanes)
            Lanes::store(&w[i], Residue::multiply(Lanes::load(&w[i]), factors));
    }
    /// inverse_negacyclic from other memory, with a fixed scale.
    template <std::int64_t scale>
    static void inverse_negacyclic(const Half& from, Half& w) noexcept
    {
        if constexpr (has_two_blocks) {
            inverse_two_blocks<scale>(from.data(), w.data());
        } else {
            w = from;
            inverse_negacyclic(w, Residue::factor(scale));
        }
    }

    /// The leaf factors of the vector at i.
    [[nodiscard, gnu::always_inline]] static Factors leaf_factors(std::size_t i) noexcept
        requires(leaves.degree == 2)
    {
        return Tables::leaf_factors.template load<Residue>(i / lanes);
    }

  private:
    static constexpr std::size_t block = std::min<std::size_t>(rows, 16);  ///< rows in registers at once
    static constexpr std::size_t group = rows / block;
    static constexpr std::size_t block_layers = std::bit_width(block) - 1;
    static constexpr std::size_t group_layers = std::bit_width(group) - 1;

    /// Whether all rows of both halves fit into registers: vectors of 32 lanes come with 32
    /// registers.
    static constexpr bool is_whole = lanes == 32 && rows == 8;
    /// Whether one of two blocks stays in registers while the other goes through memory: with 32
    /// registers, of which products take few.
    static constexpr bool has_two_blocks = group == 2 && Residue::has_rounded_quotients;

    template <std::size_t size>
    using Group = std::array<Vector, size>;
    /// Rows that are `stride` apart.
    template <std::size_t size, std::size_t stride = 1>
    [[nodiscard, gnu::always_inline]] static Group<size> load(const std::int16_t* from) noexcept
    {
        Group<size> v;
        unroll<size>([&](auto i)
                         __attribute__((always_inline)) { v[i] = Lanes::load(from + i * stride * lanes); });
        return v;
    }
    template <std::size_t stride = 1, std::size_t size>
    [[gnu::always_inline]] static void store(std::int16_t* to, const Group<size>& v) noexcept
    {
        unroll<size>([&](auto i)
                         __attribute__((always_inline)) { Lanes::store(to + i * stride * lanes, v[i]); });
    }

    [[gnu::noinline]] static void forward_whole(const Points& in, Points& out) noexcept
    {
        Group<2 * rows> v;
        unroll<rows>([&](auto i) __attribute__((always_inline)) {
            v[i] = first_layer<0>(in.half(0), i * lanes);
            v[i + rows] = first_layer<1>(in.half(0), i * lanes);
        });
        row_layer<2 * rows, first_layer_bound, rows / 2, true>(1, v);
        lane_layers_from<2 * rows, 0,
                         Butterflies::bound_after(first_layer_bound, std::bit_width(rows) - 1, true)>(v, 0);
        store(out.c.data(), v);
    }

    [[gnu::noinline]] static void inverse_whole(Points& w) noexcept
    {
        Group<2 * rows> v = load<2 * rows>(w.c.data());
        inverse_lane_layers_from<2 * rows, lane_layers - 1, inverse_value_bound>(v, 0);
        inverse_row_layers<2 * rows, inverse_bound_after(lane_layers), true>(1, v);
        unroll<rows>([&](auto i)
                         __attribute__((always_inline)) { last_layer(w, i * lanes, v[i], v[i + rows]); });
    }

    /// The last layer, at i in both halves.
    [[gnu::always_inline]] static void last_layer(Points& w, std::size_t i, Vector sum,
                                                  Vector difference) noexcept
    {
        static_assert(cyclic_inverse_bound() <= Butterflies::limit);
        Lanes::store(w.half(0) + i, sum + difference);
        Lanes::store(w.half(1) + i, sum - difference);
    }

    /// A vector of the polynomial modulo z^(n/2) - 1 or z^(n/2) + 1.
    template <std::size_t half>
    [[nodiscard, gnu::always_inline]] static Vector first_layer(const std::int16_t* in,
                                                                std::size_t i) noexcept
    {
        const Vector low = Lanes::load(in + i);
        const Vector high = Lanes::load(in + half_points + i);
        if constexpr (half == 0) return low + high;
        return low - high;
    }

    /// The vector at i of a half: from a whole polynomial, or from one that is already modulo this
    /// half.
    template <std::size_t half, bool is_of_whole>
    [[nodiscard, gnu::always_inline]] static Vector input(const std::int16_t* in, std::size_t i) noexcept
    {
        if constexpr (is_of_whole) return first_layer<half>(in, i);
        return Lanes::load(in + i);
    }

    template <std::size_t half, bool is_of_whole>
    [[gnu::noinline]] static void forward_half(const std::int16_t* in, std::int16_t* out) noexcept
    {
        static constexpr std::int32_t bound = is_of_whole ? first_layer_bound : negacyclic_bound;
        static constexpr bool is_first_one = half == 0;
        if constexpr (group == 1) {
            Group<block> v;
            unroll<block>([&](auto i) __attribute__((always_inline)) {
                v[i] = input<half, is_of_whole>(in, i * lanes);
            });
            forward_block<half, bound>(half + 2, v, out);
        } else if constexpr (has_two_blocks) {
            Group<block> v;
            for_nodes<Direction::forward, 1>(half + 2, [&](auto, auto f) __attribute__((always_inline)) {
                unroll<block>([&](auto i) __attribute__((always_inline)) {
                    v[i] = input<half, is_of_whole>(in, i * lanes);
                    Vector b = input<half, is_of_whole>(in, (i + block) * lanes);
                    butterfly_of_node<0, bound, is_first_one>(v[i], b, f);
                    Lanes::store(out + (i + block) * lanes, b);
                });
            });
            static constexpr std::int32_t next = Butterflies::after_layer(bound, is_first_one);
            forward_block<half, next>(2 * half + 4, v, out);
            // By a hidden address: a compiler would keep this block in registers, too, and spill
            // it.
            v = load<block>(Isa::opaque(out) + block * lanes);
            forward_block<half, next>(2 * half + 5, v, out + block * lanes);
        } else {
            for (std::size_t row = 0; row < block; ++row) {
                Group<group> v;
                unroll<group>([&](auto i) __attribute__((always_inline)) {
                    v[i] = input<half, is_of_whole>(in, (row + i * block) * lanes);
                });
                row_layers<group, bound, is_first_one>(half + 2, v);
                store<block>(out + row * lanes, v);
            }
            for (std::size_t k = 0; k < group; ++k) {
                std::int16_t* const w = out + k * block * lanes;
                Group<block> v = load<block>(w);
                forward_block<half, Butterflies::bound_after(bound, group_layers, is_first_one)>(
                    (half + 2) * group + k, v, w);
            }
        }
    }

    /// n / 2 times the polynomial of one half's values.
    template <std::size_t half>
    [[gnu::noinline]] static void inverse_half(std::int16_t* w) noexcept
    {
        for (std::size_t k = 0; k < group; ++k)
            inverse_block<half>((half + 2) * group + k, w + k * block * lanes);
        if constexpr (group > 1) {
            for (std::size_t row = 0; row < block; ++row) {
                Group<group> v = load<group, block>(w + row * lanes);
                inverse_row_layers<group, inverse_bound_after(lane_layers + block_layers), half == 0>(
                    half + 2, v);
                store<block>(w + row * lanes, v);
            }
        }
    }

    /// All of inverse_negacyclic. The second block goes through memory; the last layer scales.
    template <std::int64_t scale>
    [[gnu::noinline]] static void inverse_two_blocks(const std::int16_t* from, std::int16_t* w) noexcept
    {
        static_assert(2 * inverse_bound_after(lane_layers + block_layers) <= Butterflies::limit);
        constexpr std::int64_t last = Tables::Roots::template twiddle<Direction::inverse>(3);
        Group<block> v = load<block>(from + block * lanes);
        inverse_rows<1>(7, v);
        store(w + block * lanes, v);
        v = load<block>(from);
        inverse_rows<1>(6, v);
        const std::int16_t* const second = Isa::opaque(w) + block * lanes;  // hidden, as above
        static constexpr std::array<ShortFactor, lanes / 2> last_factors{
            Residue::factor(scale), Residue::factor(Residue::constants.centered(scale) * last)};
        const Vector row = Lanes::load(&isa::factor_table<Isa, Vector, last_factors>()[0].value);
        const typename Residue::template IndexedFactor<0> of_sum{row};
        const typename Residue::template IndexedFactor<1> of_difference{row};
        unroll<block>([&](auto i) __attribute__((always_inline)) {
            const Vector b = Lanes::load(second + i * lanes);
            Lanes::store(w + i * lanes, Residue::multiply(v[i] + b, of_sum));
            Lanes::store(w + (i + block) * lanes, Residue::multiply(v[i] - b, of_difference));
        });
    }

    static constexpr std::int32_t inverse_bound_after(std::size_t layers_done)
    {
        return Butterflies::inverse_bound_after(inverse_value_bound, layers_done);
    }

    // ---- Layers between rows. If the node that they begin at has e = 0 (`is_first_one`), the
    // first node of each layer multiplies by 1.

    template <std::size_t size, std::int32_t bound, bool is_first_one>
    [[gnu::always_inline]] static void row_layers(std::size_t node, Group<size>& v) noexcept
    {
        row_layer<size, bound, size / 2, is_first_one>(node, v);
    }
    /// Calls step(k, the factor of node first + k) for so many nodes, in order. Where products take
    /// factors out of vectors, these hold lanes / 2 of them.
    template <Direction direction, std::size_t nodes, class Step>
    [[gnu::always_inline]] static void for_nodes(std::size_t first, Step step) noexcept
    {
        const auto& factors = isa::factor_table<Isa, Vector, Tables::template row_factors<direction>>();
        if constexpr (Residue::has_rounded_quotients) {
            constexpr std::size_t in_vector = lanes / 2;
            static_assert(rows >= 2 * in_vector, "a vector of factors may reach past the table");
            unroll<(nodes + in_vector - 1) / in_vector>([&](auto part) __attribute__((always_inline)) {
                constexpr std::size_t done = part * in_vector;
                const Vector row = Lanes::load(&factors[first + done].value);
                unroll<std::min(nodes - done, in_vector)>([&](auto i) __attribute__((always_inline)) {
                    step(std::integral_constant<std::size_t, done + i>{},
                         typename Residue::template IndexedFactor<i>{row});
                });
            });
        } else {
            unroll<nodes>([&](auto k)
                              __attribute__((always_inline)) { step(k, Factors::of(factors[first + k])); });
        }
    }
    /// The butterfly of node k of a layer.
    template <std::size_t k, std::int32_t bound, bool is_first_one, class Factor>
    [[gnu::always_inline]] static void butterfly_of_node(Vector& a, Vector& b, Factor f) noexcept
    {
        if constexpr (is_first_one && k == 0 && Butterflies::is_one_left_out(bound))
            Butterflies::butterfly_by_one(a, b);
        else
            Butterflies::template butterfly<bound>(a, b, f);
    }

    /// The layer of rows that are `distance` apart, and those after it.
    template <std::size_t size, std::int32_t bound, std::size_t distance, bool is_first_one>
    [[gnu::always_inline]] static void row_layer(std::size_t node, Group<size>& v) noexcept
    {
        constexpr std::size_t nodes = size / (2 * distance);
        for_nodes<Direction::forward, nodes>(
            node * nodes, [&](auto k, auto f) __attribute__((always_inline)) {
                constexpr std::size_t first = 2 * k * distance;
                unroll<distance>([&](auto i) __attribute__((always_inline)) {
                    butterfly_of_node<k, bound, is_first_one>(v[first + i], v[first + distance + i], f);
                });
            });
        if constexpr (distance > 1)
            row_layer<size, Butterflies::after_layer(bound, is_first_one), distance / 2, is_first_one>(node,
                                                                                                       v);
    }
    /// The layer of rows that are `distance` apart, and those after it within a half.
    template <std::size_t size, std::int32_t bound, bool is_first_one, std::size_t distance = 1>
    [[gnu::always_inline]] static void inverse_row_layers(std::size_t node, Group<size>& v) noexcept
    {
        constexpr std::size_t nodes = size / (2 * distance);
        for_nodes<Direction::inverse, nodes>(
            node * nodes, [&](auto k, auto f) __attribute__((always_inline)) {
                constexpr std::size_t first = 2 * k * distance;
                unroll<distance>([&](auto i) __attribute__((always_inline)) {
                    Vector& a = v[first + i];
                    Vector& b = v[first + distance + i];
                    if constexpr (is_first_one && k == 0)
                        Butterflies::template inverse_butterfly_by_one<bound>(a, b);
                    else
                        Butterflies::template inverse_butterfly<bound>(a, b, f);
                });
            });
        if constexpr (2 * distance < std::min(size, rows))
            inverse_row_layers<size, Butterflies::after_inverse_layer(bound), is_first_one, 2 * distance>(
                node, v);
    }

    // ---- Layers within two rows.

    static constexpr Pairs all_pairs{0, rows};
    static constexpr std::size_t lane_layers = Tables::lane_layers;

    /// Exchanges blocks of `size` lanes between two rows.
    template <std::size_t size>
    [[gnu::always_inline]] static void exchange(Vector& a, Vector& b) noexcept
    {
        const Vector low = Lanes::template even_blocks<size>(a, b);
        b = Lanes::template odd_blocks<size>(a, b);
        a = low;
    }

    /// This layer and those after it.
    template <std::size_t count, std::size_t layer, std::int32_t bound, Pairs pairs = all_pairs>
    [[gnu::always_inline]] static void lane_layers_from(Group<count>& v, std::size_t first_pair) noexcept
    {
        const auto& factors =
            isa::factor_table<Isa, Vector, Tables::template lane_factors<Direction::forward, pairs>>();
        unroll<count / 2>([&](auto i) __attribute__((always_inline)) {
            exchange<(lanes >> (layer + 1))>(v[2 * i], v[2 * i + 1]);
            Butterflies::template butterfly<bound>(
                v[2 * i], v[2 * i + 1],
                factors.template load<Residue>((first_pair + i) * lane_layers + layer));
        });
        if constexpr (layer + 1 < lane_layers)
            lane_layers_from<count, layer + 1, Butterflies::after_layer(bound), pairs>(v, first_pair);
    }
    /// This layer and those before it.
    template <std::size_t count, std::size_t layer, std::int32_t bound, Pairs pairs = all_pairs>
    [[gnu::always_inline]] static void inverse_lane_layers_from(Group<count>& v,
                                                                std::size_t first_pair) noexcept
    {
        const auto& factors =
            isa::factor_table<Isa, Vector, Tables::template lane_factors<Direction::inverse, pairs>>();
        unroll<count / 2>([&](auto i) __attribute__((always_inline)) {
            Butterflies::template inverse_butterfly<bound>(
                v[2 * i], v[2 * i + 1],
                factors.template load<Residue>((first_pair + i) * lane_layers + layer));
            exchange<(lanes >> (layer + 1))>(v[2 * i], v[2 * i + 1]);
        });
        if constexpr (layer > 0)
            inverse_lane_layers_from<count, layer - 1, Butterflies::after_inverse_layer(bound), pairs>(
                v, first_pair);
    }

    /// Repeats the layers' exchanges, each of which is its own inverse: smallest blocks first, from
    /// the lanes' order to the nodes'; largest first, back. Together they interleave the leaves of
    /// two rows, and separate them.
    template <std::size_t size = leaves.degree>
    [[gnu::always_inline]] static void rising_exchanges(Group<block>& v) noexcept
    {
        unroll<block / 2>([&](auto i) __attribute__((always_inline)) {
            if constexpr (isa::ZipsBlocks<Lanes>)
                replace(v[2 * i], v[2 * i + 1],
                        Lanes::template zip_lower<leaves.degree>(v[2 * i], v[2 * i + 1]),
                        Lanes::template zip_upper<leaves.degree>(v[2 * i], v[2 * i + 1]));
            else
                exchange<size>(v[2 * i], v[2 * i + 1]);
        });
        if constexpr (!isa::ZipsBlocks<Lanes> && 2 * size < lanes) rising_exchanges<2 * size>(v);
    }
    template <std::size_t size = lanes / 2>
    [[gnu::always_inline]] static void falling_exchanges(Group<block>& v) noexcept
    {
        unroll<block / 2>([&](auto i) __attribute__((always_inline)) {
            if constexpr (isa::ZipsBlocks<Lanes>)
                replace(v[2 * i], v[2 * i + 1],
                        Lanes::template even_of<leaves.degree>(v[2 * i], v[2 * i + 1]),
                        Lanes::template odd_of<leaves.degree>(v[2 * i], v[2 * i + 1]));
            else
                exchange<size>(v[2 * i], v[2 * i + 1]);
        });
        if constexpr (!isa::ZipsBlocks<Lanes> && size > leaves.degree) falling_exchanges<size / 2>(v);
    }
    [[gnu::always_inline]] static void replace(Vector& a, Vector& b, Vector new_a, Vector new_b) noexcept
    {
        a = new_a;
        b = new_b;
    }
    /// Whether a half's only block of rows is node 2. The first of several blocks is treated like
    /// the others.
    template <std::size_t half>
    static constexpr bool begins_with_one = half == 0 && group == 1;

    /// The transform of a node of `block` rows.
    template <std::size_t half, std::int32_t bound>
    [[gnu::always_inline]] static void forward_block(std::size_t node, Group<block>& v,
                                                     std::int16_t* out) noexcept
    {
        row_layers<block, bound, begins_with_one<half>>(node, v);
        const std::size_t first_pair = (node * block - (2 + half) * rows) / 2;
        lane_layers_from<block, 0, Butterflies::bound_after(bound, block_layers, begins_with_one<half>),
                         Pairs{half * rows / 2, rows / 2}>(v, first_pair);
        if constexpr (leaves.are_in_order()) {
            rising_exchanges(v);
            unroll<block>([&](auto i) __attribute__((always_inline)) { v[i] = Residue::reduce(v[i]); });
        }
        store(out, v);
    }
    template <std::size_t half>
    [[gnu::always_inline]] static void inverse_block(std::size_t node, std::int16_t* w) noexcept
    {
        Group<block> v = load<block>(w);
        inverse_rows<half>(node, v);
        store(w, v);
    }
    template <std::size_t half>
    [[gnu::always_inline]] static void inverse_rows(std::size_t node, Group<block>& v) noexcept
    {
        const std::size_t first_pair = (node * block - (2 + half) * rows) / 2;
        if constexpr (leaves.are_in_order()) falling_exchanges(v);
        inverse_lane_layers_from<block, lane_layers - 1, inverse_value_bound,
                                 Pairs{half * rows / 2, rows / 2}>(v, first_pair);
        inverse_row_layers<block, inverse_bound_after(lane_layers), begins_with_one<half>>(node, v);
    }
};

}  // namespace girih::transform
