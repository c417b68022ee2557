/// Signing of one row in lanes: A is drawn side by side, with mu beside it; the masks of the next
/// attempt are drawn beside the hash of the present one. The steps are those of ml_dsa.hpp in
/// another order, and make the same signature.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "ml_dsa/attempt.hpp"
#include "ml_dsa/lanes/mask_stream.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/ml_dsa.hpp"

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

/// sign, with A drawn side by side and mu beside it.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr SignResult sign_in_lanes(const Version& version, BytesIn<> sk,
                                                                const Frame& frame, BytesIn<> message,
                                                                BytesIn<> rnd, BytesOut<> sigma)
{
    using Lanes = typename Isa::WideWords;
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return SignResult::malformed_key;
    PreparedSigningKey<S> prepared;
    std::array<Byte, mu_bytes> mu;
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, prepared.a_hat);
    if (is_hashed_in_lane(message)) {
        std::array mu_tasks{mu_task<Isa>(key.tr.view(), frame, message, mu)};
        keccak::run<Lanes, /*in_pairs=*/true>(mu_tasks, a_tasks);
    } else {
        keccak::run<Lanes, /*in_pairs=*/true>(a_tasks);
        message_representative<Isa>(key.tr.view(), frame, message, mu);
    }
    prepare_vectors<S, Isa>(version, key, prepared);
    return sign_mu<S, Isa, MaskStream>(prepared, mu, rnd, sigma) ? SignResult::good
                                                                 : SignResult::too_many_attempts;
}

}  // namespace girih::ml_dsa
