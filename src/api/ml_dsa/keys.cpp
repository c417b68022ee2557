#include "api/key_functions.hpp"
#include "api/ml_dsa/tables.hpp"

namespace girih::ml_dsa_api {

using namespace api;

constinit const KeyFunctions keys{keygen<ml_dsa::Operations>, nullptr, keygen_many<ml_dsa::Operations>,
                                  public_key<ml_dsa::Operations>};

}  // namespace girih::ml_dsa_api
