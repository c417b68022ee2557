/// Rings and parameter sets, as operations take them.
///
/// In the library their numbers are data, so that one function in machine code handles all rings of
/// a size (AnyRing, AnySet). An image for a microcontroller has one set, and is compiled for its
/// numbers (OnlyRing, OnlySet). The source is the same for both: `ring.p` is a member of one and a
/// constant of the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ntru_prime/encoding/plan.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/kernels/row_plan.hpp"
#include "ntru_prime/kernels/small_factor.hpp"
#include "ntru_prime/params.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

/// Z[x]/(x^p - x - 1), modulo 3 or modulo q, and what follows from p and q. Polynomials have room
/// for `capacity` coefficients.
template <std::size_t capacity_>
struct AnyRing {
    static constexpr std::size_t capacity = capacity_;

    std::size_t p;
    std::int32_t q;
    std::int32_t q12;
    Modulus modulo_q;
    transform::ShortModulus short_q;
    std::int32_t third;   ///< 1/3
    std::int32_t radix;   ///< 2^16
    const RowPlan& rows;  ///< of products modulo q
    EncodingPlan rq_plan;
    EncodingPlan rounded_plan;
    SmallFactorTable small_factor;

    [[nodiscard]] constexpr std::size_t small_bytes() const { return (p + 3) / 4; }
    [[nodiscard]] constexpr std::size_t rq_bytes() const { return rq_plan.bytes; }
    [[nodiscard]] constexpr std::size_t rounded_bytes() const { return rounded_plan.bytes; }
};

// VectorPairs relies on is_near.
static_assert(std::ranges::all_of(parameter_sets, [](const Params& set) {
    const auto rq_plan = EncodingPlan::of(set.ring.p, set.ring.q);
    const auto rounded_plan = EncodingPlan::of(set.ring.p, (set.ring.q + 2) / 3);
    return rq_plan.bytes == set.ring.rq_bytes && rounded_plan.bytes == set.ring.rounded_bytes &&
           rq_plan.is_near() && rounded_plan.is_near();
}));

constexpr std::size_t capacity_of_p(std::size_t p) { return p <= 768 ? 768 : 1280; }
template <Ring R>
inline constexpr std::size_t capacity_of = capacity_of_p(R.p);

/// One of several rings.
template <Ring R>
inline constexpr AnyRing<capacity_of<R>> ring_of{
    R.p,
    R.q,
    R.q12(),
    Modulus::of(R.q),
    transform::ShortModulus::of(R.q),
    AnyModulo<void>{Modulus::of(R.q)}.reciprocal(3),
    AnyModulo<void>{Modulus::of(R.q)}.centered(1 << 16),
    row_plan_of<R, capacity_of<R>>,
    EncodingPlan::of(R.p, R.q),
    EncodingPlan::of(R.p, (R.q + 2) / 3),
    SmallFactor<R>::table,
};

/// The only ring of a program: its numbers are constants.
template <Ring R>
struct OnlyRing {
    static constexpr std::size_t capacity = (R.p + 63) / 64 * 64;

    static constexpr std::size_t p = R.p;
    static constexpr std::int32_t q = R.q;
    static constexpr std::int32_t q12 = R.q12();
    static constexpr Modulus modulo_q = Modulus::of(R.q);
    static constexpr std::int32_t third = AnyModulo<void>{modulo_q}.reciprocal(3);
    static constexpr std::int32_t radix = AnyModulo<void>{modulo_q}.centered(1 << 16);
    static constexpr EncodingPlan rq_plan = EncodingPlan::of(R.p, R.q);
    static constexpr EncodingPlan rounded_plan = EncodingPlan::of(R.p, (R.q + 2) / 3);

    [[nodiscard]] static constexpr std::size_t small_bytes() { return R.small_bytes(); }
    [[nodiscard]] static constexpr std::size_t rq_bytes() { return rq_plan.bytes; }
    [[nodiscard]] static constexpr std::size_t rounded_bytes() { return rounded_plan.bytes; }
};

/// One of several parameter sets over a ring.
template <bool is_streamlined_, std::size_t capacity_>
struct AnySet {
    static constexpr bool is_streamlined = is_streamlined_;
    static constexpr std::size_t capacity = capacity_;

    const AnyRing<capacity>& ring;
    std::size_t w;
    std::int32_t tau0, tau1, tau2, tau3;
    std::size_t input_bytes, public_key_bytes, core_secret_key_bytes, secret_key_bytes, core_ciphertext_bytes,
        ciphertext_bytes;

    // Enough for the bytes of any such set.
    static constexpr std::size_t input_capacity = is_streamlined ? capacity / 4 : message_bytes;
    static constexpr std::size_t public_key_capacity = capacity <= 768 ? 1184 : 2112;
    static constexpr std::size_t ciphertext_capacity = capacity <= 768 ? 1184 : 2112;
};

template <Params P>
using SetOf = AnySet<P.is_streamlined(), capacity_of<P.ring>>;
template <Params P>
inline constexpr SetOf<P> set_of{ring_of<P.ring>,
                                 P.w,
                                 P.tau0,
                                 P.tau1,
                                 P.tau2,
                                 P.tau3,
                                 P.input_bytes(),
                                 P.public_key_bytes(),
                                 P.core_secret_key_bytes(),
                                 P.secret_key_bytes(),
                                 P.core_ciphertext_bytes(),
                                 P.ciphertext_bytes()};

/// The only parameter set of a program.
template <Params P>
struct OnlySet {
    static constexpr bool is_streamlined = P.is_streamlined();

    static constexpr OnlyRing<P.ring> ring{};
    static constexpr std::size_t capacity = ring.capacity;
    static constexpr std::size_t w = P.w;
    static constexpr std::int32_t tau0 = P.tau0, tau1 = P.tau1, tau2 = P.tau2, tau3 = P.tau3;
    static constexpr std::size_t input_bytes = P.input_bytes();
    static constexpr std::size_t public_key_bytes = P.public_key_bytes();
    static constexpr std::size_t core_secret_key_bytes = P.core_secret_key_bytes();
    static constexpr std::size_t secret_key_bytes = P.secret_key_bytes();
    static constexpr std::size_t core_ciphertext_bytes = P.core_ciphertext_bytes();
    static constexpr std::size_t ciphertext_bytes = P.ciphertext_bytes();
    static constexpr std::size_t input_capacity = input_bytes;
    static constexpr std::size_t public_key_capacity = public_key_bytes;
    static constexpr std::size_t ciphertext_capacity = ciphertext_bytes;
};
template <Params P>
inline constexpr OnlySet<P> only_set{};

}  // namespace girih::ntru_prime
