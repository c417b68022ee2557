#include "key_files/encryption/scrypt.hpp"

#include <girih/key_files.hpp>

#include <array>
#include <bit>
#include <vector>

#include "core/wipe.hpp"
#include "key_files/encryption/pbkdf2.hpp"

namespace girih::key_files {
namespace {

constexpr std::size_t block_words = 16;  // of Salsa20: 64 bytes

using Word = std::uint32_t;
using Words = std::span<Word>;
using SecretWords = std::vector<Word, ErasingAllocator<Word>>;
using Block = std::array<Word, block_words>;

/// A quarter round of Salsa20.
constexpr void quarter(Word& a, Word& b, Word& c, Word& d) noexcept
{
    b ^= std::rotl(a + d, 7);
    c ^= std::rotl(b + a, 9);
    d ^= std::rotl(c + b, 13);
    a ^= std::rotl(d + c, 18);
}

/// The Salsa20/8 Core Function (RFC 7914, Section 3), in place; `x` is scratch.
void salsa20_8(Block& block, Block& x) noexcept
{
    x = block;
    for (int i = 0; i < 8; i += 2) {
        for (std::size_t j = 0; j < 4; ++j)  // columns, each from its own diagonal element
            quarter(x[5 * j], x[(5 * j + 4) % 16], x[(5 * j + 8) % 16], x[(5 * j + 12) % 16]);
        for (std::size_t j = 0; j < 4; ++j)  // rows
            quarter(x[5 * j], x[4 * j + (j + 1) % 4], x[4 * j + (j + 2) % 4], x[4 * j + (j + 3) % 4]);
    }
    for (std::size_t i = 0; i < block_words; ++i) block[i] += x[i];
}

/// scryptBlockMix (RFC 7914, Section 4): from `in` to `out`, which do not overlap.
void block_mix(std::span<const Word> in, Words out) noexcept
{
    const std::size_t blocks = in.size() / block_words;
    Wiped<Block> wiped_x;
    Wiped<Block> scratch;
    Block& x = *wiped_x;
    for (std::size_t j = 0; j < block_words; ++j) x[j] = in[(blocks - 1) * block_words + j];
    for (std::size_t i = 0; i < blocks; ++i) {
        for (std::size_t j = 0; j < block_words; ++j) x[j] ^= in[i * block_words + j];
        salsa20_8(x, *scratch);
        // Y_0, Y_2, ... and then Y_1, Y_3, ...
        const std::size_t place = i / 2 + (i % 2) * (blocks / 2);
        for (std::size_t j = 0; j < block_words; ++j) out[place * block_words + j] = x[j];
    }
}

/// scryptROMix (RFC 7914, Section 5) on `x`, with N rows of its size in `v` and one more in `y`.
void ro_mix(Words x, Words v, Words y) noexcept
{
    const std::size_t row = x.size();
    const std::size_t n = v.size() / row;
    for (std::size_t i = 0; i < n; i += 2) {  // N is even
        std::ranges::copy(x, v.subspan(i * row, row).begin());
        block_mix(x, y);
        std::ranges::copy(y, v.subspan((i + 1) * row, row).begin());
        block_mix(y, x);
    }
    const auto step = [&](Words from, Words to) {
        // Integerify modulo N, which is a power of two of at most 32 bits.
        const std::size_t last = row - block_words;
        const std::uint64_t integer = from[last] | std::uint64_t{from[last + 1]} << 32;
        const std::span<const Word> chosen = v.subspan((integer & (n - 1)) * row, row);
        for (std::size_t j = 0; j < row; ++j) from[j] ^= chosen[j];
        block_mix(from, to);
    };
    for (std::size_t i = 0; i < n; i += 2) {
        step(x, y);
        step(y, x);
    }
}

}  // namespace

void scrypt(BytesIn<> passphrase, BytesIn<> salt, ScryptCost cost, BytesOut<> key)
{
    const std::size_t row = 2 * block_words * cost.r;
    SecretBytes b(4 * row * cost.p);
    pbkdf2<sha2::sha256>(passphrase, salt, 1, b);
    SecretWords v(row * static_cast<std::size_t>(cost.n));
    SecretWords x(row);
    SecretWords y(row);
    for (std::size_t i = 0; i < cost.p; ++i) {
        const BytesOut<> bytes = BytesOut<>(b).subspan(4 * row * i, 4 * row);
        for (std::size_t j = 0; j < row; ++j) x[j] = load_le32(&bytes[4 * j]);
        ro_mix(x, v, y);
        for (std::size_t j = 0; j < row; ++j) store_le32(&bytes[4 * j], x[j]);
    }
    pbkdf2<sha2::sha256>(passphrase, b, 1, key);
}

}  // namespace girih::key_files
