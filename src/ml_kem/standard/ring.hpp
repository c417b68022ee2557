/// A ring is Section 4 of FIPS 203 as kem.hpp uses it: polynomials and functions of them.
///
/// plain_ring.hpp has them in the standard's own steps, small/ring.hpp in steps for small
/// processors.
///
/// A `Poly` has 256 coefficients, or the residues that NTT makes of them, or a sum of products of
/// residues. A ring may keep a sum of products times its own constant; inverse_ntt and
/// add_to_products remove it. Each ring states how large its input numbers may be.
///
/// Functions of a ring for secrets are constant time, except for rho and the matrix, which are
/// public.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "ml_kem/params.hpp"

namespace girih::ml_kem {

/// Bits and bytes (Section 4.2.1); `d` is 12 where it is not an argument.
template <class Ring, int d>
concept EncodesPolynomials =
    requires(typename Ring::Poly& f, const Byte* in, Byte* out, BytesIn<> vector, std::int32_t x) {
        Ring::encode(f, out);                                               // ByteEncode(f mod q)
        Ring::decode(in, f);                                                // f = ByteDecode(in)
        Ring::template decode_and_decompress<d>(in, f);                     // f = Decompress(ByteDecode(in))
        { Ring::template compress<d>(x) } -> std::same_as<std::uint32_t>;   // |x| < 2 q
        { Ring::template decompress<d>(x) } -> std::same_as<std::int32_t>;  // 0 <= x < 2^d
        { Ring::are_below_q(vector) } -> std::same_as<bool>;                // of encoded polynomials; public
    };

/// Sampling and arithmetic (Sections 4.2.2 and 4.3).
template <class Ring>
concept ComputesPolynomials =
    requires(typename Ring::Poly& f, typename Ring::Poly& sum, const typename Ring::Poly& b,
             const Byte* bytes, BytesIn<sigma_bytes> seed, BytesIn<rho_bytes> rho, std::size_t i) {
        Ring::template add_noise<eta2>(seed, i, f);   // f += SamplePolyCBD(PRF(seed, i))
        Ring::ntt(f);                                 // in place
        Ring::inverse_ntt(sum);                       // in place
        Ring::add_matrix_product(sum, rho, i, i, b);  // sum += SampleNTT(rho | j | i) b; j, then i
        Ring::add_product(sum, bytes, b);             // sum += ByteDecode(bytes) b
        Ring::add_to_products(sum, b);                // sum += b, which are residues
        Ring::subtract_products_from(b, sum);         // sum = b - sum, still a sum of products
        Ring::make_canonical(f);                      // coefficients in [0, q)
    };

/// The ring of a Scheme. `Ring::Isa` is the engine of the hash functions.
template <class Ring>
concept PolynomialRing = EncodesPolynomials<Ring, ml_kem_768.du> && EncodesPolynomials<Ring, 1> &&
                         ComputesPolynomials<Ring> && requires { typename Ring::Isa; };

}  // namespace girih::ml_kem
