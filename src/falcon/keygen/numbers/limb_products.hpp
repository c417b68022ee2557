/// Products of large integers in limbs.
///
/// Constant time, except in the lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"

namespace girih::falcon {

/// Coefficient i of a polynomial as limbs; the last limb has the sign.
template <class Isa>
constexpr void load_limbs(const BigPoly& a, std::size_t i, std::span<Limb> out)
{
    for (std::size_t j = 0; j < out.size(); ++j) {
        LimbProduct limb = 0;
        for (std::size_t k = 0; k < limb_words && limb_words * j + k < a.length; ++k) {
            const std::size_t at = limb_words * j + k;
            const LimbProduct word =
                at + 1 == a.length ? signed_word(a.at(at, i)) : static_cast<LimbProduct>(a.at(at, i));
            limb += word * (LimbProduct{1} << (static_cast<int>(k) * word_bits));
        }
        out[j] = static_cast<Limb>(limb);
    }
}

template <class Isa>
constexpr void store_limb(const BigPoly& a, std::size_t i, std::size_t j, Limb limb)
{
    for (std::size_t k = 0; k < limb_words && limb_words * j + k < a.length; ++k) {
        a.at(limb_words * j + k, i) = static_cast<Word>(limb) & word_mask;
        if constexpr (limb_words > 1) limb >>= word_bits;
    }
}

/// The words of limbs in [0, 2^limb_bits), to fill `out`.
template <class Isa>
constexpr void store_limbs(std::span<const Limb> a, std::span<Word> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<Word>(a[i / limb_words] >> (static_cast<int>(i % limb_words) * word_bits)) &
                 word_mask;
}

/// A sum of products of integers, limb by limb from the lowest. Products are below 2^(2 limb_bits),
/// so their sum with a carry below a limb fits: four of 2^124 in 2^127, or one of 2^62 in 2^63.
template <class Isa>
class LimbColumn {
  public:
    /// Adds or subtracts limb `at` of a b.
    template <bool negative>
    constexpr void add(std::span<const Limb> a, std::span<const Limb> b, std::size_t at)
    {
        const std::size_t last = std::min(at + 1, a.size());
        std::size_t i = at + 1 > b.size() ? at + 1 - b.size() : 0;
        for (; i + at_once <= last; i += at_once) {
            for (std::size_t k = 0; k < at_once; ++k) add_product<negative>(a[i + k], b[at - i - k]);
            settle();
        }
        for (; i < last; ++i) {
            add_product<negative>(a[i], b[at - i]);
            if constexpr (at_once == 1) settle();
        }
        settle();
    }
    /// The current limb of the sum so far.
    [[nodiscard]] constexpr Limb limb()
    {
        settle();
        return static_cast<Limb>(sum_);
    }
    /// Returns the limb and moves to the next.
    [[nodiscard]] constexpr Limb next()
    {
        const Limb limb = this->limb();
        sum_ = carry_ & limb_mask;
        carry_ >>= limb_bits;
        return limb;
    }

  private:
    static constexpr std::size_t at_once = limb_words == 2 ? 4 : 1;

    template <bool negative>
    constexpr void add_product(Limb a, Limb b)
    {
        if constexpr (negative)
            sum_ -= LimbProduct{a} * b;
        else
            sum_ += LimbProduct{a} * b;
    }
    constexpr void settle()
    {
        carry_ += sum_ >> limb_bits;
        sum_ &= limb_mask;
    }

    LimbProduct sum_ = 0;
    LimbProduct carry_ = 0;
};

}  // namespace girih::falcon
