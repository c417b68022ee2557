#include "api/falcon/tables.hpp"
#include "api/key_functions.hpp"

namespace girih::falcon_api {

using namespace api;

constinit const KeyFunctions keys{keygen<falcon::Operations>, nullptr, keygen_many<falcon::Operations>,
                                  public_key<falcon::Operations>};

}  // namespace girih::falcon_api
