#include "ntru_prime/operations.hpp"

#include "isa/reference/lanes.hpp"

namespace girih::isa::reference {

extern const ntru_prime::OperationsTable ntru_prime_operations;
const ntru_prime::OperationsTable ntru_prime_operations = ntru_prime::operations_of_all<Isa>;

}  // namespace girih::isa::reference
