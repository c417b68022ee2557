/// The hash functions ("NTRU Prime: round 3", Section 3.4).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/params.hpp"
#include "sha2/lanes.hpp"

namespace girih::ntru_prime {

/// What a hash is of: the byte before its input.
enum class HashOf : Byte {
    bad_session = 0,  ///< of rho and the ciphertext
    session = 1,
    confirmation = 2,
    input = 3,
    public_key = 4,
    short_words = 5,  ///< NTRU LPRime's HashShort
};

/// Hash_prefix of an input of `bytes` bytes: the first 32 bytes of SHA-512 of the prefix and the input. The input may come piece
/// by piece, and what is hashed of it, block by block, beside other hashes. Constant time, but for lengths. Wiped.
template <class Isa, std::size_t bytes>
class PrefixHash {
  public:
    explicit PrefixHash(Byte prefix) noexcept
    {
        buffer_[0] = prefix;
        buffer_[1 + bytes] = 0x80;
        store_be64(&buffer_[buffer_.size() - 8], 8 * (1 + bytes));
        chain_.next_block = buffer_.data();
        chain_.blocks_left = buffer_.size() / block;
    }
    explicit PrefixHash(HashOf what) noexcept : PrefixHash(static_cast<Byte>(what)) {}
    PrefixHash(const PrefixHash&) = delete;
    PrefixHash& operator=(const PrefixHash&) = delete;
    ~PrefixHash()
    {
        wipe(buffer_);
        wipe(chain_);
    }

    /// The next bytes of the input.
    PrefixHash& append(BytesIn<> piece) noexcept
    {
        copy(piece, BytesOut<>{buffer_}.subspan(1 + known_, piece.size()));
        known_ += piece.size();
        return *this;
    }

    /// Blocks that are known and were not hashed yet.
    [[nodiscard]] std::size_t ready_blocks() const noexcept
    {
        if (known_ == bytes) return chain_.blocks_left;
        return (1 + known_) / block - (buffer_.size() / block - chain_.blocks_left);
    }
    [[nodiscard]] sha2::Sha512Chain& chain() noexcept { return chain_; }

    /// Hashes what is left, by itself.
    void finish(BytesOut<hash_bytes> hash) noexcept
    {
        assert(known_ == bytes);
        sha2::Sha512Chain* const alone = &chain_;
        sha2::Sha512Lanes<std::conditional_t<Isa::HashWords::count == 1, typename Isa::HashWords,
                                             typename Isa::SerialWords>>::compress({&alone, 1},
                                                                                   chain_.blocks_left);
        for (std::size_t i = 0; i < hash_bytes / 8; ++i) store_be64(&hash[8 * i], chain_.state[i]);
    }

  private:
    static constexpr std::size_t block = sha2::block_bytes<std::uint64_t>;

    std::array<Byte, (1 + bytes + 1 + 16 + block - 1) / block * block> buffer_{};
    std::size_t known_ = 0;
    sha2::Sha512Chain chain_;
};

/// Hashes what both know, side by side where the engine has lanes for that.
template <class Isa, std::size_t a_bytes, std::size_t b_bytes>
void hash_together(PrefixHash<Isa, a_bytes>& a, PrefixHash<Isa, b_bytes>& b) noexcept
{
    if constexpr (Isa::HashWords::count > 1) {
        const std::array chains{&a.chain(), &b.chain()};
        sha2::Sha512Lanes<typename Isa::HashWords>::compress(chains,
                                                             std::min(a.ready_blocks(), b.ready_blocks()));
    }
}

/// The hash of an input that is there as a whole.
template <class Isa, std::size_t bytes>
void hash_prefix(HashOf what, BytesIn<bytes> input, BytesOut<hash_bytes> hash) noexcept
{
    PrefixHash<Isa, bytes>{what}.append(input).finish(hash);
}

}  // namespace girih::ntru_prime
