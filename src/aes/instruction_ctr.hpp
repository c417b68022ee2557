/// AES-256 in counter mode by a processor's AES instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "aes/aes256.hpp"
#include "aes/ctr.hpp"
#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// The encryptions of 0, 1, 2, ..., for less than 2^64 blocks. `Isa` has a vector of blocks, a
/// round and the last round of the cipher. Constant time in the key. Wiped.
template <class Isa>
class InstructionCounters {
    static constexpr std::size_t vectors =
        8;  ///< at once: a round takes several cycles, and starts every cycle

  public:
    static constexpr std::size_t bytes = vectors * Isa::aes_blocks * block_bytes;

    explicit InstructionCounters(BytesIn<key_bytes> key) noexcept
    {
        Wiped<KeySchedule> w;
        expand_key(*w, key, [](std::uint32_t word) { return Isa::aes_sub_word(word); });
        for (std::size_t i = 0; i < w->size(); ++i) store_le32(&round_keys_[4 * i], (*w)[i]);
    }
    ~InstructionCounters() { wipe(round_keys_); }

    void encrypt_next(BytesOut<bytes> blocks) noexcept
    {
        using Blocks = typename Isa::AesBlocks;
        Blocks s[vectors];  // no std::array: g++ drops attributes of template arguments
        const Blocks first_key = Isa::aes_broadcast(&round_keys_[0]);
        unroll<vectors>([&](auto i) __attribute__((always_inline)) {
            s[i] = Isa::aes_counters(counter_ + i * Isa::aes_blocks) ^ first_key;
        });
        counter_ += vectors * Isa::aes_blocks;
        for (std::size_t round = 1; round < rounds; ++round) {
            const Blocks key = Isa::aes_broadcast(&round_keys_[round * block_bytes]);
            unroll<vectors>([&](auto i) __attribute__((always_inline)) { s[i] = Isa::aes_round(s[i], key); });
        }
        const Blocks key = Isa::aes_broadcast(&round_keys_[rounds * block_bytes]);
        unroll<vectors>([&](auto i) __attribute__((always_inline)) {
            Isa::aes_store(blocks.data() + i * Isa::aes_blocks * block_bytes, Isa::aes_last_round(s[i], key));
        });
    }

  private:
    std::array<Byte, (rounds + 1) * block_bytes> round_keys_;
    std::uint64_t counter_ = 0;
};

template <class Isa>
using InstructionCtr = Keystream<InstructionCounters<Isa>>;

/// The keystream by instructions where the processor has them, else by `Otherwise`. Which of the
/// two is public. Constant time if `Otherwise` is. Wiped.
template <class Instructions, class Otherwise>
class EitherKeystream {
  public:
    explicit EitherKeystream(BytesIn<key_bytes> key) noexcept
    {
        if (Instructions::are_here())
            by_instructions_.emplace(key);
        else
            otherwise_.emplace(key);
    }

    /// The next bytes of the keystream.
    void generate(BytesOut<> out) noexcept
    {
        if (by_instructions_)
            by_instructions_->generate(out);
        else
            otherwise_->generate(out);
    }

  private:
    std::optional<InstructionCtr<Instructions>> by_instructions_;
    std::optional<Otherwise> otherwise_;
};

}  // namespace girih::aes
