/// The hash functions of HashML-DSA on the portable engine, which are most of the code for signing
/// and verifying in this folder.
#include "api/ml_dsa/framing.hpp"

namespace girih::ml_dsa {

template class PreHash<isa::portable::Isa>;

}  // namespace girih::ml_dsa
