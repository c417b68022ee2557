/// From a message to its representative mu: mu = H(tr | M'), where M' is the message in its frame,
/// and tr the hash of the public key.
///
/// Keys, messages and contexts are public, so this may take variable time.
#pragma once

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/frame.hpp"
#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

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

/// tr = H(pk).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void hash_public_key(BytesIn<S.public_key_bytes()> pk, BytesOut<> tr)
{
    keccak::Shake256<Isa>{}.absorb(pk).squeeze(tr);
}

}  // namespace girih::ml_dsa
