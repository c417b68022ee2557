/// The short vectors s1 and s2 in bytes, as the products with a challenge take them, on every
/// engine.
///
/// Constant time in the coefficients; addresses depend on the power of X.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// A polynomial s of s1 or s2 in bytes, after its negative: X^k s is the 256 bytes that begin k
/// bytes before s. Wiped on destruction.
template <Shape S>
class ShortFactor {
  public:
    constexpr ShortFactor() = default;
    ShortFactor(const ShortFactor&) = delete;
    ShortFactor& operator=(const ShortFactor&) = delete;
    constexpr ~ShortFactor() { wipe(bytes_); }

    constexpr void set(const Poly<Form::coefficients, Bound::symmetric(S.eta), Secrecy::secret>& s)
    {
        for (std::size_t i = 0; i < n; ++i) {
            bytes_[i] = static_cast<std::int8_t>(-s.c[i]);
            bytes_[n + i] = static_cast<std::int8_t>(s.c[i]);
        }
    }

    /// Coefficients of X^power s, from number `first` on.
    [[nodiscard]] constexpr const std::int8_t* shifted(std::int32_t power, std::size_t first) const
    {
        return &bytes_[n + first - static_cast<std::size_t>(power)];
    }

  private:
    alignas(64) std::array<std::int8_t, 2 * n> bytes_{};
};

}  // namespace girih::ml_dsa
