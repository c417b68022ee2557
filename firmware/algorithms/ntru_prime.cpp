/// NTRU Prime with the parameter set GIRIH_PARAMS. All random bytes come from the board; none are
/// expanded.
#include <array>

#include "app/algorithm.hpp"
#include "boards/board.hpp"
#include "isa/cortex_m/engine.hpp"
#include "ntru_prime/operations.hpp"

namespace girih::firmware::algorithm {
namespace {

constexpr ntru_prime::Params params = ntru_prime::GIRIH_PARAMS;

/// The engine, which wipes only as much stack as operations of this family use.
struct Isa : isa::cortex_m::Isa {
    static constexpr std::size_t ntru_prime_stack_bytes = params.is_streamlined() ? 19'968 : 24'576;
};
using Operations = ntru_prime::OperationsOf<params, Isa>;

std::array<Byte, params.public_key_bytes()> public_key_bytes;
std::array<Byte, params.secret_key_bytes()> secret_key_bytes;

constexpr ntru_prime::Randomness randomness{
    nullptr, [](const void*, Byte* out, std::size_t bytes) { return board::random({out, bytes}); }, nullptr,
    false};

}  // namespace

const Facts facts{GIRIH_NAME, params.public_key_bytes(), params.secret_key_bytes(),
                  params.ciphertext_bytes()};

BytesOut<> public_key() { return public_key_bytes; }
BytesOut<> secret_key() { return secret_key_bytes; }

bool keygen() { return Operations::keygen(randomness, public_key_bytes.data(), secret_key_bytes.data()); }

bool derive_public_key()
{
    return Operations::public_key(secret_key_bytes.data(), public_key_bytes.data()) ==
           ntru_prime::KeyCheck::good;
}

bool encapsulate(Byte* ciphertext, Byte* shared_secret)
{
    return Operations::encapsulate(randomness, public_key_bytes.data(), ciphertext, shared_secret);
}

void decapsulate(const Byte* ciphertext, Byte* shared_secret)
{
    Operations::decapsulate(secret_key_bytes.data(), ciphertext, shared_secret);
}

}  // namespace girih::firmware::algorithm
