/// Verification (FIPS 204, Section 6.3).
///
/// Variable time throughout: everything here is public.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "ml_dsa/rows_beside_hash.hpp"
#include "ml_dsa/sign.hpp"

namespace girih::ml_dsa {

/// A public key with all that verification makes of it: A, tr, and the NTT form of t1 2^d.
template <Shape S>
struct PreparedVerifyingKey {
    using T1HatPoly = Poly<Form::ntt, ntt_bound(Bound{0, T1Poly::bound.high << d})>;

    Version version;
    PublicHash tr;
    Matrix<S> a_hat;
    PolyVector<S.k, T1HatPoly> t1_hat;
};

/// t1 2^d in NTT form (FIPS 204, Algorithm 8, line 9).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_t1(const PublicKey<S>& key, PreparedVerifyingKey<S>& prepared)
{
    for (std::size_t i = 0; i < S.k; ++i) {
        Poly<Form::coefficients, Bound{0, T1Poly::bound.high << d}> shifted;
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&shifted.c[j], Isa::load(&key.t1[i].c[j]) << d);
        prepared.t1_hat[i] = ntt<Isa>(shifted);
    }
}

/// All that verification makes of a public key (FIPS 204, Algorithm 8, lines 1, 5 and 6).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_verifying_key(const Version& version,
                                                       BytesIn<S.public_key_bytes()> pk,
                                                       PreparedVerifyingKey<S>& prepared)
{
    using Lanes = typename Isa::WideWords;
    const PublicKey<S> key = pk_decode<S, Isa>(pk);
    prepared.version = version;
    std::array tr_task{keccak::HashTask<Isa>{{pk}, prepared.tr.room(version.tr_bytes)}};
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, prepared.a_hat);
    keccak::run<Lanes>(tr_task, a_tasks);
    prepare_t1<S, Isa>(key, prepared);
}

/// w1 that a signature leads to (FIPS 204, Algorithm 8, lines 9 and 10), encoded, a row at a time.
template <Shape S, class Isa>
class W1Rows {
  public:
    constexpr W1Rows(const PreparedVerifyingKey<S>& key, const Signature<S>& sig, const ChallengePoly& c,
                     BytesOut<S.w1_bytes()> w1_encoded) noexcept
        : key_(&key), sig_(&sig), c_(&c), w1_encoded_(w1_encoded)
    {
    }

    /// How many polynomials of A a row takes; how many rows there are, and bytes of what c~ is the
    /// hash of, mu before them.
    static constexpr std::size_t polynomials = S.l;
    [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
    [[nodiscard]] constexpr std::size_t bytes() const noexcept { return mu_bytes + count_ * row_bytes; }

    /// Makes the next row, for which c, t1 and a row of A must be there.
    [[gnu::noinline]] constexpr void make_next() noexcept
    {
        if (count_ == 0) {
            ntt<Isa>(*c_, c_hat_);
            for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(sig_->z[j], z_hat_[j]);
        }
        const auto w = inverse_ntt<Isa>(
            dot_less_product<Isa>(key_->a_hat[count_], z_hat_, c_hat_, key_->t1_hat[count_]));
        Poly<Form::coefficients, Bound{0, S.w1_max()}> w1;
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&w1.c[j],
                       use_hint<S.gamma2>(Isa::load(&sig_->h[count_].c[j]), canonical(Isa::load(&w.c[j]))));
        simple_bit_pack<S.w1_bits(), Isa>(
            w1, w1_encoded_.subspan(count_ * row_bytes).template first<row_bytes>());
        ++count_;
    }

  private:
    static constexpr std::size_t row_bytes = packed_bytes(S.w1_bits());

    const PreparedVerifyingKey<S>* key_;
    const Signature<S>* sig_;
    const ChallengePoly* c_;
    BytesOut<S.w1_bytes()> w1_encoded_;
    decltype(ntt<Isa>(ChallengePoly{})) c_hat_;
    PolyVector<S.l, decltype(ntt<Isa>(Signature<S>{}.z[0]))> z_hat_;
    std::size_t count_ = 0;
};

/// All of w1 (FIPS 204, Algorithm 8, lines 9 to 11), encoded.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void recompute_w1(const PreparedVerifyingKey<S>& key, const Signature<S>& sig,
                                              const ChallengePoly& c, BytesOut<S.w1_bytes()> w1_encoded)
{
    W1Rows<S, Isa> rows{key, sig, c, w1_encoded};
    while (rows.count() < S.k) rows.make_next();
}

/// Whether c~ of a signature is the hash of mu and of the w1 that it leads to (FIPS 204,
/// Algorithm 8, lines 9 to 13).
template <Shape S, class Isa>
[[nodiscard]] constexpr bool answers_challenge(const PreparedVerifyingKey<S>& key, BytesIn<mu_bytes> mu,
                                               const Signature<S>& sig, const ChallengePoly& c)
{
    std::array<Byte, S.w1_bytes()> w1_encoded;
    recompute_w1<S, Isa>(key, sig, c, w1_encoded);
    PublicHash again;
    keccak::Shake256<Isa>{}.absorb(mu).absorb(w1_encoded).squeeze(again.room(key.version.c_tilde_bytes));
    return std::ranges::equal(again.view(), sig.c_tilde.view());
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message representative mu.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_mu_vartime(const PreparedVerifyingKey<S>& key,
                                                              BytesIn<mu_bytes> mu, BytesIn<> bytes)
{
    Signature<S> sig;
    return sig_decode<S, Isa>(key.version, bytes, sig) &&
           answers_challenge<S, Isa>(key, mu, sig, sample_in_ball<S, Isa>(sig.c_tilde.view()));
}

/// The same from a public key and a message, with all hashing that can be done at
/// once done at once.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_vartime(const Version& version,
                                                           BytesIn<S.public_key_bytes()> pk,
                                                           const Frame& frame, BytesIn<> message,
                                                           BytesIn<> bytes)
{
    Signature<S> sig;
    if (!sig_decode<S, Isa>(version, bytes, sig)) return false;
    const BytesIn<> c_tilde = sig.c_tilde.view();

    PreparedVerifyingKey<S> key;
    const PublicKey<S> decoded = pk_decode<S, Isa>(pk);
    prepare_t1<S, Isa>(decoded, key);
    std::array<Byte, mu_bytes> mu;
    ChallengePoly c;
    std::array<Byte, S.w1_bytes()> w1_encoded;
    W1Rows<S, Isa> rows{key, sig, c, w1_encoded};

    const BytesOut<> tr = key.tr.room(version.tr_bytes);
    auto mu_task = ml_dsa::mu_task<Isa>(tr, frame, message, mu);
    keccak::HashTask<Isa> tr_task{{pk}, tr, rides_along(message) ? &mu_task : nullptr};
    BallTask<S, Isa> c_task{c_tilde, c};
    auto a_tasks = expand_a_tasks<S, Isa>(decoded.rho, key.a_hat);
    keccak::TaskList<Isa, 2 + S.k * S.l> tasks;
    tasks.add(tr_task);
    tasks.add(c_task);
    tasks.add(a_tasks);
    PublicHash again;
    RowsHash<Isa> hash{{mu, w1_encoded}, again.room(version.c_tilde_bytes)};
    make_rows_beside_hash(tasks.tasks(), a_tasks, are_done(mu_task, c_task), rows, hash,
                          c_tilde_begin<S, Isa>);
    if (!rides_along(message)) {
        message_representative<Isa>(tr, frame, message, mu);
        while (rows.count() < S.k) rows.make_next();
    }
    hash.finish();
    return std::ranges::equal(again.view(), c_tilde);
}

}  // namespace girih::ml_dsa
