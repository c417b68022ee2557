/// Four integers of 32 bits in a NEON register.
#pragma once

#include <arm_neon.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "isa/neon/half_bytes.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/table.hpp"
#include "isa/vectors_128.hpp"

namespace girih::isa::neon {

/// `Engine` keeps the functions of engines apart, each compiled for its own processor.
template <class Engine>
struct FourIntegers : Vectors128<Engine> {
    using typename Vectors128<Engine>::Integers;
    using typename Vectors128<Engine>::EightShorts;
    using Vectors128<Engine>::kept_lanes;
    using HalfByteLanes = neon::HalfByteLanes<Engine>;

    [[nodiscard]] static Integers widen(const std::int8_t* bytes) noexcept
    {
        std::uint32_t four;
        std::memcpy(&four, bytes, sizeof four);
        const int8x8_t words = vreinterpret_s8_u32(vdup_n_u32(four));
        return of(vmovl_s16(vget_low_s16(vmovl_s8(words))));
    }
    // Four words for sorting.
    [[nodiscard]] static Integers minimum(Integers a, Integers b) noexcept
    {
        return reinterpret_cast<Integers>(
            vminq_s32(reinterpret_cast<int32x4_t>(a), reinterpret_cast<int32x4_t>(b)));
    }
    [[nodiscard]] static Integers maximum(Integers a, Integers b, Integers) noexcept
    {
        return reinterpret_cast<Integers>(
            vmaxq_s32(reinterpret_cast<int32x4_t>(a), reinterpret_cast<int32x4_t>(b)));
    }

    // Eight integers of 16 bits.
    struct ShortLanes : Vectors128<Engine>::ShortLanes {
        // (By memcpy, g++ copies a vector through general registers.)
        using Vectors128<Engine>::ShortLanes::load;
        [[nodiscard]] static EightShorts load(const std::int16_t* from) noexcept
        {
            return of_shorts(vld1q_s16(from));
        }
        [[nodiscard]] static EightShorts load(const std::int8_t* from) noexcept
        {
            return of_shorts(vmovl_s8(vld1_s8(from)));
        }
        static void store(std::int16_t* to, EightShorts a) noexcept { vst1q_s16(to, shorts(a)); }

        /// Blocks of `size` lanes of two vectors interleaved; and separated again.
        template <std::size_t size>
        [[nodiscard]] static EightShorts zip_lower(EightShorts a, EightShorts b) noexcept
        {
            static_assert(size == 1 || size == 2);
            if constexpr (size == 1) return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
            return __builtin_shufflevector(a, b, 0, 1, 8, 9, 2, 3, 10, 11);
        }
        template <std::size_t size>
        [[nodiscard]] static EightShorts zip_upper(EightShorts a, EightShorts b) noexcept
        {
            static_assert(size == 1 || size == 2);
            if constexpr (size == 1) return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
            return __builtin_shufflevector(a, b, 4, 5, 12, 13, 6, 7, 14, 15);
        }
        template <std::size_t size>
        [[nodiscard]] static EightShorts even_of(EightShorts a, EightShorts b) noexcept
        {
            static_assert(size == 1 || size == 2);
            if constexpr (size == 1) return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
            return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
        }
        template <std::size_t size>
        [[nodiscard]] static EightShorts odd_of(EightShorts a, EightShorts b) noexcept
        {
            static_assert(size == 1 || size == 2);
            if constexpr (size == 1) return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
            return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
        }
        /// Eight integers of `bits` <= 12 bits each from `bits` bytes. `readable` bytes can
        /// be read.
        template <int bits, int readable = bits>
            requires(bits <= 12)
        [[nodiscard]] static EightShorts unpack(const Byte* bytes) noexcept
        {
            using From = Packed<bits, readable>;
            const uint8x16_t packed = From::load(bytes);
            if constexpr (bits == 11) {  // an integer may lie in three bytes
                return lower_halves(From::template four<bits, 0>(packed),
                                    From::template four<bits, 4>(packed)) &
                       ((1 << bits) - 1);
            } else {
                static constexpr auto place =
                    make_table<Byte, 16>([](int i) { return From::place(i / 2 * bits / 8 + i % 2); });
                static constexpr auto shift =
                    make_table<std::int16_t, 8>([](int i) { return -(i * bits % 8); });
                const uint16x8_t words = vreinterpretq_u16_u8(vqtbl1q_u8(packed, vld1q_u8(place.data())));
                return reinterpret_cast<EightShorts>(vshlq_u16(words, vld1q_s16(shift.data()))) &
                       ((1 << bits) - 1);
            }
        }
        /// The inverse, for integers in [0, 2^bits) with bits <= 13.
        static constexpr int max_packed_bits = 13;
        template <int bits>
        static void pack(Byte* bytes, EightShorts a) noexcept
        {
            // Neighbours join, two in 32 bits: the even ones move up to the odd ones, and both
            // down. Then pairs join, unless two fill whole bytes.
            static constexpr auto even_up =
                make_table<std::int16_t, 8>([](int i) { return i % 2 == 0 ? 16 - bits : 0; });
            const uint32x4_t two = vshrq_n_u32(
                vreinterpretq_u32_u16(vshlq_u16(unsigned_shorts(a), vld1q_s16(even_up.data()))), 16 - bits);
            constexpr int joined = bits % 4 == 0 ? 2 : 4;
            uint64x2_t strings = vreinterpretq_u64_u32(two);
            if constexpr (joined == 4) {
                static constexpr auto pairs_up =
                    make_table<std::int32_t, 4>([](int i) { return i % 2 == 0 ? 32 - 2 * bits : 0; });
                strings = vshrq_n_u64(vreinterpretq_u64_u32(vshlq_u32(two, vld1q_s32(pairs_up.data()))),
                                      32 - 2 * bits);
            }
            if constexpr (bits % 2 == 0) {
                constexpr int size = joined * bits / 8;
                static constexpr auto place = make_table<Byte, 16>(
                    [](int i) { return i < bits ? i / size * 2 * joined + i % size : 0xFF; });
                strings =
                    vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(strings), vld1q_u8(place.data())));
            }
            std::uint64_t low = vgetq_lane_u64(strings, 0);
            std::uint64_t high = vgetq_lane_u64(strings, 1);
            if constexpr (bits % 2 != 0) {
                low |= high << 4 * bits;
                high >>= 64 - 4 * bits;
            }
            store_bytes<(bits < 8 ? bits : 8)>(bytes, low);
            if constexpr (bits > 8) store_bytes<bits - 8>(bytes + 8, high);
        }
        /// The lower halves of integers, in order.
        [[nodiscard]] static EightShorts lower_halves(Integers low, Integers high) noexcept
        {
            return of_shorts(vuzp1q_s16(vreinterpretq_s16_s32(raw(low)), vreinterpretq_s16_s32(raw(high))));
        }
        static std::size_t compress_store(std::int16_t* to, EightShorts a, EightShorts mask) noexcept
        {
            // The mask is public. One sum has a bit of each lane, and the number of lanes above.
            constexpr std::int16_t one = 0x100;
            const EightShorts bits = mask & EightShorts{one + 1,  one + 2,  one + 4,  one + 8,
                                                        one + 16, one + 32, one + 64, one + 128};
            const std::uint16_t kept = vaddvq_u16(unsigned_shorts(bits));
            // Lane i is bytes 2 i and 2 i + 1.
            const uint8x16_t lanes = vreinterpretq_u8_u64(vdupq_n_u64(isa::kept_lanes[kept & 0xFF]));
            const uint8x16_t even = vaddq_u8(lanes, lanes);
            const uint8x16_t places = vzip1q_u8(even, vorrq_u8(even, vdupq_n_u8(1)));
            vst1q_u8(reinterpret_cast<Byte*>(to), vqtbl1q_u8(reinterpret_cast<uint8x16_t>(a), places));
            return kept / one;
        }
        /// Sums of the products of lanes 0 to 3, and of lanes 4 to 7.
        struct WideSums {
            int32x4_t lower;
            int32x4_t upper;
        };
        [[nodiscard]] static WideSums multiply_wide(EightShorts a, EightShorts b) noexcept
        {
            return {vmull_s16(vget_low_s16(shorts(a)), vget_low_s16(shorts(b))),
                    vmull_high_s16(shorts(a), shorts(b))};
        }
        [[nodiscard]] static WideSums add_wide(const WideSums& s, EightShorts a, EightShorts b) noexcept
        {
            return {vmlal_s16(s.lower, vget_low_s16(shorts(a)), vget_low_s16(shorts(b))),
                    vmlal_high_s16(s.upper, shorts(a), shorts(b))};
        }
        [[nodiscard]] static WideSums subtract_wide(const WideSums& s, EightShorts a, EightShorts b) noexcept
        {
            return {vmlsl_s16(s.lower, vget_low_s16(shorts(a)), vget_low_s16(shorts(b))),
                    vmlsl_high_s16(s.upper, shorts(a), shorts(b))};
        }
        [[nodiscard]] static EightShorts low_wide(const WideSums& s) noexcept
        {
            return of_shorts(vuzp1q_s16(vreinterpretq_s16_s32(s.lower), vreinterpretq_s16_s32(s.upper)));
        }
        [[nodiscard]] static EightShorts high_wide(const WideSums& s) noexcept
        {
            return of_shorts(vuzp2q_s16(vreinterpretq_s16_s32(s.lower), vreinterpretq_s16_s32(s.upper)));
        }
        [[nodiscard]] static Integers multiply_pairs(EightShorts a, EightShorts b) noexcept
        {
            const auto x = reinterpret_cast<int16x8_t>(a);
            const auto y = reinterpret_cast<int16x8_t>(b);
            return of(vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y)));
        }
    };
    /// `a`, hidden from the optimiser, so that products with it are not turned into shifts and
    /// sums.
    [[nodiscard]] static EightShorts opaque(EightShorts a) noexcept
    {
        __asm__("" : "+w"(a));
        return a;
    }
    template <class T>
    [[nodiscard, gnu::always_inline]] static T* opaque(T* address) noexcept
    {
        __asm__("" : "+r"(address));
        return address;
    }
    /// The high halves of 32-bit products.
    [[nodiscard]] static EightShorts multiply_high(EightShorts a, EightShorts b) noexcept
    {
        const auto left = reinterpret_cast<int16x8_t>(a);
        const auto right = reinterpret_cast<int16x8_t>(b);
        return reinterpret_cast<EightShorts>(
            vuzp2q_s16(vreinterpretq_s16_s32(vmull_s16(vget_low_s16(left), vget_low_s16(right))),
                       vreinterpretq_s16_s32(vmull_high_s16(left, right))));
    }
    /// A product modulo a number, by a rounded quotient (isa/options.hpp, MultipliesModulo).
    /// Products that wrap around are those of unsigned lanes: g++ writes them with the operators of
    /// vectors.
    [[nodiscard]] static EightShorts multiply_modulo(EightShorts a, EightShorts b, EightShorts quotient,
                                                     EightShorts modulus) noexcept
    {
        return rest_of(vmulq_u16(unsigned_shorts(a), unsigned_shorts(b)),
                       vqrdmulhq_s16(shorts(a), shorts(quotient)), modulus);
    }
    template <int index>
    [[nodiscard]] static EightShorts multiply_modulo(EightShorts a, EightShorts row,
                                                     EightShorts modulus) noexcept
    {
        return rest_of(vmulq_laneq_u16(unsigned_shorts(a), unsigned_shorts(row), 2 * index),
                       vqrdmulhq_laneq_s16(shorts(a), shorts(row), 2 * index + 1), modulus);
    }
    /// (a b - c d) / 2^16, as high_half of a Difference.
    [[nodiscard]] static EightShorts divide_difference(EightShorts a, EightShorts b, EightShorts c,
                                                       EightShorts d) noexcept
    {
        return of_shorts(vhsubq_s16(vqdmulhq_s16(shorts(a), shorts(b)), vqdmulhq_s16(shorts(c), shorts(d))));
    }
    /// Products divided by 2^15, with halves rounded up.
    [[nodiscard]] static EightShorts multiply_rounded(EightShorts a, EightShorts b) noexcept
    {
        return reinterpret_cast<EightShorts>(
            vqrdmulhq_s16(reinterpret_cast<int16x8_t>(a), reinterpret_cast<int16x8_t>(b)));
    }

    /// Products that are not yet computed: NEON has different multiplications for the low halves,
    /// for the high halves, and for all 64 bits.
    struct Product {
        int32x4_t a;
        int32x4_t b;
    };
    /// The difference of two products whose low halves are equal, not yet computed either.
    struct Difference {
        Product minuend;
        Product subtrahend;
    };
    /// 64-bit products and their sums: of the lower two lanes, and of the upper two.
    struct Products {
        int64x2_t lower;
        int64x2_t upper;

        Products(Product p) noexcept
            : Products{vmull_s32(vget_low_s32(p.a), vget_low_s32(p.b)), vmull_high_s32(p.a, p.b)}
        {
        }
        [[nodiscard]] friend Products operator+(const Products& sum, const Product& p) noexcept
        {
            return {vmlal_s32(sum.lower, vget_low_s32(p.a), vget_low_s32(p.b)),
                    vmlal_high_s32(sum.upper, p.a, p.b)};
        }
        [[nodiscard]] friend Products operator-(const Products& sum, const Product& p) noexcept
        {
            return {vmlsl_s32(sum.lower, vget_low_s32(p.a), vget_low_s32(p.b)),
                    vmlsl_high_s32(sum.upper, p.a, p.b)};
        }

      private:
        Products(int64x2_t lower_lanes, int64x2_t upper_lanes) noexcept
            : lower(lower_lanes), upper(upper_lanes)
        {
        }
    };

    [[nodiscard]] static Integers load(const std::int32_t* from) noexcept { return of(vld1q_s32(from)); }
    static void store(std::int32_t* to, Integers a) noexcept { vst1q_s32(to, raw(a)); }
    [[nodiscard]] static bool any_negative(Integers a) noexcept { return vminvq_s32(raw(a)) < 0; }

    /// A product modulo a number, by a rounded quotient (isa/options.hpp, MultipliesModulo).
    [[nodiscard]] static Integers multiply_modulo(Integers a, Integers b, Integers quotient,
                                                  Integers modulus) noexcept
    {
        return rest_of(vmulq_u32(unsigned_raw(a), unsigned_raw(b)), vqrdmulhq_s32(raw(a), raw(quotient)),
                       modulus);
    }
    template <int index>
    [[nodiscard]] static Integers multiply_modulo(Integers a, Integers row, Integers modulus) noexcept
    {
        return rest_of(vmulq_laneq_u32(unsigned_raw(a), unsigned_raw(row), 2 * index),
                       vqrdmulhq_laneq_s32(raw(a), raw(row), 2 * index + 1), modulus);
    }
    [[nodiscard]] static Integers opaque(Integers a) noexcept
    {
        __asm__("" : "+w"(a));
        return a;
    }

    [[nodiscard]] static Product multiply(Integers a, Integers b) noexcept { return {raw(a), raw(b)}; }
    [[nodiscard]] static Product multiply_low(const Product& p, Integers b) noexcept
    {
        return {vmulq_s32(p.a, p.b), raw(b)};
    }
    [[nodiscard]] static Product multiply_low(const Products& a, Integers b) noexcept
    {
        return {vuzp1q_s32(vreinterpretq_s32_s64(a.lower), vreinterpretq_s32_s64(a.upper)), raw(b)};
    }

    [[nodiscard]] friend Difference operator-(const Product& a, const Product& b) noexcept { return {a, b}; }
    [[nodiscard]] static Integers high_half(const Difference& d) noexcept
    {
        // The instruction's high half of 2 a b is floor(2 a b / R). If a b = m q modulo R, then 2 a
        // b = 2 m q modulo 2 R, so the difference of the two high halves is exactly 2 (a b - m q) /
        // R. It only fails for -2^31 * -2^31, and |a b| < 2^31 q.
        return of(
            vhsubq_s32(vqdmulhq_s32(d.minuend.a, d.minuend.b), vqdmulhq_s32(d.subtrahend.a, d.subtrahend.b)));
    }
    [[nodiscard]] static Integers high_half(const Products& a) noexcept
    {
        return of(vuzp2q_s32(vreinterpretq_s32_s64(a.lower), vreinterpretq_s32_s64(a.upper)));
    }

    static std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        // The mask is public: it says which candidates were rejected. One sum has a bit of each
        // lane, and the number of lanes above.
        constexpr std::int32_t one = 16;
        const std::uint32_t kept =
            vaddvq_u32(unsigned_raw(mask & Integers{one + 1, one + 2, one + 4, one + 8}));
        vst1q_u8(reinterpret_cast<Byte*>(to),
                 vqtbl1q_u8(vreinterpretq_u8_s32(raw(a)), vld1q_u8(kept_lanes[kept % one].data())));
        return kept / one;
    }

    /// Four integers of `bits` <= 25 bits each from bits / 2 bytes. `readable` bytes can be read.
    /// (Four of an odd number of bits end inside a byte.)
    template <int bits, int readable = bits / 2>
        requires(bits % 2 == 0)
    [[nodiscard]] static Integers unpack(const Byte* bytes) noexcept
    {
        using From = Packed<bits / 2, readable>;
        return From::template four<bits, 0>(From::load(bytes)) & ((1 << bits) - 1);
    }

    /// The inverse, for integers in [0, 2^bits). (ShortLanes packs those of fewer bits.)
    template <int bits>
        requires(bits == 18 || bits == 20)
    static void pack(Byte* bytes, Integers v) noexcept
    {
        // Neighbours join: two in 64 bits, four in 128.
        const uint64x2_t pairs = vreinterpretq_u64_s32(raw(v));
        const uint64x2_t two =
            vorrq_u64(vmovl_u32(vmovn_u64(pairs)), vshll_n_u32(vshrn_n_u64(pairs, 32), bits));
        const std::uint64_t low = vgetq_lane_u64(two, 0);
        const std::uint64_t high = vgetq_lane_u64(two, 1);
        store_bytes<8>(bytes, low | high << 2 * bits);
        store_bytes<bits / 2 - 8>(bytes + 8, high >> (64 - 2 * bits));
    }

  private:
    /// A string of `size` bytes in a register, if `readable` bytes can be read.
    template <int size, int readable>
    struct Packed {
        static_assert(size <= 16 && size <= readable);
        /// Unless all are readable, the upper half holds the last eight bytes, if there are more.
        static constexpr bool in_halves = readable < 16;
        static constexpr int upper_from = in_halves && size > 8 ? size - 8 : 8;

        [[nodiscard]] static uint8x16_t load(const Byte* bytes) noexcept
        {
            if constexpr (!in_halves) return vld1q_u8(bytes);
            return vreinterpretq_u8_u64(
                vcombine_u64(vcreate_u64(load_bytes<(size > 8 ? 8 : size)>(bytes)),
                             vcreate_u64(size > 8 ? load_bytes<(size > 8 ? 8 : 0)>(bytes + upper_from) : 0)));
        }
        /// The place of a byte of the string, for TBL, which gives a zero for bytes behind it.
        [[nodiscard]] static constexpr int place(int byte) noexcept
        {
            return byte >= size ? 0xFF : byte < 8 ? byte : byte - upper_from + 8;
        }
        /// Integers number `first` to `first` + 3 of those of `bits` <= 25 bits, and bits above
        /// them.
        template <int bits, int first>
        [[nodiscard]] static Integers four(uint8x16_t packed) noexcept
        {
            static constexpr auto places =
                make_table<Byte, 16>([](int i) { return place((first + i / 4) * bits / 8 + i % 4); });
            static constexpr auto shift =
                make_table<std::int32_t, 4>([](int i) { return -((first + i) * bits % 8); });
            const uint32x4_t words = vreinterpretq_u32_u8(vqtbl1q_u8(packed, vld1q_u8(places.data())));
            return of(vreinterpretq_s32_u32(vshlq_u32(words, vld1q_s32(shift.data()))));
        }
    };
    [[nodiscard]] static int16x8_t shorts(EightShorts a) noexcept { return reinterpret_cast<int16x8_t>(a); }
    [[nodiscard]] static uint16x8_t unsigned_shorts(EightShorts a) noexcept
    {
        return reinterpret_cast<uint16x8_t>(a);
    }
    [[nodiscard]] static uint32x4_t unsigned_raw(Integers a) noexcept
    {
        return reinterpret_cast<uint32x4_t>(a);
    }
    /// product - quotient modulus, modulo 2^16 and 2^32.
    [[nodiscard]] static EightShorts rest_of(uint16x8_t product, int16x8_t quotient,
                                             EightShorts modulus) noexcept
    {
        return reinterpret_cast<EightShorts>(
            vmlsq_u16(product, vreinterpretq_u16_s16(quotient), unsigned_shorts(modulus)));
    }
    [[nodiscard]] static Integers rest_of(uint32x4_t product, int32x4_t quotient, Integers modulus) noexcept
    {
        return reinterpret_cast<Integers>(
            vmlsq_u32(product, vreinterpretq_u32_s32(quotient), unsigned_raw(modulus)));
    }
    [[nodiscard]] static EightShorts of_shorts(int16x8_t a) noexcept
    {
        return reinterpret_cast<EightShorts>(a);
    }
    [[nodiscard]] static int32x4_t raw(Integers a) noexcept { return reinterpret_cast<int32x4_t>(a); }
    [[nodiscard]] static Integers of(int32x4_t a) noexcept { return reinterpret_cast<Integers>(a); }
};

}  // namespace girih::isa::neon
