/// The field norms of f and g (Falcon, Algorithm 6, lines 7 and 8): N(f)(x^2) = f(x) f(-x), a
/// polynomial of half the degree with coefficients of twice the length.
///
/// Constant time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "falcon/keygen/arena.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"
#include "falcon/keygen/numbers/residues.hpp"
#include "falcon/keygen/numbers/rns.hpp"
#include "falcon/keygen/reduction_plan.hpp"

namespace girih::falcon {

/// One prime for each word of the longest numbers that are multiplied modulo primes.
template <class Isa>
inline constexpr const auto& product_primes = rns::first_primes<[] {
    std::size_t count = 1;
    for (unsigned logn : {9u, 10u})
        for (std::size_t depth = 1; DepthPlan{logn, depth}.m() >= Arena<Isa>::min_transform_degree; ++depth)
            count = std::max(
                {count, DepthPlan{logn, depth}.large_words(), DepthPlan{logn, depth + 1}.fg_words()});
    return count;
}()>;

/// The values of both of a row's polynomials.
template <class Isa>
constexpr void transform_row(const BigPoly& a, const rns::Transform<Isa>& t, std::span<Word> out)
{
    residues<Isa>(a, t.field(), out);
    t.ntt(out.first(a.n / 2));
    t.ntt(out.last(a.n / 2));
}

/// N(f)(x^2) = f(x) f(-x), modulo primes.
template <class Isa>
void transform_field_norms(Arena<Isa>& memory, std::size_t depth)
{
    const BigPoly from = memory.level(depth);
    const BigPoly to = memory.level(depth + 1);
    const std::size_t m = memory.plan(depth).m();
    const std::size_t free = memory.free_offset(depth + 1);
    const std::span<Word> values = memory.words(free + m, 2 * m);
    for (std::size_t j = 0; j < to.length; ++j) {
        const rns::Transform<Isa> t{product_primes<Isa>[j], m, memory.words(free, m)};
        transform_row<Isa>(from, t, values);
        const std::span<Word> row = to.row(j);
        for (std::size_t i = 0; i < m; ++i) row[i] = t.field().multiply(values[2 * i], values[2 * i + 1]);
        t.inverse_ntt(row.first(m / 2));
        t.inverse_ntt(row.last(m / 2));
    }
    rebuild<Isa>(to, product_primes<Isa>, memory.words(free, to.length));
    for (Word& last : to.row(to.length - 1)) last = static_cast<Word>(signed_word(last));
}

/// N(f) = f_0^2 - x f_1^2 with the even and the odd coefficients of f.
template <class Isa>
void multiply_field_norms(Arena<Isa>& memory, std::size_t depth)
{
    const BigPoly from = memory.level(depth);
    const BigPoly to = memory.level(depth + 1);
    const std::size_t m = memory.plan(depth).m();
    const std::size_t half = m / 2;
    const std::size_t length = limbs_of(from.length);
    const std::span<Limb> limbs = memory.template at<Limb>(
        memory.level_offset(depth + 1) + memory.plan(depth + 1).level_words(), m * length);
    const auto coefficient = [&](std::size_t i) {
        return std::span<const Limb>{limbs.subspan(i * length, length)};
    };
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < m; ++i)
            load_limbs<Isa>(from, side * m + i, limbs.subspan(i * length, length));
        for (std::size_t t = 0; t < half; ++t) {
            LimbColumn<Isa> column;
            for (std::size_t j = 0; j < limbs_of(to.length); ++j) {
                for (std::size_t i = 0; i < half; ++i) {
                    const auto even = coefficient(2 * i);
                    const auto odd = coefficient(2 * i + 1);
                    if (i <= t)
                        column.template add<false>(even, coefficient(2 * (t - i)), j);
                    else
                        column.template add<true>(even, coefficient(2 * (t + half - i)), j);
                    if (i + 1 <= t)
                        column.template add<true>(odd, coefficient(2 * (t - 1 - i) + 1), j);
                    else
                        column.template add<false>(odd, coefficient(2 * (t + half - 1 - i) + 1), j);
                }
                store_limb<Isa>(to, side * half + t, j, column.next());
            }
            Word& last = to.at(to.length - 1, side * half + t);
            last = static_cast<Word>(signed_word(last));
        }
    }
}

/// f and g of depth + 1 from those of `depth`, which is 2 or more: N(f) and N(g).
template <class Isa>
void field_norms(Arena<Isa>& memory, std::size_t depth)
{
    if (memory.plan(depth).m() >= Arena<Isa>::min_transform_degree)
        transform_field_norms(memory, depth);
    else
        multiply_field_norms(memory, depth);
}

}  // namespace girih::falcon
