/// Key generation (FIPS 204, Section 6.1), and the public key of a secret key.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/interface.hpp"
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

    /// How many rows there are, and bytes of the key.
    [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }
    [[nodiscard]] constexpr std::size_t bytes() const noexcept { return rho_bytes + count_ * row_bytes; }

    /// Makes the next row, for which s1, s2 and a row of A must be there.
    [[gnu::noinline]] constexpr void make_next() noexcept
    {
        if (count_ == 0)
            for (std::size_t j = 0; j < S.l; ++j) s1_hat_[j] = ntt<Isa>(s_->s1[j]);
        const auto t = add<Isa>(inverse_ntt<Isa>(dot<Isa>((*a_hat_)[count_], s1_hat_)), s_->s2[count_]);
        T1Poly t1;
        T0Poly& t0 = (*t0_)[count_];
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
            // |t| <= q - 1 + eta, so two conditional additions and one subtraction
            // of q reach [0, q).
            const auto r = canonical(canonical(Isa::load(&t.c[j])) - q);
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
    std::size_t count_ = 0;
};

/// tr = H(pk) in a lane, while rows of the key are still made. Should it come to a block that is
/// not there, it ends and is not done.
template <Shape S, class Isa>
class PublicKeyHash final : public keccak::Task {
  public:
    constexpr PublicKeyHash(const PublicRows<S, Isa>& rows, BytesIn<S.public_key_bytes()> pk,
                            BytesOut<> tr) noexcept
        : rows_(&rows), message_({pk}), tr_(tr)
    {
    }

    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(keccak::Lane lane) noexcept override { absorb(lane); }
    [[nodiscard]] constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (message_.is_absorbed()) {
            lane.squeeze(tr_);
            is_done_ = true;
            return nullptr;
        }
        const std::size_t end = absorbed_ + keccak::shake256_function.rate;
        if (rows_->count() < S.k && rows_->bytes() < end) return nullptr;
        absorb(lane);
        return this;
    }

    /// The rows to wait for before the hash begins, so that it keeps behind them: a row takes 5 l
    /// permutations in the other lanes, and gives 2.35 blocks. Fewer lanes than four sample first.
    static constexpr std::size_t rows_before = [] {
        if (Isa::WideWords::count >= 8 && S.k > 4) return S.k < 8 ? std::size_t{3} : std::size_t{5};
        if (Isa::WideWords::count >= 4 && S.k > 4) return S.k - 1;
        return S.k;
    }();

  private:
    constexpr void absorb(keccak::Lane lane) noexcept
    {
        message_.absorb_block(lane);
        absorbed_ += keccak::shake256_function.rate;
    }

    const PublicRows<S, Isa>* rows_;
    keccak::Message<Isa> message_;
    BytesOut<> tr_;
    std::size_t absorbed_ = 0;
    bool is_done_ = false;
};

/// What the seed of a key pair is expanded to (FIPS 204, Algorithm 6, line 1).
struct ExpandedSeed {
    static constexpr std::size_t rho_prime_at = rho_bytes;
    static constexpr std::size_t key_at = rho_prime_at + rho_prime_bytes;

    Wiped<std::array<Byte, key_at + key_bytes>> bytes;

    template <std::size_t at, std::size_t size>
    [[nodiscard]] constexpr BytesIn<size> view() const
    {
        return BytesIn<key_at + key_bytes>{*bytes}.template subspan<at, size>();
    }
    [[nodiscard]] constexpr BytesIn<rho_bytes> rho() const { return view<0, rho_bytes>(); }
    [[nodiscard]] constexpr BytesIn<rho_prime_bytes> rho_prime() const
    {
        return view<rho_prime_at, rho_prime_bytes>();
    }
    [[nodiscard]] constexpr BytesIn<key_bytes> key() const { return view<key_at, key_bytes>(); }
};

template <Shape S>
inline constexpr std::array<Byte, 2> k_and_l{Byte{S.k}, Byte{S.l}};

/// What follows the seed in the hash (FIPS 204, Algorithm 6, line 1); in round 3.1, nothing.
template <Shape S>
[[nodiscard]] constexpr BytesIn<> dimensions(const Version& version)
{
    return BytesIn<>{k_and_l<S>}.first(version.seed_names_dimensions() ? 2 : 0);
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6) from line 2 on; K is left out, and tr, unless
/// there is room for it. Each row of t is made as soon as its polynomials are there, and the rows
/// are hashed beside those that follow. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen_from_expanded_seed(ExpandedSeed& seed,
                                                           BytesOut<S.public_key_bytes()> pk,
                                                           SecretKey<S>& key, BytesOut<> tr = {})
{
    copy(seed.rho(), key.rho);
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 6, line 8: rho is part of the public key");

    Matrix<S> a_hat;
    auto s_tasks = expand_s_tasks<S, Isa>(seed.rho_prime(), key.s);
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, a_hat);
    PublicRows<S, Isa> rows{key.rho, a_hat, key.s, key.t0, pk};
    PublicKeyHash<S, Isa> hash{rows, pk, tr};
    keccak::TaskList<Isa, S.k + S.l + S.k * S.l> tasks;
    if (hash.rows_before < S.k && !tr.empty()) {
        for (auto& task : s_tasks) tasks.add(task);  // which all rows need
        for (auto& task : a_tasks) tasks.add(task);
        // What is done from the first task on: they begin and end about in their order.
        std::size_t s_done = 0;
        std::size_t a_done = 0;
        const auto make_rows = [&] {
            while (s_done < s_tasks.size() && s_tasks[s_done].is_done()) ++s_done;
            while (a_done < a_tasks.size() && a_tasks[a_done].is_done()) ++a_done;
            if (s_done == s_tasks.size())
                while (a_done >= (rows.count() + 1) * S.l) rows.make_next();
            return rows.count() >= hash.rows_before;
        };
        keccak::Task* const hash_task = &hash;
        keccak::run<typename Isa::WideWords>(tasks.tasks(), make_rows, std::span{&hash_task, 1});
    } else {
        for (auto& task : a_tasks) tasks.add(task);
        for (auto& task : s_tasks) tasks.add(task);
        tasks.run();
        while (rows.count() < S.k) rows.make_next();
    }
    if (!tr.empty() && !hash.is_done()) hash_public_key<S, Isa>(pk, tr);
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen(const Version& version, BytesIn<seed_bytes> seed,
                                        BytesOut<S.public_key_bytes()> pk, BytesOut<> sk)
{
    ExpandedSeed expanded;
    keccak::Shake256<Isa>{}.absorb(seed).absorb(dimensions<S>(version)).squeeze(*expanded.bytes);
    SecretKey<S> key;
    keygen_from_expanded_seed<S, Isa>(expanded, pk, key, key.tr.room(version.tr_bytes));
    copy(expanded.key(), *key.key);
    sk_encode<S, Isa>(key, sk);
}

/// The public key of a secret key, made again from rho, s1 and s2, and all that the secret key says
/// besides compared. Constant time, but for the answer.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(const Version& version, BytesIn<> sk,
                                                           BytesOut<S.public_key_bytes()> pk)
{
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return KeyCheck::malformed;
    PolyVector<S.k, T0Poly> t0;
    std::array<Byte, mu_bytes> tr_again;
    const BytesOut<> tr = std::span{tr_again}.first(version.tr_bytes);
    Matrix<S> a_hat;
    expand_a<S, Isa>(key.rho, a_hat);
    PublicRows<S, Isa> rows{key.rho, a_hat, key.s, t0, pk};
    while (rows.count() < S.k) rows.make_next();
    hash_public_key<S, Isa>(pk, tr);

    Secret<std::uint32_t> difference{0};
    for (std::size_t i = 0; i < S.k; ++i)
        for (std::size_t j = 0; j < n; ++j)
            difference |= Secret<std::uint32_t>{static_cast<std::uint32_t>(t0[i].c[j] ^ key.t0[i].c[j])};
    for (std::size_t i = 0; i < tr.size(); ++i)
        difference |= Secret<std::uint32_t>{std::uint32_t{tr[i]} ^ key.tr.view()[i]};
    return declassify(difference, "a key that contradicts itself is refused, and may be known to be") == 0
               ? KeyCheck::good
               : KeyCheck::inconsistent;
}

}  // namespace girih::ml_dsa
