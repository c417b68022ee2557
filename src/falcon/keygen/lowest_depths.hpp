/// The lowest depths of the NTRU equation: f and g of depths 1 and 2, and F and G of depth 0, are
/// short enough to follow from their residues modulo one prime.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/secret.hpp"
#include "falcon/keygen/big_poly.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/limb.hpp"
#include "falcon/keygen/long.hpp"
#include "falcon/keygen/memory.hpp"
#include "falcon/keygen/reduction_plan.hpp"
#include "falcon/keygen/rns.hpp"
#include "falcon/keygen/rns_primes.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

/// The part of FastNtruWork that computes modulo one prime.
template <class Isa>
class LowestDepths : protected FastNtruMemory<Isa> {
    using Memory = FastNtruMemory<Isa>;
    using Field = rns::Field<Isa>;
    using Transform = rns::Transform<Isa>;

    static constexpr const rns::Prime& prime = rns::first_primes<1>[0];

  protected:
    using Memory::large_offset;
    using Memory::level;
    using Memory::level_offset;
    using Memory::logn;
    using Memory::Memory;
    using Memory::memory_;
    using Memory::n;
    using Memory::plan;
    using Memory::upper;
    using Memory::upper_limbs;
    using Memory::upper_words;
    using Memory::words;

    using Small = std::span<const std::int8_t>;

    // ---- Up

    /// Computes f and g of depth 2, at the front of the memory.
    void make_depth_2(Small f, Small g)
    {
        const std::size_t from = plan(2).level_words();
        const Transform t{prime, n, words(from, n)};
        const std::span<Word> row = level(2).row(0);
        small_norm(f, t, 2, words(from + n, n), row.first(n / 4));
        small_norm(g, t, 2, words(from + n, n), row.last(n / 4));
    }

    // ---- Depth 1, on the way down

    /// Computes f and g of depth 1 again, whose memory was reused. Returns nonzero if a coefficient
    /// has more than 16 bits, which would be fifty deviations.
    [[nodiscard]] Secret<Word> make_depth_1(Small f, Small g)
    {
        // Roots and coefficients follow F and G of depth 2; values are where F and G of depth 1
        // will be.
        const Transform t{prime, n, words(upper_words(2), n)};
        const std::span<Word> row = words(upper_words(2) + n, n);
        const std::span<Word> values = words(large_offset(1), n);
        small_norm(f, t, 1, values, row.first(n / 2));
        small_norm(g, t, 1, values, row.last(n / 2));
        const std::span<std::int16_t> packed = packed_level();
        Word wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
            wrong |= (row[i] + 0x8000) >> 16;
            packed[i] = static_cast<std::int16_t>(row[i]);
        }
        return Secret{wrong};
    }
    /// The coefficients of depth 1, in 16 bits.
    [[nodiscard]] std::span<std::int16_t> packed_level()
    {
        // The objects exist already; std::launder costs nothing.
        return {std::launder(reinterpret_cast<std::int16_t*>(&memory_[level_offset(1) * sizeof(Word)])), n};
    }

    // ---- Depth 0

    /// The last lift, and Reduce (Falcon, Algorithm 7) of its result. At this depth F, G, F f* + G
    /// g* and f f* + g g* follow from their residues modulo one prime. Checks that F and G solve
    /// the equation: its sides are below 2^30, so they are equal if they are modulo the prime.
    [[nodiscard]] Secret<Word> finish(Small f, Small g)
    {
        const std::span<Word> first = words(2 * n, n);
        const std::span<Word> second = words(n, n);
        const std::span<Word> big_g_values = words(3 * n, n);
        const std::span<Word> big_f_values = words(4 * n, n);
        {
            const std::span<const Limb> above = upper(1);
            for (std::size_t i = 0; i < n; ++i)
                big_g_values[i] = static_cast<Word>(above[i * upper_limbs(1)]);
            const Transform t{prime, n, words(0, n)};
            const Field& field = t.field();
            transform(big_g_values.first(n / 2), t);
            transform(big_g_values.last(n / 2), t);
            transform(f, t, first);
            transform(g, t, second);
            for (std::size_t i = 0; i < n / 2; ++i) {
                const Word a = field.to_montgomery(big_g_values[i]);
                big_f_values[2 * i] = field.multiply(a, second[2 * i + 1]);
                big_f_values[2 * i + 1] = field.multiply(a, second[2 * i]);
            }
            for (std::size_t i = 0; i < n / 2; ++i) {
                const Word a = field.to_montgomery(big_g_values[n / 2 + i]);
                big_g_values[2 * i] = field.multiply(a, first[2 * i + 1]);
                big_g_values[2 * i + 1] = field.multiply(a, first[2 * i]);
            }
            // The adjoint's values are in reverse order.
            for (std::size_t i = 0; i < n / 2; ++i) {
                const std::size_t j = n - 1 - i;
                const auto sum = [&](Word a, Word b, Word c, Word d) {
                    return field.add(field.multiply(a, b), field.multiply(c, d));
                };
                const Word norm = sum(first[i], first[j], second[i], second[j]);
                const Word at_i = sum(big_f_values[i], first[j], big_g_values[i], second[j]);
                first[j] = sum(big_f_values[j], first[i], big_g_values[j], second[i]);
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
        divide(first, second);

        const Transform t{prime, n, words(0, n)};
        const Field& field = t.field();
        transform(first, t);
        for (const auto side : {0, 1}) {
            transform(side == 0 ? f : g, t, second);
            const std::span<Word> to = side == 0 ? big_f_values : big_g_values;
            for (std::size_t i = 0; i < n; ++i)
                to[i] = field.subtract(to[i], field.to_montgomery(field.multiply(first[i], second[i])));
        }
        transform(f, t, first);
        transform(g, t, second);
        Word wrong = 0;
        const Word wanted = field.multiply(q, 1);
        for (std::size_t i = 0; i < n; ++i)
            wrong |= wanted ^ field.subtract(field.multiply(first[i], big_g_values[i]),
                                             field.multiply(second[i], big_f_values[i]));
        t.inverse_ntt(big_f_values);
        t.inverse_ntt(big_g_values);
        const std::span<std::int8_t> big_f = this->template at<std::int8_t>(0, n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t a = field.centred(field.multiply(big_f_values[i], 1));
            const std::int32_t b = field.centred(field.multiply(big_g_values[i], 1));
            wrong |= static_cast<Word>((127 - a) | (127 + a) | (127 - b) | (127 + b)) >> 31;
            big_f[i] = static_cast<std::int8_t>(a);
        }
        return Secret{wrong};
    }

  private:
    /// The values of a small polynomial modulo a prime.
    static constexpr void transform(Small f, const Transform& t, std::span<Word> out)
    {
        for (std::size_t i = 0; i < f.size(); ++i) out[i] = t.field().residue(f[i]);
        t.ntt(out);
    }
    /// The values of N(f) from those of f: f(x) f(-x), which are adjacent.
    static constexpr void norm_of_values(const Field& field, std::span<Word> values)
    {
        for (std::size_t i = 0; i < values.size() / 2; ++i)
            values[i] = field.to_montgomery(field.multiply(values[2 * i], values[2 * i + 1]));
    }

    /// `times` successive norms of f, short enough to follow from their residues modulo one prime.
    void small_norm(Small f, const Transform& t, unsigned times, std::span<Word> values, std::span<Word> out)
    {
        const Field& field = t.field();
        transform(f, t, values);
        for (unsigned i = 0; i < times; ++i) norm_of_values(field, values.first(n >> i));
        const std::size_t size = n >> times;
        t.inverse_ntt(values.first(size));
        for (std::size_t i = 0; i < size; ++i)
            out[i] = static_cast<Word>(field.centred(field.multiply(values[i], 1)));
    }

    /// Transforms a polynomial whose coefficients have 31 bits and a sign, modulo a prime.
    static constexpr void transform(std::span<Word> f, const Transform& t)
    {
        for (Word& a : f) a = t.field().residue(static_cast<std::int32_t>(a));
        t.ntt(f);
    }

    /// Replaces the numerators by round(numerators / norms). Numerators are below 2^30; norms are
    /// self-adjoint and below 2^15, and are overwritten.
    void divide(std::span<Word> numerators, std::span<const Word> norms)
    {
        const int fixed_bits = DepthPlan{logn, 0}.fixed_bits();
        // A norm is above 2^4, or the dual would be too long: its shift is at most 59 - (fixed_bits
        // - 15), and `down` is not negative.
        constexpr int point = 24;
        const auto scaled = [](Word a, int bits) {
            return Long{static_cast<std::int32_t>(a)} * (Long{1} << bits);
        };
        // Coefficient n - i of a norm is the negative of coefficient i, and that of n / 2 is 0.
        const std::span<Word> mantissas = words(5 * n, n / 2);
        for (std::size_t i = 0; i < n / 2; ++i) mantissas[i] = norms[i];
        const std::span<Long> values = this->template at<Long>(0, n);
        values[n / 2] = 0;
        for (std::size_t i = 0; i < n / 2; ++i) values[i] = scaled(mantissas[i], fixed_bits - 15);
        for (std::size_t i = 1; i < n / 2; ++i) values[n - i] = -values[i];
        long_fft<Isa>(values);
        const std::span<std::uint8_t> shifts = this->template at<std::uint8_t>(5 * n + n / 2, n / 2);
        for (std::size_t i = 0; i < n / 2; ++i) {
            const Reciprocal inverse = reciprocal<Isa>(static_cast<std::uint64_t>(values[i]));
            mantissas[i] = inverse.mantissa >> 1;
            shifts[i] = static_cast<std::uint8_t>(inverse.shift);
        }
        for (std::size_t i = 0; i < n; ++i) values[i] = scaled(numerators[i], fixed_bits - 30);
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
};

}  // namespace girih::falcon
