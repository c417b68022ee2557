/// The common part of both engines of RISC-V's vectors: integers of 32 and of 16 bits in vectors of
/// 256 bits. The compiler puts them into one register of that length or more, or into two of 128
/// bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "isa/rvv/half_bytes.hpp"
#include "isa/shared/scalar_bits.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/shorts.hpp"
#include "isa/shared/sort_lanes.hpp"

namespace girih::isa::rvv {

/// `Isa` derives from this.
template <class Isa>
struct Vectors {
    static constexpr std::size_t bytes = 32;
    static constexpr bool follows_specification = false;
    static constexpr bool has_aes = false;
    static constexpr bool spills_vectors = true;
    using SerialWords = ScalarWords<Isa>;
    using HashWords = SerialWords;  ///< SHA-512: one message
    using Fpr = NativeFpr<Isa>;
    using BitLanes = ScalarBits<Isa>;
    using HalfByteLanes = rvv::HalfByteLanes;

    /// Each of four nested frames keeps up to 32 registers. (No call keeps a vector register.)
    [[gnu::noinline]] static std::size_t clear_registers() noexcept
    {
        std::size_t eight_registers = 0;
        __asm__ volatile(
            "vsetvli %0, zero, e8, m8, ta, ma\n\tvmv.v.i v0, 0\n\tvmv.v.i v8, 0\n\tvmv.v.i v16, 0\n\t"
            "vmv.v.i v24, 0"
            : "=r"(eight_registers)
            :
            : "vl", "vtype");
        return 4 * 4 * eight_registers;
    }

    template <class Lane, std::size_t count = bytes / sizeof(Lane)>
    using Of [[gnu::vector_size(count * sizeof(Lane))]] = Lane;

    // Signed integers of 32 bits.
    using Integers = Of<std::int32_t>;
    using ShortIntegers = Of<std::int8_t>;  ///< for short products
    using SortLanes = isa::SortLanes<Isa, Integers>;
    static constexpr std::size_t integer_lanes = bytes / sizeof(std::int32_t);
    static constexpr std::size_t ntt_group = integer_lanes;

    // By bytes, since early processors trap on words that are not aligned.
    [[nodiscard]] static Integers load(const std::int32_t* from) noexcept
    {
        Integers a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    static void store(std::int32_t* to, Integers a) noexcept { std::memcpy(to, &a, sizeof a); }
    [[nodiscard]] static Integers broadcast(std::int32_t a) noexcept { return Integers{} + a; }
    [[nodiscard]] static Integers widen(const std::int8_t* from) noexcept
    {
        return widened<std::int32_t>(from);
    }
    [[nodiscard]] static bool any_negative(Integers a) noexcept
    {
        return rvv::any_negative(reinterpret_cast<const std::int32_t*>(&a), integer_lanes);
    }
    static std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        return rvv::compress_store(to, a, mask);
    }
    /// Without vmin and vmax, whose time Zvkt does not promise: the compiler finds no minimum in a
    /// comparison with another number.
    [[nodiscard]] static Integers minimum(Integers a, Integers b) noexcept
    {
        return a < b + value_barrier(0) ? a : b;
    }
    [[nodiscard]] static Integers maximum(Integers a, Integers b, Integers minimum) noexcept
    {
        return a ^ b ^ minimum;
    }
    static void transpose(std::array<Integers, integer_lanes>& square) noexcept
    {
        exchange<integer_lanes / 2>(square);
    }
    /// Integers of `bits` bits each, 16 to 24.
    template <int bits>
        requires(bits % 2 == 0 && bits >= 16 && bits <= 24)
    [[nodiscard]] static Integers unpack(const Byte* from) noexcept
    {
        return unpacked<std::int32_t, bits>(from);
    }

    // Products are not computed before it is known which half is used: each is an instruction.
    using Longs = Of<std::int64_t, integer_lanes>;
    struct Product {
        Integers a;
        Integers b;
    };
    struct Difference {
        Product minuend;
        Product subtrahend;
    };
    struct Products {
        Longs all;

        Products(const Product& p) noexcept
            : all(__builtin_convertvector(p.a, Longs) * __builtin_convertvector(p.b, Longs))
        {
        }
        explicit Products(Longs a) noexcept : all(a) {}
        [[nodiscard]] friend Products operator+(const Products& a, const Products& b) noexcept
        {
            return Products{a.all + b.all};
        }
        [[nodiscard]] friend Products operator-(const Products& a, const Products& b) noexcept
        {
            return Products{a.all - b.all};
        }
    };
    [[nodiscard]] static Product multiply(Integers a, Integers b) noexcept { return {a, b}; }
    [[nodiscard]] static Product multiply_low(const Product& p, Integers b) noexcept
    {
        return {reinterpret_cast<Integers>(reinterpret_cast<Words>(p.a) * reinterpret_cast<Words>(p.b)), b};
    }
    [[nodiscard]] static Product multiply_low(const Products& a, Integers b) noexcept
    {
        return {__builtin_convertvector(a.all, Integers), b};
    }
    [[nodiscard]] friend Difference operator-(const Product& a, const Product& b) noexcept { return {a, b}; }
    /// The low halves are equal, so that the difference of the products is that of the high halves.
    [[nodiscard]] static Integers high_half(const Difference& d) noexcept
    {
        return high_half(Products{d.minuend}) - high_half(Products{d.subtrahend});
    }
    [[nodiscard]] static Integers high_half(const Products& a) noexcept
    {
        return __builtin_convertvector(a.all >> 32, Integers);
    }

    // Signed integers of 16 bits.
    using ShortVector = Of<std::int16_t>;
    using ShortProducts = Of<std::int32_t, bytes / 2>;
    struct ShortLanes : Shorts<Isa, ShortVector, Of<std::uint16_t>, Integers> {
        using Base = Shorts<Isa, ShortVector, Of<std::uint16_t>, Integers>;
        using Vector = ShortVector;

        [[nodiscard]] static Vector load(const std::int16_t* from) noexcept { return Base::load(from); }
        [[nodiscard]] static Vector load(const std::int8_t* from) noexcept
        {
            return widened<std::int16_t>(from);
        }
        /// The products of all lanes; then sums of the even and the odd ones.
        [[nodiscard]] static Integers multiply_pairs(Vector a, Vector b) noexcept
        {
            const ShortProducts p = products(a, b);
            return [p]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
                return __builtin_shufflevector(p, p, 2 * i...) +
                       __builtin_shufflevector(p, p, (2 * i + 1)...);
            }(std::make_integer_sequence<int, integer_lanes>{});
        }
        [[nodiscard]] static Vector first_lanes(std::size_t count) noexcept
        {
            return [count]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
                return Vector{i...} < Base::broadcast(static_cast<std::int32_t>(count));
            }(std::make_integer_sequence<int, Base::lanes>{});
        }
        static std::size_t compress_store(std::int16_t* to, Vector a, Vector mask) noexcept
        {
            return rvv::compress_store(to, a, mask);
        }
        /// Integers of 10 or 12 bits: candidates, and half-bytes times three.
        template <int bits>
            requires(bits == 10 || bits == 12)
        [[nodiscard]] static Vector unpack(const Byte* from) noexcept
        {
            return unpacked<std::int16_t, bits>(from);
        }
    };
    /// `a` itself: clang++ 19 takes no such vector as an operand of assembly.
    [[nodiscard]] static ShortVector opaque(ShortVector a) noexcept { return a; }
    [[nodiscard]] static ShortVector multiply_high(ShortVector a, ShortVector b) noexcept
    {
        return __builtin_convertvector(products(a, b) >> 16, ShortVector);
    }
    /// Products divided by 2^15, with halves rounded up, for 0 <= b < 2^14. (vsmul would round, but
    /// Zvkt does not promise its time.)
    [[nodiscard]] static ShortVector multiply_rounded(ShortVector a, ShortVector b) noexcept
    {
        const ShortVector twice = b + b;
        return multiply_high(a, twice) - (ShortLanes::multiply_low(a, twice) >> 15);
    }

  private:
    using Words = Of<std::uint32_t>;

    [[nodiscard]] static ShortProducts products(ShortVector a, ShortVector b) noexcept
    {
        return __builtin_convertvector(a, ShortProducts) * __builtin_convertvector(b, ShortProducts);
    }
    template <class Lane>
    [[nodiscard]] static Of<Lane> widened(const std::int8_t* from) noexcept
    {
        Of<std::int8_t, bytes / sizeof(Lane)> a;
        std::memcpy(&a, from, sizeof a);
        return __builtin_convertvector(a, Of<Lane>);
    }
    template <class Lane, int bits>
    [[nodiscard]] static Of<Lane> unpacked(const Byte* from) noexcept
    {
        return spread<Lane, bits>(from, std::make_index_sequence<bytes>{},
                                  std::make_index_sequence<bytes / sizeof(Lane)>{});
    }
    /// The bytes fill half a vector or more: their first half vector and their last are loaded. A
    /// lane takes those that its bits are in, and shifts them into place; bytes above them do not
    /// matter.
    template <class Lane, int bits, std::size_t... j, std::size_t... lane>
    [[nodiscard]] static Of<Lane> spread(const Byte* from, std::index_sequence<j...>,
                                         std::index_sequence<lane...>) noexcept
    {
        constexpr int half = bytes / 2;
        constexpr int count = static_cast<int>(sizeof...(lane)) * bits / 8;
        constexpr auto source = [](int place) {
            constexpr int size = sizeof(Lane);
            const int byte = place / size * bits / 8 + place % size;
            return byte < half ? byte : byte < count ? byte - count + 2 * half : 0;
        };
        Of<Byte, half> first;
        Of<Byte, half> last;
        std::memcpy(&first, from, half);
        std::memcpy(&last, from + count - half, half);
        using Unsigned = std::make_unsigned_t<Lane>;
        const auto words =
            reinterpret_cast<Of<Unsigned>>(__builtin_shufflevector(first, last, source(int{j})...));
        return reinterpret_cast<Of<Lane>>(words >> Of<Unsigned>{static_cast<Unsigned>(lane * bits % 8)...} &
                                          static_cast<Unsigned>((1U << bits) - 1));
    }
    /// Exchanges blocks of `size` integers between vectors whose indices differ by `size`.
    template <std::size_t size>
    static void exchange(std::array<Integers, integer_lanes>& v) noexcept
    {
        unroll<integer_lanes>([&](auto i) __attribute__((always_inline)) {
            if constexpr ((i & size) == 0) {
                const Integers a = v[i];
                const Integers b = v[i + size];
                [&]<std::size_t... j>(std::index_sequence<j...>) __attribute__((always_inline)) {
                    v[i] = __builtin_shufflevector(a, b, ((j & size) == 0 ? j : j - size + integer_lanes)...);
                    v[i + size] =
                        __builtin_shufflevector(a, b, ((j & size) == 0 ? j + size : j + integer_lanes)...);
                }(std::make_index_sequence<integer_lanes>{});
            }
        });
        if constexpr (size > 1) exchange<size / 2>(v);
    }
};

}  // namespace girih::isa::rvv
