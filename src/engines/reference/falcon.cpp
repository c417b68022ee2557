#include "falcon/operations.hpp"

#include "isa/reference/lanes.hpp"

namespace girih::isa::reference {

extern const falcon::OperationsTable falcon_operations;
const falcon::OperationsTable falcon_operations = falcon::operations_of_all<Isa>;

}  // namespace girih::isa::reference
