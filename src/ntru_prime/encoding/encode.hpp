/// Encodings ("NTRU Prime: round 3", Section 2.3 and 3.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/encoding/plan.hpp"
#include "ntru_prime/encoding/vector_pairs.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// Writes an integer's low bytes, and returns the part above them.
[[gnu::always_inline]] constexpr std::uint16_t write_integer(std::uint32_t r, std::size_t count,
                                                             Byte* bytes) noexcept
{
    for (std::size_t i = 0; i < count; ++i, r >>= 8) bytes[i] = static_cast<Byte>(r);
    return static_cast<std::uint16_t>(r);
}

/// All pairs of a step but the last, `width` bytes each. (Always inlined: g++ 12 for Arm drops
/// calls with a width of 0 or 1, as if nobody read what they store.)
template <class Isa, std::size_t width>
[[gnu::always_inline]] constexpr void encode_pairs(std::size_t pairs, std::uint32_t bound,
                                                   std::uint16_t* integers, Byte* to) noexcept
{
    if constexpr (isa::Zips<Isa>)
        if (pairs >= VectorPairs<Isa>::least_pairs)
            return VectorPairs<Isa>::template encode<width>(pairs, bound, integers, to);
    for (std::size_t i = 0; i < pairs; ++i)
        integers[i] = write_integer(integers[2 * i] + bound * integers[2 * i + 1], width, to + i * width);
}

/// Encode (NTRU Prime, Section 2.3), by a plan. The integers are overwritten. Constant time.
/// Vectors may write after the bytes (VectorPairs::slack).
template <class Isa>
[[gnu::noinline]] constexpr void encode_integers(const EncodingPlan& plan, std::uint16_t* integers,
                                                 Byte* to) noexcept
{
    for (std::size_t s = 0; s < plan.steps; ++s) {
        const EncodingPlan::Step step = plan.step[s];
        const std::uint32_t bound = step.bound.divisor;
        const std::size_t last = step.count / 2 - 1;
        if (step.width == 0)
            encode_pairs<Isa, 0>(last, bound, integers, to);
        else if (step.width == 1)
            encode_pairs<Isa, 1>(last, bound, integers, to);
        else
            encode_pairs<Isa, 2>(last, bound, integers, to);
        to += last * step.width;
        integers[last] =
            write_integer(integers[2 * last] + bound * integers[2 * last + 1], step.last_width, to);
        to += step.last_width;
        if (step.count % 2 != 0) integers[last + 1] = integers[step.count - 1];
    }
    write_integer(integers[0], plan.end_width, to);
}

/// Puts an integer's low bytes below its high part.
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t read_integer(const Byte* bytes, std::size_t count,
                                                                       std::uint32_t above) noexcept
{
    for (; count > 0; --count) above = above << 8 | bytes[count - 1];
    return above;
}

/// All pairs of a step but the last, `width` bytes each.
template <class Isa, std::size_t width>
[[gnu::noinline]] constexpr void decode_pairs(std::size_t pairs, const Divisor bound, const Byte* from,
                                              const std::uint16_t* __restrict above,
                                              std::uint16_t* __restrict integers) noexcept
{
    if constexpr (isa::Zips<Isa>)
        if (pairs >= VectorPairs<Isa>::least_pairs)
            return VectorPairs<Isa>::template decode<width>(pairs, bound, from, above, integers);
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::uint32_t pair = read_integer(from + i * width, width, above[i]);
        const std::uint32_t high = bound.quotient<Isa>(pair);
        integers[2 * i] = static_cast<std::uint16_t>(pair - bound.divisor * high);
        integers[2 * i + 1] = static_cast<std::uint16_t>(bound.remainder<Isa>(high));
    }
}

/// Decode (NTRU Prime, Section 2.3), by a plan: any bytes decode to integers within the bounds.
/// `other` has room for as many integers. Constant time. Vectors may read after the bytes.
template <class Isa>
[[gnu::noinline]] constexpr void decode_integers(const EncodingPlan& plan, const Byte* from,
                                                 std::uint16_t* integers, std::uint16_t* other) noexcept
{
    const Byte* end = from + plan.bytes - plan.end_width;
    std::uint16_t* above = plan.steps % 2 == 0 ? integers : other;
    std::uint16_t* to = plan.steps % 2 == 0 ? other : integers;
    above[0] =
        static_cast<std::uint16_t>(plan.end_bound.remainder<Isa>(read_integer(end, plan.end_width, 0)));
    for (std::size_t s = plan.steps; s-- > 0; std::swap(above, to)) {
        const EncodingPlan::Step& step = plan.step[s];
        const std::size_t last = step.count / 2 - 1;
        end -= last * step.width + step.last_width;
        if (step.width == 0)
            decode_pairs<Isa, 0>(last, step.bound, end, above, to);
        else if (step.width == 1)
            decode_pairs<Isa, 1>(last, step.bound, end, above, to);
        else
            decode_pairs<Isa, 2>(last, step.bound, end, above, to);
        const std::uint32_t r = read_integer(end + last * step.width, step.last_width, above[last]);
        to[2 * last] = static_cast<std::uint16_t>(step.bound.remainder<Isa>(r));
        to[2 * last + 1] =
            static_cast<std::uint16_t>(step.second_bound.remainder<Isa>(step.bound.quotient<Isa>(r)));
        if (step.count % 2 != 0) to[step.count - 1] = above[last + 1];
    }
}

/// Encode (NTRU Prime, Section 2.3), which writes nothing after the bytes.
template <class Isa, class R>
constexpr void encode_integers_within(const EncodingPlan& plan,
                                      std::array<std::uint16_t, R::capacity>& integers,
                                      BytesOut<> bytes) noexcept
{
    if constexpr (isa::Zips<Isa>) {
        std::array<Byte, 2 * R::capacity + VectorPairs<Isa>::slack> padded;
        encode_integers<Isa>(plan, integers.data(), padded.data());
        copy(BytesIn<>{padded}.first(plan.bytes), bytes);
        wipe(padded);
    } else {
        encode_integers<Isa>(plan, integers.data(), bytes.data());
    }
}

/// Rq_encode (NTRU Prime, Section 3.1). Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void rq_encode(const R& ring, const Rq<R::capacity>& r, BytesOut<> bytes)
{
    std::array<std::uint16_t, R::capacity> integers;
    for (std::size_t i = 0; i < ring.p; ++i) integers[i] = static_cast<std::uint16_t>(r.c[i] + ring.q12);
    encode_integers_within<Isa, R>(ring.rq_plan, integers, bytes);
}

/// Decode (NTRU Prime, Section 2.3), which reads nothing after the bytes.
template <class Isa, class R>
constexpr void decode_integers_within(const EncodingPlan& plan, BytesIn<> bytes,
                                      std::array<std::uint16_t, R::capacity>& integers) noexcept
{
    std::array<std::uint16_t, R::capacity> other;
    if constexpr (isa::Zips<Isa>) {
        std::array<Byte, 2 * R::capacity + VectorPairs<Isa>::slack> padded;
        copy(bytes.first(plan.bytes), padded);
        decode_integers<Isa>(plan, padded.data(), integers.data(), other.data());
    } else {
        decode_integers<Isa>(plan, bytes.data(), integers.data(), other.data());
    }
}

/// Rq_decode (NTRU Prime, Section 3.1), of any bytes.
template <class Isa, class R>
[[gnu::noinline]] constexpr void rq_decode(const R& ring, BytesIn<> bytes, Rq<R::capacity>& r)
{
    std::array<std::uint16_t, R::capacity> integers;
    decode_integers_within<Isa, R>(ring.rq_plan, bytes, integers);
    for (std::size_t i = 0; i < ring.p; ++i) r.c[i] = static_cast<std::int16_t>(integers[i] - ring.q12);
}

/// Rounded_encode (NTRU Prime, Section 3.1). Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void rounded_encode(const R& ring, const Rounded<R::capacity>& r,
                                                BytesOut<> bytes)
{
    // 10923 / 2^15 exceeds 1 / 3 by 1 / (3 * 2^15), which on less than 2^13 is less than 1 / 3.
    std::array<std::uint16_t, R::capacity> integers;
    for (std::size_t i = 0; i < ring.p; ++i)
        integers[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(r.c[i] + ring.q12) * 10923 >> 15);
    encode_integers_within<Isa, R>(ring.rounded_plan, integers, bytes);
    wipe(integers);
}

/// Rounded_decode (NTRU Prime, Section 3.1), of any bytes.
template <class Isa, class R>
[[gnu::noinline]] constexpr void rounded_decode(const R& ring, BytesIn<> bytes, Rounded<R::capacity>& r)
{
    std::array<std::uint16_t, R::capacity> integers;
    decode_integers_within<Isa, R>(ring.rounded_plan, bytes, integers);
    for (std::size_t i = 0; i < ring.p; ++i) r.c[i] = static_cast<std::int16_t>(3 * integers[i] - ring.q12);
}

/// Small_encode (NTRU Prime, Section 3.1): four coefficients a byte, each two bits; as p is
/// 4 k + 1, the last byte has one. Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void small_encode(const R& ring, const Small<R::capacity>& f, BytesOut<> bytes)
{
    const std::size_t whole = ring.p / 4;
    if constexpr (Isa::follows_specification) {
        const auto two_bits = [&](std::size_t i) { return (f.c[i] + 1) << (2 * (i % 4)); };
        for (std::size_t i = 0; i < whole; ++i)
            bytes[i] = static_cast<Byte>(two_bits(4 * i) | two_bits(4 * i + 1) | two_bits(4 * i + 2) |
                                         two_bits(4 * i + 3));
    } else {
        // Four coefficients, a byte each; the sign bit keeps an addition to one byte out of the
        // next.
        for (std::size_t i = 0; i < whole; ++i) {
            const std::uint32_t four = load_le32(reinterpret_cast<const Byte*>(&f.c[4 * i]));
            const std::uint32_t more = ((four ^ 0x80808080) + 0x01010101) ^ 0x80808080;
            bytes[i] = static_cast<Byte>(more | more >> 6 | more >> 12 | more >> 18);
        }
    }
    bytes[whole] = static_cast<Byte>(f.c[4 * whole] + 1);
}

/// Small_decode (NTRU Prime, Section 3.1). Two bits that are both 1 encode nothing; they become 2,
/// which small_decode_strictly refuses. Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void small_decode(const R& ring, BytesIn<> bytes, Small<R::capacity>& f)
{
    const std::size_t whole = ring.p / 4;
    if constexpr (!Isa::follows_specification || isa::MultipliesWords<Isa>) {
        // Four coefficients, a byte each; a bit above them keeps a subtraction from one byte out of
        // the next.
        constexpr std::uint32_t each = 0x01010101;
        for (std::size_t i = 0; i < whole; ++i) {
            const std::uint32_t halves = (bytes[i] | std::uint32_t{bytes[i]} << 12) & 0x000F000F;
            const std::uint32_t pairs = (halves | halves << 6) & 3 * each;
            const std::uint32_t four = ((pairs | 0x80 * each) - each) ^ 0x80 * each;
            store_le32(reinterpret_cast<Byte*>(&f.c[4 * i]), four);
        }
    } else {
        for (std::size_t i = 0; i < whole; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                f.c[4 * i + j] = static_cast<std::int8_t>((bytes[i] >> (2 * j) & 3) - 1);
    }
    f.c[4 * whole] = static_cast<std::int8_t>((bytes[whole] & 3) - 1);
}

}  // namespace girih::ntru_prime
