/// The sampler's attempts (specification, Section 3.9.3) in the lanes of vectors, for several
/// signatures or for several attempts of one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "falcon/sampling/sampler.hpp"
#include "isa/isa.hpp"
#include "isa/shared/table.hpp"

namespace girih::falcon {

/// One vector of a WideFpr's pair, as unsigned integers.
template <class Isa>
using AttemptWords = typename Isa::WideWords::Words;

/// BaseSampler (Falcon, Algorithm 12), in lanes: how many numbers of the table are above 72 bits,
/// given as their high 62 and low 10.
template <class Isa>
struct BaseSampler {
    using Words = AttemptWords<Isa>;

    [[nodiscard, gnu::always_inline]] static Words sample(Words high, Words low) noexcept
    {
        if constexpr (isa::LooksUp<Isa, decltype(highs)>) {
            // Compares the high bits first. If one more entry has equal high bits, it is the next
            // one.
            Words z0{};
            unroll<looked_up>([&](auto i) __attribute__((always_inline)) {
                z0 = Isa::count_less(z0, high, Words{} + highs.entries[i]);
            });
            const auto is_tied = reinterpret_cast<Words>(high == Isa::look_up(highs, z0));
            z0 = Isa::count_less(z0, low, Isa::look_up(lows, z0) & is_tied);
            const auto is_above_low_bits = reinterpret_cast<Words>(high != 0);
            unroll<table.size() - looked_up>([&](auto i) __attribute__((always_inline)) {
                constexpr Entry entry = table[looked_up + i];
                static_assert(entry.high == 0);
                z0 = Isa::count_less(z0, low | is_above_low_bits, Words{} + entry.low);
            });
            return z0;
        } else {
            // The low bits are doubled: comparing 32 bits is at least as fast as comparing 64.
            const auto both_low = reinterpret_cast<typename Isa::Integers>(low | low << 32);
            Words z0{};
            unroll<table.size()>([&](auto i) __attribute__((always_inline)) {
                constexpr Entry entry = table[i];
                const auto is_low_below =
                    reinterpret_cast<Words>(both_low < static_cast<std::int32_t>(entry.low));
                z0 += (high - entry.high + is_low_below) >> 63;
            });
            return z0;
        }
    }

  private:
    struct Entry {
        std::uint64_t high;
        std::uint64_t low;
    };
    static constexpr std::array<Entry, rcdt.size()> table = [] {
        std::array<Entry, rcdt.size()> split{};
        for (std::size_t i = 0; i < rcdt.size(); ++i) {
            const std::uint64_t v2 = rcdt[i][0], v1 = rcdt[i][1], v0 = rcdt[i][2];
            split[i] = {v2 << 38 | v1 << 14 | v0 >> 10, v0 & 1023};
        }
        return split;
    }();
    static constexpr std::size_t looked_up = 16;
    static constexpr auto highs = isa::make_table<std::uint64_t, looked_up>(
        [](int i) { return table[static_cast<std::size_t>(i)].high; });
    static constexpr auto lows = isa::make_table<std::uint64_t, looked_up>(
        [](int i) { return table[static_cast<std::size_t>(i)].low; });
};

}  // namespace girih::falcon
