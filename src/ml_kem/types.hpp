/// ML-KEM's polynomials. A type gives the form, the bound and the secrecy of the coefficients,
/// which are signed 16-bit residues modulo q.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "ml_kem/params.hpp"
#include "module_lattice/poly.hpp"

namespace girih::ml_kem {

using module_lattice::Bound;
using module_lattice::Form;
using module_lattice::Secrecy;

using Coefficient = std::int16_t;
using Coefficients = module_lattice::Coefficients<Coefficient>;

/// |a| of reduced residues (transform::ShortResidue), and of the results of the inverse transform.
/// ntt.hpp compares both with the kernels' bounds.
inline constexpr std::int32_t reduced_bound = 2160;
inline constexpr std::int32_t inverse_bound = 2497;
/// |a| of sums of max_k products, divided by 2^16.
inline constexpr std::int32_t product_bound = 2745;

/// A polynomial of the matrix or of t^: any 12 bits, unless it passed the modulus check.
using PublicPoly = module_lattice::Poly<Form::ntt, Bound{0, 4095}, Secrecy::open, Coefficient>;
/// A sample of the centered binomial distribution.
using NoisePoly = module_lattice::Poly<Form::coefficients, Bound::symmetric(3), Secrecy::secret, Coefficient>;
/// NTT form: s^, y^, and u^, which is treated as secret because s^ multiplies it.
using NttPoly =
    module_lattice::Poly<Form::ntt, Bound::symmetric(reduced_bound), Secrecy::secret, Coefficient>;
/// A sum of products, divided by 2^16.
using ProductPoly =
    module_lattice::Poly<Form::ntt_product, Bound::symmetric(product_bound), Secrecy::secret, Coefficient>;
/// A product, back from the transform.
using RingPoly =
    module_lattice::Poly<Form::coefficients, Bound::symmetric(inverse_bound), Secrecy::secret, Coefficient>;
/// A decompressed ciphertext, or a decompressed message, which is secret.
using DecompressedPoly =
    module_lattice::Poly<Form::coefficients, Bound::canonical(q), Secrecy::secret, Coefficient>;

/// A polynomial in NTT form, prepared as a factor of many products. For each residue b0 + b1 X
/// modulo X^2 - gamma it keeps the pairs (b0, gamma b1) and (b1, b0): a product's two coefficients
/// are the inner products of (a0, a1) with these.
///
/// Where sums are those of each lane (isa::SumsEachLane), `straight` has vectors of b0 and of gamma
/// b1 in turns, and the first half of `crossed` has b1.
struct Factor {
    alignas(64) Coefficients straight;
    alignas(64) Coefficients crossed;

    Factor() = default;
    Factor(const Factor&) = delete;
    Factor& operator=(const Factor&) = delete;
    ~Factor()
    {
        wipe(straight);
        wipe(crossed);
    }
};

/// A vector of k polynomials, or of k factors.
template <class P>
using Vector = std::array<P, max_k>;

}  // namespace girih::ml_kem
