/// Prepared keys of key encapsulation, in memory of their own.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {

/// Memory for a prepared key of so many bytes, aligned as it has to be.
class PreparedRoom {
  public:
    explicit PreparedRoom(std::size_t bytes) : lines_(bytes / sizeof(Line)) {}

    [[nodiscard]] Byte* data() { return reinterpret_cast<Byte*>(lines_.data()); }
    [[nodiscard]] std::size_t size() const { return lines_.size() * sizeof(Line); }
    [[nodiscard]] BytesIn<> view() const { return {reinterpret_cast<const Byte*>(lines_.data()), size()}; }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    std::vector<Line> lines_;
};

/// The two kinds of prepared key: a type, and the functions of girih.h for it.
struct Encapsulating {
    using Key = girih_encapsulation_key;
    static constexpr auto size = girih_encapsulation_key_size;
    static constexpr auto prepare = girih_prepare_encapsulation_key;
    static const ByteString& bytes(const KeyPair& keys) { return keys.public_key; }
};
struct Decapsulating {
    using Key = girih_decapsulation_key;
    static constexpr auto size = girih_decapsulation_key_size;
    static constexpr auto prepare = girih_prepare_decapsulation_key;
    static const ByteString& bytes(const KeyPair& keys) { return keys.secret_key; }
};

template <class Kind>
class PreparedKemKey {
  public:
    PreparedKemKey(const girih_alg* alg, const KeyPair& keys) : room_(Kind::size(alg))
    {
        const ByteString& bytes = Kind::bytes(keys);
        EXPECT_EQ(Kind::prepare(alg, bytes.data(), bytes.size(), room_.data(), room_.size(), &key_),
                  GIRIH_OK);
    }
    [[nodiscard]] typename Kind::Key* get() const { return key_; }
    [[nodiscard]] PreparedRoom& room() { return room_; }

  private:
    PreparedRoom room_;
    typename Kind::Key* key_ = nullptr;
};

using PreparedEncapsulation = PreparedKemKey<Encapsulating>;
using PreparedDecapsulation = PreparedKemKey<Decapsulating>;

}  // namespace girih::test
