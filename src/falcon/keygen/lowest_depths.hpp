/// Depths 0 to 2 of the NTRU equation: f and g of depths 1 and 2, and F and G of depth 0, have
/// coefficients short enough to be known from their residues modulo one prime.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "falcon/keygen/arena.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/keygen/numbers/long.hpp"
#include "falcon/keygen/numbers/rns.hpp"
#include "falcon/keygen/numbers/rns_primes.hpp"
#include "falcon/keygen/reduction_plan.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

using Small = std::span<const std::int8_t>;

inline constexpr const rns::Prime& lowest_prime = rns::first_primes<1>[0];

/// The values of a small polynomial modulo a prime.
template <class Isa>
constexpr void transform(Small f, const rns::Transform<Isa>& t, std::span<Word> out)
{
    for (std::size_t i = 0; i < f.size(); ++i) out[i] = t.field().residue(f[i]);
    t.ntt(out);
}

/// A polynomial with signed coefficients of 31 bits, modulo a prime.
template <class Isa>
constexpr void transform(std::span<Word> f, const rns::Transform<Isa>& t)
{
    for (Word& a : f) a = t.field().residue(static_cast<std::int32_t>(a));
    t.ntt(f);
}

/// The values of N(f) from those of f: f(x) f(-x), which are adjacent.
template <class Isa>
constexpr void norm_of_values(const rns::Field<Isa>& field, std::span<Word> values)
{
    for (std::size_t i = 0; i < values.size() / 2; ++i)
        values[i] = field.to_montgomery(field.multiply(values[2 * i], values[2 * i + 1]));
}

/// Norms of f, `times` of them, short enough to be known from their residues modulo one prime.
template <class Isa>
void small_norm(Arena<Isa>& memory, Small f, const rns::Transform<Isa>& t, unsigned times,
                std::span<Word> values, std::span<Word> out)
{
    const std::size_t n = memory.n;
    const rns::Field<Isa>& field = t.field();
    transform(f, t, values);
    for (unsigned i = 0; i < times; ++i) norm_of_values(field, values.first(n >> i));
    const std::size_t size = n >> times;
    t.inverse_ntt(values.first(size));
    for (std::size_t i = 0; i < size; ++i)
        out[i] = static_cast<Word>(field.centred(field.multiply(values[i], 1)));
}

// ---- Depth 2

/// The f and g of depth 2, at the front of the memory.
template <class Isa>
void make_depth_2(Arena<Isa>& memory, Small f, Small g)
{
    const std::size_t n = memory.n;
    const std::size_t from = memory.plan(2).level_words();
    const rns::Transform<Isa> t{lowest_prime, n, memory.words(from, n)};
    const std::span<Word> row = memory.level(2).row(0);
    small_norm(memory, f, t, 2, memory.words(from + n, n), row.first(n / 4));
    small_norm(memory, g, t, 2, memory.words(from + n, n), row.last(n / 4));
}

// ---- Depth 1

/// The f and g of depth 1, made again: their memory was reused. Returns nonzero if a coefficient
/// has more than 16 bits, which would be fifty deviations.
template <class Isa>
[[nodiscard]] Secret<Word> make_depth_1(Arena<Isa>& memory, Small f, Small g)
{
    const std::size_t n = memory.n;
    // The roots and the coefficients are after the F and G of depth 2, and values are where F and G
    // of depth 1 will be.
    const rns::Transform<Isa> t{lowest_prime, n, memory.words(memory.upper_words(2), n)};
    const std::span<Word> row = memory.words(memory.upper_words(2) + n, n);
    const std::span<Word> values = memory.words(memory.large_offset(1), n);
    small_norm(memory, f, t, 1, values, row.first(n / 2));
    small_norm(memory, g, t, 1, values, row.last(n / 2));
    const std::span<std::int16_t> packed = memory.packed_level();
    Word wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        wrong |= (row[i] + 0x8000) >> 16;
        packed[i] = static_cast<std::int16_t>(row[i]);
    }
    return Secret{wrong};
}

// ---- Depth 0

/// round(numerators / norms), into the numerators' place. The numerators are below 2^30, the
/// norms, which are self-adjoint, below 2^15, and are overwritten.
template <class Isa>
void divide(Arena<Isa>& memory, std::span<Word> numerators, std::span<const Word> norms)
{
    const std::size_t n = memory.n;
    const int room = DepthPlan{memory.logn, 0}.fixed_bits();
    // A norm is above 2^4, or the dual would be too long: its shift is at most
    // 63 - 4 - (room - 15), and `down` not below 0.
    constexpr int point = 24;
    const auto scaled = [](Word a, int bits) {
        return Long{static_cast<std::int32_t>(a)} * (Long{1} << bits);
    };
    // A norm is self-adjoint: coefficient n - i is minus coefficient i, and coefficient n / 2 is 0.
    const std::span<Word> mantissas = memory.words(5 * n, n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) mantissas[i] = norms[i];
    const std::span<Long> values = memory.template at<Long>(0, n);
    values[n / 2] = 0;
    for (std::size_t i = 0; i < n / 2; ++i) values[i] = scaled(mantissas[i], room - 15);
    for (std::size_t i = 1; i < n / 2; ++i) values[n - i] = -values[i];
    long_fft<Isa>(values);
    const std::span<std::uint8_t> shifts = memory.template at<std::uint8_t>(5 * n + n / 2, n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
        const Reciprocal inverse = reciprocal<Isa>(static_cast<std::uint64_t>(values[i]));
        mantissas[i] = inverse.mantissa >> 1;
        shifts[i] = static_cast<std::uint8_t>(inverse.shift);
    }
    for (std::size_t i = 0; i < n; ++i) values[i] = scaled(numerators[i], room - 30);
    long_fft<Isa>(values);
    for (std::size_t i = 0; i < n / 2; ++i) {
        // a / norm = (a mantissa / 2^32) 2^(shift - 63) 2^(30 - 15).
        const auto a =
            multiply<Isa>({values[i], values[i + n / 2]}, static_cast<std::int32_t>(mantissas[i]), 0);
        const std::int32_t down = 63 - 15 - point - std::int32_t{shifts[i]};
        const std::int32_t bits = down & ~negative_mask(down);
        values[i] = a.re >> bits;
        values[i + n / 2] = a.im >> bits;
    }
    inverse_long_fft<Isa>(values);
    for (std::size_t i = 0; i < n; ++i)
        numerators[i] = static_cast<Word>(add(values[i], 1 << (point - 1)) >> point);
}

/// The four polynomials of depth 0 in the arena, modulo lowest_prime.
struct DepthZero {
    std::span<Word> first;   ///< of f, then numerators, then k
    std::span<Word> second;  ///< of g, then norms
    std::span<Word> big_f;
    std::span<Word> big_g;
};

/// The values of f, g, F and G: F and G are lifted, from those of depth 1 in big_g, and not yet
/// reduced.
template <class Isa>
void lift_to_values(Small f, Small g, const rns::Transform<Isa>& t, const DepthZero& values)
{
    const rns::Field<Isa>& field = t.field();
    const auto& [first, second, big_f, big_g] = values;
    const std::size_t n = first.size();
    transform(big_g.first(n / 2), t);
    transform(big_g.last(n / 2), t);
    transform(f, t, first);
    transform(g, t, second);
    for (std::size_t i = 0; i < n / 2; ++i) {
        const Word a = field.to_montgomery(big_g[i]);
        big_f[2 * i] = field.multiply(a, second[2 * i + 1]);
        big_f[2 * i + 1] = field.multiply(a, second[2 * i]);
    }
    for (std::size_t i = 0; i < n / 2; ++i) {
        const Word a = field.to_montgomery(big_g[n / 2 + i]);
        big_g[2 * i] = field.multiply(a, first[2 * i + 1]);
        big_g[2 * i + 1] = field.multiply(a, first[2 * i]);
    }
}

/// The coefficients of F f* + G g* and of f f* + g g*, in place of the values of f and g.
template <class Isa>
void make_numerators_and_norms(const rns::Transform<Isa>& t, const DepthZero& values)
{
    const rns::Field<Isa>& field = t.field();
    const auto& [first, second, big_f, big_g] = values;
    const std::size_t n = first.size();
    for (std::size_t i = 0; i < n / 2; ++i) {
        const std::size_t j = n - 1 - i;  // the adjoint's values are those of a polynomial in reverse
        const auto sum = [&](Word a, Word b, Word c, Word d) {
            return field.add(field.multiply(a, b), field.multiply(c, d));
        };
        const Word norm = sum(first[i], first[j], second[i], second[j]);
        const Word at_i = sum(big_f[i], first[j], big_g[i], second[j]);
        first[j] = sum(big_f[j], first[i], big_g[j], second[i]);
        first[i] = at_i;
        second[i] = second[j] = norm;
    }
    t.inverse_ntt(first);
    t.inverse_ntt(second);
    for (std::size_t i = 0; i < n; ++i) {
        first[i] = static_cast<Word>(field.centred(first[i]));
        second[i] = static_cast<Word>(field.centred(second[i]));
    }
}

/// Depth 0: the last lift, and Reduce (Falcon, Algorithm 7), modulo one prime. F, G and the
/// quotient k are small enough to be known from it, and so is f G - g F, which is compared with q:
/// its coefficients are below 2^30. F is then at the front of the memory.
template <class Isa>
[[nodiscard]] Secret<Word> finish(Arena<Isa>& memory, Small f, Small g)
{
    const std::size_t n = memory.n;
    const DepthZero values{memory.words(2 * n, n), memory.words(n, n), memory.words(4 * n, n),
                           memory.words(3 * n, n)};
    const auto& [first, second, big_f, big_g] = values;
    const std::span<const Limb> above = memory.upper(1);  // where the roots will be
    for (std::size_t i = 0; i < n; ++i) big_g[i] = static_cast<Word>(above[i * memory.upper_limbs(1)]);
    {
        const rns::Transform<Isa> t{lowest_prime, n, memory.words(0, n)};
        lift_to_values(f, g, t, values);
        make_numerators_and_norms(t, values);
    }
    divide(memory, first, second);  // k

    const rns::Transform<Isa> t{lowest_prime, n, memory.words(0, n)};
    const rns::Field<Isa>& field = t.field();
    transform(first, t);
    for (const auto side : {0, 1}) {  // (F, G) -= k (f, g)
        transform(side == 0 ? f : g, t, second);
        const std::span<Word> to = side == 0 ? big_f : big_g;
        for (std::size_t i = 0; i < n; ++i)
            to[i] = field.subtract(to[i], field.to_montgomery(field.multiply(first[i], second[i])));
    }
    transform(f, t, first);
    transform(g, t, second);
    Word wrong = 0;
    const Word wanted = field.multiply(q, 1);
    for (std::size_t i = 0; i < n; ++i)
        wrong |=
            wanted ^ field.subtract(field.multiply(first[i], big_g[i]), field.multiply(second[i], big_f[i]));
    t.inverse_ntt(big_f);
    t.inverse_ntt(big_g);
    const std::span<std::int8_t> out = memory.template at<std::int8_t>(0, n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t a = field.centred(field.multiply(big_f[i], 1));
        const std::int32_t b = field.centred(field.multiply(big_g[i], 1));
        wrong |= static_cast<Word>((127 - a) | (127 + a) | (127 - b) | (127 + b)) >> 31;
        out[i] = static_cast<std::int8_t>(a);
    }
    return Secret{wrong};
}

}  // namespace girih::falcon
