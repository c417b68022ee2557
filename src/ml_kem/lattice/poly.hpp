/// ML-KEM's polynomials: what they are, in which form, how large, how secret. Coefficients are
/// residues modulo q in 16 bits with a sign.
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

/// |a| of residues that were reduced (transform::ShortResidue), and of what comes out of the
/// inverse transform. ntt.hpp compares both with what the kernels promise.
inline constexpr std::int32_t reduced_bound = 2160;
inline constexpr std::int32_t inverse_bound = 2497;

/// Of the matrix and of t^, decoded from 12 bits: whoever needs less checks it.
using PublicPoly = module_lattice::Poly<Form::ntt, Bound{0, 4095}, Secrecy::open, Coefficient>;
/// Of the centered binomial distribution.
using NoisePoly = module_lattice::Poly<Form::coefficients, Bound::symmetric(3), Secrecy::secret, Coefficient>;
/// Of values: s^, y^, and u^, which is as secret as what it will be multiplied with.
using NttPoly =
    module_lattice::Poly<Form::ntt, Bound::symmetric(reduced_bound), Secrecy::secret, Coefficient>;
/// A sum of products, divided by 2^16.
using ProductPoly =
    module_lattice::Poly<Form::ntt_product, Bound::symmetric(reduced_bound), Secrecy::secret, Coefficient>;
/// A product, back from the transform.
using RingPoly =
    module_lattice::Poly<Form::coefficients, Bound::symmetric(inverse_bound), Secrecy::secret, Coefficient>;
/// What a ciphertext or a message says, decompressed. Of a message it is secret.
using DecompressedPoly =
    module_lattice::Poly<Form::coefficients, Bound::canonical(q), Secrecy::secret, Coefficient>;

/// A polynomial in NTT form as a factor of many products. Of each of its residues b0 + b1 X, modulo
/// X^2 - gamma, it has what the coefficients of a product are sums of pairs with: (b0, gamma b1),
/// and (b1, b0).
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
