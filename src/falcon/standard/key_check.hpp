/// The full check of a secret key from outside, and its public key. Every engine runs this text.
#pragma once

#include <array>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/interface.hpp"
#include "falcon/params.hpp"
#include "falcon/standard/sign.hpp"

namespace girih::falcon {

/// Every check that signing makes of a key: its encoding, a reciprocal of f, f G - g F = q, and the
/// leaves of its tree.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(BytesIn<S.secret_key_bytes()> sk,
                                                           BytesOut<S.public_key_bytes()> pk)
{
    Wiped<Basis<S.n()>> basis;
    if (!decode_secret_key<S, Isa>(sk, *basis)) return KeyCheck::malformed;
    {
        alignas(64) Wiped<BasisValues<typename Isa::Fpr, S.n()>> values{uninitialized};
        alignas(64) Wiped<Ldl<typename Isa::Fpr, S.n()>> ldl{uninitialized};
        alignas(64) Wiped<std::array<typename Isa::Fpr, subtree_size(S.n())>> half{uninitialized};
        if (!open_key<S, Isa>(*basis, *values, *ldl) || !build_trees<S, Isa>(*ldl, *half, *half))
            return KeyCheck::inconsistent;
    }
    write_public_key<S, Isa>(basis->f, basis->g, pk);  // decoding checks that f has a reciprocal
    return KeyCheck::good;
}

}  // namespace girih::falcon
