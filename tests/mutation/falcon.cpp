/// The portable engine with the mutants of what verifies and checks keys; the rest, which would take minutes to compile, is that of the
/// best engine.
#include "falcon/operations.hpp"

#include <cstdio>
#include <cstdlib>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"

namespace girih::isa::portable {
namespace {

template <std::size_t i>
void mutate(falcon::OperationsTable& table)
{
    using Of = falcon::OperationsOf<falcon::parameter_sets[i], Isa>;
    falcon::Operations& operations = table[i];
    operations.public_key = Of::public_key;
    operations.verify = Of::verify;
    operations.verify_point = Of::verify_point;
    operations.verifying_key_size = sizeof(typename Of::VerifyingKey);
    operations.prepare_verifying_key = Of::prepare_verifying_key;
    operations.verify_prepared = Of::verify_prepared;
    operations.verify_many = Of::verify_many;
}

falcon::OperationsTable table()
{
    const engines::Candidate& best = engines::candidates()[0];
    if (best.engine->name == "portable" || !best.runs_here()) {
        std::fputs("mutants need a processor with one of the vector engines\n", stderr);
        std::exit(3);
    }
    falcon::OperationsTable made = best.engine->falcon;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (mutate<i>(made), ...);
    }(std::make_index_sequence<falcon::parameter_sets.size()>{});
    return made;
}

}  // namespace

extern const falcon::OperationsTable falcon_operations;
const falcon::OperationsTable falcon_operations = table();

}  // namespace girih::isa::portable
