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

/// The keystream of AES-256-CTR (NIST SP 800-38A, Section 6.5): the encryptions of T, T + 1, T + 2,
/// ..., where T is a 128-bit big-endian counter that wraps around (Appendix B.1 with m = 128).
///
/// `Key` is an expanded key that encrypts some blocks at once. Constant time in key and counter if
/// `Key` is, but not in the number of bytes. Wiped.
template <class Key>
class CounterMode {
  public:
    constexpr CounterMode(BytesIn<key_bytes> key, BytesIn<block_bytes> first_counter) noexcept
        : key_(key), counter_high_(load_be64(&first_counter[0])), counter_low_(load_be64(&first_counter[8]))
    {
    }
    CounterMode(const CounterMode&) = delete;
    CounterMode& operator=(const CounterMode&) = delete;
    constexpr ~CounterMode()
    {
        wipe(keystream_);
        wipe(counter_high_);
        wipe(counter_low_);
    }

    /// The next bytes of the keystream.
    constexpr void generate(BytesOut<> out) noexcept
    {
        while (!out.empty()) {
            if (used_ == keystream_.size()) {
                if (out.size() >= keystream_.size()) {
                    encrypt_counters(out.template first<Key::bytes>());
                    out = out.subspan(keystream_.size());
                    continue;
                }
                encrypt_counters(BytesOut<Key::bytes>{keystream_});
                used_ = 0;
            }
            const std::size_t taken = std::min(out.size(), keystream_.size() - used_);
            copy(BytesIn<>{keystream_}.subspan(used_, taken), out);
            used_ += taken;
            out = out.subspan(taken);
        }
    }

  private:
    constexpr void encrypt_counters(BytesOut<Key::bytes> blocks) noexcept
    {
        for (std::size_t i = 0; i < blocks.size(); i += block_bytes) {
            store_be64(&blocks[i], counter_high_);
            store_be64(&blocks[i + 8], counter_low_);
            counter_low_ += 1;
            counter_high_ += nonzero_mask(counter_low_) + 1;  // 1 exactly if the lower half is 0
        }
        key_.encrypt(blocks);
    }

    Key key_;
    std::uint64_t counter_high_;
    std::uint64_t counter_low_;
    std::array<Byte, Key::bytes> keystream_{};
    std::size_t used_ = keystream_.size();
};

template <class Isa>
using Ctr = CounterMode<EncryptionKey<Isa>>;

}  // namespace girih::aes
