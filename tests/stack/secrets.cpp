#include "secrets.hpp"

#include "api/algorithms/algorithm.hpp"
#include "api/falcon/tables.hpp"
#include "api/ml_dsa/tables.hpp"
#include "api/ml_kem/tables.hpp"
#include "falcon/interface.hpp"
#include "falcon/standard/sign.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/standard/keygen.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/sampling.hpp"
#include "ntru_prime/interface.hpp"
#include "ntru_prime/standard/kem.hpp"
#include "support/at_place.hpp"

namespace girih::stack {

using Isa = isa::portable::Isa;
using test::ByteString;
using test::expect_good;

// ---- Sponges

std::vector<std::uint64_t> sponge_states(BytesIn<> input, std::size_t blocks)
{
    using Lanes = Isa::SerialWords;
    constexpr keccak::Function function = keccak::shake256_function;
    std::array<Byte, 200> block{};
    std::ranges::copy(input, block.begin());
    block[input.size()] = function.suffix;
    block[function.rate - 1] |= 0x80;
    keccak::State<Lanes> state;
    for (std::size_t i = 0; i < keccak::words; ++i) state[i] = load_le64(&block[8 * i]);

    std::vector<std::uint64_t> states;
    for (std::size_t i = 0; i < blocks; ++i) {
        for (const std::uint64_t constant : keccak::tables::round_constants) {
            const keccak::State<Lanes> before = state;
            if (constant == keccak::tables::round_constants.back())
                states.insert(states.end(), before.begin(), before.end());
            keccak::round<Lanes>(before, state, constant);
        }
        states.insert(states.end(), state.begin(), state.end());
    }
    return states;
}

std::vector<std::uint64_t> numbered_sponge_states(BytesIn<> seed, std::size_t number, std::size_t blocks)
{
    ByteString numbered{seed.begin(), seed.end()};
    numbered.insert(numbered.end(), {static_cast<Byte>(number), static_cast<Byte>(number >> 8)});
    return sponge_states(numbered, blocks);
}

namespace {

// ---- ML-DSA

namespace of_ml_dsa {

using namespace ml_dsa;

/// A vector of small polynomials, in words and in bytes, and transformed.
template <class Vector>
void add_small(Secrets& secrets, const std::string& name, const Vector& vector)
{
    for (const auto& poly : vector.p) {
        secrets.add_small(name, poly.c);
        secrets.add_small(name + " in bytes", std::vector<std::int8_t>(poly.c.begin(), poly.c.end()));
        secrets.add("NTT(" + name + ")", ntt<Isa>(poly).c);
    }
}

template <Shape S>
void add_key(Secrets& secrets, const Version& version, const PreparedSigningKey<S>& prepared, BytesIn<> sk)
{
    SecretKey<S> key;
    expect_good(sk_decode<S, Isa>(version, sk, key) ? GIRIH_OK : GIRIH_ERROR_SECRET_KEY);
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
    ByteString input{seed.begin(), seed.end()};
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
    ByteString input{key.key->begin(), key.key->end()};
    if (version.is_hedged()) input.resize(input.size() + version.rnd_bytes());
    input.insert(input.end(), mu.begin(), mu.end());
    secrets.add("the sponge of K", sponge_states(input, 1));

    MasksOnDemand<S, Isa> masks{rho_double_prime};
    MaskPoly<S> y;
    std::size_t kappa = 0;
    for (;; kappa += S.l) {
        masks.next(kappa);
        unpack_mask<S, Isa>(masks.mask()[0], y);
        if (is_short<S>(signature.z[0].c, y.c)) break;
    }
    for (std::size_t i = 0; i < S.l; ++i) {
        unpack_mask<S, Isa>(masks.mask()[i], y);
        secrets.add("y", y.c);
        secrets.add("y in bytes", masks.mask()[i]);
        secrets.add("NTT(y)", ntt<Isa>(y).c);
        secrets.add("a sponge of rho''", numbered_sponge_states(rho_double_prime, kappa + i, 5));
    }
    Attempt<S> w;
    Scratch<S> scratch;
    commit<S, Isa>(key.a_hat, masks.mask(), scratch, w);
    for (const auto& w0 : w.low.p) secrets.add("w0", w0.c);
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
    const test::KeyMemory memory{sizeof(PreparedSigningKey<S>)};
    (void)OperationsOn<Isa, P>::table.prepare_signing_key(operations.given.secret_key.data(), memory.data());
    const auto& prepared = *static_cast<const PreparedSigningKey<S>*>(memory.data());
    Signature<S> signature;
    (void)sig_decode<S, Isa>(P, operations.given.signature, signature);
    add_key<S>(secrets, P, prepared, operations.given.secret_key);
    add_seed(secrets, P, operations.seed);
    add_signing<S>(secrets, prepared, BytesIn<mu_bytes>{operations.mu}, signature);
}

}  // namespace of_ml_dsa

// ---- Falcon

namespace of_falcon {

using namespace falcon;

/// Values at roots: eight bytes each, unless they are a small power of two or 0.
template <std::size_t count>
void add_values(Secrets& secrets, const std::string& name, const std::array<Isa::Fpr, count>& values)
{
    std::vector<std::uint64_t> telling;
    for (const Isa::Fpr& a : values)
        if ((a.bits() & 0xFFFFFFFF) != 0) telling.push_back(a.bits());
    secrets.add(name, telling);
}

template <Params P>
void add_all(Secrets& secrets, const test::EveryOperation& operations)
{
    constexpr Shape shape = P.shape();
    const BytesIn<P.secret_key_bytes()> sk{operations.given.secret_key};
    secrets.add("seed", operations.seed);
    secrets.add("secret key", sk.template subspan<1>());
    Basis<P.n()> basis;
    expect_good(decode_secret_key<shape, Isa>(sk, basis) ? GIRIH_OK : GIRIH_ERROR_SECRET_KEY);
    secrets.add_small("f", basis.f);
    secrets.add_small("g", basis.g);
    secrets.add_small("F", basis.big_f);
    secrets.add_small("G", basis.big_g);

    const test::KeyMemory memory{sizeof(PreparedSigningKey<shape, Isa>)};
    (void)OperationsOn<Isa, P>::table.prepare_signing_key(sk.data(), memory.data());
    const auto& prepared = *static_cast<const PreparedSigningKey<shape, Isa>*>(memory.data());
    for (const auto* values :
         {&prepared.basis.b00, &prepared.basis.b01, &prepared.basis.b10, &prepared.basis.b11})
        add_values(secrets, "values of the basis", *values);
    add_values(secrets, "tree", prepared.l10);
    add_values(secrets, "tree", prepared.left);
    add_values(secrets, "tree", prepared.right);
}

}  // namespace of_falcon

// ---- ML-KEM

namespace of_ml_kem {

using namespace ml_kem;

std::array<Byte, 64> g(BytesIn<> first, BytesIn<> second)
{
    std::array<Byte, 64> digest;
    keccak::Sha3<Isa, 64>{}.absorb(first).absorb(second).squeeze(digest);
    return digest;
}

/// A factor in the forms that engines have: pairs, or NEON's vectors of one coefficient of each
/// pair.
void add_factor(Secrets& secrets, const std::string& name, const Coefficients& f)
{
    Factor factor;
    make_factor<Isa>(f, factor);
    secrets.add(name + ", as a factor", factor.straight);
    secrets.add(name + ", as a factor", factor.crossed);
    std::array<Coefficient, n / 2> b0;
    std::array<Coefficient, n / 2> b1;
    for (std::size_t i = 0; i < n / 2; ++i) {
        b1[i] = factor.crossed[2 * i];
        b0[i] = factor.crossed[2 * i + 1];
    }
    secrets.add(name + ", as a factor", b0);
    secrets.add(name + ", as a factor", b1);
}

void add_noise(Secrets& secrets, const std::string& name, BytesIn<32> sigma, std::size_t number, int eta)
{
    ByteString input{sigma.begin(), sigma.end()};
    input.push_back(static_cast<Byte>(number));
    ByteString bytes(64 * static_cast<std::size_t>(eta));
    keccak::Shake256<Isa>{}.absorb(input).squeeze(bytes);
    secrets.add(name + ", its sponge", sponge_states(input, eta == 2 ? 1 : 2));
    NoisePoly noise;
    if (eta == 2)
        sample_poly_cbd<2, Isa>(BytesIn<128>{bytes}, noise.c);
    else
        sample_poly_cbd<3, Isa>(BytesIn<192>{bytes}, noise.c);
    secrets.add_small(name, noise.c);
    NttPoly transformed;
    ntt<Isa>(noise, transformed);
    secrets.add(name + ", transformed", transformed.c);
    make_canonical<Isa>(transformed.c);
    secrets.add(name + ", canonical", transformed.c);
    add_factor(secrets, name, transformed.c);
}

void add_key(Secrets& secrets, const Params& p, const DecapsulationKeyView& key)
{
    secrets.add("s^, encoded", key.s_hat());
    secrets.add("z", key.z());
    for (std::size_t i = 0; i < p.k; ++i) {
        Coefficients s;
        byte_decode<12, Isa>(key.s_hat().subspan(i * poly_bytes, poly_bytes), s);
        secrets.add("s^", s);
        add_factor(secrets, "s^", s);
    }
}

/// With what is encapsulated where m is the seed's first half.
void add_all(Secrets& secrets, const test::EveryOperation& operations)
{
    const Params& p = parameter_sets[operations.alg->index];
    const DecapsulationKeyView key{p, operations.given.secret_key};
    add_key(secrets, p, key);
    const BytesIn<> seed = operations.seed;
    const auto seeds = g(seed.first(32), ByteString{static_cast<Byte>(p.k)});
    const BytesIn<32> sigma = BytesIn<64>{seeds}.last<32>();
    secrets.add("seed", seed);
    secrets.add("sigma", sigma);
    for (std::size_t i = 0; i < 2 * p.k; ++i) add_noise(secrets, i < p.k ? "s" : "e", sigma, i, p.eta1);

    const auto key_and_r = g(seed.first(32), key.h());
    const BytesIn<32> r = BytesIn<64>{key_and_r}.last<32>();
    secrets.add("m", seed.first(32));
    secrets.add("K", BytesIn<64>{key_and_r}.first<32>());
    secrets.add("r", r);
    for (std::size_t i = 0; i <= 2 * p.k; ++i)
        add_noise(secrets, i < p.k ? "y" : "e1 or e2", r, i, i < p.k ? p.eta1 : eta2);
}

}  // namespace of_ml_kem

// ---- NTRU Prime

namespace of_ntru_prime {

using namespace ntru_prime;

template <class Set>
void add_small(Secrets& secrets, const std::string& name, const Set& set, BytesIn<> encoded)
{
    secrets.add(name + ", encoded", encoded);
    Small<Set::capacity> small;
    small_decode<Isa>(set.ring, encoded, small);
    secrets.add_trits(name, std::span{small.c}.first(set.ring.p));
}

template <class Set>
void add_all(Secrets& secrets, const Set& set, BytesIn<> sk, BytesIn<seed_bytes> seed)
{
    const std::size_t small_bytes = set.ring.small_bytes();
    add_small(secrets, "f or a", set, sk.first(small_bytes));
    if (set.is_streamlined) add_small(secrets, "1/g", set, sk.subspan(small_bytes, small_bytes));
    secrets.add("rho", SecretKeyView<Set>{set, sk.data()}.rho());

    // The seed is expanded to what becomes polynomials; NTRU LPRime publishes the first of it.
    secrets.add("seed", seed);
    ByteString expanded(2 * set.ring.p * sizeof(std::uint32_t));
    Expansion<Isa>{seed}.bytes(expanded);
    secrets.add("random words", BytesIn<>{expanded}.subspan(set.is_streamlined ? 0 : generator_bytes));

    // The seed's randomness decides what is encapsulated.
    RandomStream<Isa> random{Randomness{seed.data()}};
    typename Core<Set, Isa>::Input input;
    Core<Set, Isa>::random_input(set, random, input);
    if constexpr (Set::is_streamlined)
        add_small(secrets, "r", set, BytesIn<>{input}.first(set.input_bytes));
    else
        secrets.add("r", input);
    std::array<Byte, hash_bytes> hash;
    hash_input<Set, Isa>(set, input, hash);
    secrets.add("hash of r", hash);
}

}  // namespace of_ntru_prime
}  // namespace

Secrets secrets_of(const test::EveryOperation& operations)
{
    const girih_alg& alg = *operations.alg;
    Secrets secrets;
    if (alg.keys == &ml_kem_api::keys)
        of_ml_kem::add_all(secrets, operations);
    else if (alg.keys == &ml_dsa_api::keys)
        test::at_place<ml_dsa::parameter_sets.size()>(alg.index, [&](auto place) {
            of_ml_dsa::add_all<ml_dsa::parameter_sets[place]>(secrets, operations);
        });
    else if (alg.keys == &falcon_api::keys)
        test::at_place<falcon::parameter_sets.size()>(alg.index, [&](auto place) {
            of_falcon::add_all<falcon::parameter_sets[place]>(secrets, operations);
        });
    else
        test::at_place<ntru_prime::parameter_sets.size()>(alg.index, [&](auto place) {
            of_ntru_prime::add_all(secrets, ntru_prime::set_of<ntru_prime::parameter_sets[place]>,
                                   operations.given.secret_key,
                                   BytesIn<ntru_prime::seed_bytes>{operations.seed});
        });
    return secrets;
}

}  // namespace girih::stack
