/// The rows of key generation, signing and verification, through the C interface.
#pragma once

#include <girih/girih.h>

#include <string>
#include <vector>

#include "bench/support/inputs.hpp"

namespace girih::bench {

/// What the iterations of a row work on.
enum class Material {
    fresh,  ///< another key and message in each
    fixed,  ///< the same in each and in every run: the same work again and again, of any number of attempts
};

/// A key pair, a message and its signature, in buffers of an algorithm's sizes. Every function
/// returns a girih_error.
///
/// Signing is deterministic: no row waits for the system's randomness.
class Signer {
  public:
    Signer(const girih_alg* algorithm, std::size_t message_bytes);

    /// Draws a seed and a message.
    void draw(Random& random);
    void set_seed(Byte every) { seed_.assign(seed_.size(), every); }
    void set_message(BytesIn<> message) { message_.assign(message.begin(), message.end()); }

    int keygen();
    int sign();
    int verify() const;

  private:
    const girih_alg* algorithm_;
    std::vector<Byte> seed_, public_key_, secret_key_, message_, signature_;
};

/// Adds keygen, sign and verify of Dilithium (round 3.1), then of ML-DSA.
void add_operation_rows(Material material);

/// "sign: the signature does not verify": what failed, and why.
[[nodiscard]] std::string failure(std::string_view operation, int error);

}  // namespace girih::bench
