#include "api/algorithms/algorithm.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/kem.hpp"
#include "secrets.hpp"

namespace girih::stack {
namespace {

using namespace ml_kem;
using Isa = isa::portable::Isa;

std::array<Byte, 64> g(BytesIn<> first, BytesIn<> second)
{
    std::array<Byte, 64> digest;
    keccak::Sha3<Isa, 64>{}.absorb(first).absorb(second).squeeze(digest);
    return digest;
}

void add_noise(Secrets& secrets, const std::string& name, BytesIn<32> sigma, std::size_t number, int eta)
{
    test::ByteString bytes(64 * static_cast<std::size_t>(eta));
    keccak::Shake256<Isa>{}.absorb(sigma).absorb(static_cast<Byte>(number)).squeeze(bytes);
    secrets.add(name + ", its bytes", bytes);
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
    Factor factor;
    make_factor<Isa>(transformed.c, factor);
    secrets.add(name + ", as a factor", factor.straight);
}

void add_key(Secrets& secrets, const Params& p, const DecapsulationKeyView& key)
{
    secrets.add("s^, encoded", key.s_hat());
    secrets.add("z", key.z());
    for (std::size_t i = 0; i < p.k; ++i) {
        Coefficients s;
        byte_decode<12, Isa>(key.s_hat().subspan(i * poly_bytes, poly_bytes), s);
        secrets.add("s^", s);
        Factor factor;
        make_factor<Isa>(s, factor);
        secrets.add("s^, as a factor", factor.straight);
        secrets.add("s^, crossed", factor.crossed);
    }
}

void add_seed(Secrets& secrets, const Params& p, BytesIn<> seed)
{
    const auto k = static_cast<Byte>(p.k);
    const auto seeds = g(seed.first(32), BytesIn<>{&k, 1});
    const BytesIn<32> sigma = BytesIn<64>{seeds}.last<32>();
    secrets.add("seed", seed);
    secrets.add("sigma", sigma);
    for (std::size_t i = 0; i < 2 * p.k; ++i) add_noise(secrets, i < p.k ? "s" : "e", sigma, i, p.eta1);
}

/// What is encapsulated where m is the seed's first half.
void add_message(Secrets& secrets, const Params& p, BytesIn<> m, BytesIn<> h)
{
    const auto key_and_r = g(m, h);
    const BytesIn<32> r = BytesIn<64>{key_and_r}.last<32>();
    secrets.add("m", m);
    secrets.add("K", BytesIn<64>{key_and_r}.first<32>());
    secrets.add("r", r);
    for (std::size_t i = 0; i <= 2 * p.k; ++i)
        add_noise(secrets, i < p.k ? "y" : "e1 or e2", r, i, i < p.k ? p.eta1 : eta2);
}

}  // namespace

Secrets secrets_of_ml_kem(const test::EveryOperation& operations)
{
    const Params& p = parameter_sets[operations.alg->index];
    const DecapsulationKeyView key{p, operations.given.secret_key};
    Secrets secrets;
    add_key(secrets, p, key);
    add_seed(secrets, p, operations.seed);
    add_message(secrets, p, BytesIn<>{operations.seed}.first(32), key.h());
    return secrets;
}

}  // namespace girih::stack
