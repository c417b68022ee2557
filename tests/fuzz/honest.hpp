/// The objects that inputs change: a key pair of every algorithm, with a signature or a ciphertext.
/// They are the same in every run.
#pragma once

#include <girih/girih.h>

#include <array>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "support/c_call.hpp"

namespace girih::fuzz {

using test::call;

/// A source of bytes that begins again with each object.
class FixedRandom {
  public:
    explicit FixedRandom(std::uint64_t seed) : state_(seed) {}
    [[nodiscard]] const girih_random* source() const { return &source_; }
    FixedRandom(const FixedRandom&) = delete;
    FixedRandom& operator=(const FixedRandom&) = delete;
    ~FixedRandom() = default;

  private:
    static int fill(void* self, std::uint8_t* out, std::size_t bytes);

    std::uint64_t state_;
    girih_random source_{fill, this, 0};
};

/// The message of all signatures, short so that hashing takes no time.
inline constexpr std::array<Byte, 20> message{'a', ' ', 'm', 'e', 's', 's', 'a', 'g', 'e'};

struct Honest {
    const girih_alg* alg;
    ByteString seed = {};
    ByteString public_key = {};
    ByteString secret_key = {};
    ByteString signature = {};       ///< of `message`, with FixedRandom{1}; empty of a KEM
    ByteString signed_message = {};  ///< of crypto_sign, where there is one
    ByteString ciphertext = {};      ///< empty of a signature scheme, as the next
    ByteString shared_secret = {};
};

/// Which algorithms a target takes.
using Among = bool (*)(const girih_alg*);
inline bool any(const girih_alg*) { return true; }
inline bool is_signer(const girih_alg* alg) { return girih_is_kem(alg) == 0; }
inline bool is_kem(const girih_alg* alg) { return girih_is_kem(alg) == 1; }
inline bool has_crypto_sign(const girih_alg* alg)
{
    return alg == girih_algorithm("Falcon-512") || alg == girih_algorithm("Falcon-1024");
}

/// The objects of algorithm `number` among those selected, modulo their count.
[[nodiscard]] const Honest& honest(std::size_t number, Among among);
inline constexpr std::size_t algorithms = 27;
inline constexpr std::size_t signers = 12;
inline constexpr std::size_t kems = 15;
inline constexpr std::size_t framers = 2;

/// A signature with FixedRandom{1}, deterministic if the algorithm can; the error goes to `code`.
[[nodiscard]] ByteString sign(const girih_alg* alg, const ByteString& secret_key, int& code);
/// The options of `sign`.
[[nodiscard]] girih_options signing_options(const girih_alg* alg, const FixedRandom& random);

}  // namespace girih::fuzz
