/// Prepared keys of key encapsulation that own their memory.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>

#include "support/bytes.hpp"
#include "support/kems.hpp"

namespace girih::test {

/// Aligned memory of a caller's.
class PreparedMemory {
  public:
    explicit PreparedMemory(std::size_t bytes) : bytes_(bytes), memory_(::operator new(bytes, alignment)) {}

    [[nodiscard]] void* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return bytes_; }

  private:
    static constexpr std::align_val_t alignment{GIRIH_PREPARED_ALIGNMENT};
    struct Free {
        void operator()(void* memory) const { ::operator delete(memory, alignment); }
    };
    std::size_t bytes_;
    std::unique_ptr<void, Free> memory_;
};

class PreparedEncapsulationKey {
  public:
    PreparedEncapsulationKey(const girih_alg* alg, BytesIn<> public_key)
        : alg_(alg), memory_(girih_encapsulation_key_size(alg))
    {
        error_ = girih_prepare_encapsulation_key(alg, public_key.data(), public_key.size(), memory_.data(),
                                                 memory_.size(), &key_);
        EXPECT_EQ(key_ != nullptr, error_ == GIRIH_OK);
    }
    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] const girih_encapsulation_key* get() const { return key_; }

    [[nodiscard]] Encapsulation encapsulate(const girih_random* random) const
    {
        Encapsulation made{ByteString(girih_ciphertext_bytes(alg_)),
                           ByteString(girih_shared_secret_bytes(alg_))};
        EXPECT_EQ(girih_encapsulate_prepared(key_, random, made.ciphertext.data(), made.ciphertext.size(),
                                             made.shared_secret.data(), made.shared_secret.size()),
                  GIRIH_OK);
        return made;
    }

  private:
    const girih_alg* alg_;
    PreparedMemory memory_;
    girih_encapsulation_key* key_ = nullptr;
    int error_ = GIRIH_OK;
};

class PreparedDecapsulationKey {
  public:
    PreparedDecapsulationKey(const girih_alg* alg, BytesIn<> secret_key)
        : alg_(alg), memory_(girih_decapsulation_key_size(alg))
    {
        error_ = girih_prepare_decapsulation_key(alg, secret_key.data(), secret_key.size(), memory_.data(),
                                                 memory_.size(), &key_);
        EXPECT_EQ(key_ != nullptr, error_ == GIRIH_OK);
    }
    PreparedDecapsulationKey(const PreparedDecapsulationKey&) = delete;
    PreparedDecapsulationKey& operator=(const PreparedDecapsulationKey&) = delete;
    ~PreparedDecapsulationKey() { girih_wipe_decapsulation_key(key_); }

    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] const girih_decapsulation_key* get() const { return key_; }

    [[nodiscard]] ByteString decapsulate(BytesIn<> ciphertext) const
    {
        ByteString secret(girih_shared_secret_bytes(alg_));
        EXPECT_EQ(girih_decapsulate_prepared(key_, ciphertext.data(), ciphertext.size(), secret.data(),
                                             secret.size()),
                  GIRIH_OK);
        return secret;
    }

  private:
    const girih_alg* alg_;
    PreparedMemory memory_;
    girih_decapsulation_key* key_ = nullptr;
    int error_ = GIRIH_OK;
};

}  // namespace girih::test
