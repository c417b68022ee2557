/// Vectors of polynomials as bytes in keys.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"

namespace girih::ml_kem {

/// Whether all coefficients of a polynomial are below q. Constant time, except for the result.
template <class Isa>
[[nodiscard, gnu::noinline]] bool is_below_q(const Coefficients& f)
{
    using L = typename Isa::ShortLanes;
    typename L::Vector too_large{};
    for (std::size_t i = 0; i < n; i += L::lanes)
        too_large |= static_cast<Coefficient>(q - 1) - L::load(&f[i]);
    Wiped<std::array<Coefficient, L::lanes>> lanes{uninitialized};
    L::store(lanes->data(), too_large);
    Coefficient any = 0;
    for (const Coefficient lane : *lanes) any = static_cast<Coefficient>(any | lane);
    girih::declassify(std::span{&any, 1}, "FIPS 203, Section 7.2: that a key is malformed is public");
    return any >= 0;
}

/// ByteDecode12 of t^, with the modulus check (FIPS 203, Section 7.2).
template <class Isa>
[[nodiscard]] bool decode_public_vector(BytesIn<> bytes, std::span<PublicPoly> t_hat)
{
    bool is_good = true;
    for (std::size_t i = 0; i < t_hat.size(); ++i) {
        byte_decode<coefficient_bits, Isa>(bytes.subspan(i * poly_bytes, poly_bytes), t_hat[i].c);
        is_good = is_below_q<Isa>(t_hat[i].c) && is_good;
    }
    return is_good;
}

/// ByteDecode12 of s^, as factors. Coefficients of q or more are taken modulo q: FIPS 203, Section
/// 7.3, has no check of them. Constant time.
template <class Isa>
void decode_secret_vector(BytesIn<> bytes, std::span<Factor> s_hat)
{
    for (std::size_t i = 0; i < s_hat.size(); ++i) {
        Wiped<Coefficients> decoded{uninitialized};
        byte_decode<coefficient_bits, Isa>(bytes.subspan(i * poly_bytes, poly_bytes), *decoded);
        make_factor<Isa>(*decoded, s_hat[i]);
    }
}

}  // namespace girih::ml_kem
