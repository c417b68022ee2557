#include "engines/reference_keys.hpp"

#include "falcon/standard/keygen/keygen.hpp"
#include "isa/doubles/float_mode.hpp"
#include "isa/portable/engine.hpp"

namespace girih::engines {
namespace {

using isa::portable::Isa;

template <falcon::Shape S>
void make(const Byte* seed, Byte* pk, Byte* sk)
{
    [[maybe_unused]] const isa::FloatMode<Isa::Fpr::is_native> mode;
    falcon::keygen<S, Isa>(BytesIn<falcon::seed_bytes>{seed, falcon::seed_bytes},
                           BytesOut<S.public_key_bytes()>{pk, S.public_key_bytes()},
                           BytesOut<S.secret_key_bytes()>{sk, S.secret_key_bytes()});
}

}  // namespace

void falcon_reference_keygen(unsigned logn, const Byte* seed, Byte* pk, Byte* sk)
{
    return logn == 9 ? make<falcon::falcon_512.shape()>(seed, pk, sk)
                     : make<falcon::falcon_1024.shape()>(seed, pk, sk);
}

}  // namespace girih::engines
