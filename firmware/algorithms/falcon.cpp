/// Falcon with the parameter set GIRIH_PARAMS and the numbers of GIRIH_ENGINE.
#include <array>
#include <span>

#include "app/algorithm.hpp"
#include "boards/board.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/keygen/keygen.hpp"
#include "falcon/small/sign.hpp"
#include "falcon/small/verify.hpp"
#include "isa/cortex_m/engine.hpp"

namespace girih::firmware::algorithm {
namespace {

constexpr falcon::Params params = falcon::GIRIH_PARAMS;

/// The engine with tables for this degree only.
struct Isa : isa::cortex_m::GIRIH_ENGINE {
    [[maybe_unused]] static constexpr std::size_t max_degree = params.n();
    using Fpr = FprOf<Isa>;
};

std::array<Byte, params.public_key_bytes()> public_key_bytes;
std::array<Byte, params.secret_key_bytes()> secret_key_bytes;

}  // namespace

const Facts facts{GIRIH_NAME, params.public_key_bytes(), params.secret_key_bytes(), params.signature_bytes()};

BytesOut<> public_key() { return public_key_bytes; }
BytesOut<> secret_key() { return secret_key_bytes; }

bool keygen()
{
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;
    if (!board::random(*seed)) return false;
    falcon::fast_keygen<params.shape(), Isa>(*seed, public_key_bytes, secret_key_bytes);
    return true;
}

bool derive_public_key()
{
    return falcon::public_key_compactly<params, Isa>(secret_key_bytes, public_key_bytes);
}

std::size_t sign(BytesIn<> message, Byte* signature)
{
    std::array<Byte, falcon::salt_bytes> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;
    if (!board::random(salt) || !board::random(*seed)) return 0;
    girih::declassify(std::span{salt}, "Section 3.10: the salt is part of the signature");
    return falcon::SmallSigning<params, Isa>::sign(
               secret_key_bytes, message, {salt, *seed},
               BytesOut<params.signature_bytes()>{signature, params.signature_bytes()})
        .bytes;
}

bool verify(BytesIn<> message, BytesIn<> signature)
{
    return falcon::SmallVerification<params, Isa>::verify_vartime(public_key_bytes, message, signature);
}

}  // namespace girih::firmware::algorithm
