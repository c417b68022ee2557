/// Signing of one row in lanes: A is drawn side by side, with mu beside it; the masks of the next
/// attempt are drawn beside the hash of the present one. The order is another one than in
/// ml_dsa.hpp, the signature is the same.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "ml_dsa/attempt.hpp"
#include "ml_dsa/lanes/mask_stream.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/ml_dsa.hpp"

namespace girih::ml_dsa {

/// c~ and c of an attempt (FIPS 204, Algorithm 7, lines 15 and 16), beside the masks of the next
/// ones.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void challenge_beside_masks(const Version& version, BytesIn<mu_bytes> mu,
                                                        MaskStream<S, Isa>& y, Attempt<S, Isa>& attempt)
{
    const BytesOut<> c_tilde = attempt.c_tilde.room(version.c_tilde_bytes);
    BallTask<S, Isa> c_task{c_tilde, attempt.c};
    keccak::HashTask<Isa> hash_task{{mu, *attempt.w1_encoded}, c_tilde, &c_task};
    const std::array<keccak::Task*, 1> tasks{&hash_task};
    y.run(tasks);
}

/// sign_mu. Constant time, but for the number of attempts and what rejected each.
template <Shape S, class Isa, class Observer = Unobserved>
[[nodiscard, gnu::noinline]] constexpr bool sign_mu_in_lanes(const PreparedSigningKey<S>& key,
                                                             BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                                             BytesOut<> sigma, Observer&& observe = {})
{
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
    private_random_seed<Isa>(key.version, *key.key, rnd, mu, *rho_double_prime);
    MaskStream<S, Isa> y{*rho_double_prime};
    Attempt<S, Isa> attempt;
    Scratch<S> scratch;
    Response<S> response;
    for (std::size_t tried = 0; tried < max_attempts; ++tried) {
        y.next();
        commit<S, Isa>(key.a_hat, y.mask(), scratch, attempt);
        challenge_beside_masks<S, Isa>(key.version, mu, y, attempt);
        const std::optional<Rejection> rejection = respond<S, Isa>(key, y.mask(), attempt, scratch, response);
        if (!rejection) {
            give<S, Isa>(response, sigma);
            return true;
        }
        observe(*rejection);
    }
    for (Byte& byte : sigma) byte = 0;
    return false;
}

/// sign.
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
        keccak::run<Lanes>(mu_tasks, a_tasks);
    } else {
        keccak::run<Lanes>(a_tasks);
        message_representative<Isa>(key.tr.view(), frame, message, mu);
    }
    prepare_vectors<S, Isa>(version, key, prepared);
    return sign_mu_in_lanes<S, Isa>(prepared, mu, rnd, sigma) ? SignResult::good
                                                              : SignResult::too_many_attempts;
}

}  // namespace girih::ml_dsa
