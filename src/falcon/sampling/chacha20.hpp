/// The sampler's generator: ChaCha20 in counter mode, eight blocks to a buffer, as the known
/// answers require.
///
/// Constant time. Wiped.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

template <class Isa>
class ChaCha20 {
  public:
    /// 48 bytes for RFC 8439's words 4 to 15, then a 64-bit counter, all from SHAKE256.
    constexpr explicit ChaCha20(keccak::Shake256<Isa>& source) noexcept
    {
        std::array<Byte, 56> seed{};
        source.squeeze(seed);
        for (std::size_t i = 0; i < key_words; ++i) key_[i] = load_le32(&seed[4 * i]);
        counter_ = load_le64(&seed[4 * key_words]);
        wipe(seed);
        refill();
    }
    ChaCha20(const ChaCha20&) = delete;
    ChaCha20& operator=(const ChaCha20&) = delete;
    constexpr ~ChaCha20()
    {
        wipe(key_);
        wipe(buffer_);
        if constexpr (buffers_at_once > 1) wipe(next_buffer_);
    }

    [[nodiscard]] constexpr Byte next_byte() noexcept
    {
        const Byte byte = buffer_[position_++];
        if (position_ == buffer_bytes) refill();
        return byte;
    }

    /// The next 8 bytes, in little-endian order. A word that would use one of the last two bytes of
    /// a buffer comes from the next buffer instead.
    [[nodiscard]] constexpr std::uint64_t next_word() noexcept
    {
        refill_for_word();
        const std::uint64_t word = load_le64(&buffer_[position_]);
        position_ += 8;
        return word;
    }

    // ---- For reading the bytes of several generators at once

    static constexpr std::size_t buffer_bytes = 512;
    /// The number of readable bytes after the buffer; their values are unspecified.
    static constexpr std::size_t readable_beyond = 104;
    /// From this position on, a word is the first of a new buffer.
    static constexpr std::size_t last_word = buffer_bytes - 9;

    [[nodiscard]] const Byte* buffer() const noexcept { return buffer_.data(); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    /// The position may not be the buffer's end.
    void set_position(std::size_t position) noexcept { position_ = position; }
    /// The bytes that one attempt of the sampler uses if its last byte decides.
    static constexpr std::size_t attempt_bytes = 11;
    /// The last position at which an attempt fits in the buffer.
    static constexpr std::size_t last_attempt = buffer_bytes - attempt_bytes - 1;
    void refill_for_word() noexcept
    {
        if (position_ >= last_word) refill();
    }

  private:
    static constexpr std::size_t key_words = 12;
    static constexpr std::size_t blocks = 8;
    static_assert(buffer_bytes == 64 * blocks);
    /// The buffers filled at once: two if a vector holds a word of each of sixteen blocks.
    static constexpr std::size_t buffers_at_once = isa::SixteenChaChaBlocks<Isa> ? 2 : 1;
    static constexpr std::size_t blocks_at_once = buffers_at_once * blocks;
    /// A word of each block.
    using EightWords = std::uint32_t __attribute__((vector_size(32)));
    using SixteenWords = std::uint32_t __attribute__((vector_size(64)));
    using Words = std::conditional_t<blocks_at_once == 16, SixteenWords, EightWords>;
    static_assert(sizeof(Words) == 4 * blocks_at_once);

    template <int bits, class W>
    [[gnu::always_inline]] static void rotate_left(W& a) noexcept
    {
        a = a << bits | a >> (32 - bits);
    }
    template <class W>
    [[gnu::always_inline]] static void quarter_round(W& a, W& b, W& c, W& d) noexcept
    {
        a += b;
        d ^= a;
        rotate_left<16>(d);
        c += d;
        b ^= c;
        rotate_left<12>(b);
        a += b;
        d ^= a;
        rotate_left<8>(d);
        c += d;
        b ^= c;
        rotate_left<7>(b);
    }
    template <class W>
    [[gnu::always_inline]] static void rounds(std::array<W, 16>& x) noexcept
    {
        for (int i = 0; i < 10; ++i) {
            quarter_round(x[0], x[4], x[8], x[12]);
            quarter_round(x[1], x[5], x[9], x[13]);
            quarter_round(x[2], x[6], x[10], x[14]);
            quarter_round(x[3], x[7], x[11], x[15]);
            quarter_round(x[0], x[5], x[10], x[15]);
            quarter_round(x[1], x[6], x[11], x[12]);
            quarter_round(x[2], x[7], x[8], x[13]);
            quarter_round(x[3], x[4], x[9], x[14]);
        }
    }
    static constexpr std::array<std::uint32_t, 4> constants{0x61707865, 0x3320646e, 0x79622d32,
                                                            0x6b206574};  // "expand 32-byte k"

    static constexpr auto block_numbers = [] {
        std::array<std::uint32_t, blocks_at_once> numbers{};
        for (std::size_t b = 0; b < blocks_at_once; ++b) numbers[b] = static_cast<std::uint32_t>(b);
        return numbers;
    }();

    /// Words 4 to 15 are the key's, with the counter XORed into the last two. The blocks' words
    /// alternate: word i of block b is at 4 (8 i + b).
    void refill() noexcept
    {
        if constexpr (isa::OneChaChaBlock<Isa>) {
            for (std::size_t b = 0; b < blocks; ++b, ++counter_) refill_block(b);
        } else if constexpr (buffers_at_once == 1) {
            refill_all({buffer_.data()});
        } else {
            if (is_next_made_)
                std::memcpy(buffer_.data(), next_buffer_.data(), buffer_bytes);
            else
                refill_all({buffer_.data(), next_buffer_.data()});
            is_next_made_ = !is_next_made_;
        }
        position_ = 0;
    }

    /// One block.
    [[gnu::noinline]] void refill_block(std::size_t b) noexcept
    {
        const auto start = [this](std::size_t i) {
            if (i < 4) return constants[i];
            const std::uint32_t word = key_[i - 4];
            return i < 14 ? word : word ^ static_cast<std::uint32_t>(counter_ >> (32 * (i - 14)));
        };
        std::array<std::uint32_t, 16> x;
        for (std::size_t i = 0; i < 16; ++i) x[i] = start(i);
        rounds(x);
        for (std::size_t i = 0; i < 16; ++i) store_le32(&buffer_[4 * (blocks * i + b)], x[i] + start(i));
        wipe(x);
    }

    /// All blocks of all buffers, side by side.
    void refill_all(const std::array<Byte*, buffers_at_once>& buffers) noexcept
    {
        std::array<Words, 16> start;
        for (std::size_t i = 0; i < 4; ++i) start[i] = Words{} + constants[i];
        for (std::size_t i = 0; i < key_words; ++i) start[4 + i] = Words{} + key_[i];
        Words block;
        std::memcpy(&block, block_numbers.data(), sizeof block);
        const Words low = block + static_cast<std::uint32_t>(counter_);
        start[14] ^= low;
        start[15] ^= static_cast<std::uint32_t>(counter_ >> 32) - reinterpret_cast<Words>(low < block);
        counter_ += blocks_at_once;
        std::array<Words, 16> x = start;
        rounds(x);
        for (std::size_t i = 0; i < 16; ++i) {
            x[i] += start[i];
            for (std::size_t b = 0; b < buffers_at_once; ++b)
                write(x[i], blocks * b, buffers[b] + 4 * blocks * i);
        }
        wipe(x);
        wipe(start);
    }

    /// A word of eight blocks, from block `first` on.
    [[gnu::always_inline]] static void write(const Words& x, std::size_t first, Byte* to) noexcept
    {
        if constexpr (std::endian::native == std::endian::little)
            std::memcpy(to, reinterpret_cast<const Byte*>(&x) + 4 * first, 4 * blocks);
        else
            for (std::size_t b = 0; b < blocks; ++b) store_le32(to + 4 * b, x[first + b]);
    }

    std::array<std::uint32_t, key_words> key_{};
    std::uint64_t counter_ = 0;
    std::array<Byte, buffer_bytes + readable_beyond> buffer_{};
    std::array<Byte, buffers_at_once == 1 ? 0 : buffer_bytes> next_buffer_{};
    bool is_next_made_ = false;
    std::size_t position_ = 0;
};

}  // namespace girih::falcon
