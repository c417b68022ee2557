/// Secret keys: the short basis ((g, -f), (G, -F)) of a lattice (specification,
/// Sections 3.4 and 3.11.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/bit_fields.hpp"
#include "falcon/params.hpp"
#include "falcon/ring/quotient.hpp"
#include "falcon/ring/residue.hpp"

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
    Wiped<typename Quotient<Isa, n>::Coefficients> quotient{unset};
    const std::uint32_t is_singular = Quotient<Isa, n>::divide(g, f, *quotient);
    for (std::size_t i = 0; i < n; ++i) h[i] = modulo_q::residue(quotient->c[i]);
    return is_singular;
}

/// G, which a secret key does not contain: f G = q + g F, so G = g F / f modulo q. Returns nonzero
/// if f has no reciprocal, or if G has a coefficient beyond 127, which no generated key has.
template <class Isa, std::size_t n>
[[nodiscard]] Secret<std::uint32_t> complete_basis(Basis<n>& basis)
{
    Wiped<typename Quotient<Isa, n>::Coefficients> big_g{unset};
    std::uint32_t bad = Quotient<Isa, n>::divide(basis.g, basis.big_f, basis.f, *big_g);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t a = big_g->c[i];
        bad |= static_cast<std::uint32_t>((127 - a) | (127 + a)) >> 31;
        basis.big_g[i] = static_cast<std::int8_t>(a);
    }
    return Secret{bad};
}

template <Params P>
constexpr std::size_t fg_bytes = field_bytes(P.n(), P.fg_bits());

/// The encoding of a secret key: a header, f, g and F.
template <Params P, class Isa>
constexpr void encode_secret_key(const Basis<P.n()>& basis, BytesOut<P.secret_key_bytes()> sk)
{
    sk[0] = P.secret_key_header();
    pack_fields<P.fg_bits(), Isa>(basis.f, sk.template subspan<1, fg_bytes<P>>());
    pack_fields<P.fg_bits(), Isa>(basis.g, sk.template subspan<1 + fg_bytes<P>, fg_bytes<P>>());
    pack_fields<P.big_f_bits, Isa>(basis.big_f, sk.template last<P.n() * P.big_f_bits / 8>());
}

/// Decodes a secret key and computes G. False for a malformed key: a wrong header, a coefficient
/// that is the smallest number of its width, an f without reciprocal, or a G beyond one byte a
/// coefficient. Constant time, except for the result.
template <Params P, class Isa>
[[nodiscard]] constexpr bool decode_secret_key(BytesIn<P.secret_key_bytes()> sk, Basis<P.n()>& basis)
{
    Secret bad{static_cast<std::uint32_t>(sk[0] ^ P.secret_key_header())};
    bad |= unpack_signed_fields<P.fg_bits(), Isa>(sk.template subspan<1, fg_bytes<P>>(), basis.f);
    bad |=
        unpack_signed_fields<P.fg_bits(), Isa>(sk.template subspan<1 + fg_bytes<P>, fg_bytes<P>>(), basis.g);
    bad |= unpack_signed_fields<P.big_f_bits, Isa>(sk.template last<P.n() * P.big_f_bits / 8>(), basis.big_f);
    bad |= complete_basis<Isa, P.n()>(basis);
    return declassify(bad, "Section 3.11.5: a malformed key is refused, and may be known to be") == 0;
}

}  // namespace girih::falcon
