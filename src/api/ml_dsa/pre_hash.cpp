/// The hash functions of HashML-DSA on the portable engine, which take most of the space of what
/// signs and verifies here.
#include "api/ml_dsa/framing.hpp"

namespace girih::ml_dsa {

template class PreHash<isa::portable::Isa>;

}  // namespace girih::ml_dsa
