/// Products in R/q on vectors.
///
/// R/q is (Z/q)[x]/(x^p - x - 1). The product of two polynomials has degree 2p - 2 before it is
/// reduced modulo x^p - x - 1, and is computed like this:
///
/// 1. Rows. With y = x^columns a polynomial is a_0(x) + a_1(x) y + a_2(x) y^2 + ..., where each
///    *row* a_i has degree below `columns`. As 2p - 1 <= rows * columns, nothing of the product is
///    lost if it is computed modulo y^rows - 1.
///
/// 2. Values. `rows` divides q - 1, so Z/q has an element w of order `rows`, and y^rows - 1 is the
///    product of all y - w^k. A polynomial is known by its *values* at y = w^k, k < rows, which are
///    polynomials in x:
///
///        A_k(x) = sum over i of w^(i k) a_i(x),
///
///    and the product's values are A_k B_k modulo x^columns - w^k. These products are computed
///    coefficient by coefficient: columns^2 multiplications each.
///
/// 3. The transform from rows to values has two layers. Let rows = parts * dense, i = r + parts s
///    and k = d + dense e, with r and e below `parts`. As w^(parts dense) = 1,
///
///        w^(i k) = w^(i d) (w^dense)^(r e),
///
///    so that the sum over s for each r and d (the *dense layer*) comes first, and then, for each
///    d, a *short transform* of `parts` values from r to e. The dense layer has 13 to 15 times 8
///    factors and is a matrix product: the d are lanes, and coefficients are broadcast. That takes
///    more multiplications than butterflies would, but no shuffles, and a vector instruction
///    multiplies pairs of 16-bit lanes and adds both products. It also transposes what it works on.
///
/// 4. Back from values to rows, the short transform is first and the dense layer second, with w^-1
///    in the place of w, and all is divided by `rows`.
///
/// 5. x^p = x + 1 (fold.hpp).
///
/// 761: 90 rows of 18 columns, 90 = 6 * 15. RowPlan has the numbers of each ring, and proves that
/// no intermediate result overflows.
///
/// Residues modulo q are signed 16-bit numbers; sums of products are reduced by Montgomery's
/// method, which divides by the radix, 2^16. Factors are times the radix to make up for that. The
/// products of values are divided by it too; the last layer's factors make up for that.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"
#include "ntru_prime/kernels/fold.hpp"
#include "ntru_prime/kernels/row_plan.hpp"
#include "ntru_prime/types.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Constant time. The caller wipes what is left on the stack, at the end of each operation
/// (OperationsOf).
///
/// A *word* is two coefficients that are neighbours in a row.
template <class Isa, class R>
class ProductModuloQ {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;
    using ModQ = transform::AnyShortResidue<Isa>;
    using Factors = typename ModQ::Factors;

    static constexpr std::size_t capacity = R::capacity;
    static constexpr std::size_t max_words = max_row_words(capacity);
    /// 16-bit lanes of a block: a word for each d, or each s. One or more vectors.
    static constexpr std::size_t block = 2 * max_dense;

    /// A block for each word of the rows with one s, or of the values with one d.
    struct alignas(64) Blocks {
        std::array<std::int16_t, max_words * block> c;
    };

  public:
    /// The values A_k of a polynomial.
    using Values = Blocks;

    /// Rq_mult_small (NTRU Prime, Section 3.5), on vectors; b may be any polynomial.
    template <class B>
    [[gnu::noinline]] static void multiply(const R& ring, const Rq<capacity>& a, const B& b,
                                           Rq<capacity>& product)
    {
        Values a_values;
        Values b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply(ring, a_values, b_values, b_values, product);
    }

    // ---- Products in two steps, for polynomials that are multiplied more than once.

    template <class Poly>
    [[gnu::noinline]] static void transform(const R& ring, const Poly& a, Values& values)
    {
        const ModQ modulo_q{ring.short_q};
        InputPairs pairs;
        pair_rows(ring.rows, a.c.data(), pairs);
        dense_forward(ring.rows, modulo_q, pairs, values);
        short_transform<false>(ring.rows, modulo_q, values);
    }

    /// `scratch` may be b.
    [[gnu::noinline]] static void multiply(const R& ring, const Values& a, const Values& b, Values& scratch,
                                           Rq<capacity>& product)
    {
        const ModQ modulo_q{ring.short_q};
        multiply_values(ring.rows, modulo_q, a, b, scratch);
        short_transform<true>(ring.rows, modulo_q, scratch);
        Whole whole;
        coefficients(ring.rows, modulo_q, scratch, whole);
        fold<Isa>(ring.p, modulo_q, whole.data(), product.c.data());
    }

  private:
    /// The words of a polynomial's rows, as the dense layer multiplies them: a coefficient of the
    /// row with an even s beside the same one of the row with the next s, as a 32-bit pair.
    struct alignas(64) InputPairs {
        static constexpr std::size_t stride = (max_words + 15) / 16 * 32;
        using Pairs = std::array<std::int16_t, input_rows / 2 * stride>;
        std::array<Pairs, 2> of;  ///< of even columns, and of odd ones
    };
    /// The coefficients of a product, followed by unspecified values.
    using Whole = std::array<std::int16_t, max_dense * 2 * max_words + Lanes::lanes>;

    [[nodiscard, gnu::always_inline]] static Vector broadcast_pair(const void* from) noexcept
    {
        std::int32_t pair;
        std::memcpy(&pair, from, sizeof pair);
        return __builtin_bit_cast(Vector, Sums{} + pair);
    }

    template <class T>
    static void pair_rows(const RowPlan& plan, const T* c, InputPairs& pairs)
    {
        constexpr std::size_t steps = input_rows / 2;
        const std::size_t length = 2 * plan.words();
        // The polynomial ends in the last two, which are padded with zeros.
        const std::size_t rest = plan.shape.p - whole_input_rows * length;
        std::array<T, 4 * max_words + 2 * Lanes::lanes> end;
        std::copy_n(c + whole_input_rows * length, rest, end.begin());
        std::fill(end.begin() + static_cast<std::ptrdiff_t>(rest), end.end(), T{});
        for (std::size_t u = 0; u < steps; ++u) {
            const T* const from = u < steps - 1 ? c + 2 * u * length : end.data();
            for (std::size_t i = 0; i < length; i += Lanes::lanes) {
                const Vector a = Lanes::load(from + i);
                const Vector b = Lanes::load(from + length + i);
                const std::size_t at = u * InputPairs::stride + i;
                Lanes::store(&pairs.of[0][at], Lanes::template even_blocks<1>(a, b));
                Lanes::store(&pairs.of[1][at], Lanes::template odd_blocks<1>(a, b));
            }
        }
    }

    /// One vector of a dense layer's results, an even and an odd column: sums of products of
    /// `steps` broadcast pairs, `stride` apart, and the factors.
    template <std::size_t stride, std::size_t steps>
    [[nodiscard, gnu::always_inline]] static Vector dense_sum(const ModQ& modulo_q, const auto* even,
                                                              const auto* odd,
                                                              const std::array<Vector, steps>& factor)
    {
        Sums even_sum = Lanes::multiply_pairs(broadcast_pair(even), factor[0]);
        Sums odd_sum = Lanes::multiply_pairs(broadcast_pair(odd), factor[0]);
        unroll<steps - 1>([&](auto u) __attribute__((always_inline)) {
            even_sum = Lanes::add_pairs(even_sum, broadcast_pair(even + (u + 1) * stride), factor[u + 1]);
            odd_sum = Lanes::add_pairs(odd_sum, broadcast_pair(odd + (u + 1) * stride), factor[u + 1]);
        });
        return modulo_q.reduce_sums(even_sum, odd_sum);
    }

    template <std::size_t steps>
    [[nodiscard, gnu::always_inline]] static std::array<Vector, steps> load_factors(
        const std::array<FactorPairs, steps>& factors, std::size_t lane)
    {
        std::array<Vector, steps> loaded;
        unroll<steps>([&](auto u) __attribute__((always_inline)) {
            loaded[u] = Lanes::load(&factors[u][0][0] + lane);
        });
        return loaded;
    }

    /// The dense layer: for each r, sums over s for all d.
    static void dense_forward(const RowPlan& plan, const ModQ& modulo_q, const InputPairs& pairs,
                              Blocks& values)
    {
        const std::size_t words = plan.shape.columns / 2;
        for (std::size_t r = 0; r < plan.shape.parts; ++r)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                const auto factor = load_factors(plan.factors[r].forward, lane);
                for (std::size_t word = r * words; word < (r + 1) * words; ++word)
                    Lanes::store(&values.c[word * block + lane],
                                 dense_sum<InputPairs::stride>(modulo_q, &pairs.of[0][2 * word],
                                                               &pairs.of[1][2 * word], factor));
            }
    }

    /// The dense layer backwards: for each r, sums over d for all s.
    static void dense_backward(const RowPlan& plan, const ModQ& modulo_q, const Blocks& values, Blocks& rows)
    {
        const std::size_t words = plan.shape.columns / 2;
        for (std::size_t r = 0; r < plan.shape.parts; ++r)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                const auto factor = load_factors(plan.factors[r].backward, lane);
                const std::size_t minus_r = r == 0 ? 0 : plan.shape.parts - r;
                for (std::size_t word = 0; word < words; ++word) {
                    // short_transform<true> has put pairs of d side by side.
                    const std::int16_t* const from = &values.c[(r * words + word) * block];
                    Lanes::store(&rows.c[(minus_r * words + word) * block + lane],
                                 dense_sum<4>(modulo_q, from, from + 2, factor));
                }
            }
    }

    /// The short transforms, in every lane. Before dense_backward, pairs of words of neighbouring d
    /// are transposed: two even columns, two odd ones.
    template <bool is_before_dense_backward>
    static void short_transform(const RowPlan& plan, const ModQ& modulo_q, Blocks& values)
    {
        if (capacity <= 768 || plan.shape.parts == 6)
            short_transform<is_before_dense_backward, 6>(plan, modulo_q, values);
        else
            short_transform<is_before_dense_backward, 3>(plan, modulo_q, values);
    }
    template <bool is_before_dense_backward, std::size_t parts>
    static void short_transform(const RowPlan& plan, const ModQ& modulo_q, Blocks& values)
    {
        const Factors third_root = Factors::of(plan.third_root);
        // omega^2 = -1 - omega.
        const auto three = [&](Vector& a, Vector& b, Vector& c) __attribute__((always_inline)) {
            const Vector rotated = modulo_q.multiply(b - c, third_root);
            const Vector first = a - c + rotated;
            const Vector second = a - b - rotated;
            a = a + b + c;
            b = first;
            c = second;
        };
        const std::size_t stride = plan.shape.columns / 2 * block;
        for (std::size_t i = 0; i < stride; i += Lanes::lanes) {
            std::int16_t* const at = &values.c[i];
            std::array<Vector, parts> x;
            unroll<parts>([&](auto r)
                              __attribute__((always_inline)) { x[r] = Lanes::load(at + r * stride); });
            if constexpr (parts == 6) {
                // Good: places modulo 2 and modulo 3, 0 4 2 and 3 1 5.
                unroll<3>([&](auto k) __attribute__((always_inline)) {
                    const Vector sum = x[k] + x[k + 3];
                    x[k + 3] = k == 1 ? x[k + 3] - x[k] : x[k] - x[k + 3];
                    x[k] = sum;
                });
                three(x[3], x[4], x[5]);
            }
            three(x[0], x[1], x[2]);
            unroll<parts>([&](auto r) __attribute__((always_inline)) {
                constexpr std::size_t place = parts == 6 && r % 3 == 1 ? 5 - r : r;
                const Vector reduced = modulo_q.reduce(x[r]);
                Lanes::store(at + place * stride,
                             is_before_dense_backward ? Lanes::exchange_middles(reduced) : reduced);
            });
        }
    }

    /// For each i below 2 columns, the pair (b_(i - columns), b_(i - columns - 1)) in each word:
    /// what pairs of a's coefficients are multiplied by. b_(-j) is w^k b_(columns - j).
    using ShiftedPairs = std::array<Vector, 2 * max_columns(capacity)>;

    static void shift_pairs(const RowPlan& plan, const ModQ& modulo_q, const std::int16_t* b, Vector root,
                            ShiftedPairs& pairs)
    {
        const std::size_t columns = plan.shape.columns;
        const Factors factor = modulo_q.prepare(root);
        Vector before = modulo_q.multiply(Lanes::load(b + (columns / 2 - 1) * block), factor);
        Vector before_times_root{};  // of the pair that is not used
        for (std::size_t i = 0; i < columns; i += 2) {
            const Vector word = Lanes::load(b + i / 2 * block);
            const Vector times_root = modulo_q.multiply(word, factor);
            pairs[i] = Lanes::merge_pairs(times_root, before_times_root);
            pairs[i + 1] = Lanes::cross_pairs(times_root);
            pairs[columns + i] = Lanes::merge_pairs(word, before);
            pairs[columns + i + 1] = Lanes::cross_pairs(word);
            before = word;
            before_times_root = times_root;
        }
    }

    /// The products modulo each x^columns - w^k, divided by the radix. `product` may be b.
    static void multiply_values(const RowPlan& plan, const ModQ& modulo_q, const Blocks& a, const Blocks& b,
                                Blocks& product)
    {
        const std::size_t stride = plan.shape.columns / 2 * block;
        ShiftedPairs pairs;
        for (std::size_t e = 0; e < plan.shape.parts; ++e)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                const std::size_t at = e * stride + lane;
                shift_pairs(plan, modulo_q, &b.c[at], Lanes::load(&plan.factors[e].root[0][0] + lane), pairs);
                multiply_value(plan.shape.columns, modulo_q, &a.c[at], pairs, &product.c[at]);
            }
    }
    [[gnu::always_inline]] static void multiply_value(std::size_t columns, const ModQ& modulo_q,
                                                      const std::int16_t* a, const ShiftedPairs& pairs,
                                                      std::int16_t* product)
    {
        constexpr std::size_t at_once = 6;  // coefficients of the product
        const std::size_t stride = columns / 2 * block;
        for (std::size_t first = 0;;
             first = first + 2 * at_once > columns ? columns - at_once : first + at_once) {
            std::array<Sums, at_once> sums{};
            const Vector* factor = &pairs[columns + first];
            for (std::size_t j = 0; j < stride; j += block, factor -= 2) {
                // g++ would also keep the factors of the next j: in memory, for lack of registers.
                if constexpr (Lanes::lanes < max_short_lanes) asm("" : "+r"(factor));
                const Vector own = Lanes::load(a + j);
                unroll<at_once>([&](auto k) __attribute__((always_inline)) {
                    sums[k] = Lanes::add_pairs(sums[k], own, factor[k]);
                });
            }
            unroll<at_once / 2>([&](auto k) __attribute__((always_inline)) {
                const Vector word = modulo_q.reduce_sums(sums[2 * k], sums[2 * k + 1]);
                Lanes::store(product + (first / 2 + k) * block,
                             RowPlanner::reduces_products(capacity) ? modulo_q.reduce(word) : word);
            });
            if (first == columns - at_once) break;
        }
    }

    /// The last layer. (noinline: its rows and the pairs of multiply_values never share the stack.)
    [[gnu::noinline]] static void coefficients(const RowPlan& plan, const ModQ& modulo_q,
                                               const Blocks& values, Whole& whole)
    {
        Blocks rows;
        dense_backward(plan, modulo_q, values, rows);
        join_rows(plan, rows, whole);
    }
    /// Puts coefficients in their order: transposes blocks, in which words of all s are side by
    /// side, four words of four s at a time.
    static void join_rows(const RowPlan& plan, const Blocks& rows, Whole& whole)
    {
        const std::size_t all = plan.words();
        for (std::size_t word = 0;; word = word + 8 > all ? all - 4 : word + 4) {
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                std::array<Vector, 4> x;
                unroll<4>([&](auto i) __attribute__((always_inline)) {
                    x[i] = Lanes::load(&rows.c[(word + i) * block + lane]);
                });
                const Vector e01 = Lanes::template even_blocks<2>(x[0], x[1]);
                const Vector o01 = Lanes::template odd_blocks<2>(x[0], x[1]);
                const Vector e23 = Lanes::template even_blocks<2>(x[2], x[3]);
                const Vector o23 = Lanes::template odd_blocks<2>(x[2], x[3]);
                const std::array<Vector, 4> transposed{
                    Lanes::template even_blocks<4>(e01, e23), Lanes::template even_blocks<4>(o01, o23),
                    Lanes::template odd_blocks<4>(e01, e23), Lanes::template odd_blocks<4>(o01, o23)};
                unroll<4>([&](auto i) __attribute__((always_inline)) {
                    unroll<Lanes::lanes / 8>([&](auto eighth) __attribute__((always_inline)) {
                        Lanes::template store_eight<eighth>(
                            &whole[(lane / 2 + 4 * eighth + i) * 2 * all + 2 * word], transposed[i]);
                    });
                });
            }
            if (word == all - 4) break;
        }
    }
};

}  // namespace girih::ntru_prime
