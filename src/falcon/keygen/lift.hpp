/// F and G of a depth from those of the next depth (Falcon, Algorithm 6, lines 10 and 11):
/// F(x) = F'(x^2) g(-x) and G(x) = G'(x^2) f(-x), since f(x) f(-x) G' - g(x) g(-x) F' = q.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "falcon/keygen/arena.hpp"
#include "falcon/keygen/field_norms.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"
#include "falcon/keygen/numbers/residues.hpp"
#include "falcon/keygen/numbers/rns.hpp"

namespace girih::falcon {

/// f, or g, modulo a prime.
template <class Isa>
void side_residues(Arena<Isa>& memory, std::size_t depth, std::size_t side, const rns::Field<Isa>& field,
                   std::span<Word> out)
{
    if (depth == 1) {
        const auto packed = memory.packed_level().subspan(side * out.size(), out.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = field.residue(packed[i]);
    } else {
        const BigPoly fg = memory.level(depth);
        residues<Isa>({fg.words.subspan(side * out.size()), fg.n, fg.length}, field, out);
    }
}

/// Integers in limbs, modulo a prime.
template <class Isa>
constexpr void limb_residues(std::span<const Limb> a, std::size_t length, const rns::Field<Isa>& field,
                             std::span<Word> out)
{
    const Word base = field.to_montgomery((Word{1} << word_bits) - field.prime.p);
    for (std::size_t i = 0; i < out.size(); ++i) {
        Word residue = 0;
        for (std::size_t j = length; j-- > 0;) {
            const LimbProduct limb = a[i * length + j];
            for (std::size_t k = limb_words; k-- > 0;) {
                const auto word = static_cast<std::int32_t>(limb >> (static_cast<int>(k) * word_bits));
                const bool is_last = j + 1 == length && k + 1 == limb_words;
                residue =
                    field.add(field.multiply(residue, base),
                              is_last ? field.residue(word)
                                      : field.subtract_p_if_not_below(static_cast<Word>(word) & word_mask));
            }
        }
        out[i] = residue;
    }
}

/// Modulo primes.
template <class Isa>
void transform_lift(Arena<Isa>& memory, std::size_t depth)
{
    const std::size_t m = memory.plan(depth).m();
    const BigPoly out = memory.large(depth, memory.plan(depth).large_words());
    const std::span<const Limb> above = memory.upper(depth + 1);
    const std::size_t free = memory.upper_offset(depth + 1) + memory.upper_words(depth + 1);
    const std::span<Word> values = memory.words(free + m, m);
    const std::span<Word> above_values = memory.words(free + 2 * m, m / 2);
    for (std::size_t j = 0; j < out.length; ++j) {
        const rns::Transform<Isa> t{product_primes<Isa>[j], m, memory.words(free, m)};
        const rns::Field<Isa>& field = t.field();
        for (std::size_t side = 0; side < 2; ++side) {
            side_residues(memory, depth, side ^ 1, field, values);
            t.ntt(values);
            limb_residues<Isa>(above.subspan(side * above.size() / 2, above.size() / 2),
                               memory.upper_limbs(depth + 1), field, above_values);
            t.ntt(above_values);
            const std::span<Word> row = out.row(j).subspan(side * m, m);
            // Values at a root and at its negative are neighbours.
            for (std::size_t i = 0; i < m / 2; ++i) {
                row[2 * i] = field.multiply(above_values[i], values[2 * i + 1]);
                row[2 * i + 1] = field.multiply(above_values[i], values[2 * i]);
            }
            t.inverse_ntt(row);
        }
    }
    rebuild<Isa>(out, product_primes<Isa>, memory.words(free, out.length));
}

/// Coefficient by coefficient.
template <class Isa>
void multiply_lift(Arena<Isa>& memory, std::size_t depth)
{
    const std::size_t m = memory.plan(depth).m();
    const BigPoly fg = memory.level(depth);
    const BigPoly out = memory.large(depth, memory.plan(depth).large_words());
    const std::span<Limb> above = memory.upper(depth + 1);
    const std::size_t above_length = memory.upper_limbs(depth + 1);
    const std::size_t length = limbs_of(fg.length);
    const std::span<Limb> limbs =
        memory.template at<Limb>(memory.upper_offset(depth + 1) + memory.upper_words(depth + 1), m * length);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::span<const Limb> multiplier = above.subspan(side * above.size() / 2, above.size() / 2);
        for (std::size_t i = 0; i < m; ++i)
            load_limbs<Isa>(fg, (side ^ 1) * m + i, limbs.subspan(i * length, length));
        for (std::size_t t = 0; t < m; ++t) {
            LimbColumn<Isa> column;
            for (std::size_t j = 0; j < limbs_of(out.length); ++j) {
                for (std::size_t i = 0; i < m / 2; ++i) {
                    const auto a = multiplier.subspan(i * above_length, above_length);
                    const bool wraps = 2 * i > t;
                    const std::size_t from = t + (wraps ? m : 0) - 2 * i;
                    const std::span<const Limb> b = limbs.subspan(from * length, length);
                    if (wraps != (t % 2 != 0))
                        column.template add<true>(a, b, j);
                    else
                        column.template add<false>(a, b, j);
                }
                store_limb<Isa>(out, side * m + t, j, column.next());
            }
        }
    }
}

/// F and G of `depth` from those of depth + 1, not reduced.
template <class Isa>
void lift(Arena<Isa>& memory, std::size_t depth)
{
    if (memory.plan(depth).m() >= Arena<Isa>::min_transform_degree)
        transform_lift(memory, depth);
    else
        multiply_lift(memory, depth);
}

}  // namespace girih::falcon
