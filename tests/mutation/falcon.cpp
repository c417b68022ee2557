/// The portable engine with the mutants of verification and of the check of keys; the rest, which
/// would take minutes to compile, is the best engine's.
#include "falcon/operations.hpp"

#include "api/objects/object.hpp"
#include "isa/portable/engine.hpp"
#include "mutation/best_engine.hpp"
#include "support/operations.hpp"

namespace girih::isa::portable {
namespace {

template <falcon::Params P>
falcon::Operations mutated()
{
    using Of = falcon::OperationsOf<P, Isa>;
    falcon::Operations operations =
        test::falcon_on(test::best_vector_engine(), api::place_of(falcon::parameter_sets, P));
    operations.public_key = Of::public_key;
    operations.verify = Of::verify;
    operations.verify_point = Of::verify_point;
    operations.verifying_key_size = sizeof(typename Of::VerifyingKey);
    operations.prepare_verifying_key = Of::prepare_verifying_key;
    operations.verify_prepared = Of::verify_prepared;
    operations.verify_many = Of::verify_many;
    return operations;
}

}  // namespace
}  // namespace girih::isa::portable

namespace girih::falcon {

using isa::portable::Isa;
using isa::portable::mutated;

template <>
const Operations OperationsOn<Isa, falcon_512>::table = mutated<falcon_512>();
template <>
const Operations OperationsOn<Isa, falcon_1024>::table = mutated<falcon_1024>();
template <>
const Operations OperationsOn<Isa, falcon_padded_512>::table = mutated<falcon_padded_512>();
template <>
const Operations OperationsOn<Isa, falcon_padded_1024>::table = mutated<falcon_padded_1024>();
template <>
const Operations OperationsOn<Isa, falcon_ct_512>::table = mutated<falcon_ct_512>();
template <>
const Operations OperationsOn<Isa, falcon_ct_1024>::table = mutated<falcon_ct_1024>();

}  // namespace girih::falcon
