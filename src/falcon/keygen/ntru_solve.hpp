/// The NTRU equation f G - g F = q without floating point, in little memory: after T. Pornin,
/// "Improved Key Pair Generation for Falcon, BAT and Hawk" (2023/290).
///
/// f and g of depth 2 and deeper are kept in full. Deep in the tower, where polynomials are short
/// and their coefficients long, coefficients are multiplied as integers; at depth 0 everything is
/// computed modulo one prime (lowest_depths.hpp). Babai's quotients come from a Fourier transform
/// in 64-bit integers. Every engine finds the same F and G.
///
/// Constant time, except for whether there is a solution.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/secret.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/keygen/babai.hpp"
#include "falcon/keygen/bezout.hpp"
#include "falcon/keygen/big_poly.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/limb_products.hpp"
#include "falcon/keygen/lowest_depths.hpp"
#include "falcon/keygen/memory.hpp"
#include "falcon/keygen/reduction_plan.hpp"
#include "falcon/keygen/rns.hpp"
#include "falcon/params.hpp"
#include "falcon/reference_keygen/big_integers.hpp"

namespace girih::falcon {

/// NTRUSolve (Falcon, Algorithm 6) for any degree, in memory provided by the caller, with loops
/// instead of recursion and integers instead of floating point. The plain form is NtruSolver.
template <class Isa>
class FastNtruWork : LowestDepths<Isa> {
    using Lowest = LowestDepths<Isa>;
    using Memory = FastNtruMemory<Isa>;
    using typename Lowest::Small;

  public:
    using Lowest::Lowest;
    using Memory::logn;
    using Memory::n;

    /// NTRUSolve (Falcon, Algorithm 6): returns whether F was found, which is then at the front of
    /// the memory, with coefficients of one byte.
    [[nodiscard, gnu::noinline]] bool solve(Small f, Small g)
    {
        climb(f, g);
        if (is_wrong(solve_integers())) return false;
        for (std::size_t depth = logn - 1; depth > 0; --depth) {
            if (depth == 1 && is_wrong(make_depth_1(f, g))) return false;
            lift(depth);
            if (is_wrong(reduce(depth))) return false;
        }
        return !is_wrong(finish(f, g));
    }

  private:
    using Field = rns::Field<Isa>;
    using Transform = rns::Transform<Isa>;
    [[nodiscard]] static bool is_wrong(Secret<Word> wrong)
    {
        return declassify(wrong, "Section 3.8.2: f and g without a solution are thrown away") != 0;
    }

    using Memory::plan;

    /// One prime for each word of the longest numbers that are multiplied modulo primes.
    static constexpr const auto& primes = rns::first_primes<[] {
        std::size_t max_words = 1;
        for (unsigned logn : {9u, 10u})
            for (std::size_t depth = 1; DepthPlan{logn, depth}.m() >= Memory::min_transform_degree; ++depth)
                max_words = std::max(
                    {max_words, DepthPlan{logn, depth}.large_words(), DepthPlan{logn, depth + 1}.fg_words()});
        return max_words;
    }()>;

    using Lowest::finish;
    using Lowest::make_depth_1;
    using Lowest::make_depth_2;
    using Lowest::packed_level;
    using Memory::adjoints_words;
    using Memory::bezout_offset;
    using Memory::free_offset;
    using Memory::large;
    using Memory::level;
    using Memory::level_offset;
    using Memory::memory_;
    using Memory::min_transform_degree;
    using Memory::upper;
    using Memory::upper_limbs;
    using Memory::upper_offset;
    using Memory::upper_words;
    using Memory::words;

    // ---- Up

    void climb(Small f, Small g)
    {
        make_depth_2(f, g);
        for (std::size_t depth = 2; depth < logn; ++depth) {
            if (plan(depth).m() >= min_transform_degree)
                transform_field_norms(depth);
            else
                field_norms(depth);
        }
    }

    /// The values of both polynomials of a row.
    static constexpr void transform_row(const BigPoly& a, const Transform& t, std::span<Word> out)
    {
        residues<Isa>(a, t.field(), out);
        t.ntt(out.first(a.n / 2));
        t.ntt(out.last(a.n / 2));
    }

    /// N(f)(x^2) = f(x) f(-x), modulo primes.
    void transform_field_norms(std::size_t depth)
    {
        const BigPoly from = level(depth);
        const BigPoly to = level(depth + 1);
        const std::size_t m = plan(depth).m();
        const std::size_t free = free_offset(depth + 1);
        const std::span<Word> values = words(free + m, 2 * m);
        for (std::size_t j = 0; j < to.length; ++j) {
            const Transform t{primes[j], m, words(free, m)};
            transform_row(from, t, values);
            const std::span<Word> row = to.row(j);
            for (std::size_t i = 0; i < m; ++i) row[i] = t.field().multiply(values[2 * i], values[2 * i + 1]);
            t.inverse_ntt(row.first(m / 2));
            t.inverse_ntt(row.last(m / 2));
        }
        rebuild<Isa>(to, primes, words(free, to.length));
        for (Word& last : to.row(to.length - 1)) last = static_cast<Word>(signed_word(last));
    }

    /// N(f) = f_0^2 - x f_1^2 with the even and the odd coefficients of f.
    void field_norms(std::size_t depth)
    {
        const BigPoly from = level(depth);
        const BigPoly to = level(depth + 1);
        const std::size_t m = plan(depth).m();
        const std::size_t half = m / 2;
        const std::size_t length = limbs_of(from.length);
        const std::span<Limb> limbs =
            this->template at<Limb>(level_offset(depth + 1) + plan(depth + 1).level_words(), m * length);
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

    // ---- The top

    /// f u - g v = 1, so G = q u and F = q v.
    [[nodiscard]] Secret<Word> solve_integers()
    {
        const BigPoly fg = level(logn);
        Bezout<Isa> bezout{fg.length,
                           this->template at<Limb>(bezout_offset(), Bezout<Isa>::memory_limbs(fg.length))};
        const Secret<Word> wrong = bezout.solve(fg, {fg.words.subspan(1), fg.n, fg.length});
        const std::span<Limb> out = upper(logn);
        const std::size_t limbs = out.size() / 2;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::span<const Limb> a = side == 0 ? bezout.v() : bezout.u();
            LimbProduct carry = 0;
            for (std::size_t i = 0; i < limbs; ++i) {
                carry += LimbProduct{a[i]} * q;
                out[side * limbs + i] = static_cast<Limb>(carry) & limb_mask;
                carry >>= limb_bits;
            }
        }
        return wrong;
    }

    // ---- Down

    /// f and g of a depth; for depth 1 converted to words, in memory for 2m of them.
    [[nodiscard]] BigPoly level(std::size_t depth, std::size_t memory)
    {
        if (depth != 1) return level(depth);
        const std::span<Word> row = words(memory, n);
        const std::span<const std::int16_t> packed = packed_level();
        for (std::size_t i = 0; i < n; ++i) row[i] = static_cast<Word>(std::int32_t{packed[i]});
        return {row, n, 1};
    }

    /// F(x) = F'(x^2) g(-x), G(x) = G'(x^2) f(-x), because f(x) f(-x) G' - g(x) g(-x) F' = q.
    void lift(std::size_t depth)
    {
        if (plan(depth).m() >= min_transform_degree)
            transform_lift(depth);
        else
            multiply_lift(depth);
    }

    void transform_lift(std::size_t depth)
    {
        const std::size_t m = plan(depth).m();
        const BigPoly out = large(depth, plan(depth).large_words());
        const std::span<const Limb> above = upper(depth + 1);
        const std::size_t free = upper_offset(depth + 1) + upper_words(depth + 1);
        const std::span<Word> values = words(free + m, m);
        const std::span<Word> above_values = words(free + 2 * m, m / 2);
        for (std::size_t j = 0; j < out.length; ++j) {
            const Transform t{primes[j], m, words(free, m)};
            const Field& field = t.field();
            for (std::size_t side = 0; side < 2; ++side) {
                side_residues(depth, side ^ 1, field, values);
                t.ntt(values);
                limb_residues(above.subspan(side * above.size() / 2, above.size() / 2),
                              upper_limbs(depth + 1), field, above_values);
                t.ntt(above_values);
                const std::span<Word> row = out.row(j).subspan(side * m, m);
                for (std::size_t i = 0; i < m / 2; ++i) {
                    row[2 * i] = field.multiply(above_values[i], values[2 * i + 1]);
                    row[2 * i + 1] = field.multiply(above_values[i], values[2 * i]);
                }
                t.inverse_ntt(row);
            }
        }
        rebuild<Isa>(out, primes, words(free, out.length));
    }

    /// f, or g, modulo a prime.
    void side_residues(std::size_t depth, std::size_t side, const Field& field, std::span<Word> out)
    {
        if (depth == 1) {
            const auto packed = packed_level().subspan(side * out.size(), out.size());
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = field.residue(packed[i]);
        } else {
            const BigPoly fg = level(depth);
            residues<Isa>({fg.words.subspan(side * out.size()), fg.n, fg.length}, field, out);
        }
    }

    /// Integers in limbs, modulo a prime.
    static constexpr void limb_residues(std::span<const Limb> a, std::size_t length, const Field& field,
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
                    residue = field.add(
                        field.multiply(residue, base),
                        is_last ? field.residue(word)
                                : field.subtract_p_if_not_below(static_cast<Word>(word) & word_mask));
                }
            }
            out[i] = residue;
        }
    }

    void multiply_lift(std::size_t depth)
    {
        const std::size_t m = plan(depth).m();
        const BigPoly fg = level(depth);
        const BigPoly out = large(depth, plan(depth).large_words());
        const std::span<Limb> above = upper(depth + 1);
        const std::size_t above_length = upper_limbs(depth + 1);
        const std::size_t length = limbs_of(fg.length);
        const std::span<Limb> limbs =
            this->template at<Limb>(upper_offset(depth + 1) + upper_words(depth + 1), m * length);
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

    /// Reduce (Falcon, Algorithm 7), after Babai: (F, G) -= k (f, g) with k = round((F f* + G g*) /
    /// (f f* + g g*)), the leading bits of k at a time. Returns nonzero if the lengths of f and g
    /// are outside their bounds.
    [[nodiscard]] Secret<Word> reduce(std::size_t depth)
    {
        const DepthPlan p = plan(depth);
        const std::size_t m = p.m();
        const std::size_t free = free_offset(depth);
        const BigPoly fg = level(depth, free);  // will be overwritten by the adjoints
        const auto adjoint = [&](std::size_t i) {
            return this->template at<std::int32_t>(free + i * m / 2, m / 2);
        };
        const Adjoints adjoints{adjoint(0), adjoint(1), adjoint(2), adjoint(3),
                                this->template at<std::uint8_t>(free + 2 * m, m / 2)};
        const std::span<Long> f_values = this->template at<Long>(free + adjoints_words(m), m);
        const std::span<Long> g_values = this->template at<Long>(free + adjoints_words(m) + 2 * m + 2, m);

        const std::int32_t fg_bits = longest<Isa>(fg);
        const auto wrong = static_cast<Word>((fg_bits - p.min_bits()) | (p.max_bits() - fg_bits)) >> 31;
        const auto shifted_by = [&](int bits) {
            return SecretShift{fg_bits + bits, p.min_bits() + bits, p.max_bits() + bits};
        };
        shift_right<Isa>(fg, 0, shifted_by(-p.fixed_bits()), f_values);
        shift_right<Isa>(fg, m, shifted_by(-p.fixed_bits()), g_values);
        long_fft<Isa>(f_values);
        long_fft<Isa>(g_values);
        fill_adjoints<Isa>(f_values, g_values, adjoints);

        int headroom = p.headroom();
        for (int excess = p.first_excess(); excess > p.slack();) {
            const BigPoly big = large(depth, p.words_for(excess));
            const int scale = std::max(excess + headroom - p.bits_at_once(), 0);
            shift_right<Isa>(big, 0, shifted_by(excess - p.fixed_bits()), f_values);
            shift_right<Isa>(big, m, shifted_by(excess - p.fixed_bits()), g_values);
            long_fft<Isa>(f_values);
            long_fft<Isa>(g_values);
            divide_by_norm<Isa>(f_values, g_values, adjoints, excess - scale);
            inverse_long_fft<Isa>(f_values);
            const std::span<std::int32_t> k =
                this->template at<std::int32_t>(free + adjoints_words(m) + 2 * m + 2, 2 * m);
            round_quotients<Isa>(f_values, k.last(m));
            for (std::size_t i = 0; i < m; ++i)
                k[i] = static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(k[m + i]));
            subtract_products<Isa>(big, level(depth, free + adjoints_words(m)), k, WordShift::of(scale));
            excess = std::min(excess, scale + p.slack());
            headroom = 0;
        }
        keep(depth);
        return Secret{wrong};
    }

    /// Replaces f and g by reduced F and G, as limbs.
    void keep(std::size_t depth)
    {
        const BigPoly big = large(depth, plan(depth).reduced_words());
        const std::span<Limb> out = upper(depth);
        const std::size_t length = upper_limbs(depth);
        for (std::size_t i = 0; i < big.n; ++i) load_limbs<Isa>(big, i, out.subspan(i * length, length));
    }
};

/// Memory for solving at one degree. It holds secrets, and its owner wipes it.
template <class Isa, unsigned logn>
class FastNtruSolver {
    static constexpr std::size_t n = std::size_t{1} << logn;
    static constexpr std::size_t memory_words = FastNtruMemory<Isa>{logn, 0, nullptr}.memory_words();

  public:
    /// F, in this memory; null if none was found.
    [[nodiscard]] const SmallPoly<n>* solve(const SmallPoly<n>& f, const SmallPoly<n>& g)
    {
        if (!FastNtruWork<Isa>{logn, memory_words, memory_.data()}.solve(f, g)) return nullptr;
        return std::launder(reinterpret_cast<const SmallPoly<n>*>(&memory_));
    }

    /// The memory, for other uses while nothing is being solved.
    template <class T>
    [[nodiscard]] T& scratch()
    {
        static_assert(sizeof(T) <= sizeof memory_ && alignof(T) <= 8);
        return *::new (static_cast<void*>(&memory_)) T;
    }

  private:
    alignas(8) std::array<Byte, memory_words * sizeof(Word)> memory_;
};

}  // namespace girih::falcon
