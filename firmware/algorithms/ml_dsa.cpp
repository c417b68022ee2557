/// ML-DSA or Dilithium with the parameter set GIRIH_PARAMS, by the plan GIRIH_PLAN. Signing is
/// hedged (or randomized), because the board has random bytes.
#include <algorithm>
#include <array>

#include "app/algorithm.hpp"
#include "boards/board.hpp"
#include "core/wipe.hpp"
#include "isa/cortex_m/engine.hpp"
#include "ml_dsa/small/scheme.hpp"

namespace girih::firmware::algorithm {
namespace {

constexpr ml_dsa::Params params = ml_dsa::GIRIH_PARAMS;
using Scheme = ml_dsa::small::Scheme<params, isa::cortex_m::Isa, ml_dsa::small::Plan::GIRIH_PLAN>;

/// No context.
constexpr ml_dsa::Frame frame = params.has_context() ? ml_dsa::Frame::with({}) : ml_dsa::Frame::none();

std::array<Byte, params.public_key_bytes()> public_key_bytes;
std::array<Byte, params.secret_key_bytes()> secret_key_bytes;

}  // namespace

const Facts facts{GIRIH_NAME, params.public_key_bytes(), params.secret_key_bytes(), params.signature_bytes()};

BytesOut<> public_key() { return public_key_bytes; }
BytesOut<> secret_key() { return secret_key_bytes; }

bool keygen()
{
    Wiped<std::array<Byte, ml_dsa::seed_bytes>> seed;
    if (!board::random(*seed)) return false;
    Scheme::keygen(*seed, public_key_bytes, secret_key_bytes);
    return true;
}

bool derive_public_key()
{
    return Scheme::public_key(secret_key_bytes, public_key_bytes) == ml_dsa::KeyCheck::good;
}

std::size_t sign(BytesIn<> message, Byte* signature)
{
    // rnd is in the signature's memory: it is used before the signature is written.
    const BytesOut<params.signature_bytes()> out{signature, params.signature_bytes()};
    const auto rnd = out.first<params.rnd_bytes()>();
    if (!board::random(rnd)) return 0;
    return Scheme::sign(secret_key_bytes, frame, message, rnd, out) == ml_dsa::SignResult::good
               ? params.signature_bytes()
               : 0;
}

bool verify(BytesIn<> message, BytesIn<> signature)
{
    return signature.size() == params.signature_bytes() &&
           Scheme::verify_vartime(public_key_bytes, frame, message,
                                  signature.first<params.signature_bytes()>());
}

}  // namespace girih::firmware::algorithm
