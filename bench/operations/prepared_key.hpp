/// Prepared keys of the rows of operations.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <vector>

#include "core/bytes.hpp"

namespace girih::bench {

/// A key that was prepared once, in memory of its own.
template <class Key>
class PreparedKey {
  public:
    template <class Prepare>
    PreparedKey(std::size_t size, Prepare prepare)
        : memory_((size + alignment - 1) / alignment),
          error_(prepare(memory_.data(), memory_.size() * alignment, &key_))
    {
    }
    [[nodiscard]] const Key* get() const { return key_; }
    [[nodiscard]] int error() const { return error_; }

  private:
    static constexpr std::size_t alignment = GIRIH_PREPARED_ALIGNMENT;
    struct alignas(alignment) Line {
        std::array<Byte, alignment> bytes;
    };
    std::vector<Line> memory_;
    Key* key_ = nullptr;
    int error_;
};

/// Those of key encapsulation.
inline PreparedKey<girih_encapsulation_key> prepared_encapsulation_key(const girih_alg* algorithm,
                                                                       BytesIn<> public_key)
{
    return {girih_encapsulation_key_size(algorithm),
            [&](void* memory, std::size_t bytes, girih_encapsulation_key** key) {
                return girih_prepare_encapsulation_key(algorithm, public_key.data(), public_key.size(),
                                                       memory, bytes, key);
            }};
}
inline PreparedKey<girih_decapsulation_key> prepared_decapsulation_key(const girih_alg* algorithm,
                                                                       BytesIn<> secret_key)
{
    return {girih_decapsulation_key_size(algorithm),
            [&](void* memory, std::size_t bytes, girih_decapsulation_key** key) {
                return girih_prepare_decapsulation_key(algorithm, secret_key.data(), secret_key.size(),
                                                       memory, bytes, key);
            }};
}

}  // namespace girih::bench
