/// The full check of a secret key from outside, and its public key.
#pragma once

#include <array>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/interface.hpp"
#include "falcon/params.hpp"
#include "falcon/sign.hpp"

namespace girih::falcon {

/// Every check that signing makes of a key: its encoding, a reciprocal of f, f G - g F = q, and the
/// leaves of its tree.
template <Params P, class Isa>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(BytesIn<P.secret_key_bytes()> sk,
                                                           BytesOut<P.public_key_bytes()> pk)
{
    Wiped<Basis<P.n()>> basis;
    if (!decode_secret_key<P, Isa>(sk, *basis)) return KeyCheck::malformed;
    {
        Wiped<OpenKey<P, Isa>> key{unset};
        Wiped<std::array<typename Isa::Fpr, subtree_size(P.n())>> half{unset};
        if (!open_key<P, Isa>(*basis, *key) || !build_trees<P, Isa>(*key, *half, *half))
            return KeyCheck::inconsistent;
    }
    Wiped<ResiduePoly<P.n()>> h;
    (void)public_polynomial<Isa, P.n()>(basis->f, basis->g,
                                        *h);  // f has a reciprocal, because decoding checks it
    girih::declassify(std::span{*h}, "Algorithm 4: h is the public key");
    encode_public_key<P, Isa>(*h, pk);
    return KeyCheck::good;
}

}  // namespace girih::falcon
