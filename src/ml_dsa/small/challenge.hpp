/// Challenges as lists of their few terms, and products with them: of short polynomials as sums of
/// bytes, of others coefficient by coefficient.
///
/// Constant time in what is multiplied; addresses depend on the challenge, which is known (see
/// ChallengeTerms).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/types.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_dsa::small {

using module_lattice::group;
using module_lattice::take_group;
using module_lattice::unpack;

/// The terms of a challenge: its powers of X, first those that are added.
template <Shape S, class Isa>
class ChallengeTerms {
  public:
    /// SampleInBall (FIPS 204, Algorithm 29). Variable time: c~ is public, or will be known to
    /// anyone who counts attempts.
    [[gnu::noinline]] constexpr explicit ChallengeTerms(BytesIn<> c_tilde)
    {
        keccak::Shake256<Isa> sponge;
        sponge.absorb(c_tilde);
        std::array<Byte, 8> signs{};
        sponge.squeeze(signs);
        for (std::size_t term = 0; term < S.tau;) {
            Byte j = 0;
            sponge.squeeze({&j, 1});
            const std::size_t i = n - S.tau + term;
            if (j > i) continue;
            // c_i = c_j; c_j = 1 or -1: the term that was at j, if any, moves to i, and the new
            // one takes its place.
            for (std::size_t before = 0; before < term; ++before)
                if (powers_[before] == j) powers_[before] = static_cast<Byte>(i);
            powers_[term++] = j;
        }
        const auto is_minus = [&signs](std::size_t term) { return (signs[term / 8] >> (term % 8) & 1) != 0; };
        for (std::size_t end = S.tau; plus_count_ < end;) {
            if (!is_minus(plus_count_)) {
                ++plus_count_;
            } else if (is_minus(end - 1)) {
                --end;
            } else {
                std::swap(powers_[plus_count_++], powers_[--end]);
            }
        }
    }

    /// The powers of terms `begin` to `end`, and how many of them are added.
    [[nodiscard]] constexpr std::span<const Byte> powers(std::size_t begin, std::size_t end) const
    {
        return std::span{powers_}.subspan(begin, end - begin);
    }
    [[nodiscard]] constexpr std::size_t plus_count(std::size_t begin, std::size_t end) const
    {
        return std::clamp(plus_count_, begin, end) - begin;
    }

    /// sum += c s 2^shift, or sum -= c s 2^shift, for the coefficients of s from number `first` on.
    template <int shift = 0, class Some>
    constexpr void add_product(const Some& s, std::size_t first, Coefficients& sum, bool subtract) const
    {
        for (std::size_t term = 0; term < S.tau; ++term) {
            std::size_t at = powers_[term] + first;
            bool negative = is_negative(term) != subtract;
            if (at >= n) {
                at -= n;
                negative = !negative;  // X^n = -1
            }
            const std::size_t below_n = std::min(s.size(), n - at);
            add_shifted<shift>(s.data(), below_n, &sum[at], negative);
            add_shifted<shift>(s.data() + below_n, s.size() - below_n, sum.data(), !negative);
        }
    }

    /// c itself.
    constexpr void write(Coefficients& c) const
    {
        c = {};
        for (std::size_t term = 0; term < S.tau; ++term) c[powers_[term]] = is_negative(term) ? -1 : 1;
    }

  private:
    template <int shift, class T>
    static constexpr void add_shifted(const T* from, std::size_t count, std::int32_t* to, bool negative)
    {
        if (negative) {
            for (std::size_t i = 0; i < count; ++i) to[i] -= std::int32_t{from[i]} << shift;
        } else {
            for (std::size_t i = 0; i < count; ++i) to[i] += std::int32_t{from[i]} << shift;
        }
    }

    [[nodiscard]] constexpr bool is_negative(std::size_t term) const { return term >= plus_count_; }

    std::array<Byte, S.tau> powers_{};
    std::size_t plus_count_ = 0;
    static_assert(S.tau <= 64);
};

/// Bytes of a sum that are computed at a time, so that vectors of them stay in registers.
template <class Isa>
using ByteSums = std::array<typename Isa::ShortIntegers, 8>;

/// A polynomial of s1 or s2 in bytes, preceded by the end of its negative, or by all of it: X^k s
/// is the 256 bytes that begin k bytes before s. Wiped on destruction.
template <Shape S, std::size_t before>
class ShortBytes {
  public:
    constexpr ShortBytes() = default;
    ShortBytes(const ShortBytes&) = delete;
    ShortBytes& operator=(const ShortBytes&) = delete;
    constexpr ~ShortBytes() { wipe(bytes_); }

    [[gnu::noinline]] constexpr void unpack(const Byte* packed)
    {
        constexpr std::size_t bits = S.eta_bits();
        for (std::size_t i = 0; i < n; i += group, packed += bits)
            take_group<bits>(packed, [&](std::size_t j, std::int32_t v) __attribute__((always_inline)) {
                bytes_[before + i + j] = static_cast<std::int8_t>(S.eta - v);
            });
        for (std::size_t i = 0; i < before; ++i) bytes_[i] = static_cast<std::int8_t>(-bytes_[n + i]);
    }

    /// The sum of X^power s over the first `plus_count` powers, minus that over the other powers:
    /// coefficients from number `first` on.
    template <class Isa>
    [[gnu::noinline]] constexpr void sum(std::span<const Byte> powers, std::size_t plus_count,
                                         std::size_t first,
                                         std::array<std::int8_t, sizeof(ByteSums<Isa>)>& out) const
    {
        using V = typename ByteSums<Isa>::value_type;
        ByteSums<Isa> sums{};
        static_assert(before == n || before >= sizeof sums);
        const auto term = [](const std::int8_t* s, std::size_t i) __attribute__((always_inline)) {
            V v;
            std::memcpy(&v, s + i * sizeof(V), sizeof(V));
            return v;
        };
        const auto add = [&](const std::int8_t* s) __attribute__((always_inline)) {
            unroll<8>([&](auto i) __attribute__((always_inline)) { sums[i] = sums[i] + term(s, i); });
        };
        const auto subtract = [&](const std::int8_t* s) __attribute__((always_inline)) {
            unroll<8>([&](auto i) __attribute__((always_inline)) { sums[i] = sums[i] - term(s, i); });
        };
        const std::int8_t* const s = &bytes_[before + first];
        if constexpr (before == n) {
            for (const Byte power : powers.first(plus_count)) add(s - power);
            for (const Byte power : powers.subspan(plus_count)) subtract(s - power);
        } else {
            for (std::size_t i = 0; i < powers.size(); ++i) {
                // If the bytes of X^power s do not begin here, those of its negative do.
                const bool is_there = powers[i] <= first + before;
                const std::int8_t* const from = s - powers[i] + (is_there ? 0 : n);
                if (is_there == (i < plus_count))
                    add(from);
                else
                    subtract(from);
            }
        }
        std::memcpy(out.data(), sums.data(), sizeof sums);
    }

  private:
    std::array<std::int8_t, before + n> bytes_;
};

/// Calls use(i, v) for each coefficient v of c s.
template <class Isa, Shape S, std::size_t before, class Use>
constexpr void for_each_of_product(const ChallengeTerms<S, Isa>& c, const ShortBytes<S, before>& s, Use use)
{
    constexpr std::size_t terms = INT8_MAX / S.eta;  // whose sum fits in a byte
    constexpr std::size_t sums = (S.tau + terms - 1) / terms;
    constexpr std::size_t width = sizeof(ByteSums<Isa>);
    Wiped<std::array<std::array<std::int8_t, width>, sums>> bytes{uninitialized};
    for (std::size_t first = 0; first < n; first += width) {
        for (std::size_t sum = 0; sum < sums; ++sum) {
            const std::size_t begin = sum * terms;
            const std::size_t end = std::min(begin + terms, S.tau);
            s.template sum<Isa>(c.powers(begin, end), c.plus_count(begin, end), first, (*bytes)[sum]);
        }
        for (std::size_t i = 0; i < width; ++i) {
            std::int32_t v = (*bytes)[0][i];
            for (std::size_t sum = 1; sum < sums; ++sum) v += (*bytes)[sum][i];
            use(first + i, v);
        }
    }
}

}  // namespace girih::ml_dsa::small
