/// Public keys: h = g / f modulo q (specification, Section 3.11.4).
#pragma once

#include <cstddef>

#include "core/bytes.hpp"
#include "falcon/encoding/bit_fields.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

template <Shape S, class Isa>
constexpr void encode_public_key(const ResiduePoly<S.n()>& h, BytesOut<S.public_key_bytes()> pk)
{
    pk[0] = S.public_key_header();
    pack_fields<14, Isa>(h, pk.template last<S.public_key_bytes() - 1>());
}

/// False for a wrong header or a coefficient that is not below q.
template <Shape S, class Isa>
[[nodiscard]] constexpr bool decode_public_key(BytesIn<S.public_key_bytes()> pk, ResiduePoly<S.n()>& h)
{
    return pk[0] == S.public_key_header() &&
           unpack_residues<Isa, S.n()>(pk.template last<S.public_key_bytes() - 1>(), h);
}

}  // namespace girih::falcon
