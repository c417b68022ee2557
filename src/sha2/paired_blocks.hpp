/// SHA-512 (FIPS 180-4) of one message: the message schedules of two blocks are computed in
/// vectors, interleaved with the rounds of the first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "isa/shared/shuffle.hpp"
#include "sha2/constants.hpp"
#include "sha2/hash.hpp"
#include "sha2/lane_sigma.hpp"

namespace girih::sha2 {

/// `Lanes` has four words of 64 bits: a vector is W_t and W_(t+1) of one block, then of the next.
/// Each round waits for the one before, so the schedule, a third of the instructions, adds little
/// time; afterwards the second block's schedule is ready.
///
/// Constant time in the content of blocks. Wiped.
template <class Lanes>
class PairedBlocks {
  public:
    static void compress(State<std::uint64_t>& hash, const Byte* blocks, std::size_t count) noexcept
    {
        Wiped<Sums> sums{uninitialized};
        for (; count > 1; count -= 2, blocks += 2 * block)
            compress_two<2>(hash, blocks, blocks + block, *sums);
        if (count != 0) compress_two<1>(hash, blocks, blocks, *sums);
    }

  private:
    using Words = typename Lanes::Words;
    using Mix = LaneSigma<Lanes>;
    static constexpr std::size_t block = block_bytes<std::uint64_t>;
    static constexpr const auto& k = round_constants<std::uint64_t>;
    static_assert(sizeof(Words) == 4 * sizeof(std::uint64_t));

    /// K_t + W_t, a vector for each pair of rounds: the first block's, then the second's.
    using Sums = std::array<Words, 40>;

    /// Compresses one or two blocks.
    template <std::size_t how_many>
    [[gnu::noinline]] static void compress_two(State<std::uint64_t>& hash, const Byte* first,
                                               const Byte* second, Sums& sums) noexcept
    {
        std::array<Words, 8> w;
        unroll<8>([&](auto i) __attribute__((always_inline)) {
            w[i] = Lanes::swap_bytes(Lanes::load_pairs(first + 16 * i, second + 16 * i));
            sums[i] = w[i] + constants(2 * i);
        });
        State<std::uint64_t> v = hash;
        for (std::size_t t = 0; t < 64; t += 16) {
            unroll<8>([&](auto i) __attribute__((always_inline)) {
                two_rounds<i>(v, sums, t / 2 + i, 0);
                w[i] += Mix::small1(w[(i + 7) % 8]) + Mix::small0(across(w[i], w[(i + 1) % 8])) +
                        across(w[(i + 4) % 8], w[(i + 5) % 8]);
                sums[t / 2 + 8 + i] = w[i] + constants(t + 16 + 2 * i);
            });
        }
        rounds(v, sums, 64, 0);
        for (std::size_t i = 0; i < 8; ++i) v[i] = hash[i] += v[i];
        if constexpr (how_many == 2) {
            for (std::size_t t = 0; t < 80; t += 16) rounds(v, sums, t, 2);
            for (std::size_t i = 0; i < 8; ++i) hash[i] += v[i];
        }
        wipe(v);
    }

    /// Sixteen rounds, of the block whose words begin at `lane`.
    [[gnu::always_inline]] static void rounds(State<std::uint64_t>& v, const Sums& sums, std::size_t t,
                                              std::size_t lane) noexcept
    {
        unroll<8>([&](auto i) __attribute__((always_inline)) { two_rounds<i>(v, sums, t / 2 + i, lane); });
    }
    template <std::size_t i>
    [[gnu::always_inline]] static void two_rounds(State<std::uint64_t>& v, const Sums& sums, std::size_t pair,
                                                  std::size_t lane) noexcept
    {
        std::array<std::uint64_t, 2> two;
        std::memcpy(two.data(), reinterpret_cast<const Byte*>(&sums[pair]) + 8 * lane, sizeof two);
        round<Sigma<std::uint64_t>, 2 * i>(v, two[0]);
        round<Sigma<std::uint64_t>, 2 * i + 1>(v, two[1]);
    }

    /// K_t and K_(t+1), twice.
    [[nodiscard, gnu::always_inline]] static Words constants(std::size_t t) noexcept
    {
        return Lanes::load_pairs(&k[t], &k[t]);
    }
    /// Each pair is the second word of a pair of a and the first word of that pair of b.
    [[nodiscard, gnu::always_inline]] static Words across(Words a, Words b) noexcept
    {
        return __builtin_shufflevector(a, b, 1, 4, 3, 6);
    }
};

}  // namespace girih::sha2
