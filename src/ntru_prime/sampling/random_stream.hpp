/// The random bytes of one operation.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/sampling/expand.hpp"
#include "ntru_prime/sampling/randomness.hpp"

namespace girih::ntru_prime {

/// Random words and bytes, from a seed or from the caller's source.
template <class Isa>
class RandomStream {
  public:
    explicit RandomStream(const Randomness& from) noexcept : from_(from)
    {
        if (from.seed != nullptr) expansion_.emplace(BytesIn<aes::key_bytes>{from.seed, aes::key_bytes});
    }

    /// urandom32, once for each word.
    void words(std::span<std::uint32_t> out) noexcept
    {
        if (expansion_) return expansion_->words(out);
        if constexpr (std::endian::native == std::endian::little) {
            const std::size_t count = from_.word_by_word ? 1 : out.size();
            for (std::size_t i = 0; i < out.size(); i += count)
                fill({reinterpret_cast<Byte*>(&out[i]), count * sizeof out[i]});
        } else {
            Wiped<std::array<Byte, 4>> bytes;
            for (std::uint32_t& word : out) {
                fill(*bytes);
                word = load_le32(bytes->data());
            }
        }
    }

    void bytes(BytesOut<> out) noexcept
    {
        if (expansion_) return expansion_->bytes(out);
        fill(out);
    }

    /// Whether the caller's source has failed; it is then not called again, and the missing bytes
    /// are 0.
    [[nodiscard]] bool has_failed() const noexcept { return failed_; }

  private:
    void fill(BytesOut<> out) noexcept
    {
        failed_ = failed_ || !from_.fill(from_.source, out.data(), out.size());
        if (failed_) wipe(out);
    }

    Randomness from_;
    std::optional<Expansion<Isa>> expansion_;
    bool failed_ = false;
};

}  // namespace girih::ntru_prime
