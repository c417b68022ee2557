/// The firmware's code of an algorithm, on secrets that the memory checker knows to be secret:
///
///     valgrind --error-exitcode=99 girih_constant_time_falcon-512
///
/// The object of firmware/algorithms is compiled for this machine, its engine's assembly replaced
/// by C++. As in operations.cpp, results are used as if they were public.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "app/algorithm.hpp"
#include "boards/board.hpp"
#include "steps.hpp"

namespace girih::firmware {

/// Bytes that differ from call to call, all of them secret.
bool board::random(BytesOut<> out)
{
    static std::uint32_t counter = 1;
    for (Byte& byte : out) byte = static_cast<Byte>(counter++ * 167 >> 3);
    test::mark_secret(out);
    return true;
}

namespace {

using Bytes = std::vector<Byte>;
using test::mark_public;
using test::mark_secret;

/// Whether a secret key with a changed byte gives a public key.
bool derives_of_changed_key(std::size_t changed, Byte change)
{
    const BytesOut<> key = algorithm::secret_key();
    const Bytes original(key.begin(), key.end());
    key[changed] ^= change;
    mark_secret(algorithm::secret_key());
    const bool is_good = algorithm::derive_public_key();
    copy(BytesIn<>{original}, key);
    mark_secret(algorithm::secret_key());
    return is_good;
}

#if defined(GIRIH_IMAGE_IS_KEM)
bool works_with_key()
{
    Bytes ciphertext(algorithm::facts.signature_bytes);
    Bytes sent(algorithm::shared_secret_bytes);
    Bytes received(sent.size());
    const auto is_same = [&] {
        mark_public(sent);
        mark_public(received);
        return sent == received;
    };
    if (!algorithm::encapsulate(ciphertext.data(), sent.data())) return false;
    algorithm::decapsulate(ciphertext.data(), received.data());
    if (!is_same()) return false;
    ciphertext[0] ^= 1;
    algorithm::decapsulate(ciphertext.data(), received.data());
    return !is_same();
}
#else
bool works_with_key()
{
    // Enough that each of the frequent rejections happens.
    for (Byte i = 0; i < 8; ++i) {
        const Bytes message{'n', 'o', i};
        Bytes signature(algorithm::facts.signature_bytes);
        const std::size_t bytes = algorithm::sign(message, signature.data());
        if (bytes == 0 || !algorithm::verify(message, BytesIn<>{signature}.first(bytes))) return false;
    }
    return true;
}
#endif

bool works()
{
    if (!algorithm::keygen()) return false;
    mark_secret(algorithm::secret_key());
    if (!algorithm::derive_public_key() || !works_with_key()) return false;
    // Malformed, or contradicting the derived values: the answer is public in either case.
    (void)derives_of_changed_key(algorithm::facts.secret_key_bytes / 4, 0xFF);
    (void)derives_of_changed_key(algorithm::facts.secret_key_bytes - 1, 0xFF);
    return algorithm::derive_public_key();
}

}  // namespace
}  // namespace girih::firmware

int main()
{
    girih::test::need_checker();
    const bool good = girih::firmware::works();
    if (!good) std::fputs("an operation did not do what it should\n", stderr);
    return good ? 0 : 1;
}
