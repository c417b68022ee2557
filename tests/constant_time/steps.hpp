/// What every run of operations on poisoned secrets needs.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include "checker.hpp"

namespace girih::test {

using Bytes = std::vector<std::uint8_t>;

inline void mark_secret(std::span<const std::uint8_t> bytes)
{
    secret_checker::mark_secret(bytes.data(), bytes.size());
}

inline void mark_public(std::span<const std::uint8_t> bytes)
{
    secret_checker::mark_public(bytes.data(), bytes.size());
}

/// A source of bytes that differ from call to call, all of them secret.
class SecretRandom {
  public:
    [[nodiscard]] girih_random source(bool piecewise = false) { return {fill, this, piecewise ? 1 : 0}; }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& counter = static_cast<SecretRandom*>(state)->counter_;
        for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(counter++ * 167 >> 3);
        mark_secret({out, bytes});
        return 0;
    }

    std::uint32_t counter_ = 1;
};

/// Says which of the steps did not do what it should, and remembers that one did not.
class Steps {
  public:
    void expect(std::string_view step, int result, int expected = GIRIH_OK)
    {
        if (result == expected) return;
        std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(step.size()), step.data(),
                     girih_error_text(result));
        all_good_ = false;
    }
    [[nodiscard]] bool all_good() const { return all_good_; }

  private:
    bool all_good_ = true;
};

struct KeyPair {
    Bytes public_key;
    Bytes secret_key;

    explicit KeyPair(const girih_alg* alg)
        : public_key(girih_public_key_bytes(alg)), secret_key(girih_secret_key_bytes(alg))
    {
    }
};

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

/// Runs the operations of a key encapsulation mechanism.
void run_kem(const girih_alg* alg, Steps& steps);

}  // namespace girih::test
