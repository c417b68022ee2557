/// SHA-512 (FIPS 180-4) of two messages side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "isa/shared/shuffle.hpp"
#include "sha2/constants.hpp"
#include "sha2/hash.hpp"
#include "sha2/lane_sigma.hpp"

namespace girih::sha2 {

/// `Lanes` has two words of 64 bits, one of each message. The message schedule is in vectors of
/// four: W_t of both, then W_(t+1).
///
/// Constant time in the content of blocks. Wiped.
template <class Lanes>
class PairedMessages {
  public:
    using Words = typename Lanes::Words;

    /// Compresses `blocks` blocks of each message.
    [[gnu::noinline]] static void compress(State<std::uint64_t>& first, const Byte* first_blocks,
                                           State<std::uint64_t>& second, const Byte* second_blocks,
                                           std::size_t count) noexcept
    {
        Wiped<std::array<Words, 8>> state{uninitialized};
        for (std::size_t i = 0; i < 8; ++i) (*state)[i] = Words{first[i], second[i]};
        for (; count != 0; --count, first_blocks += block, second_blocks += block)
            compress_block(*state, first_blocks, second_blocks);
        for (std::size_t i = 0; i < 8; ++i) {
            first[i] = (*state)[i][0];
            second[i] = (*state)[i][1];
        }
    }

  private:
    using Wide = typename Lanes::Wide;
    using TwoRounds = typename Wide::Words;
    using Mix = LaneSigma<Lanes>;
    using WideMix = LaneSigma<Wide>;
    static constexpr std::size_t block = block_bytes<std::uint64_t>;

    [[gnu::always_inline]] static void compress_block(std::array<Words, 8>& state, const Byte* first,
                                                      const Byte* second) noexcept
    {
        std::array<TwoRounds, 8> w;
        unroll<8>([&](auto i) __attribute__((always_inline)) {
            const TwoRounds both = Wide::swap_bytes(Wide::load_pairs(first + 16 * i, second + 16 * i));
            w[i] = __builtin_shufflevector(both, both, 0, 2, 1, 3);
        });
        std::array<Words, 8> v = state;
        unroll<8>([&](auto i) __attribute__((always_inline)) { two_rounds<i>(v, w, 0); });
        for (std::size_t t = 16; t < 80; t += 16)
            unroll<8>([&](auto i) __attribute__((always_inline)) {
                w[i] += WideMix::small1(w[(i + 7) % 8]) + WideMix::small0(across(w[i], w[(i + 1) % 8])) +
                        across(w[(i + 4) % 8], w[(i + 5) % 8]);
                two_rounds<i>(v, w, t);
            });
        for (std::size_t i = 0; i < 8; ++i) state[i] += v[i];
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void two_rounds(std::array<Words, 8>& v, const std::array<TwoRounds, 8>& w,
                                                  std::size_t t) noexcept
    {
        TwoRounds k;
        std::memcpy(&k, &constants.of[2 * (t + 2 * i)], sizeof k);
        const TwoRounds sums = w[i] + k;
        round<Mix, 2 * i>(v, __builtin_shufflevector(sums, sums, 0, 1));
        round<Mix, 2 * i + 1>(v, __builtin_shufflevector(sums, sums, 2, 3));
    }

    /// K_t for both messages, then K_(t+1) for both.
    struct alignas(sizeof(TwoRounds)) Constants {
        std::array<std::uint64_t, 2 * round_constants<std::uint64_t>.size()> of;
    };
    static constexpr Constants constants = [] {
        Constants table{};
        for (std::size_t i = 0; i < table.of.size(); ++i) table.of[i] = round_constants<std::uint64_t>[i / 2];
        return table;
    }();

    /// The second words of a and the first of b.
    [[nodiscard, gnu::always_inline]] static TwoRounds across(TwoRounds a, TwoRounds b) noexcept
    {
        return __builtin_shufflevector(a, b, 2, 3, 4, 5);
    }
};

}  // namespace girih::sha2
