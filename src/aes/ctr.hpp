/// AES-256 in counter mode, as a generator of bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "aes/aes256.hpp"
#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// The keystream of AES-256-CTR (NIST SP 800-38A, Section 6.5), with a buffer for what is left of
/// the blocks that `Counters` encrypts at once. Constant time if `Counters` is, but not in the
/// number of bytes. Wiped.
template <class Counters>
class Keystream {
  public:
    template <class... Arguments>
    constexpr explicit Keystream(const Arguments&... arguments) noexcept : counters_(arguments...)
    {
    }
    Keystream(const Keystream&) = delete;
    Keystream& operator=(const Keystream&) = delete;
    constexpr ~Keystream() { wipe(keystream_); }

    /// The next bytes of the keystream.
    constexpr void generate(BytesOut<> out) noexcept
    {
        while (!out.empty()) {
            if (used_ == keystream_.size()) {
                if (out.size() >= keystream_.size()) {
                    counters_.encrypt_next(out.template first<Counters::bytes>());
                    out = out.subspan(keystream_.size());
                    continue;
                }
                counters_.encrypt_next(keystream_);
                used_ = 0;
            }
            const std::size_t taken = std::min(out.size(), keystream_.size() - used_);
            copy(BytesIn<>{keystream_}.subspan(used_, taken), out);
            used_ += taken;
            out = out.subspan(taken);
        }
    }

  private:
    Counters counters_;
    std::array<Byte, Counters::bytes> keystream_{};
    std::size_t used_ = keystream_.size();
};

/// The encryptions of T, T + 1, T + 2, ..., where T is a 128-bit big-endian counter that wraps
/// around (NIST SP 800-38A, Appendix B.1 with m = 128). `Key` is an expanded key that encrypts some
/// blocks at once. Constant time in key and counter if `Key` is. Wiped.
template <class Key>
class CounterBlocks {
  public:
    static constexpr std::size_t bytes = Key::bytes;

    /// From counter 0.
    constexpr explicit CounterBlocks(BytesIn<key_bytes> key) noexcept : key_(key) {}
    constexpr CounterBlocks(BytesIn<key_bytes> key, BytesIn<block_bytes> first_counter) noexcept
        : key_(key), counter_high_(load_be64(&first_counter[0])), counter_low_(load_be64(&first_counter[8]))
    {
    }
    constexpr ~CounterBlocks()
    {
        wipe(counter_high_);
        wipe(counter_low_);
    }

    constexpr void encrypt_next(BytesOut<bytes> blocks) noexcept
    {
        for (std::size_t i = 0; i < bytes; i += block_bytes) {
            store_be64(&blocks[i], counter_high_);
            store_be64(&blocks[i + 8], counter_low_);
            counter_low_ += 1;
            counter_high_ += nonzero_mask(counter_low_) + 1;  // 1 exactly if the lower half is 0
        }
        key_.encrypt(blocks);
    }

  private:
    Key key_;
    std::uint64_t counter_high_ = 0;
    std::uint64_t counter_low_ = 0;
};

template <class Key>
using CounterMode = Keystream<CounterBlocks<Key>>;
template <class Isa>
using Ctr = CounterMode<EncryptionKey<Isa>>;

}  // namespace girih::aes
