/// Arithmetic modulo the primes of rns_primes.hpp, and the number-theoretic transform of
/// polynomials modulo x^n + 1.
///
/// Constant time. Residues are in [0, p).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "falcon/kernels/fft/roots.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/rns_primes.hpp"
#include "isa/isa.hpp"

namespace girih::falcon::rns {

/// `Isa` keeps the functions of engines apart.
template <class Isa>
struct Field {
    Prime prime;

    [[nodiscard]] constexpr Word subtract_p_if_not_below(Word a) const
    {
        const Word less = a - prime.p;  // a < 2p < 2^32
        return less + (prime.p & negative_lane(less));
    }
    [[nodiscard]] constexpr Word add(Word a, Word b) const { return subtract_p_if_not_below(a + b); }
    [[nodiscard]] constexpr Word subtract(Word a, Word b) const
    {
        const Word difference = a - b;
        return difference + (prime.p & negative_lane(difference));
    }
    /// a b / 2^32. One of a and b may be any number of 32 bits: a b < 2^32 p, so a
    /// b + m p < 2^33 p, which is below 2^64, and the high half is below 2p.
    [[nodiscard]] constexpr Word multiply(Word a, Word b) const
    {
        const std::uint64_t product = std::uint64_t{a} * b;
        const Word m = static_cast<Word>(product) * prime.negative_inverse;
        return subtract_p_if_not_below(static_cast<Word>((product + std::uint64_t{m} * prime.p) >> 32));
    }
    [[nodiscard]] constexpr Word to_montgomery(Word a) const { return multiply(a, prime.montgomery_squared); }
    /// 2^32 modulo p: 1 in Montgomery form.
    [[nodiscard]] constexpr Word one() const { return 0 - 2 * prime.p; }
    /// The residue of a signed 31-bit integer.
    [[nodiscard]] constexpr Word residue(std::int32_t a) const
    {
        const auto bits = static_cast<Word>(a);
        const Word positive = bits + (prime.p & negative_lane(bits));
        return positive + (prime.p & negative_lane(positive));
    }
    /// The representative of smallest magnitude.
    [[nodiscard]] constexpr std::int32_t centred(Word a) const
    {
        return static_cast<std::int32_t>(a - (prime.p & negative_lane(prime.p / 2 - a)));
    }
    /// a^exponent in Montgomery form; the exponent is public.
    [[nodiscard]] constexpr Word power(Word a, std::uint32_t exponent) const
    {
        Word result = one();
        for (; exponent > 0; exponent >>= 1) {
            if ((exponent & 1) != 0) result = multiply(result, a);
            a = multiply(a, a);
        }
        return result;
    }
};

/// The operations of Field on a vector of residues.
template <isa::ResidueVectors Isa>
struct FieldLanes {
    using Lanes = typename Isa::ResidueLanes;
    using V = typename Lanes::Words;

    V p;
    V negative_inverse;

    explicit FieldLanes(const Prime& prime) : p(V{} + prime.p), negative_inverse(V{} + prime.negative_inverse)
    {
    }

    [[nodiscard]] V subtract_p_if_not_below(V a) const { return Lanes::minimum(a, a - p); }
    [[nodiscard]] V add(V a, V b) const { return subtract_p_if_not_below(a + b); }
    [[nodiscard]] V subtract(V a, V b) const
    {
        const V difference = a - b;
        return Lanes::minimum(difference, difference + p);
    }
    [[nodiscard]] V multiply(V a, V b) const
    {
        const auto even = Lanes::multiply_even(a, b);
        const auto odd = Lanes::multiply_even(Lanes::odd(a), Lanes::odd(b));
        const auto even_multiple = Lanes::multiply_even(Lanes::multiply_even(even, negative_inverse), p);
        const auto odd_multiple = Lanes::multiply_even(Lanes::multiply_even(odd, negative_inverse), p);
        return subtract_p_if_not_below(Lanes::high_halves(Lanes::add_products(even, even_multiple),
                                                          Lanes::add_products(odd, odd_multiple)));
    }
};

/// The roots of the transform modulo one prime: entry i is root^(reversed i), in Montgomery form,
/// for a root of order 2n.
template <class Isa>
constexpr void fill_roots(const Field<Isa>& field, Word root, std::span<Word> roots)
{
    // Entries with a bit set are those without it times a power, which is the next square root.
    std::array<Word, 16> powers{};
    std::size_t bits = 0;
    for (std::size_t i = 1; i < roots.size(); i *= 2) {
        powers[bits++] = root;
        root = field.multiply(root, root);
    }
    roots[0] = field.one();
    for (std::size_t first = 1; first < roots.size(); first *= 2) {
        const Word power = powers[--bits];
        std::size_t i = 0;
        if constexpr (isa::ResidueVectors<Isa>) {
            if (!std::is_constant_evaluated()) {
                using Lanes = typename Isa::ResidueLanes;
                const FieldLanes<Isa> lanes{field.prime};
                for (; i + Lanes::count <= first; i += Lanes::count)
                    Lanes::store(&roots[first + i],
                                 lanes.multiply(Lanes::load(&roots[i]), Lanes::broadcast(power)));
            }
        }
        for (; i < first; ++i) roots[first + i] = field.multiply(roots[i], power);
    }
}

/// The transform in vectors. If parts are shorter than a vector, two vectors exchange blocks, so
/// that one has the first halves of parts and the other the second halves, and exchange them back
/// afterwards.
template <isa::ResidueVectors Isa>
struct TransformLanes {
    using Lanes = typename Isa::ResidueLanes;
    using V = typename Lanes::Words;
    static constexpr std::size_t shortest = 2 * Lanes::count;

    FieldLanes<Isa> field;
    std::span<const Word> roots;

    void ntt(std::span<Word> f) const
    {
        std::size_t half_part = f.size() / 2;
        std::size_t parts = 1;
        for (; half_part >= Lanes::count; parts *= 2, half_part /= 2) {
            for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
                const V zeta = Lanes::broadcast(roots[parts + part]);
                for (std::size_t j = first; j < first + half_part; j += Lanes::count) {
                    const V a = Lanes::load(&f[j]);
                    const V b = field.multiply(Lanes::load(&f[j + half_part]), zeta);
                    Lanes::store(&f[j], field.add(a, b));
                    Lanes::store(&f[j + half_part], field.subtract(a, b));
                }
            }
        }
        for (std::size_t j = 0; j < f.size(); j += 2 * Lanes::count) {
            V x = Lanes::load(&f[j]);
            V y = Lanes::load(&f[j + Lanes::count]);
            within_vectors<Lanes::count / 2>(x, y, parts, j);
            Lanes::store(&f[j], x);
            Lanes::store(&f[j + Lanes::count], y);
        }
    }
    template <std::size_t half_part>
    [[gnu::always_inline]] void within_vectors(V& x, V& y, std::size_t parts, std::size_t first) const
    {
        const V zeta = Lanes::template spread<half_part>(&roots[parts + first / (2 * half_part)]);
        const V a = Lanes::template even_blocks<half_part>(x, y);
        const V b = field.multiply(Lanes::template odd_blocks<half_part>(x, y), zeta);
        const V sum = field.add(a, b);
        const V difference = field.subtract(a, b);
        x = Lanes::template even_blocks<half_part>(sum, difference);
        y = Lanes::template odd_blocks<half_part>(sum, difference);
        if constexpr (half_part > 1) within_vectors<half_part / 2>(x, y, 2 * parts, first);
    }

    void inverse_ntt(std::span<Word> f, Word scale) const
    {
        for (std::size_t j = 0; j < f.size(); j += 2 * Lanes::count) {
            V x = Lanes::load(&f[j]);
            V y = Lanes::load(&f[j + Lanes::count]);
            back_within_vectors<1>(x, y, f.size() / 2, f.size() - 2 * Lanes::count - j);
            Lanes::store(&f[j], x);
            Lanes::store(&f[j + Lanes::count], y);
        }
        std::size_t half_part = Lanes::count;
        for (std::size_t parts = f.size() / (2 * Lanes::count); parts > 0; parts /= 2, half_part *= 2) {
            for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
                const V zeta = Lanes::broadcast(roots[2 * parts - 1 - part]);
                for (std::size_t j = first; j < first + half_part; j += Lanes::count) {
                    const V a = Lanes::load(&f[j]);
                    const V b = Lanes::load(&f[j + half_part]);
                    Lanes::store(&f[j], field.add(a, b));
                    Lanes::store(&f[j + half_part], field.multiply(field.subtract(b, a), zeta));
                }
            }
        }
        const V factor = Lanes::broadcast(scale);
        for (std::size_t j = 0; j < f.size(); j += Lanes::count)
            Lanes::store(&f[j], field.multiply(Lanes::load(&f[j]), factor));
    }
    template <std::size_t half_part>
    [[gnu::always_inline]] void back_within_vectors(V& x, V& y, std::size_t parts, std::size_t from_end) const
    {
        const V zeta = Lanes::template spread_reversed<half_part>(&roots[parts + from_end / (2 * half_part)]);
        const V a = Lanes::template even_blocks<half_part>(x, y);
        const V b = Lanes::template odd_blocks<half_part>(x, y);
        const V sum = field.add(a, b);
        const V difference = field.multiply(field.subtract(b, a), zeta);
        x = Lanes::template even_blocks<half_part>(sum, difference);
        y = Lanes::template odd_blocks<half_part>(sum, difference);
        if constexpr (2 * half_part < Lanes::count)
            back_within_vectors<2 * half_part>(x, y, parts / 2, from_end);
    }
};

/// A transform of one length modulo one prime. The caller provides n words for its table.
template <class Isa>
class Transform {
  public:
    constexpr Transform(const Prime& prime, std::size_t n, std::span<Word> memory)
        : field_{prime}, roots_(memory.first(n))
    {
        Word root = prime.root;  // of order 2048
        for (std::size_t degree = 1024; degree > n; degree /= 2) root = field_.multiply(root, root);
        fill_roots<Isa>(field_, root, roots_);
    }
    [[nodiscard]] constexpr const Field<Isa>& field() const { return field_; }

    /// Computes values from coefficients. The length may be n divided by a power of two.
    constexpr void ntt(std::span<Word> f) const
    {
        if constexpr (isa::ResidueVectors<Isa>) {
            if (!std::is_constant_evaluated() && f.size() >= TransformLanes<Isa>::shortest)
                return TransformLanes<Isa>{FieldLanes<Isa>{field_.prime}, roots_}.ntt(f);
        }
        std::size_t half_part = f.size() / 2;
        for (std::size_t parts = 1; half_part > 0; parts *= 2, half_part /= 2) {
            for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
                const Word zeta = roots_[parts + part];
                for (std::size_t j = first; j < first + half_part; ++j) {
                    const Word a = f[j];
                    const Word b = field_.multiply(f[j + half_part], zeta);
                    f[j] = field_.add(a, b);
                    f[j + half_part] = field_.subtract(a, b);
                }
            }
        }
    }

    /// Computes coefficients times 2^32 from values (which compensates for the 2^-32 of one
    /// product).
    ///
    /// The roots of parts i and parts - 1 - i have the product -1, so each is minus the reciprocal
    /// of the other.
    constexpr void inverse_ntt(std::span<Word> f) const
    {
        // 2^64 / size: in Montgomery form, and compensating for a product's factor. 1 / size is p -
        // (p - 1) / size.
        const Word reciprocal = field_.prime.p - ((field_.prime.p - 1) >> (std::bit_width(f.size()) - 1));
        const Word scale = field_.to_montgomery(field_.to_montgomery(reciprocal));
        if constexpr (isa::ResidueVectors<Isa>) {
            if (!std::is_constant_evaluated() && f.size() >= TransformLanes<Isa>::shortest)
                return TransformLanes<Isa>{FieldLanes<Isa>{field_.prime}, roots_}.inverse_ntt(f, scale);
        }
        std::size_t half_part = 1;
        for (std::size_t parts = f.size() / 2; parts > 0; parts /= 2, half_part *= 2) {
            for (std::size_t part = 0, first = 0; part < parts; ++part, first += 2 * half_part) {
                const Word zeta = roots_[2 * parts - 1 - part];
                for (std::size_t j = first; j < first + half_part; ++j) {
                    const Word a = f[j];
                    const Word b = f[j + half_part];
                    f[j] = field_.add(a, b);
                    f[j + half_part] = field_.multiply(field_.subtract(b, a), zeta);
                }
            }
        }
        for (Word& a : f) a = field_.multiply(a, scale);
    }

  private:
    Field<Isa> field_;
    std::span<Word> roots_;
};

}  // namespace girih::falcon::rns
