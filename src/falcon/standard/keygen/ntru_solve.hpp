/// The NTRU equation f G - g F = q (specification, Section 3.8.2): small F and G for given f and g.
///
/// Every correct algorithm finds the same pair: solutions differ by multiples of (f, g), and the
/// last reduction picks the one nearest to 0.
///
/// Constant time if the arithmetic is, except for whether there is a solution.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/keygen/numbers/bezout.hpp"
#include "falcon/keygen/numbers/residues.hpp"
#include "falcon/keygen/numbers/rns.hpp"
#include "falcon/keygen/tower.hpp"
#include "falcon/standard/keygen/big_integers.hpp"

namespace girih::falcon {

/// NTRUSolve (Falcon, Algorithm 6), with loops instead of recursion. Its memory holds secrets, and
/// its owner wipes it.
///
/// The plain form, in big integers and floating point. ntru_solve (falcon/keygen/ntru_solve.hpp)
/// does the same in less memory and in integers alone. They share bezout.hpp and rns.hpp; each has
/// its own reduction, and tests compare the solutions.
template <class Isa, unsigned logn>
class ReferenceNtruSolver {
  public:
    static constexpr std::size_t n = std::size_t{1} << logn;

    /// NTRUSolve: sets F and G. Returns false if no solution with coefficients of one byte is
    /// found.
    [[nodiscard]] constexpr bool solve(Basis<n>& basis)
    {
        descend(basis);
        if (declassify(solve_integers(), "Section 3.8.2: f and g without a solution are thrown away") != 0)
            return false;
        for (std::size_t depth = logn; depth-- > 0;) {
            lift(depth);
            if (declassify(reduce(depth), "Section 3.8.2: f and g without a solution are thrown away") != 0)
                return false;
        }
        return declassify(finish(basis), "Section 3.8.2: f and g without a solution are thrown away") == 0;
    }

  private:
    using Fpr = typename Isa::Fpr;
    using Field = rns::Field<Isa>;
    using Transform = rns::Transform<Isa>;
    static constexpr const auto& primes = rns::first_primes<rns::prime_count>;

    static constexpr std::size_t degree(std::size_t depth) { return tower::degree(logn, depth); }
    static constexpr std::size_t small_words(std::size_t depth) { return tower::depths[depth].small_words; }

    /// f or g of a depth.
    [[nodiscard]] constexpr BigPoly level(std::span<Word> levels, std::size_t depth) const
    {
        return {levels.subspan(tower::offset(logn, depth), degree(depth) * small_words(depth)), degree(depth),
                small_words(depth)};
    }
    /// F or G, with `length` words a coefficient.
    [[nodiscard]] static constexpr BigPoly view(std::span<Word> words, std::size_t depth, std::size_t length)
    {
        return {words.first(degree(depth) * length), degree(depth), length};
    }

    /// Computes the norms down to the integers.
    constexpr void descend(const Basis<n>& basis)
    {
        for (std::size_t i = 0; i < n; ++i) {
            f_levels_[i] = static_cast<Word>(std::int32_t{basis.f[i]}) & word_mask;
            g_levels_[i] = static_cast<Word>(std::int32_t{basis.g[i]}) & word_mask;
        }
        for (std::size_t depth = 0; depth < logn; ++depth) {
            field_norm(level(f_levels_, depth), level(f_levels_, depth + 1));
            field_norm(level(g_levels_, depth), level(g_levels_, depth + 1));
        }
    }

    /// N(f)(x^2) = f(x) f(-x). The values of f at a root and its negative are adjacent.
    constexpr void field_norm(const BigPoly& f, const BigPoly& out)
    {
        const std::span<Word> values = std::span{residues_[0]}.first(f.n);
        for (std::size_t j = 0; j < out.length; ++j) {
            const Transform transform{primes[j], f.n, roots_};
            const Field& field = transform.field();
            residues<Isa>(f, field, values);
            transform.ntt(values);
            const std::span<Word> row = out.row(j);
            for (std::size_t i = 0; i < out.n; ++i) row[i] = field.multiply(values[2 * i], values[2 * i + 1]);
            transform.inverse_ntt(row);
        }
        rebuild<Isa>(out, primes, product_);
    }

    /// At the deepest level f and g are integers: f u - g v = 1, so G = q u and F = q v.
    [[nodiscard]] constexpr Secret<Word> solve_integers()
    {
        constexpr std::size_t length = tower::depths[logn].small_words;
        const std::span<Word> big_f = std::span{upper_f_}.template first<length>();
        const std::span<Word> big_g = std::span{upper_g_}.template first<length>();
        Bezout<Isa> bezout{length, bezout_};
        Secret<Word> wrong = bezout.solve(level(f_levels_, logn), level(g_levels_, logn));
        store_limbs<Isa>(bezout.u(), big_g);
        store_limbs<Isa>(bezout.v(), big_f);
        for (const std::span<Word> a : {big_f, big_g}) {
            std::uint64_t carry = 0;
            for (Word& word : a) {
                carry += std::uint64_t{word} * q;
                word = static_cast<Word>(carry) & word_mask;
                carry >>= word_bits;
            }
            // There may be no carry, and nothing in the sign bit.
            wrong |= Secret{static_cast<Word>(carry) | (a[length - 1] >> (word_bits - 1))};
        }
        return wrong;
    }

    /// A solution one depth below: F(x) = F'(x^2) g(-x), G(x) = G'(x^2) f(-x), because f(x) f(-x)
    /// G' - g(x) g(-x) F' = q.
    constexpr void lift(std::size_t depth)
    {
        const std::size_t size = degree(depth);
        const std::size_t length = tower::depths[depth].large_words;
        const BigPoly big_f = view(big_f_, depth, length);
        const BigPoly big_g = view(big_g_, depth, length);
        const BigPoly upper_f = view(upper_f_, depth + 1, small_words(depth + 1));
        const BigPoly upper_g = view(upper_g_, depth + 1, small_words(depth + 1));
        const std::span<Word> f = std::span{residues_[0]}.first(size);
        const std::span<Word> g = std::span{residues_[1]}.first(size);
        const std::span<Word> f_above = std::span{residues_[2]}.first(size / 2);
        const std::span<Word> g_above = std::span{residues_[3]}.first(size / 2);
        for (std::size_t j = 0; j < length; ++j) {
            const Transform transform{primes[j], size, roots_};
            const Field& field = transform.field();
            residues<Isa>(level(f_levels_, depth), field, f);
            residues<Isa>(level(g_levels_, depth), field, g);
            residues<Isa>(upper_f, field, f_above);
            residues<Isa>(upper_g, field, g_above);
            for (const std::span<Word> a : {f, g, f_above, g_above}) transform.ntt(a);
            for (std::size_t i = 0; i < size; ++i) {
                big_f.at(j, i) = field.multiply(f_above[i / 2], g[i ^ 1]);
                big_g.at(j, i) = field.multiply(g_above[i / 2], f[i ^ 1]);
            }
            transform.inverse_ntt(big_f.row(j));
            transform.inverse_ntt(big_g.row(j));
        }
        rebuild<Isa>(big_f, primes, product_);
        rebuild<Isa>(big_g, primes, product_);
    }

    /// Reduce (Falcon, Algorithm 7), after Babai: (F, G) -= k (f, g) with k = round((F f* + G g*) /
    /// (f f* + g g*)), the leading 25 bits of k at a time. Leaves the result where the next depth
    /// reads it. Returns nonzero if a part of k is too large, which happens if the numbers do not
    /// have the expected lengths.
    [[nodiscard]] constexpr Secret<Word> reduce(std::size_t depth)
    {
        constexpr std::size_t precise_words = 10;  // lower words do not affect a double's significand
        constexpr int bits_at_once = 25;
        const tower::Depth& sizes = tower::depths[depth];
        const std::size_t size = degree(depth);
        const BigPoly f = level(f_levels_, depth);
        const BigPoly g = level(g_levels_, depth);
        const std::size_t fg_words = std::min(sizes.small_words, precise_words);
        const int fg_scale = word_bits * static_cast<int>(sizes.small_words - fg_words);
        prepare_quotient(f, g, fg_words);
        const bool by_transform = size >= min_transform_degree;
        if (by_transform) transform_fg(f, g);

        Secret<Word> wrong{0};
        std::size_t length = sizes.large_words;
        int bits = word_bits * static_cast<int>(length);
        // At depth 0 one more round follows: it corrects results that were halfway between two
        // multiples up to a rounding error.
        int rounds_at_zero = depth == 0 ? 2 : 1;
        for (int scale = bits - sizes.min_bits(); rounds_at_zero > 0;
             scale = std::max(scale - bits_at_once, 0)) {
            if (scale == 0) --rounds_at_zero;
            const BigPoly big_f = view(big_f_, depth, length);
            const BigPoly big_g = view(big_g_, depth, length);
            const std::size_t words = std::min(length, precise_words);
            const int big_scale = word_bits * static_cast<int>(length - words);
            wrong |= quotient(big_f, big_g, words, big_scale - fg_scale - scale);
            const WordShift shift = WordShift::of(scale);
            if (by_transform) {
                subtract_by_transform(big_f, big_g, shift);
            } else {
                const auto k = std::span<const std::int32_t>{k_}.first(size);
                subtract_multiple<Isa>(big_f, k, f, shift);
                subtract_multiple<Isa>(big_g, k, g, shift);
            }
            bits = std::min(bits, scale + sizes.max_bits() + 10);
            while (word_bits * static_cast<int>(length) >= bits + word_bits) --length;
        }
        keep(view(big_f_, depth, length), view(upper_f_, depth, sizes.small_words));
        keep(view(big_g_, depth, length), view(upper_g_, depth, sizes.small_words));
        return wrong;
    }

    /// The adjoints of f and g over f f* + g g*.
    constexpr void prepare_quotient(const BigPoly& f, const BigPoly& g, std::size_t words)
    {
        const std::size_t size = f.n;
        const auto f_values = std::span{f_values_}.first(size);
        const auto g_values = std::span{g_values_}.first(size);
        approximate<Isa>(f, words, f_values);
        approximate<Isa>(g, words, g_values);
        fft<Fpr>(f_values);
        fft<Fpr>(g_values);
        for (std::size_t i = 0; i < size / 2; ++i) {
            const Complex<Fpr> a = at<Fpr>(f_values, i);
            const Complex<Fpr> b = at<Fpr>(g_values, i);
            const Fpr inverse = Fpr{1.0} / (norm(a) + norm(b));
            put<Fpr>(f_values, i, conjugate(a) * inverse);
            put<Fpr>(g_values, i, conjugate(b) * inverse);
        }
    }

    /// k, in units of 2^-exponent. Returns nonzero if a coefficient is too large.
    [[nodiscard, gnu::noinline]] constexpr Secret<Word> quotient(const BigPoly& big_f, const BigPoly& big_g,
                                                                 std::size_t words, int exponent)
    {
        const std::size_t size = big_f.n;
        Wiped<std::array<Fpr, n>> f_memory{uninitialized};
        Wiped<std::array<Fpr, n>> g_memory{uninitialized};
        const auto f = std::span{*f_memory}.first(size);
        const auto g = std::span{*g_memory}.first(size);
        approximate<Isa>(big_f, words, f);
        approximate<Isa>(big_g, words, g);
        fft<Fpr>(f);
        fft<Fpr>(g);
        const auto f_adjoint = std::span<const Fpr>{f_values_}.first(size);
        const auto g_adjoint = std::span<const Fpr>{g_values_}.first(size);
        for (std::size_t i = 0; i < size / 2; ++i)
            put<Fpr>(f, i, at<Fpr>(f, i) * at<Fpr>(f_adjoint, i) + at<Fpr>(g, i) * at<Fpr>(g_adjoint, i));
        inverse_fft<Fpr>(f);
        const Fpr unit = Fpr::of_bits(static_cast<std::uint64_t>(1023 + exponent) << 52);
        const Fpr bound{0x1p30};
        Word wrong = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const Fpr k = f[i] * unit;
            const Word fits = less(k, bound) & less(-k, bound);
            wrong |= fits ^ 1;
            k_[i] = static_cast<std::int32_t>(round(k)) & -static_cast<std::int32_t>(fits);
        }
        return Secret{wrong};
    }

    /// At least this degree, k f is computed in a residue number system, else coefficient by
    /// coefficient.
    static constexpr std::size_t min_transform_degree = 64;
    static constexpr std::size_t products_words()
    {
        std::size_t size = 0;
        for (std::size_t d = 0; d <= logn; ++d)
            if (degree(d) >= min_transform_degree) size = std::max(size, degree(d) * (small_words(d) + 1));
        return size;
    }

    /// The values of f and g modulo as many primes as k f and k g have words: one more than f and
    /// g.
    constexpr void transform_fg(const BigPoly& f, const BigPoly& g)
    {
        for (std::size_t j = 0; j <= f.length; ++j) {
            const Transform transform{primes[j], f.n, roots_};
            for (const auto& [from, to] : {std::pair{&f, &f_hat_}, std::pair{&g, &g_hat_}}) {
                const auto row = std::span{*to}.subspan(j * f.n, f.n);
                residues<Isa>(*from, transform.field(), row);
                transform.ntt(row);
            }
        }
    }

    [[gnu::noinline]] constexpr void subtract_by_transform(const BigPoly& big_f, const BigPoly& big_g,
                                                           WordShift shift)
    {
        const std::size_t size = big_f.n;
        std::size_t depth = 0;
        while (degree(depth) != size) ++depth;
        const std::size_t length = small_words(depth) + 1;
        Wiped<std::array<Word, products_words()>> kf_memory{uninitialized};
        Wiped<std::array<Word, products_words()>> kg_memory{uninitialized};
        const BigPoly kf{std::span{*kf_memory}.first(length * size), size, length};
        const BigPoly kg{std::span{*kg_memory}.first(length * size), size, length};
        const auto k = std::span{residues_[0]}.first(size);
        for (std::size_t j = 0; j < length; ++j) {
            const Transform transform{primes[j], size, roots_};
            const Field& field = transform.field();
            for (std::size_t i = 0; i < size; ++i) k[i] = field.residue(k_[i]);
            transform.ntt(k);
            for (std::size_t i = 0; i < size; ++i) {
                kf.at(j, i) = field.multiply(k[i], f_hat_[j * size + i]);
                kg.at(j, i) = field.multiply(k[i], g_hat_[j * size + i]);
            }
            transform.inverse_ntt(kf.row(j));
            transform.inverse_ntt(kg.row(j));
        }
        rebuild<Isa>(kf, primes, product_);
        rebuild<Isa>(kg, primes, product_);
        subtract_shifted<Isa>(big_f, kf, shift);
        subtract_shifted<Isa>(big_g, kg, shift);
    }

    /// Copies integers to fewer words, or to more with sign extension.
    constexpr void keep(const BigPoly& from, const BigPoly& to)
    {
        for (std::size_t i = 0; i < from.n; ++i) {
            for (std::size_t j = 0; j < to.length; ++j)
                to.at(j, i) = j < from.length ? from.at(j, i) : sign_extension(from.at(from.length - 1, i));
        }
    }

    /// F and G as bytes. Checks that they solve the equation: both sides are below 2^30, so they
    /// are equal if they are modulo a prime.
    [[nodiscard]] constexpr Secret<Word> finish(Basis<n>& basis)
    {
        Word wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t a = signed_word(upper_f_[i]);
            const std::int32_t b = signed_word(upper_g_[i]);
            wrong |= static_cast<Word>((127 - a) | (127 + a) | (127 - b) | (127 + b)) >> 31;
            basis.big_f[i] = static_cast<std::int8_t>(a);
            basis.big_g[i] = static_cast<std::int8_t>(b);
        }
        const Transform transform{primes[0], n, roots_};
        const Field& field = transform.field();
        const std::array<const SmallPoly<n>*, 4> parts{&basis.f, &basis.g, &basis.big_f, &basis.big_g};
        for (std::size_t part = 0; part < parts.size(); ++part) {
            for (std::size_t i = 0; i < n; ++i) residues_[part][i] = field.residue((*parts[part])[i]);
            transform.ntt(residues_[part]);
        }
        const Word wanted = field.multiply(q, 1);
        for (std::size_t i = 0; i < n; ++i) {
            const Word difference = field.subtract(field.multiply(residues_[0][i], residues_[3][i]),
                                                   field.multiply(residues_[1][i], residues_[2][i]));
            wrong |= difference ^ wanted;
        }
        return Secret{wrong};
    }

    std::array<Word, tower::all_words(logn)> f_levels_;
    std::array<Word, tower::all_words(logn)> g_levels_;
    std::array<Word, tower::largest(logn, &tower::Depth::large_words)> big_f_;
    std::array<Word, tower::largest(logn, &tower::Depth::large_words)> big_g_;
    std::array<Word, tower::largest(logn, &tower::Depth::small_words)> upper_f_;
    std::array<Word, tower::largest(logn, &tower::Depth::small_words)> upper_g_;
    std::array<Word, products_words()> f_hat_;
    std::array<Word, products_words()> g_hat_;
    std::array<std::array<Word, n>, 4> residues_;
    std::array<Word, n> roots_;
    std::array<Word, rns::prime_count> product_;
    std::array<std::int32_t, n> k_;
    std::array<Fpr, n> f_values_;
    std::array<Fpr, n> g_values_;
    std::array<Limb, Bezout<Isa>::memory_limbs(tower::depths[logn].small_words)> bezout_;
};

}  // namespace girih::falcon
