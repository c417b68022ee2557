/// Products in Z[x]/(x^p - x - 1) modulo q itself, where vectors multiply pairs of lanes and add
/// the products.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"
#include "ntru_prime/arithmetic/fold.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/row_plan.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Products in a ring of type R. What is left on the stack is wiped at the end of each operation,
/// as a whole (OperationsOf).
///
/// A word is two coefficients that are neighbours in a row. Constant time.
template <class Isa, class R>
class RowProduct {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;
    using ModQ = transform::AnyShortResidue<Isa>;
    using Factors = typename ModQ::Factors;

    static constexpr std::size_t room = R::room;
    using Plans = RowPlans<room>;
    /// Words side by side, as many as `d` or `s` there are: in one or more vectors.
    static constexpr std::size_t block = 2 * most_dense;

    /// A block for each word: of a value modulo x^columns - w^k for each k, of `parts` times.
    struct alignas(64) Blocks {
        std::array<std::int16_t, Plans::words * block> c;
    };

  public:
    /// The values of a polynomial.
    using Values = Blocks;

    /// The product of two polynomials.
    template <class B>
    [[gnu::noinline]] static void multiply(const R& ring, const Rq<room>& a, const B& b, Rq<room>& product)
    {
        Values a_values;
        Values b_values;
        transform(ring, a, a_values);
        transform(ring, b, b_values);
        multiply(ring, a_values, b_values, b_values, product);
    }

    // ---- The same in parts, for polynomials that are multiplied more than once.

    template <class Poly>
    [[gnu::noinline]] static void transform(const R& ring, const Poly& a, Blocks& values)
    {
        const RowPlan& plan = plan_of(ring.p);
        Streams streams;
        split(plan, a.c.data(), streams);
        const ModQ modulo_q{ring.short_q};
        enter(plan, modulo_q, streams, values);
        mix<false>(plan, modulo_q, values);
    }

    /// The end of multiply. `scratch` may be b.
    [[gnu::noinline]] static void multiply(const R& ring, const Values& a, const Values& b, Values& scratch,
                                           Rq<room>& product)
    {
        const RowPlan& plan = plan_of(ring.p);
        const ModQ modulo_q{ring.short_q};
        multiply_values(plan, modulo_q, a, b, scratch);
        mix<true>(plan, modulo_q, scratch);
        Whole whole;
        leave(plan, modulo_q, scratch, whole);
        fold<Isa>(ring.p, modulo_q, whole.data(), product.c.data());
    }

  private:
    static const RowPlan& plan_of(std::size_t p)
    {
        std::size_t i = 0;
        while (Plans::all[i].p != p) ++i;
        return Plans::all[i];
    }

    /// Pairs of coefficients that the dense layer multiplies at once: those of an even s and of the
    /// next, two for each word.
    struct alignas(64) Streams {
        static constexpr std::size_t stride = (Plans::words + 15) / 16 * 16;
        using Words = std::array<std::int32_t, most_streams / 2 * stride>;
        std::array<Words, 2> of;  ///< of even columns, and of odd ones
    };
    /// The coefficients of a product, and more behind them.
    using Whole = std::array<std::int16_t, most_dense * 2 * Plans::words + Lanes::lanes>;

    [[nodiscard, gnu::always_inline]] static Vector everywhere(const void* word) noexcept
    {
        std::int32_t pair;
        std::memcpy(&pair, word, sizeof pair);
        return reinterpret_cast<Vector>(Sums{} + pair);
    }

    template <class T>
    static void split(const RowPlan& plan, const T* c, Streams& streams)
    {
        constexpr std::size_t pairs = most_streams / 2;
        const std::size_t length = 2 * plan.words();
        // The last two have the end of the polynomial.
        const std::size_t rest = plan.p - full_streams * length;
        std::array<T, 4 * Plans::words + 2 * Lanes::lanes> end;
        std::copy_n(c + full_streams * length, rest, end.begin());
        std::fill(end.begin() + static_cast<std::ptrdiff_t>(rest), end.end(), T{});
        for (std::size_t u = 0; u < pairs; ++u) {
            const T* const from = u < pairs - 1 ? c + 2 * u * length : end.data();
            for (std::size_t i = 0; i < length; i += Lanes::lanes) {
                const Vector a = Lanes::load(from + i);
                const Vector b = Lanes::load(from + length + i);
                const std::size_t at = u * Streams::stride + i / 2;
                store_words(&streams.of[0][at], Lanes::template even_blocks<1>(a, b));
                store_words(&streams.of[1][at], Lanes::template odd_blocks<1>(a, b));
            }
        }
    }
    static void store_words(std::int32_t* to, Vector a) noexcept { std::memcpy(to, &a, sizeof a); }

    /// The dense layer, forward.
    static void enter(const RowPlan& plan, const ModQ& modulo_q, const Streams& streams, Blocks& values)
    {
        constexpr std::size_t pairs = most_streams / 2;
        const std::size_t words = plan.columns / 2;
        for (std::size_t r = 0; r < plan.parts; ++r)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                std::array<Vector, pairs> factor;
                unroll<pairs>([&](auto u) __attribute__((always_inline)) {
                    factor[u] = Lanes::load(&Plans::factors[plan.first + r].forward[u][0][0] + lane);
                });
                for (std::size_t word = r * words; word < (r + 1) * words; ++word) {
                    std::array<Sums, 2> sums;
                    unroll<2>([&](auto odd) __attribute__((always_inline)) {
                        const std::int32_t* const from = &streams.of[odd][word];
                        sums[odd] = Lanes::multiply_pairs(everywhere(from), factor[0]);
                        unroll<pairs - 1>([&](auto u) __attribute__((always_inline)) {
                            sums[odd] = Lanes::add_pairs(
                                sums[odd], everywhere(from + (u + 1) * Streams::stride), factor[u + 1]);
                        });
                    });
                    Lanes::store(&values.c[word * block + lane], modulo_q.reduce_sums(sums[0], sums[1]));
                }
            }
    }

    /// Transforms of `parts` values, in every lane. The one that `leave` follows puts pairs of d
    /// side by side, which that multiplies.
    template <bool is_last>
    static void mix(const RowPlan& plan, const ModQ& modulo_q, Blocks& values)
    {
        if (plan.parts == 6)
            mix<is_last, 6>(plan, modulo_q, values);
        else if (plan.parts == 9)
            mix<is_last, 9>(plan, modulo_q, values);
        else
            mix<is_last, 3>(plan, modulo_q, values);
    }
    template <bool is_last, std::size_t parts>
    static void mix(const RowPlan& plan, const ModQ& modulo_q, Blocks& values)
    {
        if constexpr (Plans::template has_parts<parts>) {
            const Factors third_root = ModQ::broadcast(plan.third_root);
            // omega^2 = -1 - omega.
            const auto three = [&](Vector& a, Vector& b, Vector& c) __attribute__((always_inline)) {
                const Vector turned = modulo_q.multiply(b - c, third_root);
                const Vector first = a - c + turned;
                const Vector second = a - b - turned;
                a = a + b + c;
                b = first;
                c = second;
            };
            const std::size_t stride = plan.columns / 2 * block;
            for (std::size_t i = 0; i < stride; i += Lanes::lanes) {
                std::int16_t* const at = &values.c[i];
                std::array<Vector, parts> x;
                unroll<parts>([&](auto r)
                                  __attribute__((always_inline)) { x[r] = Lanes::load(at + r * stride); });
                if constexpr (parts == 6) {
                    // By even and odd, and modulo 3: 0 4 2 and 3 1 5.
                    unroll<3>([&](auto k) __attribute__((always_inline)) {
                        const Vector sum = x[k] + x[k + 3];
                        x[k + 3] = k == 1 ? x[k + 3] - x[k] : x[k] - x[k + 3];
                        x[k] = sum;
                    });
                    three(x[0], x[1], x[2]);
                    three(x[3], x[4], x[5]);
                } else if constexpr (parts == 9) {
                    const auto turn = [&](std::size_t k, std::size_t power) __attribute__((always_inline)) {
                        x[k] = modulo_q.multiply(x[k], ModQ::broadcast(plan.ninth_roots[power]));
                    };
                    unroll<3>([&](auto k)
                                  __attribute__((always_inline)) { three(x[k], x[k + 3], x[k + 6]); });
                    turn(4, 0);
                    turn(5, 1);
                    turn(7, 1);
                    turn(8, 2);
                    unroll<3>([&](auto k) __attribute__((always_inline)) {
                        three(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
                    });
                } else {
                    three(x[0], x[1], x[2]);
                }
                unroll<parts>([&](auto r) __attribute__((always_inline)) {
                    constexpr std::size_t place = parts == 9                 ? r / 3 + r % 3 * 3
                                                  : parts == 6 && r % 3 == 1 ? 5 - r
                                                                             : r;
                    const Vector reduced = modulo_q.reduce(x[r]);
                    Lanes::store(at + place * stride, is_last ? Lanes::exchange_middles(reduced) : reduced);
                });
            }
        }
    }

    /// The products modulo each x^columns - w^k, divided by the radix.
    static void multiply_values(const RowPlan& plan, const ModQ& modulo_q, const Blocks& a, const Blocks& b,
                                Blocks& product)
    {
        constexpr std::size_t at_once = 6;
        const std::size_t columns = plan.columns;
        const std::size_t stride = columns / 2 * block;
        // b_(i - columns) and the one before it, where b_(-j) is w^k b_(columns - j).
        std::array<Vector, 2 * Plans::columns> pairs;
        for (std::size_t e = 0; e < plan.parts; ++e)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                const std::int16_t* const its_b = &b.c[e * stride + lane];
                const Factors turn =
                    modulo_q.prepare(Lanes::load(&Plans::factors[plan.first + e].turn[0][0] + lane));
                Vector before = modulo_q.multiply(Lanes::load(its_b + stride - block), turn);
                Vector before_turned{};  // what it joins is not multiplied by
                for (std::size_t i = 0; i < columns; i += 2) {
                    const Vector word = Lanes::load(its_b + i / 2 * block);
                    const Vector turned = modulo_q.multiply(word, turn);
                    pairs[i] = Lanes::merge_pairs(turned, before_turned);
                    pairs[i + 1] = Lanes::cross_pairs(turned);
                    pairs[columns + i] = Lanes::merge_pairs(word, before);
                    pairs[columns + i + 1] = Lanes::cross_pairs(word);
                    before = word;
                    before_turned = turned;
                }
                const std::int16_t* const its_a = &a.c[e * stride + lane];
                std::int16_t* const its_product = &product.c[e * stride + lane];
                for (std::size_t first = 0;;
                     first = first + 2 * at_once > columns ? columns - at_once : first + at_once) {
                    std::array<Sums, at_once> sums{};
                    const Vector* factor = &pairs[columns + first];
                    for (std::size_t j = 0; j < stride; j += block, factor -= 2) {
                        // g++ would keep what the next j multiply too: in memory, of 16 registers.
                        if constexpr (Lanes::lanes < most_lanes) asm("" : "+r"(factor));
                        const Vector its = Lanes::load(its_a + j);
                        unroll<at_once>([&](auto k) __attribute__((always_inline)) {
                            sums[k] = Lanes::add_pairs(sums[k], its, factor[k]);
                        });
                    }
                    unroll<at_once / 2>([&](auto k) __attribute__((always_inline)) {
                        const Vector word = modulo_q.reduce_sums(sums[2 * k], sums[2 * k + 1]);
                        Lanes::store(its_product + (first / 2 + k) * block,
                                     Plans::reduces_products ? modulo_q.reduce(word) : word);
                    });
                    if (first == columns - at_once) break;
                }
            }
    }

    /// The dense layer, backward.
    static void leave(const RowPlan& plan, const ModQ& modulo_q, Blocks& values, Whole& whole)
    {
        constexpr std::size_t pairs = most_dense / 2;
        const std::size_t words = plan.columns / 2;
        Blocks by_row;
        for (std::size_t r = 0; r < plan.parts; ++r)
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                std::array<Vector, pairs> factor;
                unroll<pairs>([&](auto u) __attribute__((always_inline)) {
                    factor[u] = Lanes::load(&Plans::factors[plan.first + r].backward[u][0][0] + lane);
                });
                const std::size_t row = (r == 0 ? 0 : plan.parts - r) * words;
                for (std::size_t word = 0; word < words; ++word) {
                    std::array<Sums, 2> sums;
                    unroll<2>([&](auto odd) __attribute__((always_inline)) {
                        const std::int16_t* const from = &values.c[(r * words + word) * block] + 2 * odd;
                        sums[odd] = Lanes::multiply_pairs(everywhere(from), factor[0]);
                        unroll<pairs - 1>([&](auto u) __attribute__((always_inline)) {
                            sums[odd] =
                                Lanes::add_pairs(sums[odd], everywhere(from + 4 * (u + 1)), factor[u + 1]);
                        });
                    });
                    Lanes::store(&by_row.c[(row + word) * block + lane],
                                 modulo_q.reduce_sums(sums[0], sums[1]));
                }
            }
        // Four words of each s, and the next.
        const std::size_t all = plan.words();
        for (std::size_t word = 0;; word = word + 8 > all ? all - 4 : word + 4) {
            for (std::size_t lane = 0; lane < block; lane += Lanes::lanes) {
                std::array<Vector, 4> x;
                unroll<4>([&](auto i) __attribute__((always_inline)) {
                    x[i] = Lanes::load(&by_row.c[(word + i) * block + lane]);
                });
                const Vector e01 = Lanes::template even_blocks<2>(x[0], x[1]);
                const Vector o01 = Lanes::template odd_blocks<2>(x[0], x[1]);
                const Vector e23 = Lanes::template even_blocks<2>(x[2], x[3]);
                const Vector o23 = Lanes::template odd_blocks<2>(x[2], x[3]);
                const std::array<Vector, 4> rows{
                    Lanes::template even_blocks<4>(e01, e23), Lanes::template even_blocks<4>(o01, o23),
                    Lanes::template odd_blocks<4>(e01, e23), Lanes::template odd_blocks<4>(o01, o23)};
                unroll<4>([&](auto i) __attribute__((always_inline)) {
                    unroll<Lanes::lanes / 8>([&](auto eighth) __attribute__((always_inline)) {
                        Lanes::template store_eight<eighth>(
                            &whole[(lane / 2 + 4 * eighth + i) * 2 * all + 2 * word], rows[i]);
                    });
                });
            }
            if (word == all - 4) break;
        }
    }
};

}  // namespace girih::ntru_prime
