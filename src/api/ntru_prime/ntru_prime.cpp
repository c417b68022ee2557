/// NTRU Prime: a key pair or an encapsulation is made from a seed, or from a source that provides
/// each piece that the specification draws.
#include <array>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/key_functions.hpp"
#include "api/ntru_prime/tables.hpp"
#include "api/randomness.hpp"

namespace girih::ntru_prime_api {

using namespace api;

namespace {

using ntru_prime::Operations;
using ntru_prime::Randomness;

Randomness pieces_of(const girih_random& random)
{
    const auto fill = [](const void* source, Byte* out, std::size_t bytes) {
        return draw(*static_cast<const girih_random*>(source), {out, bytes});
    };
    return {nullptr, fill, &random};
}

int keygen_from(const girih_alg& alg, const Randomness& randomness, Byte* pk, Byte* sk)
{
    return alg.on_engine<Operations>().keygen(randomness, pk, sk) ? GIRIH_OK : GIRIH_ERROR_RANDOM;
}

int keygen(const girih_alg& alg, const Byte* seed, Byte* pk, Byte* sk)
{
    return keygen_from(alg, {seed}, pk, sk);
}

int keygen_piecewise(const girih_alg& alg, const girih_random& random, Byte* pk, Byte* sk)
{
    return keygen_from(alg, pieces_of(random), pk, sk);
}

int encapsulate(const girih_alg& alg, const girih_encapsulation_key*, const girih_random* random,
                const Byte* pk, Byte* ciphertext, Byte* shared_secret)
{
    Wiped<std::array<Byte, ntru_prime::seed_bytes>> seed;
    Randomness randomness{seed->data()};
    if (is_piecewise(random)) {
        randomness = pieces_of(*random);
    } else if (!draw(random, *seed)) {
        return GIRIH_ERROR_RANDOM;
    }
    return alg.on_engine<Operations>().encapsulate(randomness, pk, ciphertext, shared_secret)
               ? GIRIH_OK
               : GIRIH_ERROR_RANDOM;
}

int decapsulate(const girih_alg& alg, const girih_decapsulation_key*, const Byte* sk, const Byte* ciphertext,
                Byte* shared_secret)
{
    alg.on_engine<Operations>().decapsulate(sk, ciphertext, shared_secret);
    return GIRIH_OK;
}

}  // namespace

constinit const KeyFunctions keys{keygen, keygen_piecewise, for_batches(keygen_many<Operations>),
                                  public_key<Operations>};
constinit const KemFunctions kem{
    ntru_prime::shared_secret_bytes, encapsulate, decapsulate, nullptr, nullptr, nullptr};

}  // namespace girih::ntru_prime_api
