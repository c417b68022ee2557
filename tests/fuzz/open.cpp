/// Signed messages: the one that was signed opens to the message; any other input gives nothing.
#include <algorithm>

#include "fuzz/honest.hpp"

namespace girih::fuzz {

void check_input(Input input)
{
    const Honest& key = honest(input.byte(), has_crypto_sign);
    const Byte mode = input.byte();
    const bool of_public_key = (mode & other) != 0;
    const ByteString public_key = of_public_key ? changed(key.public_key, mode, input) : key.public_key;
    const ByteString framed = of_public_key ? key.signed_message : changed(key.signed_message, mode, input);
    ByteString opened(framed.size(), 0xAA);
    std::size_t bytes = 1;
    const int code = call(girih_crypto_sign_open, key.alg, public_key, framed, opened, &bytes);
    const auto all_zero = [&opened](std::size_t from) {
        return std::all_of(opened.begin() + static_cast<std::ptrdiff_t>(from), opened.end(),
                           [](Byte b) { return b == 0; });
    };
    if (code != GIRIH_OK) {
        require(bytes == 0 && all_zero(0), "what does not open leaves nothing");
        require(public_key != key.public_key || framed != key.signed_message, "what was signed opens");
        return;
    }
    // (A public key with a small change may still accept the signature.)
    require(of_public_key || framed == key.signed_message, "what was signed opens and nothing else");
    require(bytes == message.size() && std::equal(message.begin(), message.end(), opened.begin()),
            "what opens is the message that was signed");
}

}  // namespace girih::fuzz
