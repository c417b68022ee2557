/// The portable engine with the mutants of what encapsulates, decapsulates and checks keys, of a ring of each kind; the rest, which would
/// take minutes to compile, is that of the best engine.
#include "ntru_prime/operations.hpp"

#include <cstdio>
#include <cstdlib>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"

namespace girih::isa::portable {
namespace {

template <std::size_t i>
void mutate(ntru_prime::OperationsTable& table)
{
    using Of = ntru_prime::OperationsOf<ntru_prime::parameter_sets[i], Isa>;
    table[i].public_key = Of::public_key;
    table[i].encapsulate = Of::encapsulate;
    table[i].decapsulate = Of::decapsulate;
}

ntru_prime::OperationsTable table()
{
    const engines::Candidate& best = engines::candidates()[0];
    if (best.engine->name == "portable" || !best.runs_here()) {
        std::fputs("mutants need a processor with one of the vector engines\n", stderr);
        std::exit(3);
    }
    ntru_prime::OperationsTable made = best.engine->ntru_prime;
    constexpr std::size_t sntrup761 = 1;
    constexpr std::size_t ntrulpr653 = 6;
    mutate<0>(made);
    mutate<sntrup761>(made);
    mutate<ntrulpr653>(made);
    made[0].keygen = ntru_prime::OperationsOf<ntru_prime::sntrup653, Isa>::keygen;
    made[ntrulpr653].keygen = ntru_prime::OperationsOf<ntru_prime::ntrulpr653, Isa>::keygen;
    return made;
}

}  // namespace

extern const ntru_prime::OperationsTable ntru_prime_operations;
const ntru_prime::OperationsTable ntru_prime_operations = table();

}  // namespace girih::isa::portable
