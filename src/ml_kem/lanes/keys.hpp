/// Views of keys, prepared keys, and the polynomials from which keys and ciphertexts are computed.
/// Nothing here depends on the engine.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/params.hpp"
#include "ml_kem/types.hpp"

namespace girih::ml_kem {

/// The polynomials from which a key pair is computed.
struct KeyPairPolys {
    std::array<PublicPoly, max_k * max_k> a_hat;
    Vector<NoisePoly> s;
    Vector<NoisePoly> e;
};

/// y, e1 and e2 of one encryption.
struct Noise {
    Vector<NoisePoly> y;
    Vector<NoisePoly> e1;
    NoisePoly e2;
};

/// An encapsulation key, as Encrypt reads it.
struct EncapsulationKey {
    std::span<const PublicPoly> a_transposed;  ///< k rows of k
    std::span<const PublicPoly> t_hat;

    [[nodiscard]] std::span<const PublicPoly> row(std::size_t i) const
    {
        return a_transposed.subspan(i * t_hat.size(), t_hat.size());
    }
};

/// A decapsulation key's parts (FIPS 203, Algorithm 16, line 3).
struct DecapsulationKeyView {
    const Params& p;
    BytesIn<> dk;

    [[nodiscard]] BytesIn<> s_hat() const { return dk.first(p.vector_bytes()); }
    [[nodiscard]] BytesIn<> ek() const { return dk.subspan(p.vector_bytes(), p.public_key_bytes()); }
    [[nodiscard]] BytesIn<hash_bytes> h() const
    {
        return dk.last<hash_bytes + z_bytes>().first<hash_bytes>();
    }
    [[nodiscard]] BytesIn<z_bytes> z() const { return dk.last<z_bytes>(); }

    /// ek and H(ek) are public in every key.
    void declassify_public_parts() const
    {
        girih::declassify(dk.subspan(p.vector_bytes(), p.public_key_bytes() + hash_bytes),
                          "FIPS 203, Algorithm 16: ek and H(ek) are public");
    }
};

/// A prepared key, in memory that the caller provides. This header is followed by the polynomials
/// of A^T and t^ and, for a decapsulation key, by the factors of s^. prepared_key.hpp fills it.
class PreparedKey {
  public:
    /// In `memory`, with the polynomials of an encapsulation key.
    static PreparedKey& make(const Params& p, void* memory)
    {
        auto* const key = new (memory) PreparedKey{p.k};
        for (std::size_t i = 0; i < (p.k + 1) * p.k; ++i) new (key->polynomials() + i) PublicPoly;
        return *key;
    }
    /// Begins the factors of a decapsulation key after them.
    [[nodiscard]] std::span<Factor> make_factors()
    {
        auto* const factors = reinterpret_cast<Factor*>(polynomials() + (k_ + 1) * k_);
        for (std::size_t i = 0; i < k_; ++i) new (factors + i) Factor;
        return {factors, k_};
    }
    static constexpr std::size_t encapsulation_key_bytes(const Params& p)
    {
        return sizeof(PreparedKey) + (p.k + 1) * p.k * sizeof(PublicPoly);
    }
    static constexpr std::size_t decapsulation_key_bytes(const Params& p)
    {
        return encapsulation_key_bytes(p) + p.k * sizeof(Factor);
    }

    std::array<Byte, hash_bytes> h{};  ///< H(ek)
    std::array<Byte, z_bytes> z{};

    [[nodiscard]] PublicPoly* polynomials() { return reinterpret_cast<PublicPoly*>(this + 1); }
    [[nodiscard]] const PublicPoly* polynomials() const
    {
        return std::launder(reinterpret_cast<const PublicPoly*>(this + 1));
    }
    [[nodiscard]] EncapsulationKey encapsulation_key() const
    {
        return {{polynomials(), k_ * k_}, {polynomials() + k_ * k_, k_}};
    }
    [[nodiscard]] std::span<const Factor> s_hat() const
    {
        return {std::launder(reinterpret_cast<const Factor*>(polynomials() + (k_ + 1) * k_)), k_};
    }

  private:
    explicit PreparedKey(std::size_t k) : k_(k) {}

    alignas(prepared_key_alignment) std::size_t k_;
};

}  // namespace girih::ml_kem
