/// The types that ML-DSA's folders share: polynomials, vectors of them, and public hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "ml_dsa/params.hpp"
#include "module_lattice/poly.hpp"

namespace girih::ml_dsa {

using module_lattice::Bound;
using module_lattice::Form;
using module_lattice::Poly;
using module_lattice::PolyIn;
using module_lattice::Secrecy;
static_assert(n == module_lattice::n);

using Coefficients = module_lattice::Coefficients<std::int32_t>;

/// 0, 1, ..., n - 1, from which the positions of some coefficients are picked.
inline constexpr Coefficients all_positions = [] {
    Coefficients positions{};
    for (std::size_t i = 0; i < n; ++i) positions[i] = static_cast<std::int32_t>(i);
    return positions;
}();

/// A column vector of polynomials of one kind.
template <std::size_t size_, class S>
struct PolyVector {
    using Element = S;
    static constexpr std::size_t size = size_;

    std::array<S, size_> p;

    [[nodiscard]] constexpr S& operator[](std::size_t i) noexcept { return p[i]; }
    [[nodiscard]] constexpr const S& operator[](std::size_t i) const noexcept { return p[i]; }
};

// ---- The polynomials of FIPS 204

using MatrixPoly = Poly<Form::ntt, Bound::canonical(q)>;

template <Shape S>
using Matrix = std::array<PolyVector<S.l, MatrixPoly>, S.k>;

template <Shape S>
using SecretPoly = Poly<Form::coefficients, Bound::symmetric(S.eta), Secrecy::secret>;

template <Shape S>
struct SecretVectors {
    PolyVector<S.l, SecretPoly<S>> s1;
    PolyVector<S.k, SecretPoly<S>> s2;
};

template <Shape S>
using MaskPoly = Poly<Form::coefficients, Bound{1 - S.gamma1, S.gamma1}, Secrecy::secret>;

/// A challenge: tau coefficients are 1 or -1, the rest 0.
using ChallengePoly = Poly<Form::coefficients, Bound::symmetric(1)>;

/// A polynomial of a mask in bytes. A polynomial of z has the same encoding in a signature.
template <Shape S>
using MaskBytes = std::array<Byte, packed_bytes(S.z_bits())>;

/// t1: the high bits of t that a public key holds; t0: the low bits that a secret key holds.
using T1Poly = Poly<Form::coefficients, Bound{0, (1 << Shape::t1_bits) - 1}>;
using T0Poly = Poly<Form::coefficients, Bound{1 - (1 << (d - 1)), 1 << (d - 1)}, Secrecy::secret>;

/// The coefficients of z that a signature can hold, and those that verification accepts.
template <Shape S>
using AcceptedZPoly = Poly<Form::coefficients, Bound::symmetric(S.gamma1 - S.beta() - 1)>;

/// tr or c~: a public hash, whose length depends on the version.
class PublicHash {
  public:
    [[nodiscard]] constexpr BytesIn<> view() const { return BytesIn<>{bytes_}.first(size_); }
    /// Sets the length to `size` bytes, which the caller writes.
    [[nodiscard]] constexpr BytesOut<> resized(std::size_t size)
    {
        size_ = size;
        return BytesOut<>{bytes_}.first(size);
    }

  private:
    std::array<Byte, 64> bytes_{};
    std::size_t size_ = 0;
};

}  // namespace girih::ml_dsa
