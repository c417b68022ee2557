#include "ml_dsa/operations.hpp"

#include "isa/portable/lanes.hpp"

namespace girih::isa::portable {

extern const ml_dsa::OperationsTable ml_dsa_operations;
const ml_dsa::OperationsTable ml_dsa_operations = ml_dsa::operations_of_all<Isa>;

}  // namespace girih::isa::portable
