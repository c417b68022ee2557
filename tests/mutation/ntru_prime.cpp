/// The portable engine with mutants of encapsulation, decapsulation and the check of keys, for one
/// ring of each kind; the rest, which would take minutes to compile, is the best engine's.
#include "ntru_prime/operations.hpp"

#include "api/objects/object.hpp"
#include "isa/portable/engine.hpp"
#include "mutation/best_engine.hpp"
#include "support/operations.hpp"

namespace girih::isa::portable {
namespace {

/// The operations of the best engine.
template <ntru_prime::Params P>
ntru_prime::Operations best()
{
    return test::ntru_prime_on(test::best_vector_engine(), api::place_of(ntru_prime::parameter_sets, P));
}

/// The operations of the best engine, with the mutants in their places.
template <ntru_prime::Params P, bool with_keygen>
ntru_prime::Operations mutated()
{
    using Of = ntru_prime::OperationsOf<P, Isa>;
    ntru_prime::Operations operations = best<P>();
    if constexpr (with_keygen) operations.keygen = Of::keygen;
    operations.public_key = Of::public_key;
    operations.encapsulate = Of::encapsulate;
    operations.decapsulate = Of::decapsulate;
    return operations;
}

}  // namespace
}  // namespace girih::isa::portable

namespace girih::ntru_prime {

using isa::portable::best;
using isa::portable::Isa;
using isa::portable::mutated;

template <>
const Operations OperationsOn<Isa, sntrup653>::table = mutated<sntrup653, true>();
template <>
const Operations OperationsOn<Isa, sntrup761>::table = mutated<sntrup761, false>();
template <>
const Operations OperationsOn<Isa, sntrup857>::table = best<sntrup857>();
template <>
const Operations OperationsOn<Isa, sntrup953>::table = best<sntrup953>();
template <>
const Operations OperationsOn<Isa, sntrup1013>::table = best<sntrup1013>();
template <>
const Operations OperationsOn<Isa, sntrup1277>::table = best<sntrup1277>();
template <>
const Operations OperationsOn<Isa, ntrulpr653>::table = mutated<ntrulpr653, true>();
template <>
const Operations OperationsOn<Isa, ntrulpr761>::table = best<ntrulpr761>();
template <>
const Operations OperationsOn<Isa, ntrulpr857>::table = best<ntrulpr857>();
template <>
const Operations OperationsOn<Isa, ntrulpr953>::table = best<ntrulpr953>();
template <>
const Operations OperationsOn<Isa, ntrulpr1013>::table = best<ntrulpr1013>();
template <>
const Operations OperationsOn<Isa, ntrulpr1277>::table = best<ntrulpr1277>();

}  // namespace girih::ntru_prime
