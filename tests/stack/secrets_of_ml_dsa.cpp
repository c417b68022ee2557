#include "api/algorithms/algorithm.hpp"
#include "isa/portable/lanes.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/sign.hpp"
#include "secrets.hpp"
#include "sponge_states.hpp"
#include "support/at_place.hpp"

namespace girih::stack {
namespace {

using namespace ml_dsa;
using Isa = isa::portable::Isa;

template <class Vector>
void add_all(Secrets& secrets, const std::string& name, const Vector& vector)
{
    for (const auto& poly : vector.p) secrets.add(name, poly.c);
}

/// A vector of small polynomials, in words and in bytes, and transformed.
template <class Vector>
void add_small(Secrets& secrets, const std::string& name, const Vector& vector)
{
    for (const auto& poly : vector.p) {
        std::array<std::int8_t, n> bytes;
        std::ranges::transform(poly.c, bytes.begin(), [](auto c) { return static_cast<std::int8_t>(c); });
        secrets.add_small(name, poly.c);
        secrets.add_small(name + " in bytes", bytes);
        secrets.add("NTT(" + name + ")", ntt<Isa>(poly).c);
    }
}

template <Shape S>
void add_key(Secrets& secrets, const Version& version, const PreparedSigningKey<S>& prepared, BytesIn<> sk)
{
    SecretKey<S> key;
    test::expect_good(sk_decode<S, Isa>(version, sk, key) ? GIRIH_OK : GIRIH_ERROR_SECRET_KEY);
    secrets.add("K", *key.key);
    secrets.add("packed s1, s2 and t0", sk.subspan(rho_bytes + key_bytes + version.tr_bytes));
    add_small(secrets, "s1", key.s.s1);
    add_small(secrets, "s2", key.s.s2);
    for (const auto& t0 : key.t0.p) {
        secrets.add_small("t0", t0.c);
        secrets.add("NTT(t0)", ntt<Isa>(t0).c);
    }
    PolyVector<S.l, decltype(ntt<Isa>(key.s.s1[0]))> s1_hat;
    for (std::size_t j = 0; j < S.l; ++j) s1_hat[j] = ntt<Isa>(key.s.s1[j]);
    for (const auto& row : prepared.a_hat) {
        const auto a_s1 = dot<Isa>(row, s1_hat);
        secrets.add("NTT(A s1)", a_s1.c);
        secrets.add("A s1", inverse_ntt<Isa>(a_s1).c);
    }
}

/// The first part of ML-DSA.KeyGen_internal again: rho' and what lies between it and s1, s2.
void add_seed(Secrets& secrets, const Params& p, BytesIn<> seed)
{
    test::ByteString input{seed.begin(), seed.end()};
    if (p.seed_names_dimensions())
        input.insert(input.end(), {static_cast<Byte>(p.k), static_cast<Byte>(p.l)});
    std::array<Byte, rho_bytes> rho;
    std::array<Byte, rho_prime_bytes> rho_prime;
    keccak::Shake256<Isa>{}.absorb(input).squeeze(rho).squeeze(rho_prime);
    secrets.add("seed", seed);
    secrets.add("rho'", rho_prime);
    auto sponge = sponge_states(input, 1);
    const auto squeezed = sponge.end() - keccak::words;
    sponge.erase(squeezed, squeezed + rho_bytes / 8);  // rho, which is public
    secrets.add("the sponge of the seed", sponge);
    for (std::size_t r = 0; r < p.k + p.l; ++r)
        secrets.add("a sponge of rho'", numbered_sponge_states(rho_prime, r, 3));
}

/// Whether z - y is as short as c s1.
template <Shape S>
bool is_short(const Coefficients& z, const Coefficients& y)
{
    return std::ranges::equal(z, y, [](auto a, auto b) { return std::abs(a - b) <= S.beta(); });
}

/// The last attempt of ML-DSA.Sign_internal again.
template <Shape S>
void add_signing(Secrets& secrets, const PreparedSigningKey<S>& key, BytesIn<mu_bytes> mu,
                 const Signature<S>& signature)
{
    const Version& version = key.version;
    std::array<Byte, rho_prime_bytes> rho_double_prime;
    private_random_seed<Isa>(version, *key.key, {}, mu, rho_double_prime);
    secrets.add("rho''", rho_double_prime);
    test::ByteString input{key.key->begin(), key.key->end()};
    if (version.is_hedged()) input.resize(input.size() + version.rnd_bytes());
    input.insert(input.end(), mu.begin(), mu.end());
    secrets.add("the sponge of K", sponge_states(input, 1));

    PolyVector<S.l, MaskPoly<S>> y;
    std::size_t kappa = 0;
    expand_mask<S, Isa>(rho_double_prime, kappa, y);
    while (!is_short<S>(signature.z[0].c, y[0].c)) expand_mask<S, Isa>(rho_double_prime, kappa += S.l, y);
    for (std::size_t i = 0; i < S.l; ++i) {
        secrets.add("NTT(y)", ntt<Isa>(y[i]).c);
        secrets.add("a sponge of rho''", numbered_sponge_states(rho_double_prime, kappa + i, 5));
    }
    Attempt<S, Isa> w;
    Scratch<S> scratch;
    commit<S, Isa>(key.a_hat, Mask<S>{[&](std::size_t j) { return &y[j]; }}, scratch, w);
    add_all(secrets, "y", y);
    add_all(secrets, "w0", w.w0);
    const ChallengeTerms<S, Isa> c{sample_in_ball<S, Isa>(signature.c_tilde.view())};
    const auto product = [&](const auto& s) {
        Coefficients cs;
        kernels::add_product<Isa>(Coefficients{}, c.terms(), s, scratch.cs, cs);
        return cs;
    };
    for (const auto& s1 : key.s1) secrets.add_small("c s1", product(s1));
    for (const auto& s2 : key.s2) secrets.add_small("c s2", product(s2));
}

template <Params P>
void add_all(Secrets& secrets, const test::EveryOperation& operations)
{
    constexpr Shape S = P.shape();
    test::KeyMemory memory{sizeof(PreparedSigningKey<S>)};
    (void)OperationsOn<Isa, P>::table.prepare_signing_key(operations.given.secret_key.data(), memory.data());
    const auto& prepared = *static_cast<const PreparedSigningKey<S>*>(memory.data());
    Signature<S> signature;
    (void)sig_decode<S, Isa>(P, operations.given.signature, signature);
    add_key<S>(secrets, P, prepared, operations.given.secret_key);
    add_seed(secrets, P, operations.seed);
    add_signing<S>(secrets, prepared, BytesIn<mu_bytes>{operations.mu}, signature);
}

}  // namespace

Secrets secrets_of_ml_dsa(const test::EveryOperation& operations)
{
    Secrets secrets;
    test::at_place<parameter_sets.size()>(
        operations.alg->index, [&](auto place) { add_all<parameter_sets[place]>(secrets, operations); });
    return secrets;
}

}  // namespace girih::stack
