/// An engine whose lanes are abstract integers (domain.hpp), in the shape of each of girih's
/// engines: its lanes, and its groups of vectors. girih's kernels are instantiated on it unchanged.
/// It keeps the contract of engines: kernels need no more of one than the contract says.
///
/// Memory. The program's image holds tables of constants. All other memory holds tokens: integers
/// that represent numbers of the proof. Kernels may load, store and copy them. Tokens are
/// scattered: a value that a kernel computes from one is hardly ever another, and a load of it
/// fails.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "domain.hpp"
#include "isa/isa.hpp"
#include "isa/portable/engine.hpp"

extern "C" const char __executable_start, end;

namespace girih::proofs {

/// The n-th token is n times an odd number, modulo 2^16 or 2^32.
struct Tokens {
    static constexpr std::uint32_t scatter = 0x9E3779B1, gather = 0x0E8B2F51;
    static_assert(static_cast<std::uint32_t>(scatter * gather) == 1);
    std::vector<Number> numbers{0};
    std::unordered_map<Number, std::uint32_t> places{{0, 0}};
};
inline Tokens tokens;

template <class Integer>
void store_number(Integer* to, Number a)
{
    const auto [at, is_new] = tokens.places.emplace(a, static_cast<std::uint32_t>(tokens.numbers.size()));
    if (is_new) tokens.numbers.push_back(a);
    if (at->second >> (8 * sizeof(Integer) - 1) > 1) fail("memory holds more numbers than there are tokens");
    *to = static_cast<Integer>(at->second * Tokens::scatter);
}
template <class Integer>
Number number_of_token(Integer token)
{
    using Unsigned = std::make_unsigned_t<Integer>;
    const auto place = static_cast<Unsigned>(static_cast<Unsigned>(token) * Tokens::gather);
    if (place < tokens.numbers.size()) return tokens.numbers[place];
    fail("memory that holds no number is read: it was not written, or was computed with");
    return 0;
}
template <class Integer>
Number load_number(const Integer* from)
{
    const auto* const byte = reinterpret_cast<const char*>(from);
    return byte >= &__executable_start && byte < &end ? constant(*from) : number_of_token(*from);
}

/// Lanes of 32 bits, or their products of 64.
template <std::size_t lanes, Number add(Number, Number), Number subtract(Number, Number)>
struct Lanes {
    std::array<Number, lanes> of{};

    static Lanes each(auto of_lane)
    {
        Lanes r;
        for (std::size_t i = 0; i < lanes; ++i) r.of[i] = of_lane(i);
        return r;
    }
    friend Lanes operator+(const Lanes& a, const Lanes& b)
    {
        return each([&](std::size_t i) { return add(a.of[i], b.of[i]); });
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b)
    {
        return each([&](std::size_t i) { return subtract(a.of[i], b.of[i]); });
    }
};

/// Lanes of 16 bits, or half as many sums of 32.
template <std::size_t lanes_>
struct ShortLanes {
    static constexpr std::size_t lanes = lanes_;
    using Numbers = std::vector<Number>;
    struct Contents {
        Numbers of;
        bool are_sums = false;
    };
    static inline std::vector<Contents> contents;

    /// As large as an engine's, but only the place of its contents.
    struct Vector {
        std::uint32_t place = 0;
        std::array<std::uint8_t, 2 * lanes - 4> unused{};

        Vector() = default;
        Vector(std::int16_t a) : Vector(Contents{Numbers(lanes, constant(a))}) {}
        explicit Vector(Contents c) : place(static_cast<std::uint32_t>(contents.size()))
        {
            contents.push_back(std::move(c));
        }
        static Vector each(auto of_lanes, Vector a, Vector b)
        {
            const Numbers x = lanes_of(a), y = lanes_of(b);
            Numbers r;
            for (std::size_t i = 0; i < lanes; ++i) {
                const bool is_same = i > 0 && x[i] == x[i - 1] && y[i] == y[i - 1];
                r.push_back(is_same ? r.back() : of_lanes(x[i], y[i]));
            }
            return Vector({std::move(r)});
        }
        static Vector evaluate(Function f, Vector a, Vector b)
        {
            return each([f](Number x, Number y) { return proofs::evaluate(f, x, y); }, a, b);
        }
        using I = std::int32_t;
        friend Vector operator+(Vector a, Vector b) { return each(sum, a, b); }
        friend Vector operator-(Vector a, Vector b) { return each(difference, a, b); }
        friend Vector operator-(Vector a) { return Vector{} - a; }
        friend Vector operator&(Vector a, Vector b)
        {
            return evaluate(function([](I x, I y) { return x & y; }), a, b);
        }
        /// Where one of both is 0, as where masks select lanes.
        friend Vector operator|(Vector a, Vector b)
        {
            return each([](Number x, Number y) { return x == 0 ? y : y == 0 ? x : unsupported(); }, a, b);
        }
        friend Vector operator*(Vector a, Vector b)
        {
            return evaluate(function([](I x, I y) { return x * y; }), a, b);
        }
        friend Vector operator>(Vector a, Vector b)
        {
            return evaluate(function([](I x, I y) { return -(x > y); }), a, b);
        }
        friend Vector operator<(Vector a, Vector b) { return b > a; }
        friend Vector operator<<(Vector a, int by)
        {
            return evaluate(function([](I x, I y) { return x << y; }), a, short_of(by));
        }
        friend Vector operator>>(Vector a, int by)
        {
            return evaluate(function([](I x, I y) { return x >> y; }), a, short_of(by));
        }
        Vector& operator|=(Vector a) { return *this = *this | a; }
        Vector& operator+=(Vector a) { return *this = *this + a; }
        Vector& operator-=(Vector a) { return *this = *this - a; }
        /// Zeros of 32 bits, plus a pair of tokens: its numbers in each pair of lanes.
        friend Vector operator+(Vector, std::same_as<std::int32_t> auto pair)
        {
            Numbers r;
            for (std::size_t i = 0; i < lanes; ++i)
                r.push_back(number_of_token(short_of(pair >> i % 2 * 16)));
            return Vector({std::move(r)});
        }
    };
    using Sums = Vector;

    static Number unsupported()
    {
        fail("an `or` of two numbers");
        return 0;
    }
    static std::int16_t short_of(std::int32_t a) { return static_cast<std::int16_t>(a); }
    /// The lanes of sums are their lower and upper halves in turns.
    static Numbers lanes_of(Vector a)
    {
        if (a.place == 0) return Numbers(lanes);
        const auto [of, are_sums] = contents[a.place];
        if (!are_sums) return of;
        Numbers halves;
        for (const Number s : of) halves.insert(halves.end(), {low_half(s), high_half(s)});
        return halves;
    }
    static Numbers sums_of(Sums a)
    {
        if (a.place == 0) return Numbers(lanes / 2);
        if (!contents[a.place].are_sums) fail("16-bit lanes are taken for sums");
        return contents[a.place].of;
    }

    static Vector broadcast(std::int32_t a) { return short_of(a); }
    static Vector load(const auto* from)
    {
        Numbers r;
        for (std::size_t i = 0; i < lanes; ++i) r.push_back(load_number(from + i));
        return Vector({std::move(r)});
    }
    static void store(std::int16_t* to, Vector a)
    {
        for (const Number x : lanes_of(a)) store_number(to++, x);
    }
    static Vector multiply_low(Vector a, Vector b) { return Vector::each(proofs::multiply_low, a, b); }
    static Vector subtract_product(Vector c, Vector a, Vector b)
    {
        const Numbers x = lanes_of(c), y = lanes_of(a), z = lanes_of(b);
        Numbers r;
        for (std::size_t i = 0; i < lanes; ++i) r.push_back(proofs::subtract_product(x[i], y[i], z[i]));
        return Vector({std::move(r)});
    }
    static Sums add_pairs(Sums sums, Vector a, Vector b)
    {
        const Numbers x = lanes_of(a), y = lanes_of(b);
        Numbers r = sums_of(sums);
        for (std::size_t i = 0; i < lanes; ++i) r[i / 2] = wide_sum(r[i / 2], product(x[i], y[i]));
        return Sums({std::move(r), true});
    }
    static Sums multiply_pairs(Vector a, Vector b) { return add_pairs({}, a, b); }

    /// Lane i is lane source(i) of a followed by b.
    static Vector shuffle(Vector a, Vector b, auto source)
    {
        Numbers both = lanes_of(a), r;
        for (const Number x : lanes_of(b)) both.push_back(x);
        for (std::size_t i = 0; i < lanes; ++i) r.push_back(both[source(i)]);
        return Vector({std::move(r)});
    }
    using Lane = std::size_t;
    static Vector cross_pairs(Vector a)
    {
        return shuffle(a, a, [](Lane i) { return i ^ 1; });
    }
    static Vector merge_pairs(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return i % 2 == 0 ? i : i + lanes; });
    }
    static Vector exchange_middles(Vector a)
    {
        return shuffle(a, a, [](Lane i) { return i % 4 == 1 ? i + 1 : i % 4 == 2 ? i - 1 : i; });
    }
    template <Lane size>
    static Vector even_blocks(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return (i & size) == 0 ? i : i - size + lanes; });
    }
    template <Lane size>
    static Vector odd_blocks(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return (i & size) == 0 ? i + size : i + lanes; });
    }
    template <Lane eighth>
    static void store_eight(std::int16_t* to, Vector a)
    {
        const Numbers of = lanes_of(a);
        for (Lane i = 8 * eighth; i < 8 * (eighth + 1); ++i) store_number(to++, of[i]);
    }

    // Not for linear kernels.
    static Vector first_lanes(std::size_t count);
    static std::size_t compress_store(std::int16_t* to, Vector a, Vector mask);
};

template <std::size_t integers, std::size_t group, class Shorts>
struct Engine : isa::portable::Isa {
    static constexpr std::size_t integer_lanes = integers;
    static constexpr std::size_t ntt_group = group;
    using Integers = Lanes<integers, sum, difference>;
    using Products = Lanes<integers, wide_sum, wide_difference>;
    using ShortLanes = Shorts;
    using Vector = typename ShortLanes::Vector;

    static void begin(std::uint64_t prime, int bits)
    {
        proofs::begin(prime, bits);
        tokens = {};
        ShortLanes::contents.resize(1);
    }

    static Integers broadcast(std::int32_t a)
    {
        return Integers::each([a](std::size_t) { return constant(a); });
    }
    static Integers load(const std::int32_t* from)
    {
        return Integers::each([from](std::size_t i) { return load_number(from + i); });
    }
    static void store(std::int32_t* to, const Integers& a)
    {
        for (const Number x : a.of) store_number(to++, x);
    }
    static Products multiply(const Integers& a, const Integers& b)
    {
        return Products::each([&](std::size_t i) { return product(a.of[i], b.of[i]); });
    }
    static Products multiply_low(const Products& a, const Integers& b)
    {
        return Products::each([&](std::size_t i) { return product(low_half(a.of[i]), b.of[i]); });
    }
    static Integers high_half(const Products& a)
    {
        return Integers::each([&](std::size_t i) {
            if (!is_multiple_of_radix(a.of[i])) fail("the high half of what is no multiple of 2^32");
            return proofs::high_half(a.of[i]);
        });
    }
    static void transpose(std::array<Integers, integers>& v)
    {
        for (std::size_t i = 0; i < integers; ++i)
            for (std::size_t j = 0; j < i; ++j) std::swap(v[i].of[j], v[j].of[i]);
    }

    static Vector opaque(Vector a) { return a; }
    static Vector multiply_high(Vector a, Vector b)
    {
        return Vector::each([](Number x, Number y) { return proofs::high_half(product(x, y)); }, a, b);
    }
    static Vector multiply_rounded(Vector a, Vector b)
    {
        return Vector::each(proofs::multiply_rounded, a, b);
    }

    // Not for linear kernels.
    static Integers widen(const std::int8_t* bytes);
    static bool any_negative(const Integers& a);
    static Integers first_lanes(std::size_t count);
    template <int bits>
    static Integers unpack(const std::uint8_t* bytes);
    static std::size_t compress_store(std::int32_t* to, const Integers& a, const Integers& mask);
};

struct NeonShorts : ShortLanes<8> {
    template <Lane size>
    static Vector zip_lower(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return zipped<size>(i); });
    }
    template <Lane size>
    static Vector zip_upper(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return zipped<size>(i) + lanes / 2; });
    }
    template <Lane size>
    static Vector even_of(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return i / size * 2 * size + i % size; });
    }
    template <Lane size>
    static Vector odd_of(Vector a, Vector b)
    {
        return shuffle(a, b, [](Lane i) { return (i / size * 2 + 1) * size + i % size; });
    }

    using WideSums = std::array<Number, lanes>;
    static WideSums multiply_wide(Vector a, Vector b) { return add_wide({}, a, b); }
    static WideSums add_wide(const WideSums& s, Vector a, Vector b) { return combined(s, a, b, wide_sum); }
    static WideSums subtract_wide(const WideSums& s, Vector a, Vector b)
    {
        return combined(s, a, b, wide_difference);
    }
    static Vector low_wide(const WideSums& s) { return halves(s, low_half); }
    static Vector high_wide(const WideSums& s)
    {
        return halves(s, [](Number x) {
            if (!is_multiple_of_radix(x)) fail("the high half of what is no multiple of 2^16");
            return high_half(x);
        });
    }

  private:
    static WideSums combined(WideSums s, Vector a, Vector b, Number combine(Number, Number))
    {
        const Numbers x = lanes_of(a), y = lanes_of(b);
        for (std::size_t i = 0; i < lanes; ++i) s[i] = combine(s[i], product(x[i], y[i]));
        return s;
    }
    static Vector halves(const WideSums& s, auto half)
    {
        Numbers r;
        for (const Number x : s) r.push_back(half(x));
        return Vector({std::move(r)});
    }
    template <Lane size>
    static constexpr Lane zipped(Lane i)
    {
        return i / (2 * size) * size + i % size + i / size % 2 * lanes;
    }
};

/// The engines' integers of 32 bits, vectors of a transform's group, integers of 16 bits.
struct Portable : Engine<1, 16, ShortLanes<8>> {
    static constexpr std::string_view name = "portable";
};
struct Neon : Engine<4, 16, NeonShorts> {
    static constexpr std::string_view name = "neon";

    using Engine::opaque;
    template <class T>
    static T* opaque(T* address)
    {
        return address;
    }
    static Vector divide_difference(Vector a, Vector b, Vector c, Vector d)
    {
        return multiply_high(a, b) - multiply_high(c, d);
    }
    static Integers opaque(const Integers& a) { return a; }
    static Integers multiply_modulo(const Integers& a, const Integers& b, const Integers& quotient,
                                    const Integers& r)
    {
        return Integers::each([&](std::size_t i) {
            return proofs::multiply_modulo(a.of[i], b.of[i], quotient.of[i], r.of[i]);
        });
    }
    template <std::size_t index>
    static Integers multiply_modulo(const Integers& a, const Integers& row, const Integers& r)
    {
        const auto every = [&row](std::size_t i) {
            return Integers::each([&](std::size_t) { return row.of[i]; });
        };
        return multiply_modulo(a, every(2 * index), every(2 * index + 1), r);
    }
    static Vector multiply_modulo(Vector a, Vector b, Vector quotient, Vector r)
    {
        const auto x = ShortLanes::lanes_of(b), y = ShortLanes::lanes_of(quotient);
        const Number modulus = ShortLanes::lanes_of(r)[0];
        std::size_t i = 0;
        auto of = ShortLanes::lanes_of(a);
        for (Number& lane : of) lane = proofs::multiply_modulo(lane, x[i], y[i], modulus), ++i;
        return Vector({std::move(of)});
    }
    template <std::size_t index>
    static Vector multiply_modulo(Vector a, Vector row, Vector r)
    {
        const auto every = [row](std::size_t i) {
            return ShortLanes::shuffle(row, row, [i](std::size_t) { return i; });
        };
        return multiply_modulo(a, every(2 * index), every(2 * index + 1), r);
    }
};
/// Also the shape of rvv and rvv256.
struct Avx2 : Engine<8, 8, ShortLanes<16>> {
    static constexpr std::string_view name = "avx2";
};
struct Avx512 : Engine<16, 16, ShortLanes<32>> {
    static constexpr std::string_view name = "avx512";
};
static_assert(isa::Engine<Portable> && isa::Engine<Neon> && isa::Engine<Avx2> && isa::Engine<Avx512>);

}  // namespace girih::proofs
