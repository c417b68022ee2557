/// Hashing a message to a point (specification, Section 3.7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/params.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// HashToPoint (Falcon, Algorithm 3) after salt and message were absorbed: a polynomial modulo q.
/// 16 bits a coefficient, high byte first; values from 5 q on, the largest multiple of q below
/// 2^16, are skipped.
///
/// Variable time: the skipped values follow from salt and message, which every verifier knows.
template <class Isa, std::size_t n>
constexpr void hash_to_point_vartime(keccak::Shake256<Isa>& hash, ResiduePoly<n>& c)
{
    constexpr std::size_t block = keccak::shake256_function.rate;
    static_assert(block % 2 == 0);
    std::array<Byte, block> bytes;
    for (std::size_t made = 0; made < n;) {
        hash.squeeze(bytes);
        for (std::size_t i = 0; i < block && made < n; i += 2) {
            const std::uint32_t t = std::uint32_t{bytes[i]} << 8 | bytes[i + 1];
            if (t < 5 * q) c[made++] = modulo_q::of_five_q(t);
        }
    }
}

/// HashToPoint (Falcon, Algorithm 3) of a whole salt and message.
template <class Isa, std::size_t n>
constexpr void hash_message(BytesIn<salt_bytes> salt, BytesIn<> message, ResiduePoly<n>& c)
{
    keccak::Shake256<Isa> hash;
    hash.absorb(salt).absorb(message);
    hash_to_point_vartime<Isa, n>(hash, c);
}

/// HashToPoint (Falcon, Algorithm 3), interleaved: a task for one lane of many.
template <class Isa, std::size_t n>
class PointTask final : public keccak::Task {
  public:
    PointTask(BytesIn<> salt, BytesIn<> message, ResiduePoly<n>& c) noexcept
        : message_({salt, message}), c_(&c)
    {
    }

    void start(keccak::Lane lane) noexcept override { message_.absorb_block(lane); }

    [[nodiscard]] keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (!message_.is_absorbed()) {
            message_.absorb_block(lane);
            return this;
        }
        constexpr std::size_t words = keccak::shake256_function.rate / 8;
        for (std::size_t i = 0; i < words; ++i) {
            std::uint64_t word = lane.output()[i];
            for (std::size_t j = 0; j < 4 && made_ < n; ++j, word >>= 16) {
                const auto t = static_cast<std::uint32_t>((word & 0xFF) << 8 | (word >> 8 & 0xFF));
                if (t < 5 * q) (*c_)[made_++] = modulo_q::of_five_q(t);
            }
        }
        return made_ < n ? this : nullptr;
    }

  private:
    keccak::Message<Isa> message_;
    ResiduePoly<n>* c_;
    std::size_t made_ = 0;
};

struct SaltedMessage {
    BytesIn<> salt;
    BytesIn<> message;
};

/// The points of several messages, hashed side by side in all lanes.
template <class Isa, std::size_t n, std::size_t max_count>
void hash_messages(std::span<const SaltedMessage> messages, std::array<ResiduePoly<n>, max_count>& c)
{
    std::array<std::optional<PointTask<Isa, n>>, max_count> points;
    std::array<keccak::Task*, max_count> tasks;
    // (Without the first bound, g++ -O3 warns of a write past the end.)
    for (std::size_t i = 0; i < max_count && i < messages.size(); ++i)
        tasks[i] = &points[i].emplace(messages[i].salt, messages[i].message, c[i]);
    keccak::run<typename Isa::WideWords>(std::span<keccak::Task* const>{tasks}.first(messages.size()));
}

}  // namespace girih::falcon
