/// girih_selftest, in an object of its own, so that only programs that call it link it.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>
#include <string_view>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/selftest/known_answers.hpp"
#include "engines/selection.hpp"
#include "sha2/sha2.hpp"

using namespace girih;
using namespace girih::api;

namespace {

std::array<Byte, 32> digest_of(std::initializer_list<BytesIn<>> parts)
{
    sha2::Sha256 hash;
    for (const BytesIn<> part : parts) hash.update(part);
    return hash.digest();
}

/// The row of an algorithm; null if there is none.
template <class Rows>
const auto* row_of(const Rows& rows, const girih_alg& alg)
{
    const auto row = std::ranges::find_if(
        rows, [&](const auto& each) { return std::string_view{each.algorithm.data()} == alg.name; });
    return row == rows.end() ? nullptr : &*row;
}

bool are_known(const girih_alg& alg, std::initializer_list<BytesIn<>> results)
{
    const auto* const known = row_of(known_results, alg);
    return known != nullptr && digest_of(results) == known->digest;
}

/// 0, 1, 2, ...
struct Counting : std::array<Byte, max_seed_bytes> {
    Counting() { std::iota(begin(), end(), Byte{0}); }
};

/// A source of random bytes that counts from *first in each piece.
int count(void* first, uint8_t* out, size_t bytes)
{
    std::iota(out, out + bytes, *static_cast<const Byte*>(first));
    return 0;
}

/// The key pair of a known seed. It is not secret.
struct KeyPair {
    KeyPair(const girih_alg& alg, BytesIn<> seed)
        : public_key(BytesOut<>{public_memory}.first(alg.public_key_bytes)),
          secret_key(BytesOut<>{secret_memory}.first(alg.secret_key_bytes)),
          is_made(girih_keygen_from_seed(&alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                         secret_key.data(), secret_key.size()) == GIRIH_OK)
    {
    }
    KeyPair(const KeyPair&) = delete;
    KeyPair& operator=(const KeyPair&) = delete;

    std::array<Byte, max_public_key_bytes> public_memory;
    std::array<Byte, max_secret_key_bytes> secret_memory;
    BytesOut<> public_key;
    BytesOut<> secret_key;
    bool is_made;
};

/// Whether verify(signature) accepts a signature and refuses a changed one.
template <class Verify>
bool verifies(BytesOut<> signature, Verify verify)
{
    if (verify(signature) != GIRIH_OK) return false;
    signature[signature.size() / 2] ^= 1;
    return verify(signature) == GIRIH_ERROR_SIGNATURE;
}

bool signs_as_known(const girih_alg& alg)
{
    const KeyPair keys{alg, BytesIn<>{Counting{}}.first(alg.seed_bytes)};
    const BytesIn<> message{reinterpret_cast<const Byte*>(signed_message.data()), signed_message.size()};
    Byte zero = 0;
    const girih_random counting{count, &zero, 0};
    girih_options options{};
    options.deterministic = alg.has_mu ? 1 : 0;
    options.random = &counting;
    std::array<Byte, max_signature_bytes> memory;
    size_t bytes = 0;
    if (!keys.is_made ||
        girih_sign(&alg, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                   &options, memory.data(), memory.size(), &bytes) != GIRIH_OK)
        return false;
    const BytesOut<> signature = BytesOut<>{memory}.first(bytes);
    return are_known(alg, {keys.public_key, keys.secret_key, signature}) &&
           verifies(signature, [&](BytesIn<> s) {
               return girih_verify(&alg, keys.public_key.data(), keys.public_key.size(), message.data(),
                                   message.size(), nullptr, s.data(), s.size());
           });
}

/// Whether the known signature is made, after a rejection for every reason.
bool rejects_as_known(const girih_alg& alg, const KnownSignature& known)
{
    const KeyPair keys{alg, known.seed};
    girih_options options{};
    options.deterministic = 1;
    std::array<Byte, max_signature_bytes> memory;
    size_t bytes = 0;
    if (!keys.is_made ||
        girih_sign_mu(&alg, keys.secret_key.data(), keys.secret_key.size(), known.mu.data(), known.mu.size(),
                      &options, memory.data(), memory.size(), &bytes) != GIRIH_OK)
        return false;
    const BytesOut<> signature = BytesOut<>{memory}.first(bytes);
    return digest_of({signature}) == known.digest && verifies(signature, [&](BytesIn<> s) {
               return girih_verify_mu(&alg, keys.public_key.data(), keys.public_key.size(), known.mu.data(),
                                      known.mu.size(), s.data(), s.size());
           });
}

bool encapsulates_as_known(const girih_alg& alg)
{
    const KeyPair keys{alg, BytesIn<>{Counting{}}.first(alg.seed_bytes)};
    Byte first = 0x20;
    const girih_random counting{count, &first, 0};
    std::array<Byte, max_ciphertext_bytes> memory;
    const BytesOut<> ciphertext = BytesOut<>{memory}.first(alg.ciphertext_bytes);
    std::array<Byte, max_shared_secret_bytes> sent, received;
    const auto decapsulates_to = [&](BytesIn<> shared_secret) {
        return girih_decapsulate(&alg, keys.secret_key.data(), keys.secret_key.size(), ciphertext.data(),
                                 ciphertext.size(), received.data(), received.size()) == GIRIH_OK &&
               std::ranges::equal(received, shared_secret);
    };
    if (!keys.is_made ||
        girih_encapsulate(&alg, &counting, keys.public_key.data(), keys.public_key.size(), ciphertext.data(),
                          ciphertext.size(), sent.data(), sent.size()) != GIRIH_OK)
        return false;
    if (!are_known(alg, {keys.public_key, keys.secret_key, ciphertext, sent}) || !decapsulates_to(sent))
        return false;
    ciphertext[0] ^= 1;
    const auto* const known = row_of(known_rejections, alg);
    return known != nullptr && decapsulates_to(known->shared_secret);
}

bool passes(const girih_alg& alg)
{
    if (alg.kem != nullptr) return encapsulates_as_known(alg);
    const auto* const known = row_of(known_signatures, alg);
    return signs_as_known(alg) && (known == nullptr || rejects_as_known(alg, *known));
}

}  // namespace

int girih_selftest(const girih_alg* alg, const char* engine)
{
    GIRIH_TRY(check_has(alg, &girih_alg::keys));
    GIRIH_TRY(check_engine());
    girih_alg tested = *alg;
    if (engine != nullptr) {
        const engines::Engine* const named = *engine == 0 ? nullptr : engines::select(engine).engine;
        if (named == nullptr) return GIRIH_ERROR_ENGINE;
        tested.operations.fill(alg->operations[named->number]);  // whatever engine is in use
    }
    return passes(tested) ? GIRIH_OK : GIRIH_ERROR_FAULT;
}
