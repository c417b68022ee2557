/// An algorithm that does nothing. An image with it is the baseline of an image's flash.
#include "app/algorithm.hpp"

namespace girih::firmware::algorithm {

const Facts facts{"", 0, 0, 0};

BytesOut<> public_key() { return {}; }
BytesOut<> secret_key() { return {}; }
bool keygen() { return false; }
bool derive_public_key() { return false; }
std::size_t sign(BytesIn<>, Byte*) { return 0; }
bool verify(BytesIn<>, BytesIn<>) { return false; }
bool encapsulate(Byte*, Byte*) { return false; }
void decapsulate(const Byte*, Byte*) {}

}  // namespace girih::firmware::algorithm
