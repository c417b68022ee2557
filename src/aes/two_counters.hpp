/// AES-256 in the forward direction (FIPS 197) on counters, two at once in words of 32 bits.
///
/// Successive counters mostly differ in their last byte alone, which the first round moves to one
/// column. The rest of that round is computed once for 32 counters, and their last bytes are
/// substituted at once.
///
/// Constant time in keys, but not in counters, which are public.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "aes/two_blocks.hpp"
#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

template <class Isa>
class TwoCounters : TwoBlocks<Isa> {
    using Base = TwoBlocks<Isa>;
    using typename Base::State;

  public:
    static constexpr std::size_t bytes = Base::bytes;

    constexpr explicit TwoCounters(BytesIn<key_bytes> key) noexcept : Base(key) {}
    TwoCounters(const TwoCounters&) = delete;
    TwoCounters& operator=(const TwoCounters&) = delete;
    constexpr ~TwoCounters()
    {
        wipe(common_);
        wipe(substituted_);
        wipe(known_);
    }

    /// CIPHER() (FIPS 197, Algorithm 1) of both blocks, in place.
    [[gnu::noinline]] constexpr void encrypt(BytesOut<bytes> blocks) noexcept
    {
        const Counter first = counter_at(blocks.template first<block_bytes>());
        const Counter second = counter_at(blocks.template last<block_bytes>());
        const std::uint32_t number = first[3] >> 24;
        if (number % 2 != 0 || second != Counter{first[0], first[1], first[2], first[3] + (1U << 24)})
            return Base::encrypt(blocks);
        const Counter start{first[0], first[1], first[2], first[3] & 0xE0FFFFFF};
        if (!known_.is_any || start != known_.start) prepare(start);
        Wiped<State> s{uninitialized};
        *s = common_;
        add_last_byte(*s, number % 32);
        Base::finish(*s, blocks);
    }

  private:
    using Counter = std::array<std::uint32_t, 4>;
    static constexpr Counter counter_at(BytesIn<block_bytes> block) noexcept
    {
        return {load_le32(&block[0]), load_le32(&block[4]), load_le32(&block[8]), load_le32(&block[12])};
    }

    /// Computes the first round of 32 counters: their common state, and their last bytes
    /// substituted.
    [[gnu::noinline]] constexpr void prepare(const Counter& start) noexcept
    {
        const std::uint32_t number = start[3] >> 24;
        for (std::size_t i = 0; i < substituted_.size(); ++i) {
            constexpr State counting{0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000};
            const std::uint32_t key = Base::round_keys_[0][i] >> 31;  // of row 3 and column 3
            substituted_[i] = counting[i] ^ odd_mask(key ^ number >> i);
        }
        Base::sub_bytes_without_constant(substituted_);
        // Two counters after one round, without the contribution of their last bytes.
        for (std::size_t c = 0; c < 4; ++c) common_[2 * c] = common_[2 * c + 1] = start[c];
        common_[7] += 1U << 24;
        Base::transpose(common_);
        Base::add(common_, Base::round_keys_[0]);
        Base::template full_round<1>(common_, Base::round_keys_[1]);
        add_last_byte(common_, 0);
        known_ = {start, true};
    }

    /// Adds the contribution of the last bytes of two counters to column 0 after MIXCOLUMNS():
    /// {01}, {01}, {03} and {02} times the byte, row by row. One SHIFTROWS() is deferred, so the
    /// byte of row r is in column r.
    [[gnu::always_inline]] constexpr void add_last_byte(State& s, std::uint32_t number) const noexcept
    {
        const auto bits = [&](std::size_t i)
                              __attribute__((always_inline)) { return substituted_[i] >> number & 3; };
        const std::uint32_t top = bits(7);
        std::uint32_t before = top;
        unroll<8>([&](auto i) __attribute__((always_inline)) {
            const std::uint32_t own = i == 7 ? top : bits(i);
            std::uint32_t twice = i == 0 ? top : before;
            if constexpr (i == 1 || i == 3 || i == 4) twice ^= top;
            s[i] ^= own ^ own << 10 ^ (own ^ twice) << 20 ^ twice << 30;
            before = own;
        });
    }

    State common_{};
    State substituted_{};
    struct {
        Counter start;
        bool is_any;
    } known_{};
};

}  // namespace girih::aes
