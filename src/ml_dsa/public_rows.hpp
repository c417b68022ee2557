/// The public key (FIPS 204, Algorithm 6, lines 5 to 8), a row at a time, and its hash.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"

namespace girih::ml_dsa {

/// tr = H(pk).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void hash_public_key(BytesIn<S.public_key_bytes()> pk, BytesOut<> tr)
{
    keccak::Shake256<Isa>{}.absorb(pk).squeeze(tr);
}

/// The public key (FIPS 204, Algorithm 6, lines 5 to 8) as pkEncode (FIPS 204, Algorithm 22) writes
/// it, a row of t = A s1 + s2 at a time: t1 into the key, as public; t0 apart.
template <Shape S, class Isa>
class PublicRows {
  public:
    constexpr PublicRows(BytesIn<rho_bytes> rho, const Matrix<S>& a_hat, const SecretVectors<S>& s,
                         PolyVector<S.k, T0Poly>& t0, BytesOut<S.public_key_bytes()> pk) noexcept
        : a_hat_(&a_hat), s_(&s), t0_(&t0), pk_(pk)
    {
        copy(rho, pk_.template first<rho_bytes>());
    }

    /// How many polynomials of A a row takes; how many rows there are, and bytes of the key.
    static constexpr std::size_t polynomials = S.l;
    [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
    [[nodiscard]] constexpr std::size_t bytes() const noexcept { return rho_bytes + count_ * row_bytes; }

    /// Makes the next row, for which s1, s2 and a row of A must be there.
    [[gnu::noinline]] constexpr void make_next() noexcept
    {
        if (count_ == 0)
            for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(s_->s1[j], s1_hat_[j]);
        dot<Isa>((*a_hat_)[count_], s1_hat_, product_);
        inverse_ntt<Isa>(product_, a_s1_);
        T1Poly t1;
        T0Poly& t0 = (*t0_)[count_];
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
            // |t| <= q - 1 + eta, so two conditional additions and one subtraction
            // of q reach [0, q).
            const auto t = Isa::load(&a_s1_.c[j]) + Isa::load(&s_->s2[count_].c[j]);
            const auto r = canonical(canonical(t) - q);
            const auto [high, low] = power2round(canonical(r));
            Isa::store(&t1.c[j], high);
            Isa::store(&t0.c[j], low);
        }
        girih::declassify(std::span{t1.c}, "FIPS 204, Algorithm 6, line 8: t1 is part of the public key");
        simple_bit_pack<S.t1_bits, Isa>(t1, pk_.subspan(bytes()).template first<row_bytes>());
        ++count_;
    }

  private:
    static constexpr std::size_t row_bytes = packed_bytes(S.t1_bits);

    const Matrix<S>* a_hat_;
    const SecretVectors<S>* s_;
    PolyVector<S.k, T0Poly>* t0_;
    BytesOut<S.public_key_bytes()> pk_;
    PolyVector<S.l, decltype(ntt<Isa>(SecretPoly<S>{}))> s1_hat_;
    // Of a row of A s1: here, so that they are wiped once.
    Poly<Form::ntt_product, reduced_bound, Secrecy::secret> product_;
    Poly<Form::coefficients, reduced_bound, Secrecy::secret> a_s1_;
    std::size_t count_ = 0;
};

}  // namespace girih::ml_dsa
