/// Whether an algorithm has its known answers. The library and the one for devices each include
/// this text once, after their definition of girih_alg.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>

#include "api/selftest/known_answers.hpp"
#include "sha2/sha2.hpp"

namespace girih::api {

/// SHA-256. (noinline: one copy in the object.)
[[gnu::noinline]] inline std::array<Byte, 32> digest_of(std::initializer_list<BytesIn<>> parts)
{
    sha2::Sha256 hash;
    for (const BytesIn<> part : parts) hash.update(part);
    return hash.digest();
}

/// (string_view would call strlen, which boards without a C library lack.)
constexpr bool are_equal(const char* a, const char* b)
{
    for (; *a == *b; ++a, ++b)
        if (*a == 0) return true;
    return false;
}

/// The row of an algorithm; null if there is none.
template <class Rows>
const typename Rows::value_type* row_of(const Rows& rows, const girih_alg& alg)
{
    for (const auto& row : rows)
        if (are_equal(row.algorithm.data(), alg.name)) return &row;
    return nullptr;
}

inline bool are_known(const girih_alg& alg, std::initializer_list<BytesIn<>> results)
{
    const auto* const known = row_of(known_results, alg);
    return known != nullptr && digest_of(results) == known->digest;
}

/// 0, 1, 2, ..., as many as the longest seed has.
struct Counting : std::array<Byte, 64> {
    Counting() { std::iota(begin(), end(), Byte{0}); }
};

/// Memory for one algorithm's results.
struct ResultMemory {
    BytesOut<> public_key;
    BytesOut<> secret_key;
    BytesOut<> output;  ///< the longest signature, or a ciphertext
};

/// A source of random bytes that counts from *first in each piece.
inline int count(void* first, uint8_t* out, size_t bytes)
{
    std::iota(out, out + bytes, *static_cast<const Byte*>(first));
    return 0;
}

/// Makes the key pair of a known seed. It is not secret.
inline bool makes_keys(const girih_alg& alg, BytesIn<> seed, const ResultMemory& results)
{
    return girih_keygen_from_seed(&alg, seed.data(), seed.size(), results.public_key.data(),
                                  results.public_key.size(), results.secret_key.data(),
                                  results.secret_key.size()) == GIRIH_OK;
}

/// Whether verify(signature) accepts a signature and refuses a changed one.
template <class Verify>
bool verifies(BytesOut<> signature, Verify verify)
{
    if (verify(signature) != GIRIH_OK) return false;
    signature[signature.size() / 2] ^= 1;
    return verify(signature) == GIRIH_ERROR_SIGNATURE;
}

inline bool signs_as_known(const girih_alg& alg, const ResultMemory& results)
{
    const BytesIn<> message{reinterpret_cast<const Byte*>(signed_message.data()), signed_message.size()};
    Byte zero = 0;
    const girih_random counting{count, &zero, 0};
    girih_options options{};
    options.deterministic = alg.has_mu ? 1 : 0;
    options.random = &counting;
    size_t bytes = 0;
    if (!makes_keys(alg, BytesIn<>{Counting{}}.first(alg.seed_bytes), results) ||
        girih_sign(&alg, results.secret_key.data(), results.secret_key.size(), message.data(), message.size(),
                   &options, results.output.data(), results.output.size(), &bytes) != GIRIH_OK)
        return false;
    const BytesOut<> signature = results.output.first(bytes);
    return are_known(alg, {results.public_key, results.secret_key, signature}) &&
           verifies(signature, [&](BytesIn<> s) {
               return girih_verify(&alg, results.public_key.data(), results.public_key.size(), message.data(),
                                   message.size(), nullptr, s.data(), s.size());
           });
}

/// Whether the known signature is made, after a rejection for every reason. MuFunctions sign mu
/// deterministically.
template <class MuFunctions>
bool rejects_as_known(const girih_alg& alg, const KnownSignature& known, const ResultMemory& results)
{
    const BytesOut<> signature = results.output.first(alg.signature_bytes);
    return makes_keys(alg, known.seed, results) &&
           MuFunctions::sign(alg, results.secret_key, known.mu, signature) == GIRIH_OK &&
           digest_of({signature}) == known.digest && verifies(signature, [&](BytesIn<> s) {
               return MuFunctions::verify(alg, results.public_key, known.mu, s);
           });
}

inline bool encapsulates_as_known(const girih_alg& alg, const ResultMemory& results)
{
    Byte first = 0x20;
    const girih_random counting{count, &first, 0};
    const BytesOut<> ciphertext = results.output.first(alg.ciphertext_bytes);
    std::array<Byte, 32> sent, received;
    const auto decapsulates_to = [&](BytesIn<> shared_secret) {
        return girih_decapsulate(&alg, results.secret_key.data(), results.secret_key.size(),
                                 ciphertext.data(), ciphertext.size(), received.data(),
                                 received.size()) == GIRIH_OK &&
               std::ranges::equal(received, shared_secret);
    };
    if (!makes_keys(alg, BytesIn<>{Counting{}}.first(alg.seed_bytes), results) ||
        girih_encapsulate(&alg, &counting, results.public_key.data(), results.public_key.size(),
                          ciphertext.data(), ciphertext.size(), sent.data(), sent.size()) != GIRIH_OK)
        return false;
    if (!are_known(alg, {results.public_key, results.secret_key, ciphertext, sent}) || !decapsulates_to(sent))
        return false;
    ciphertext[0] ^= 1;
    const auto* const known = row_of(known_rejections, alg);
    return known != nullptr && decapsulates_to(known->shared_secret);
}

/// Whether every result of an algorithm is the known one.
template <class MuFunctions>
bool passes_selftest(const girih_alg& alg, const ResultMemory& results)
{
    if (alg.kem != nullptr) return encapsulates_as_known(alg, results);
    const auto* const known = row_of(known_signatures, alg);
    return signs_as_known(alg, results) &&
           (known == nullptr || rejects_as_known<MuFunctions>(alg, *known, results));
}

}  // namespace girih::api
