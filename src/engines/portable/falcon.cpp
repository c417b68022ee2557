#include "falcon/operations.hpp"

#include "isa/portable/lanes.hpp"

namespace girih::isa::portable {

extern const falcon::OperationsTable falcon_operations;
const falcon::OperationsTable falcon_operations = falcon::operations_of_all<Isa>;

}  // namespace girih::isa::portable
