/// Four integers of 32 bits, or eight of 16, in a WebAssembly vector.
#pragma once

#include <wasm_simd128.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bytes.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/table.hpp"
#include "isa/vectors_128.hpp"
#include "isa/wasm_simd128/half_bytes.hpp"

namespace girih::isa::wasm_simd128 {

/// `Engine` derives from this.
template <class Engine>
struct FourIntegers : Vectors128<Engine> {
    using typename Vectors128<Engine>::Integers;
    using typename Vectors128<Engine>::EightShorts;
    using Vectors128<Engine>::kept_lanes;
    using HalfByteLanes = wasm_simd128::HalfByteLanes;
    static_assert(std::is_same_v<Integers, v128_t>);  // so that intrinsics take and return it

    [[nodiscard]] static Integers load(const std::int32_t* from) noexcept { return wasm_v128_load(from); }
    static void store(std::int32_t* to, Integers a) noexcept { wasm_v128_store(to, a); }
    [[nodiscard]] static Integers widen(const std::int8_t* bytes) noexcept
    {
        return wasm_i32x4_extend_low_i16x8(wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(bytes)));
    }
    [[nodiscard]] static bool any_negative(Integers a) noexcept { return wasm_i32x4_bitmask(a) != 0; }

    // Four words for sorting.
    [[nodiscard]] static Integers minimum(Integers a, Integers b) noexcept { return wasm_i32x4_min(a, b); }
    [[nodiscard]] static Integers maximum(Integers a, Integers b, Integers) noexcept
    {
        return wasm_i32x4_max(a, b);
    }

    // Eight integers of 16 bits.
    struct ShortLanes : Vectors128<Engine>::ShortLanes {
        using Vectors128<Engine>::ShortLanes::load;
        [[nodiscard]] static EightShorts load(const std::int8_t* from) noexcept
        {
            return reinterpret_cast<EightShorts>(wasm_i16x8_load8x8(from));
        }
        /// Eight integers of 12 bits from 12 bytes.
        template <int bits>
            requires(bits == 12)
        [[nodiscard]] static EightShorts unpack(const Byte* bytes) noexcept
        {
            static constexpr auto place =
                make_table<Byte, 16>([](int i) { return i / 2 * bits / 8 + i % 2; });
            const v128_t packed = wasm_u64x2_make(load_bytes<8>(bytes), load_bytes<4>(bytes + 8));
            const v128_t words = wasm_i8x16_swizzle(packed, wasm_v128_load(place.data()));
            // An even lane begins at bit 0 of its word, an odd one at bit 4. A product first moves
            // the even ones to bit 4.
            const v128_t aligned = wasm_i16x8_mul(words, wasm_i16x8_const(16, 1, 16, 1, 16, 1, 16, 1));
            return reinterpret_cast<EightShorts>(wasm_u16x8_shr(aligned, 4));
        }
        [[nodiscard]] static Integers multiply_pairs(EightShorts a, EightShorts b) noexcept
        {
            return wasm_i32x4_dot_i16x8(raw(a), raw(b));
        }
        static std::size_t compress_store(std::int16_t* to, EightShorts a, EightShorts mask) noexcept
        {
            // The mask is public. Lane i is bytes 2 i and 2 i + 1.
            const std::uint32_t keep = wasm_i16x8_bitmask(raw(mask));
            const v128_t lanes = wasm_u16x8_load8x8(&isa::kept_lanes[keep]);
            const v128_t places = wasm_i16x8_add(wasm_i16x8_mul(lanes, wasm_i16x8_const_splat(0x202)),
                                                 wasm_i16x8_const_splat(0x100));
            wasm_v128_store(to, wasm_i8x16_swizzle(raw(a), places));
            return static_cast<std::size_t>(__builtin_popcount(keep));
        }
    };
    /// `a` itself: clang 19 fails on assembly with a vector as operand. Nothing depends on it but
    /// speed, and clang keeps WebAssembly's products. (WebAssembly promises no constant time: the
    /// host compiles the module again, and masks of vectors are as safe as its compiler leaves
    /// them.)
    [[nodiscard]] static EightShorts opaque(EightShorts a) noexcept { return a; }
    /// The high halves of 32-bit products.
    [[nodiscard]] static EightShorts multiply_high(EightShorts a, EightShorts b) noexcept
    {
        const auto low = reinterpret_cast<EightShorts>(wasm_i32x4_extmul_low_i16x8(raw(a), raw(b)));
        const auto high = reinterpret_cast<EightShorts>(wasm_i32x4_extmul_high_i16x8(raw(a), raw(b)));
        return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
    }
    /// Products divided by 2^15, with halves rounded up.
    [[nodiscard]] static EightShorts multiply_rounded(EightShorts a, EightShorts b) noexcept
    {
        return reinterpret_cast<EightShorts>(wasm_i16x8_q15mulr_sat(raw(a), raw(b)));
    }

    /// A product that is not yet computed: the low halves and all 64 bits are different
    /// instructions.
    struct Product {
        Integers a;
        Integers b;
    };
    /// 64-bit products and their sums: of the lower two lanes, and of the upper two.
    struct Products {
        using Longs = std::int64_t __attribute__((vector_size(16)));
        Longs lower;
        Longs upper;

        Products(const Product& p) noexcept
            : Products{reinterpret_cast<Longs>(wasm_i64x2_extmul_low_i32x4(p.a, varying(p.b, p.a))),
                       reinterpret_cast<Longs>(wasm_i64x2_extmul_high_i32x4(p.a, varying(p.b, p.a)))}
        {
        }
        Products(Longs lower_lanes, Longs upper_lanes) noexcept : lower(lower_lanes), upper(upper_lanes) {}
    };
    [[nodiscard]] friend Products operator+(const Products& a, const Products& b) noexcept
    {
        return {a.lower + b.lower, a.upper + b.upper};
    }
    [[nodiscard]] friend Products operator-(const Products& a, const Products& b) noexcept
    {
        return {a.lower - b.lower, a.upper - b.upper};
    }
    [[nodiscard]] static Product multiply(Integers a, Integers b) noexcept { return {a, b}; }
    [[nodiscard]] static Product multiply_low(const Product& p, Integers b) noexcept
    {
        return {wasm_i32x4_mul(p.a, p.b), b};
    }
    [[nodiscard]] static Product multiply_low(const Products& a, Integers b) noexcept
    {
        return {wasm_i32x4_shuffle(v128_t(a.lower), v128_t(a.upper), 0, 2, 4, 6), b};
    }
    [[nodiscard]] static Integers high_half(const Products& a) noexcept
    {
        return wasm_i32x4_shuffle(v128_t(a.lower), v128_t(a.upper), 1, 3, 5, 7);
    }

    static std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        // The mask is public: it says which candidates were rejected.
        const std::size_t keep = wasm_i32x4_bitmask(mask);
        wasm_v128_store(to, wasm_i8x16_swizzle(a, wasm_v128_load(kept_lanes[keep].data())));
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }

    // Four integers of an odd number of bits end inside a byte, and are packed one by one.

    /// Four integers of `bits` <= 25 bits each from bits / 2 bytes.
    template <int bits>
        requires(bits % 2 == 0)
    [[nodiscard]] static Integers unpack(const Byte* bytes) noexcept
    {
        // The upper half of the vector holds the last eight bytes, if there are more than eight.
        constexpr int size = bits / 2;
        constexpr int upper_from = size > 8 ? size - 8 : 8;
        static constexpr auto place = make_table<Byte, 16>([](int i) {
            const int byte = i / 4 * bits / 8 + i % 4;
            return byte >= size ? 0xFF : byte < 8 ? byte : byte - upper_from + 8;  // 0xFF gives a zero
        });
        const v128_t packed =
            wasm_u64x2_make(load_bytes<(size > 8 ? 8 : size)>(bytes),
                            size > 8 ? load_bytes<(size > 8 ? 8 : 0)>(bytes + upper_from) : 0);
        const v128_t words = wasm_i8x16_swizzle(packed, wasm_v128_load(place.data()));
        if constexpr (bits % 8 == 0) return words & ((1 << bits) - 1);
        // Lane i begins at bit i * bits % 8 of its word, at most 6. Vectors have one shift for all
        // lanes, so a product first moves each beginning to bit 6.
        constexpr auto up = [](int i) { return 1 << (6 - i * bits % 8); };
        const v128_t aligned = wasm_i32x4_mul(words, wasm_i32x4_const(up(0), up(1), up(2), up(3)));
        return wasm_u32x4_shr(aligned, 6) & ((1 << bits) - 1);
    }

    /// The inverse, for integers in [0, 2^bits) with bits <= 20.
    template <int bits>
        requires(bits % 2 == 0)
    static void pack(Byte* bytes, Integers v) noexcept
    {
        // Neighbours join: two in 64 bits, four in 128.
        const v128_t two = wasm_u64x2_extend_low_u32x4(wasm_i32x4_shuffle(v, v, 0, 2, 0, 2)) |
                           wasm_i64x2_shl(wasm_u64x2_shr(v, 32), bits);
        const auto low = static_cast<std::uint64_t>(wasm_i64x2_extract_lane(two, 0));
        const auto high = static_cast<std::uint64_t>(wasm_i64x2_extract_lane(two, 1));
        if constexpr (bits > 16) {
            store_bytes<8>(bytes, low | high << 2 * bits);
            store_bytes<bits / 2 - 8>(bytes + 8, high >> (64 - 2 * bits));
        } else {
            store_bytes<bits / 2>(bytes, low | high << 2 * bits);
        }
    }

  private:
    /// `b`, made to look dependent on `a`, for a product of the two: clang would widen a constant
    /// by itself, and then multiply 64 bits by 64. A host's compiler drops the shuffle.
    [[nodiscard]] static v128_t varying(v128_t b, v128_t a) noexcept
    {
        using Bytes = signed char __attribute__((vector_size(16)));
        return v128_t(__builtin_wasm_shuffle_i8x16(Bytes(b), Bytes(a), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                   12, 13, 14, 15));
    }
    [[nodiscard]] static v128_t raw(EightShorts a) noexcept { return reinterpret_cast<v128_t>(a); }
};

}  // namespace girih::isa::wasm_simd128
