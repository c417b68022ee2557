/// The common part of engines of 128-bit vectors, over the compilers' vector extensions: two Keccak
/// states, four integers of 32 bits, eight of 16. Each engine adds its own instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "isa/shared/scalar_bits.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/shorts.hpp"
#include "isa/shared/sort_lanes.hpp"
#include "isa/shared/state_lanes.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa {

using Words128 = std::uint64_t __attribute__((vector_size(16)));

/// Two states of Keccak. `States`, which derives from this, adds rotate_left.
template <class States>
struct TwoStateLanes : StateLanes<States, Words128> {
    using Words = Words128;

    [[nodiscard]] static Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }

  protected:
    friend StateLanes<States, Words128>;

    [[nodiscard]] static Words all_but(const std::array<bool, 2>& fresh) noexcept
    {
        return Words{std::uint64_t{fresh[0]} - 1, std::uint64_t{fresh[1]} - 1};
    }
    [[nodiscard]] static Words keep(Words mask, Words a) noexcept { return a & mask; }
    static void transpose(std::array<Words, 2>& v) noexcept
    {
        const Words first = __builtin_shufflevector(v[0], v[1], 0, 2);
        v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
        v[0] = first;
    }
};

/// `Isa`, which derives from this, adds the other members of the contract (isa.hpp).
template <class Isa>
struct Vectors128 {
    static constexpr bool follows_specification = false;
    static constexpr bool has_aes = false;

    using SerialWords = ScalarWords<Isa>;
    using HashWords = SerialWords;  ///< SHA-512: one message
    using Fpr = NativeFpr<Isa>;
    using BitLanes = ScalarBits<Isa>;

    using Integers = std::int32_t __attribute__((vector_size(16)));
    using ShortIntegers = std::int8_t __attribute__((vector_size(16)));  ///< for short products
    using SortLanes = isa::SortLanes<Isa, Integers>;
    static constexpr std::size_t integer_lanes = 4;
    static constexpr std::size_t ntt_group = 16;

    using EightShorts = std::int16_t __attribute__((vector_size(16)));
    using EightShortWords = std::uint16_t __attribute__((vector_size(16)));
    using ShortLanes = Shorts<Isa, EightShorts, EightShortWords, Integers>;

    [[nodiscard]] static Integers broadcast(std::int32_t a) noexcept { return Integers{} + a; }

    /// Transposes four vectors of four integers.
    static void transpose(std::array<Integers, 4>& v) noexcept
    {
        exchange<2>(v);
        exchange<1>(v);
    }

  protected:
    /// For each mask of four lanes, the places of the kept lanes' bytes, lowest first.
    static constexpr auto kept_lanes = [] {
        std::array<Table<Byte, 16>, 16> table{};
        for (unsigned mask = 0; mask < 16; ++mask) {
            std::size_t place = 0;
            for (unsigned lane = 0; lane < 4; ++lane) {
                if ((mask >> lane & 1) == 0) continue;
                for (unsigned byte = 0; byte < 4; ++byte)
                    table[mask].entries[place++] = static_cast<Byte>(4 * lane + byte);
            }
        }
        return table;
    }();

  private:
    /// Exchanges blocks of `size` integers between vectors whose indices differ by `size`.
    template <std::size_t size>
    static void exchange(std::array<Integers, 4>& v) noexcept
    {
        unroll<4>([&](auto i) __attribute__((always_inline)) {
            if constexpr ((i & size) == 0) {
                const Integers a = v[i];
                const Integers b = v[i + size];
                constexpr int n = size;
                v[i] = __builtin_shufflevector(a, b, 0, n == 1 ? 4 : 1, n == 1 ? 2 : 4, n == 1 ? 6 : 5);
                v[i + size] =
                    __builtin_shufflevector(a, b, n == 1 ? 1 : 2, n == 1 ? 5 : 3, n == 1 ? 3 : 6, 7);
            }
        });
    }
};

}  // namespace girih::isa
