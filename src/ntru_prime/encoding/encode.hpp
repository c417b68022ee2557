/// Encodings ("NTRU Prime: round 3", Section 2.3 and 3.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/encoding/plan.hpp"

namespace girih::ntru_prime {

/// Quotient and remainder by a constant of r < 2^28, without a division.
template <class Isa, std::uint32_t divisor>
struct Division {
    static_assert(divisor > 0 && divisor < joined_limit);
    static constexpr int shift = 28 + std::bit_width(divisor);
    static constexpr std::uint64_t inverse = ((std::uint64_t{1} << shift) + divisor - 1) / divisor;

    // inverse exceeds 2^shift / divisor by less than 1, so the product exceeds r 2^shift / divisor by less than
    // 2^28 <= 2^shift / divisor: not enough for the next quotient.
    [[nodiscard]] static constexpr std::uint32_t quotient(std::uint32_t r) noexcept
    {
        return static_cast<std::uint32_t>((r * inverse) >> shift);
    }
    [[nodiscard]] static constexpr std::uint32_t remainder(std::uint32_t r) noexcept
    {
        return r - divisor * quotient(r);
    }
};

/// Encode: `step.count` integers, of which those before the last are below `step.bound`. They are overwritten. Returns
/// where the bytes end. Constant time.
template <class Isa, EncodingStep step>
constexpr Byte* encode_integers(std::uint16_t* integers, Byte* to) noexcept
{
    const auto write = [&to](std::uint32_t r, std::size_t bytes) {
        for (; bytes > 0; --bytes, r >>= 8) *to++ = static_cast<Byte>(r);
        return static_cast<std::uint16_t>(r);
    };
    if constexpr (step.count == 1) {
        write(integers[0], Remainder::of(step.last_bound, 2).bytes);
        return to;
    } else {
        const auto join = [integers](std::size_t i) {
            return integers[2 * i] + step.bound * integers[2 * i + 1];
        };
        for (std::size_t i = 0; i + 1 < step.pairs(); ++i) integers[i] = write(join(i), step.pair().bytes);
        integers[step.pairs() - 1] = write(join(step.pairs() - 1), step.last_pair().bytes);
        if constexpr (step.has_odd()) integers[step.pairs()] = integers[step.count - 1];
        return encode_integers<Isa, step.next()>(integers, to);
    }
}

/// Decode, of any bytes: `step.count` integers of the plan's bounds. Constant time.
template <class Isa, EncodingStep step>
constexpr void decode_integers(const Byte* from, std::uint16_t* integers) noexcept
{
    const auto read = [](const Byte* bytes, std::size_t count, std::uint32_t above) {
        for (; count > 0; --count) above = above << 8 | bytes[count - 1];
        return above;
    };
    if constexpr (step.count == 1) {
        constexpr std::size_t bytes = Remainder::of(step.last_bound, 2).bytes;
        integers[0] =
            static_cast<std::uint16_t>(Division<Isa, step.last_bound>::remainder(read(from, bytes, 0)));
    } else {
        // What the pairs leave. (In an array of its own, so that compilers see vectors in the loop below.)
        std::array<std::uint16_t, step.next().count> above;
        decode_integers<Isa, step.next()>(from + step.bytes(), above.data());
        constexpr std::size_t last = step.pairs() - 1;
        constexpr std::size_t width = step.pair().bytes;
        for (std::size_t i = 0; i < last; ++i) {
            const std::uint32_t pair = read(from + i * width, width, above[i]);
            const std::uint32_t high = Division<Isa, step.bound>::quotient(pair);
            integers[2 * i] = static_cast<std::uint16_t>(pair - step.bound * high);
            integers[2 * i + 1] = static_cast<std::uint16_t>(Division<Isa, step.bound>::remainder(high));
        }
        const std::uint32_t r = read(from + last * width, step.last_pair().bytes, above[last]);
        constexpr std::uint32_t second_bound = step.has_odd() ? step.bound : step.last_bound;
        integers[2 * last] = static_cast<std::uint16_t>(Division<Isa, step.bound>::remainder(r));
        integers[2 * last + 1] = static_cast<std::uint16_t>(
            Division<Isa, second_bound>::remainder(Division<Isa, step.bound>::quotient(r)));
        if constexpr (step.has_odd()) integers[step.count - 1] = above[step.pairs()];
    }
}

/// The plan of p integers below a bound.
template <Ring R, std::int32_t bound>
inline constexpr EncodingStep plan{R.p, static_cast<std::uint32_t>(bound), static_cast<std::uint32_t>(bound)};

/// Rq_encode. Constant time.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void rq_encode(const Rq<R>& r, BytesOut<R.rq_bytes()> bytes)
{
    std::array<std::uint16_t, R.p> integers;
    for (std::size_t i = 0; i < R.p; ++i) integers[i] = static_cast<std::uint16_t>(r.c[i] + R.q12());
    encode_integers<Isa, plan<R, R.q>>(integers.data(), bytes.data());
}

/// Rq_decode, of any bytes.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void rq_decode(BytesIn<R.rq_bytes()> bytes, Rq<R>& r)
{
    std::array<std::uint16_t, R.p> integers;
    decode_integers<Isa, plan<R, R.q>>(bytes.data(), integers.data());
    for (std::size_t i = 0; i < R.p; ++i) r.c[i] = static_cast<std::int16_t>(integers[i] - R.q12());
}

/// Rounded_encode. Constant time.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void rounded_encode(const Rounded<R>& r, BytesOut<R.rounded_bytes()> bytes)
{
    // 10923 / 2^15 exceeds 1 / 3 by 1 / (3 * 2^15), which on less than 2^13 is less than 1 / 3.
    std::array<std::uint16_t, R.p> integers;
    for (std::size_t i = 0; i < R.p; ++i)
        integers[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(r.c[i] + R.q12()) * 10923 >> 15);
    encode_integers<Isa, plan<R, (R.q + 2) / 3>>(integers.data(), bytes.data());
    wipe(integers);
}

/// Rounded_decode, of any bytes.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void rounded_decode(BytesIn<R.rounded_bytes()> bytes, Rounded<R>& r)
{
    std::array<std::uint16_t, R.p> integers;
    decode_integers<Isa, plan<R, (R.q + 2) / 3>>(bytes.data(), integers.data());
    for (std::size_t i = 0; i < R.p; ++i) r.c[i] = static_cast<std::int16_t>(3 * integers[i] - R.q12());
}

/// Small_encode: four coefficients a byte, each two bits. Constant time.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void small_encode(const Small<R>& f, BytesOut<R.small_bytes()> bytes)
{
    for (std::size_t i = 0; i < R.small_bytes(); ++i) {
        int byte = 0;
        for (std::size_t j = 0; j < 4 && 4 * i + j < R.p; ++j) byte |= (f.c[4 * i + j] + 1) << (2 * j);
        bytes[i] = static_cast<Byte>(byte);
    }
}

/// Small_decode. Two bits that are both 1 encode nothing, and become 2: small_check finds them. Constant time.
template <Ring R, class Isa>
[[gnu::noinline]] constexpr void small_decode(BytesIn<R.small_bytes()> bytes, Small<R>& f)
{
    for (std::size_t i = 0; i < R.p; ++i)
        f.c[i] = static_cast<std::int8_t>((bytes[i / 4] >> (2 * (i % 4)) & 3) - 1);
}

}  // namespace girih::ntru_prime
