/// The deterministic random bytes behind NIST's known-answer files.
#pragma once

#include <array>
#include <cstddef>

#include "aes/ctr.hpp"
#include "aes/round.hpp"
#include "core/bytes.hpp"
#include "core/wipe.hpp"

namespace girih::aes {

/// CTR_DRBG with AES-256 and without a derivation function (NIST SP 800-90A Rev. 1,
/// Section 10.2.1), without personalization, additional input and reseeding. NIST's known answers
/// for post-quantum algorithms are made with it. Unlike the standard, it limits neither the size
/// nor the number of requests.
///
/// Constant time in the seed, not in the sizes of requests. Wiped.
class CtrDrbg {
  public:
    static constexpr std::size_t seed_bytes = key_bytes + block_bytes;

    /// CTR_DRBG_Instantiate_algorithm (Section 10.2.1.3.1).
    constexpr explicit CtrDrbg(BytesIn<seed_bytes> entropy_input) noexcept
    {
        generate({});  // from Key = 0 and V = 0, the update without the seed
        for (std::size_t i = 0; i < seed_bytes; ++i) state_[i] ^= entropy_input[i];
    }
    CtrDrbg(const CtrDrbg&) = delete;
    CtrDrbg& operator=(const CtrDrbg&) = delete;
    constexpr ~CtrDrbg() { wipe(state_); }

    /// CTR_DRBG_Generate_algorithm (Section 10.2.1.5.1): one request of any size. Two requests do
    /// not give the bytes of one longer request.
    constexpr void generate(BytesOut<> out) noexcept
    {
        const BytesIn<seed_bytes> state = state_;
        Ctr<OneLane<>> stream{state.first<key_bytes>(), state.last<block_bytes>()};
        Wiped<std::array<Byte, block_bytes>> unused;
        stream.generate(*unused);  // the encryption of V itself: V is incremented before each use
        stream.generate(out);
        const std::size_t last_block = out.size() % block_bytes;
        if (last_block != 0) stream.generate(BytesOut<>{*unused}.first(block_bytes - last_block));
        stream.generate(state_);  // CTR_DRBG_Update (Section 10.2.1.2): the next Key and V
    }

  private:
    std::array<Byte, seed_bytes> state_{};  // Key, then V
};

}  // namespace girih::aes
