/// AES-256 in counter mode by a processor's AES instructions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// The keystream of AES-256-CTR (NIST SP 800-38A, Section 6.5) from counter 0, for less than 2^64
/// blocks. `Isa` has a vector of blocks, a round and the last round of the cipher. Constant time in
/// the key. Wiped.
template <class Isa>
class InstructionCtr {
  public:
    explicit InstructionCtr(BytesIn<key_bytes> key) noexcept { expand_key(key); }
    InstructionCtr(const InstructionCtr&) = delete;
    InstructionCtr& operator=(const InstructionCtr&) = delete;
    ~InstructionCtr()
    {
        wipe(round_keys_);
        wipe(keystream_);
    }

    /// The next bytes of the keystream.
    void generate(BytesOut<> out) noexcept
    {
        while (!out.empty()) {
            if (used_ == keystream_.size()) {
                // Whole batches bypass the buffer.
                for (; out.size() >= keystream_.size(); out = out.subspan(keystream_.size()))
                    encrypt_counters(out.data());
                if (out.empty()) return;
                encrypt_counters(keystream_.data());
                used_ = 0;
            }
            const std::size_t taken = std::min(out.size(), keystream_.size() - used_);
            copy(BytesIn<>{keystream_}.subspan(used_, taken), out);
            used_ += taken;
            out = out.subspan(taken);
        }
    }

  private:
    using Blocks = typename Isa::AesBlocks;
    static constexpr std::size_t vectors =
        8;  ///< at once: a round takes several cycles, and starts every cycle

    /// KEYEXPANSION() (FIPS 197, Algorithm 2) for Nk = 8.
    void expand_key(BytesIn<key_bytes> key) noexcept
    {
        constexpr std::size_t nk = key_bytes / 4;
        Wiped<std::array<std::uint32_t, 4 * (rounds + 1)>> wiped;
        auto& w = *wiped;
        for (std::size_t i = 0; i < nk; ++i) w[i] = load_le32(&key[4 * i]);
        for (std::size_t i = nk; i < w.size(); ++i) {
            std::uint32_t temp = w[i - 1];
            if (i % nk == 0) {
                temp = std::rotr(Isa::aes_sub_word(temp), 8) ^ (1U << (i / nk - 1));
            } else if (i % nk == 4) {
                temp = Isa::aes_sub_word(temp);
            }
            w[i] = w[i - nk] ^ temp;
        }
        for (std::size_t i = 0; i < w.size(); ++i) store_le32(&round_keys_[4 * i], w[i]);
    }

    void encrypt_counters(Byte* out) noexcept
    {
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
            Isa::aes_store(out + i * Isa::aes_blocks * block_bytes, Isa::aes_last_round(s[i], key));
        });
    }

    std::array<Byte, (rounds + 1) * block_bytes> round_keys_;
    std::array<Byte, vectors * Isa::aes_blocks * block_bytes> keystream_;
    std::size_t used_ = keystream_.size();
    std::uint64_t counter_ = 0;
};

}  // namespace girih::aes
