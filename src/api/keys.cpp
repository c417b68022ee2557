#include <array>

#include "api/key_pairs.hpp"
#include "api/randomness.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"

using namespace girih;
using namespace girih::api;

namespace {

int make_from_seed(const girih_alg& alg, const uint8_t* seed, size_t seed_bytes, KeyPairBuffers& pair)
{
    GIRIH_TRY(check(seed, seed_bytes, alg.seed_bytes));
    GIRIH_TRY(check_engine());
    return alg.keys->keygen(alg, seed, pair.public_key.data(), pair.secret_key.data());
}

int make_at_random(const girih_alg& alg, const girih_random* random, KeyPairBuffers& pair)
{
    GIRIH_TRY(check_engine());
    if (is_piecewise(random) && alg.keys->keygen_piecewise != nullptr)
        return alg.keys->keygen_piecewise(alg, *random, pair.public_key.data(), pair.secret_key.data());
    Wiped<std::array<Byte, max_seed_bytes>> memory;
    const BytesOut<> seed = BytesOut<>{*memory}.first(alg.seed_bytes);
    if (!draw(random, seed)) return GIRIH_ERROR_RANDOM;
    return make_from_seed(alg, seed.data(), seed.size(), pair);
}

/// Randomness for results that are discarded: SHAKE256 of the secret key.
class CheckRandomness {
  public:
    explicit CheckRandomness(BytesIn<> secret_key) { hash_.absorb(secret_key); }
    [[nodiscard]] girih_random source() { return {fill, this, 0}; }

  private:
    static int fill(void* self, uint8_t* out, size_t bytes)
    {
        static_cast<CheckRandomness*>(self)->hash_.squeeze(BytesOut<>{out, bytes});
        return 0;
    }
    keccak::Shake256<isa::portable::Isa> hash_;
};

/// Signs and verifies a message.
int check_signing(const girih_alg* alg, const KeyPairBuffers& pair, const girih_random& random)
{
    static constexpr std::array<Byte, 14> message{'p', 'a', 'i', 'r', 'w', 'i', 's',
                                                  'e', ' ', 'c', 'h', 'e', 'c', 'k'};
    girih_options options{};
    options.random = &random;
    ResultBuffer<max_signature_bytes> signature{girih_signature_bytes(alg)};
    size_t bytes = 0;
    GIRIH_TRY(girih_sign(alg, pair.secret_key.view().data(), pair.secret_key.size(), message.data(),
                         message.size(), &options, signature.data(), signature.size(), &bytes));
    return girih_verify(alg, pair.public_key.view().data(), pair.public_key.size(), message.data(),
                        message.size(), &options, signature.data(), bytes);
}

/// Encapsulates and decapsulates a shared secret.
int check_encapsulation(const girih_alg* alg, const KeyPairBuffers& pair, const girih_random& random)
{
    using SharedSecret = std::array<Byte, ntru_prime::shared_secret_bytes>;
    ResultBuffer<max_ciphertext_bytes> ciphertext{girih_ciphertext_bytes(alg)};
    Wiped<SharedSecret> sent;
    Wiped<SharedSecret> received;
    GIRIH_TRY(girih_encapsulate(alg, &random, pair.public_key.view().data(), pair.public_key.size(),
                                ciphertext.data(), ciphertext.size(), sent->data(), sent->size()));
    GIRIH_TRY(girih_decapsulate(alg, pair.secret_key.view().data(), pair.secret_key.size(), ciphertext.data(),
                                ciphertext.size(), received->data(), received->size()));
    return check_equal(*sent, *received);
}

/// Whether the keys of a new pair belong together. Any error with a new pair is a fault.
int check_pairwise(const girih_alg* alg, const KeyPairBuffers& pair)
{
    CheckRandomness randomness{pair.secret_key.view()};
    const girih_random random = randomness.source();
    const int error =
        alg->kem != nullptr ? check_encapsulation(alg, pair, random) : check_signing(alg, pair, random);
    return error == GIRIH_OK ? GIRIH_OK : GIRIH_ERROR_FAULT;
}

}  // namespace

int girih_draw_seed(const girih_alg* alg, const girih_random* random, uint8_t* seed, size_t seed_bytes)
{
    Output seed_out{seed, seed_bytes};
    GIRIH_TRY(check_has(alg, &girih_alg::keys));
    GIRIH_TRY(check(seed, seed_bytes, alg->seed_bytes));
    GIRIH_TRY(check_engine());
    ResultBuffer<max_seed_bytes> drawn{seed_bytes};
    if (!draw(random, {drawn.data(), drawn.size()})) return GIRIH_ERROR_RANDOM;
    seed_out.write(drawn.view());
    return GIRIH_OK;
}

int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    return make_pair(check_has(alg, &girih_alg::keys), alg, public_key, public_key_bytes, secret_key,
                     secret_key_bytes,
                     [&](KeyPairBuffers& pair) { return make_from_seed(*alg, seed, seed_bytes, pair); });
}

// ML-DSA.KeyGen (FIPS 204, Algorithm 1): draws a seed and calls the engine's
// ML-DSA.KeyGen_internal.
int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                 size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    return make_pair(check_has(alg, &girih_alg::keys), alg, public_key, public_key_bytes, secret_key,
                     secret_key_bytes,
                     [&](KeyPairBuffers& pair) { return make_at_random(*alg, random, pair); });
}

int girih_keygen_checked(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                         size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    return make_pair(check_has(alg, &girih_alg::keys), alg, public_key, public_key_bytes, secret_key,
                     secret_key_bytes, [&](KeyPairBuffers& pair) {
                         GIRIH_TRY(make_at_random(*alg, random, pair));
                         return check_pairwise(alg, pair);
                     });
}

int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                     uint8_t* public_key, size_t public_key_bytes)
{
    Output public_out{public_key, public_key_bytes};
    GIRIH_TRY(check_has(alg, &girih_alg::keys));
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    ResultBuffer<max_public_key_bytes> made{public_key_bytes};
    GIRIH_TRY(check_engine());
    GIRIH_TRY(alg->keys->public_key(*alg, secret_key, made.data()));
    public_out.write(made.view());
    return GIRIH_OK;
}
