/// Signing of one row in lanes. The polynomials of A are drawn side by side, with mu beside them,
/// and the masks of the next attempt beside the hash of the present one. The steps are those of
/// standard/sign.hpp in another order, and make the same signature.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "ml_dsa/lanes/mask_stream.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/standard/attempt.hpp"
#include "ml_dsa/standard/sign.hpp"

namespace girih::ml_dsa {

/// c~ and c of a commitment, beside the masks of the next attempts.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void make_challenge(const Version& version, BytesIn<mu_bytes> mu,
                                                MaskStream<S, Isa>& y, Attempt<S>& attempt)
{
    const BytesOut<> c_tilde = attempt.c_tilde.resized(version.c_tilde_bytes);
    BallTask<S, Isa> c_task{c_tilde, attempt.c};
    keccak::HashTask<Isa> hash_task{{mu, *attempt.w1_encoded}, c_tilde, &c_task};
    y.run(hash_task);
}

/// Draws A side by side, with mu beside it. noinline: signing reuses the stack of the tasks.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_a_beside_message(BytesIn<rho_bytes> rho, Matrix<S>& a_hat,
                                                         BytesIn<> tr, const Frame& frame, BytesIn<> message,
                                                         BytesOut<mu_bytes> mu)
{
    using Lanes = typename Isa::WideWords;
    auto a_tasks = expand_a_tasks<S, Isa>(rho, a_hat);
    if (is_hashed_in_lane(message)) {
        std::array mu_tasks{mu_task<Isa>(tr, frame, message, mu)};
        keccak::run<Lanes, /*in_pairs=*/true>(mu_tasks, a_tasks);
    } else {
        keccak::run<Lanes, /*in_pairs=*/true>(a_tasks);
        message_representative<Isa>(tr, frame, message, mu);
    }
}

/// sign, with A drawn side by side and mu beside it.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr SignResult sign_in_lanes(const Version& version, BytesIn<> sk,
                                                                const Frame& frame, BytesIn<> message,
                                                                BytesIn<> rnd, BytesOut<> sigma)
{
    const PackedSecretKey<S> packed{version, sk};
    SigningKey<S> key;
    std::array<Byte, rho_bytes> rho;
    if (!open_signing_key<S, Isa>(version, packed, rho, key)) return SignResult::malformed_key;
    std::array<Byte, mu_bytes> mu;
    expand_a_beside_message<S, Isa>(rho, key.a_hat, key.tr.view(), frame, message, mu);
    return sign_mu<S, Isa, MaskStream>(key, T0Hat<S, Isa>{packed}, mu, rnd, sigma)
               ? SignResult::good
               : SignResult::too_many_attempts;
}

}  // namespace girih::ml_dsa
