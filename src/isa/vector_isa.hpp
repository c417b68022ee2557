/// The common base of the engines with wide vectors: everything that the compilers' vector
/// extensions can express for any width. Instructions of one processor are in its engine.
///
/// Every template has the engine's type among its arguments, so that engines share no code that is
/// compiled for one processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "isa/doubles/wide_fpr.hpp"
#include "isa/shared/long_lanes.hpp"
#include "isa/shared/residue_lanes.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/shuffle.hpp"
#include "isa/shared/sort_lanes.hpp"
#include "isa/shared/state_lanes.hpp"

namespace girih::isa {

/// Four Keccak states in 256-bit vectors.
template <class States, class V>
struct FourStateLanes : StateLanes<States, V> {
    using Words = V;
    static constexpr std::size_t count = 4;
    static_assert(StateLanes<States, V>::count == count);

    /// Reverses the bytes of each word.
    [[nodiscard]] static Words swap_bytes(Words a) noexcept
    {
        using Bytes = std::uint8_t __attribute__((vector_size(32)));
        const auto bytes = reinterpret_cast<Bytes>(a);
        return [bytes]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
            return reinterpret_cast<Words>(__builtin_shufflevector(bytes, bytes, (i ^ 7)...));
        }(std::make_integer_sequence<int, 32>{});
    }

  protected:
    friend StateLanes<States, V>;

    [[nodiscard]] static Words all_but(const std::array<bool, count>& fresh) noexcept
    {
        return Words{std::uint64_t{fresh[0]} - 1, std::uint64_t{fresh[1]} - 1, std::uint64_t{fresh[2]} - 1,
                     std::uint64_t{fresh[3]} - 1};
    }
    [[nodiscard]] static Words keep(Words mask, Words a) noexcept { return a & mask; }

    /// Transposes four rows of four words.
    static void transpose(std::array<Words, count>& v) noexcept
    {
        const Words a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
        const Words b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
        const Words c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
        const Words d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
        v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    }
};

/// `Isa` is the engine's type that derives from this; `Vectors` are its vectors, named by their
/// lanes. (g++ has no vectors whose size depends on a template argument.)
template <class Isa, class Vectors>
struct VectorIsa {
    using Words = typename Vectors::Words;
    using Longs = typename Vectors::Longs;
    using Doubles = typename Vectors::Doubles;
    using Integers = typename Vectors::Integers;
    using Residues = typename Vectors::Residues;

    using SerialWords = ScalarWords<Isa>;

    // Falcon: a double, and a vector of them.
    using Fpr = NativeFpr<Isa>;
    using WideFpr = isa::WideFpr<Isa, Doubles>;
    [[nodiscard]] static bool any_set(Longs mask) noexcept { return Isa::lane_bits(mask) != 0; }

    /// Eight bytes every `stride` bytes, one lane each.
    template <std::size_t stride>
    [[nodiscard]] static Longs strided(const Byte* bytes) noexcept
    {
        return [bytes]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
            return Longs{static_cast<std::int64_t>(load_le64(bytes + stride * i))...};
        }(std::make_index_sequence<sizeof(Longs) / 8>{});
    }

    // Falcon's key generator: 64-bit integers, and residues.
    using LongLanes = isa::LongLanes<Isa, Longs, typename Vectors::HalfIntegers>;
    using ResidueLanes = isa::ResidueLanes<Isa, Residues>;
    [[nodiscard]] static Residues unsigned_multiply_even(Residues a, Residues b) noexcept
    {
        return reinterpret_cast<Residues>(
            Isa::multiply_low_halves(reinterpret_cast<Longs>(a), reinterpret_cast<Longs>(b)));
    }
    [[nodiscard]] static Residues add_64(Residues a, Residues b) noexcept
    {
        return reinterpret_cast<Residues>(reinterpret_cast<Words>(a) + reinterpret_cast<Words>(b));
    }

    // Signed 32-bit integers. Their 64-bit products are in two vectors: of the even lanes, and of
    // the odd lanes.
    struct Products {
        Longs even;
        Longs odd;
        [[nodiscard]] friend Products operator+(Products a, Products b) noexcept
        {
            return {a.even + b.even, a.odd + b.odd};
        }
        [[nodiscard]] friend Products operator-(Products a, Products b) noexcept
        {
            return {a.even - b.even, a.odd - b.odd};
        }
    };
    static constexpr std::size_t integer_lanes = sizeof(Integers) / sizeof(std::int32_t);
    static constexpr std::size_t ntt_group = integer_lanes;

    [[nodiscard]] static Integers broadcast(std::int32_t a) noexcept { return Integers{} + a; }
    [[nodiscard]] static Integers load(const std::int32_t* from) noexcept
    {
        Integers a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    static void store(std::int32_t* to, Integers a) noexcept { std::memcpy(to, &a, sizeof a); }

    [[nodiscard]] static Products multiply(Integers a, Integers b) noexcept
    {
        return {multiply_even(a, b), multiply_even(Isa::odd(a), Isa::odd(b))};
    }
    [[nodiscard]] static Products multiply_low(Products a, Integers b) noexcept
    {
        return {multiply_even(whole(a.even), b), multiply_even(whole(a.odd), b)};
    }

    /// Transposes a square of integers: exchanges blocks of half a vector across the diagonal, then
    /// of a quarter, and so on.
    static void transpose(std::array<Integers, integer_lanes>& v) noexcept { exchange<integer_lanes / 2>(v); }

    // Words for sorting.
    using SortLanes = isa::SortLanes<Isa, Integers>;

  private:
    [[nodiscard]] static Longs multiply_even(Integers a, Integers b) noexcept
    {
        return Isa::multiply_signed_halves(reinterpret_cast<Longs>(a), reinterpret_cast<Longs>(b));
    }
    /// Products as integers. Otherwise clang would see that only their low halves matter and use
    /// 64-bit multiplications, which take three times as long or, on AVX2, do not exist.
    [[nodiscard]] static Integers whole(Longs a) noexcept
    {
        return reinterpret_cast<Integers>(Isa::opaque(a));
    }

    /// Exchanges blocks of `size` integers between vectors whose indices differ by `size`.
    template <std::size_t size>
    static void exchange(std::array<Integers, integer_lanes>& v) noexcept
    {
        unroll<integer_lanes>([&](auto i) __attribute__((always_inline)) {
            if constexpr ((i & size) == 0) {
                const Integers a = v[i];
                const Integers b = v[i + size];
                v[i] = Isa::template even_blocks<size>(a, b);
                v[i + size] = Isa::template odd_blocks<size>(a, b);
            }
        });
        if constexpr (size > 1) exchange<size / 2>(v);
    }
};

}  // namespace girih::isa
