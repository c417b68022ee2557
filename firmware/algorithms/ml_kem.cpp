/// ML-KEM with the parameter set GIRIH_PARAMS. Decapsulation does not check the key: generated keys
/// need no check, and imported ones are checked on import.
#include <array>

#include "app/algorithm.hpp"
#include "boards/board.hpp"
#include "core/wipe.hpp"
#include "isa/cortex_m/engine.hpp"
#include "ml_kem/small/ring.hpp"
#include "ml_kem/standard/kem.hpp"

namespace girih::firmware::algorithm {
namespace {

constexpr ml_kem::Params params = ml_kem::GIRIH_PARAMS;
using Scheme = ml_kem::Scheme<params, ml_kem::small::Ring<isa::cortex_m::Isa>>;

std::array<Byte, params.public_key_bytes()> public_key_bytes;
std::array<Byte, params.secret_key_bytes()> secret_key_bytes;

}  // namespace

const Facts facts{GIRIH_NAME, params.public_key_bytes(), params.secret_key_bytes(),
                  params.ciphertext_bytes()};

BytesOut<> public_key() { return public_key_bytes; }
BytesOut<> secret_key() { return secret_key_bytes; }

bool keygen()
{
    Wiped<std::array<Byte, ml_kem::seed_bytes>> seed;
    if (!board::random(*seed)) return false;
    Scheme::keygen(*seed, public_key_bytes, secret_key_bytes);
    return true;
}

bool derive_public_key()
{
    return Scheme::public_key(secret_key_bytes, public_key_bytes) == ml_kem::KeyCheck::good;
}

bool encapsulate(Byte* ciphertext, Byte* shared_secret)
{
    // m is in the shared secret's memory: it is used before the secret is written.
    const Scheme::SharedSecretOut secret{shared_secret, shared_secret_bytes};
    return board::random(secret) &&
           Scheme::encapsulate(public_key_bytes, secret,
                               Scheme::CiphertextOut{ciphertext, params.ciphertext_bytes()}, secret);
}

void decapsulate(const Byte* ciphertext, Byte* shared_secret)
{
    Scheme::decapsulate(secret_key_bytes, Scheme::CiphertextIn{ciphertext, params.ciphertext_bytes()},
                        Scheme::SharedSecretOut{shared_secret, shared_secret_bytes});
}

}  // namespace girih::firmware::algorithm
