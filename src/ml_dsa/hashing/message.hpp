/// From a message to its representative mu: mu = H(tr | M'), where M' is the message in its frame.
///
/// Messages and contexts are public, so this may take variable time.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/frame.hpp"
#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

/// tr or c~: a hash that is public, as long as the version says.
class PublicHash {
  public:
    [[nodiscard]] constexpr BytesIn<> view() const { return BytesIn<>{bytes_}.first(size_); }
    /// The hash with a length of `size` bytes, for the caller to write.
    [[nodiscard]] constexpr BytesOut<> resized(std::size_t size)
    {
        size_ = size;
        return BytesOut<>{bytes_}.first(size);
    }

  private:
    std::array<Byte, 64> bytes_{};
    std::size_t size_ = 0;
};

/// Begins H(tr | M'): the message is absorbed next, in any pieces, and mu squeezed.
template <class Isa>
[[nodiscard]] constexpr keccak::Shake256<Isa> begin_mu(BytesIn<> tr, const Frame& frame)
{
    keccak::Shake256<Isa> h;
    h.absorb(tr);
    h.absorb(BytesIn<>{frame.head}.first(frame.head_bytes));
    h.absorb(frame.context);
    h.absorb(frame.oid);
    return h;
}

/// mu of a whole message (FIPS 204, Algorithm 7, line 6).
template <class Isa>
[[gnu::noinline]] constexpr void message_representative(BytesIn<> tr, const Frame& frame, BytesIn<> message,
                                                        BytesOut<mu_bytes> mu)
{
    begin_mu<Isa>(tr, frame).absorb(message).squeeze(mu);
}

}  // namespace girih::ml_dsa
