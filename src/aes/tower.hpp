/// GF(2^8) as a tower of quadratic extensions, GF(2) < GF(4) < GF(16) < GF(256), in
/// single-bit operations.
///
/// Each bit of a `Word` is a coefficient in GF(2) of another field element: & multiplies and ^ adds
/// as many elements as the word has bits. Constant time: no branch or index depends on data.
#pragma once

namespace girih::aes {

/// The element high * Y + low of a quadratic extension, Y^2 = Y + n, of the field that
/// `Half` stands for.
template <class Half>
struct Pair {
    Half low;
    Half high;

    [[nodiscard, gnu::always_inline]] friend constexpr Pair operator^(const Pair& a, const Pair& b) noexcept
    {
        return {a.low ^ b.low, a.high ^ b.high};
    }
};

template <class Word>
using Gf4 = Pair<Word>;  ///< n = 1
template <class Word>
using Gf16 = Pair<Gf4<Word>>;  ///< n = Y of GF(4)
template <class Word>
using Gf256 = Pair<Gf16<Word>>;  ///< n = (Y + 1) Z, with Y of GF(4) and Z of GF(16)

/// The product with the constant n of the extension over this field: 1 in GF(2).
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word times_n(const Word& a) noexcept
{
    return a;
}

/// Y (h Y + l) = (h + l) Y + h, for Y^2 = Y + 1.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Gf4<Word> times_n(const Gf4<Word>& a) noexcept
{
    return {a.high, a.high ^ a.low};
}

/// (Y + 1) Z (h Z + l) = (Y + 1)(h + l) Z + (Y + 1) Y h, for Z^2 = Z + Y; and
/// (Y + 1) Y = 1, Y + 1 = Y^2.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Gf16<Word> times_n(const Gf16<Word>& a) noexcept
{
    return {a.high, times_n(times_n(a.high ^ a.low))};
}

template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word multiply(const Word& a, const Word& b) noexcept
{
    return a & b;
}

/// Karatsuba: (h Y + l)(h' Y + l') = ((h + l)(h' + l') + l l') Y + n h h' + l l'.
template <class Half>
[[nodiscard, gnu::always_inline]] constexpr Pair<Half> multiply(const Pair<Half>& a,
                                                                const Pair<Half>& b) noexcept
{
    const Half low = multiply(a.low, b.low);
    const Half high = multiply(a.high, b.high);
    const Half sums = multiply(a.low ^ a.high, b.low ^ b.high);
    return {times_n(high) ^ low, sums ^ low};
}

template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word square(const Word& a) noexcept
{
    return a;
}

/// (h Y + l)^2 = h^2 Y + n h^2 + l^2.
template <class Half>
[[nodiscard, gnu::always_inline]] constexpr Pair<Half> square(const Pair<Half>& a) noexcept
{
    const Half high = square(a.high);
    return {times_n(high) ^ square(a.low), high};
}

template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word inverse(const Word& a) noexcept
{
    return a;
}

/// (h Y + l)(h Y + h + l) = n h^2 + h l + l^2 lies in the smaller field; 0 gives 0.
template <class Half>
[[nodiscard, gnu::always_inline]] constexpr Pair<Half> inverse(const Pair<Half>& a) noexcept
{
    const Half sum = a.high ^ a.low;
    const Half norm_inverse = inverse(times_n(square(a.high)) ^ multiply(sum, a.low));
    return {multiply(sum, norm_inverse), multiply(a.high, norm_inverse)};
}

}  // namespace girih::aes
