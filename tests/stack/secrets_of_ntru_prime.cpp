#include "api/algorithms/algorithm.hpp"
#include "isa/portable/lanes.hpp"
#include "ntru_prime/interface.hpp"
#include "ntru_prime/kem.hpp"
#include "secrets.hpp"
#include "support/at_place.hpp"

namespace girih::stack {
namespace {

using namespace ntru_prime;
using Isa = isa::portable::Isa;

template <class Set>
void add_small(Secrets& secrets, const std::string& name, const Set& set, BytesIn<> encoded)
{
    secrets.add(name + ", encoded", encoded);
    Small<Set::room> small;
    small_decode<Isa>(set.ring, encoded, small);
    secrets.add_trits(name, std::span{small.c}.first(set.ring.p));
}

template <class Set>
void add_key(Secrets& secrets, const Set& set, BytesIn<> sk)
{
    const std::size_t small_bytes = set.ring.small_bytes();
    add_small(secrets, "f or a", set, sk.first(small_bytes));
    if (set.is_streamlined) add_small(secrets, "1/g", set, sk.subspan(small_bytes, small_bytes));
    secrets.add("rho", SecretKeyView<Set>{set, sk.data()}.rho());
}

/// The seed and what it is expanded to, which becomes polynomials; but not what NTRU
/// LPRime publishes of it.
template <class Set>
void add_seed(Secrets& secrets, const Set& set, BytesIn<seed_bytes> seed)
{
    secrets.add("seed", seed);
    test::ByteString expanded(2 * set.ring.p * sizeof(std::uint32_t));
    Expansion<Isa>{seed}.bytes(expanded);
    secrets.add("random words", BytesIn<>{expanded}.subspan(set.is_streamlined ? 0 : generator_bytes));
}

/// What is encapsulated with the randomness of the seed.
template <class Set>
void add_input(Secrets& secrets, const Set& set, BytesIn<seed_bytes> seed)
{
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

}  // namespace

Secrets secrets_of_ntru_prime(const test::EveryOperation& operations)
{
    Secrets secrets;
    test::at_place<parameter_sets.size()>(operations.alg->index, [&](auto place) {
        const auto& set = set_of<parameter_sets[place]>;
        const BytesIn<seed_bytes> seed{operations.seed};
        add_key(secrets, set, operations.given.secret_key);
        add_seed(secrets, set, seed);
        add_input(secrets, set, seed);
    });
    return secrets;
}

}  // namespace girih::stack
