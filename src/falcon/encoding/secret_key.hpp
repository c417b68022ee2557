/// Secret keys: the short basis ((g, -f), (G, -F)) of a lattice (specification,
/// Sections 3.4 and 3.11.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/bit_fields.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/kernels/ring/quotient.hpp"
#include "falcon/kernels/ring/residue.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

template <std::size_t n>
using SmallPoly = Poly<std::int8_t, n>;

/// f, g, F and G with f G - g F = q. The owner wipes it.
template <std::size_t n>
struct Basis {
    SmallPoly<n> f;
    SmallPoly<n> g;
    SmallPoly<n> big_f;
    SmallPoly<n> big_g;
};

/// h = g / f modulo q (Falcon, Algorithm 4, line 9). Returns nonzero if f has no reciprocal.
template <class Isa, std::size_t n>
[[nodiscard]] std::uint32_t public_polynomial(const SmallPoly<n>& f, const SmallPoly<n>& g, ResiduePoly<n>& h)
{
    Wiped<typename Quotient<Isa, n>::Coefficients> quotient{uninitialized};
    const std::uint32_t is_singular = Quotient<Isa, n>::divide(g, f, *quotient);
    for (std::size_t i = 0; i < n; ++i) h[i] = modulo_q::residue(quotient->c[i]);
    return is_singular;
}

/// G, which a secret key does not contain: f G = q + g F, so G = g F / f modulo q. Returns nonzero
/// if f has no reciprocal, or if G has a coefficient beyond 127, which no generated key has.
template <class Isa, std::size_t n>
[[nodiscard]] Secret<std::uint32_t> complete_basis(Basis<n>& basis)
{
    Wiped<typename Quotient<Isa, n>::Coefficients> big_g{uninitialized};
    std::uint32_t bad = Quotient<Isa, n>::divide(basis.g, basis.big_f, basis.f, *big_g);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t a = big_g->c[i];
        bad |= static_cast<std::uint32_t>((127 - a) | (127 + a)) >> 31;
        basis.big_g[i] = static_cast<std::int8_t>(a);
    }
    return Secret{bad};
}

/// The public key of f and g, which are known to have a quotient.
template <Shape S, class Isa>
void write_public_key(const SmallPoly<S.n()>& f, const SmallPoly<S.n()>& g, BytesOut<S.public_key_bytes()> pk)
{
    Wiped<ResiduePoly<S.n()>> h{uninitialized};
    (void)public_polynomial<Isa, S.n()>(f, g, *h);
    girih::declassify(std::span{*h}, "Algorithm 4: h is the public key");
    encode_public_key<S, Isa>(*h, pk);
}

template <Shape S>
constexpr std::size_t fg_bytes = field_bytes(S.n(), S.fg_bits());

/// The encoding of a secret key: a header, f, g and F.
template <Shape S, class Isa>
constexpr void encode_secret_key(const Basis<S.n()>& basis, BytesOut<S.secret_key_bytes()> sk)
{
    sk[0] = S.secret_key_header();
    pack_fields<S.fg_bits(), Isa>(basis.f, sk.template subspan<1, fg_bytes<S>>());
    pack_fields<S.fg_bits(), Isa>(basis.g, sk.template subspan<1 + fg_bytes<S>, fg_bytes<S>>());
    pack_fields<S.big_f_bits, Isa>(basis.big_f, sk.template last<S.n() * S.big_f_bits / 8>());
}

/// Decodes a secret key and computes G. False for a malformed key: a wrong header, a coefficient
/// that is the smallest number of its width, an f without reciprocal, or a G beyond one byte a
/// coefficient. Constant time, except for the result.
template <Shape S, class Isa>
[[nodiscard]] constexpr bool decode_secret_key(BytesIn<S.secret_key_bytes()> sk, Basis<S.n()>& basis)
{
    Secret bad{static_cast<std::uint32_t>(sk[0] ^ S.secret_key_header())};
    bad |= unpack_signed_fields<S.fg_bits(), Isa>(sk.template subspan<1, fg_bytes<S>>(), basis.f);
    bad |=
        unpack_signed_fields<S.fg_bits(), Isa>(sk.template subspan<1 + fg_bytes<S>, fg_bytes<S>>(), basis.g);
    bad |= unpack_signed_fields<S.big_f_bits, Isa>(sk.template last<S.n() * S.big_f_bits / 8>(), basis.big_f);
    bad |= complete_basis<Isa, S.n()>(basis);
    return declassify(bad, "Section 3.11.5: a malformed key is refused, and may be known to be") == 0;
}

}  // namespace girih::falcon
