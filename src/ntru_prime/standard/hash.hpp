/// The hash functions ("NTRU Prime: round 3", Section 3.4).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <span>

#include "core/bytes.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/params.hpp"
#include "sha2/lanes.hpp"

namespace girih::ntru_prime {

/// The byte before a hash's input, which says what is hashed.
enum class HashOf : Byte {
    bad_session = 0,  ///< rho and the ciphertext
    session = 1,
    confirmation = 2,
    input = 3,
    public_key = 4,
    short_words = 5,  ///< NTRU LPRime's HashShort
};

/// The words in which an engine hashes one message.
template <class Isa>
struct SerialHash {
    using Words = typename Isa::HashWords;
};
template <class Isa>
    requires isa::HasSerialLanes<typename Isa::HashWords>
struct SerialHash<Isa> {
    using Words = typename Isa::HashWords::Serial;
};

template <class Isa>
[[gnu::noinline]] void finish_chain(sha2::Sha512Chain& chain, BytesOut<hash_bytes> hash) noexcept
{
    sha2::Sha512Chain* const alone = &chain;
    sha2::Sha512Lanes<typename SerialHash<Isa>::Words>::compress({&alone, 1}, chain.blocks_left);
    for (std::size_t i = 0; i < hash_bytes / 8; ++i) store_be64(&hash[8 * i], chain.state[i]);
}

/// Hash_prefix (NTRU Prime, Section 3.4) of an input of `bytes` bytes: the first 32 bytes of
/// SHA-512 of the prefix and the input. The input may come piece by piece, and its complete blocks
/// may be hashed beside those of another hash. Constant time, except for lengths. The stack is
/// wiped at the end of each operation (OperationsOf).
template <class Isa, std::size_t capacity>
class PrefixHash {
  public:
    PrefixHash(Byte prefix, std::size_t bytes) noexcept
        : bytes_(bytes), end_((1 + bytes + 1 + 16 + block - 1) / block * block)
    {
        buffer_[0] = prefix;
        std::memset(&buffer_[1 + bytes], 0, end_ - (1 + bytes));
        buffer_[1 + bytes] = 0x80;
        store_be64(&buffer_[end_ - 8], 8 * (1 + bytes));
        chain_.next_block = buffer_.data();
        chain_.blocks_left = end_ / block;
    }
    PrefixHash(HashOf what, std::size_t bytes) noexcept : PrefixHash(static_cast<Byte>(what), bytes) {}
    PrefixHash(const PrefixHash&) = delete;
    PrefixHash& operator=(const PrefixHash&) = delete;

    /// The next bytes of the input.
    PrefixHash& append(BytesIn<> piece) noexcept
    {
        copy(piece, BytesOut<>{buffer_}.subspan(1 + known_, piece.size()));
        known_ += piece.size();
        return *this;
    }

    /// Complete blocks that were not hashed yet.
    [[nodiscard]] std::size_t ready_blocks() const noexcept
    {
        if (known_ == bytes_) return chain_.blocks_left;
        return (1 + known_) / block - (end_ / block - chain_.blocks_left);
    }
    [[nodiscard]] sha2::Sha512Chain& chain() noexcept { return chain_; }

    /// Hashes the rest, once the whole input is appended.
    void finish(BytesOut<hash_bytes> hash) noexcept
    {
        assert(known_ == bytes_);
        finish_chain<Isa>(chain_, hash);
    }

  private:
    static constexpr std::size_t block = sha2::block_bytes<std::uint64_t>;

    std::array<Byte, (1 + capacity + 1 + 16 + block - 1) / block * block> buffer_;
    std::size_t bytes_;
    std::size_t end_;
    std::size_t known_ = 0;
    sha2::Sha512Chain chain_;
};

/// Hash_prefix (NTRU Prime, Section 3.4) of a whole input.
template <class Isa, std::size_t capacity>
[[gnu::noinline]] void hash_prefix(HashOf what, BytesIn<> input, BytesOut<hash_bytes> hash) noexcept
{
    PrefixHash<Isa, capacity>{what, input.size()}.append(input).finish(hash);
}

}  // namespace girih::ntru_prime
