/// Ciphertexts as Encrypt makes them, a polynomial at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ml_kem/params.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_kem {

/// A ciphertext that is written, or compared with a given one while it is made. Comparing stores
/// only whether any bit differs.
template <class Ring>
class Ciphertext {
  public:
    [[nodiscard]] static constexpr Ciphertext written_to(Byte* out) { return Ciphertext{out, nullptr}; }
    [[nodiscard]] static constexpr Ciphertext compared_with(const Byte* given)
    {
        return Ciphertext{nullptr, given};
    }

    /// Appends ByteEncode_d(Compress_d(f)), for |f| < 2 q.
    template <int d>
    [[gnu::noinline]] constexpr void append(const typename Ring::Poly& f)
    {
        constexpr std::size_t size = d;  // bytes of a group
        Wiped<std::array<Byte, size>> bytes{uninitialized};
        for (std::size_t i = 0; i < n; i += module_lattice::group, at_ += size) {
            module_lattice::put_group<d>(bytes->data(), [&](auto j) __attribute__((always_inline)) {
                return Ring::template compress<d>(f[i + j]);
            });
            if (out_ != nullptr) {
                copy(*bytes, {out_ + at_, size});
            } else {
                for (std::size_t j = 0; j < size; ++j)
                    difference_ |= static_cast<std::uint32_t>((*bytes)[j] ^ given_[at_ + j]);
            }
        }
    }
    /// Not 0 if any bit differs. A secret.
    [[nodiscard]] constexpr std::uint32_t difference() const { return difference_; }

  private:
    constexpr Ciphertext(Byte* out, const Byte* given) : out_(out), given_(given) {}

    Byte* out_;
    const Byte* given_;
    std::size_t at_ = 0;
    std::uint32_t difference_ = 0;
};

}  // namespace girih::ml_kem
