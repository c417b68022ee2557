/// Prepared keys of key encapsulation that own their memory.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"
#include "support/kems.hpp"

namespace girih::test {

/// A key that `prepare` makes in `size` bytes.
template <class Key, auto size, auto prepare>
class PreparedKey {
  public:
    PreparedKey(const girih_alg* alg, BytesIn<> bytes) : alg_(alg), memory_(size(alg))
    {
        error_ = call(prepare, alg, bytes, memory_, &key_);
        EXPECT_EQ(key_ != nullptr, error_ == GIRIH_OK);
    }
    PreparedKey(const PreparedKey&) = delete;
    PreparedKey& operator=(const PreparedKey&) = delete;

    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] const Key* get() const { return key_; }

  protected:
    ~PreparedKey() = default;

    const girih_alg* alg_;
    KeyMemory memory_;
    Key* key_ = nullptr;
    int error_ = GIRIH_OK;
};

class PreparedEncapsulationKey : public PreparedKey<girih_encapsulation_key, girih_encapsulation_key_size,
                                                    girih_prepare_encapsulation_key> {
  public:
    using PreparedKey::PreparedKey;

    [[nodiscard]] Encapsulation encapsulate(const girih_random* random) const
    {
        Encapsulation made = room_for_encapsulation(alg_);
        EXPECT_EQ(call(girih_encapsulate_prepared, key_, random, made.ciphertext, made.shared_secret),
                  GIRIH_OK);
        return made;
    }
};

class PreparedDecapsulationKey : public PreparedKey<girih_decapsulation_key, girih_decapsulation_key_size,
                                                    girih_prepare_decapsulation_key> {
  public:
    using PreparedKey::PreparedKey;
    ~PreparedDecapsulationKey() { girih_wipe_decapsulation_key(key_); }

    [[nodiscard]] ByteString decapsulate(BytesIn<> ciphertext) const
    {
        ByteString secret(girih_shared_secret_bytes(alg_));
        EXPECT_EQ(call(girih_decapsulate_prepared, key_, ciphertext, secret), GIRIH_OK);
        return secret;
    }
};

}  // namespace girih::test
