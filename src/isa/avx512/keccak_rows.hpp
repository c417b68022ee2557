/// Keccak-f[1600] on one state in five vectors of five lanes, without moving words back into rows:
/// a round takes 26 to 46 operations, 36 on average, instead of 130 in general registers.
///
/// The place of a word follows pi instead. Before five of six rounds, word (x, y) is in vector x +
/// e y, lane d y, for a round's e and d, all modulo 5. Then pi and a rotation of each vector's
/// lanes bring all words of one y into one lane, where chi needs them; the next round has 3 / (1 +
/// e) for e. Before the first of six rounds, the word is in vector y, lane x, as in memory.
///
/// Constant time: bitwise operations, rotations and a fixed order.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "isa/shared/table.hpp"
#include "keccak/permutation.hpp"

namespace girih::isa::avx512 {

/// The places of words.
namespace places {

constexpr int modulo_5(int a) { return (a % 5 + 5) % 5; }
constexpr int inverse(int a) { return modulo_5(a * a * a); }

struct Place {
    int x;
    int y;
};
/// The word in lane j of vector r: before the first round of six, and before the others.
constexpr Place in_rows(int r, int j) { return {j, r}; }
constexpr Place between(int e, int d, int r, int j)
{
    const int y = modulo_5(j * inverse(d));
    return {modulo_5(r - e * y), y};
}

/// Rho's rotations of the words at place(r, j).
using Rotations = std::array<Table<std::int64_t, 8>, 5>;
template <class PlaceOf>
constexpr Rotations rotations(PlaceOf place)
{
    Rotations table;
    for (std::size_t r = 0; r < 5; ++r) {
        for (std::size_t j = 0; j < 5; ++j) {
            const Place p = place(static_cast<int>(r), static_cast<int>(j));
            table[r].entries[j] =
                keccak::tables::rotations[static_cast<std::size_t>(p.x) + 5 * static_cast<std::size_t>(p.y)];
        }
    }
    return table;
}
inline constexpr Rotations rotations_of_rows = rotations(in_rows);
/// With the lanes of vector r rotated by r `shift`.
template <int e, int d, int shift>
inline constexpr Rotations rotations_between =
    rotations([](int r, int j) { return between(e, d, r, j + r * shift); });

}  // namespace places

class KeccakRows {
  public:
    static void permute(std::array<std::uint64_t, keccak::words>& state) noexcept
    {
        KeccakRows in;
        in.load(state);
        for (std::size_t round = 0; round < keccak::rounds; round += 6) {
            const std::uint64_t* const constants = &keccak::tables::round_constants[round];
            in.round_of_rows(constants[0]);
            in.round_of_columns(constants[1]);
            in.round_between<3, 3>(constants[2]);
            in.round_between<2, 4>(constants[3]);
            in.round_between<1, 1>(constants[4]);
            in.round_to_rows(constants[5]);
        }
        in.store(state);
    }

  private:
    using Vector = std::uint64_t __attribute__((vector_size(64)));

    [[gnu::always_inline]] void load(const std::array<std::uint64_t, keccak::words>& state) noexcept
    {
        unroll<5>([&](auto y) __attribute__((always_inline)) {
            a_[y] = of(_mm512_maskz_loadu_epi64(0b11111, &state[5 * y]));
        });
    }
    /// Each store overwrites the excess words of the one before; the last row is stored exactly.
    /// (Masked stores are not forwarded to loads.)
    [[gnu::always_inline]] void store(std::array<std::uint64_t, keccak::words>& state) const noexcept
    {
        unroll<4>([&](auto y)
                      __attribute__((always_inline)) { _mm512_storeu_si512(&state[5 * y], raw(a_[y])); });
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(&state[20]), _mm512_castsi512_si256(raw(a_[4])));
        state[24] = a_[4][4];
    }

    template <std::size_t r>
    [[gnu::always_inline]] void rho(const places::Rotations& by) noexcept
    {
        a_[r] = of(_mm512_rolv_epi64(raw(a_[r]), _mm512_load_si512(by[r].data())));
    }

    /// Lane j from lane factor j + shift.
    template <int shift, int factor = 1>
    [[nodiscard, gnu::always_inline]] static Vector permuted(Vector a) noexcept
    {
        if constexpr (places::modulo_5(shift) == 0 && factor == 1) {
            return a;
        } else {
            static constexpr auto from = make_table<std::int64_t, 8>(
                [](int j) { return j < 5 ? places::modulo_5(factor * j + shift) : j; });
            return of(_mm512_permutexvar_epi64(_mm512_load_si512(from.data()), raw(a)));
        }
    }
    [[nodiscard, gnu::always_inline]] static Vector sum(Vector a, Vector b, Vector c) noexcept
    {
        return of(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0x96));
    }
    [[nodiscard, gnu::always_inline]] static Vector chi(Vector a, Vector b, Vector c) noexcept
    {
        return of(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xD2));
    }
    [[nodiscard, gnu::always_inline]] static Vector rotated(Vector a) noexcept
    {
        return of(_mm512_rol_epi64(raw(a), 1));
    }
    /// Vector r modulo 5.
    template <int r>
    [[nodiscard, gnu::always_inline]] const Vector& vector() const noexcept
    {
        return a_[static_cast<std::size_t>(places::modulo_5(r))];
    }

    /// chi on words whose neighbours are `step` vectors apart, in the same lane.
    template <int step>
    [[gnu::always_inline]] void chi_and_iota(std::uint64_t constant) noexcept
    {
        std::array<Vector, 5> next;
        unroll<5>([&](auto i) __attribute__((always_inline)) {
            constexpr int r = step * static_cast<int>(i.value);
            next[i] = chi(vector<r>(), vector<r + step>(), vector<r + 2 * step>());
        });
        a_ = next;
        iota(constant);
    }
    /// Word (0, 0) is always in lane 0 of vector 0.
    [[gnu::always_inline]] void iota(std::uint64_t constant) noexcept
    {
        const __m512i a = raw(a_[0]);
        a_[0] = of(_mm512_mask_xor_epi64(a, 1, a, _mm512_set1_epi64(static_cast<std::int64_t>(constant))));
    }

    /// From vector y, lane x to vector x, lane 4 y.
    [[gnu::always_inline]] void round_of_rows(std::uint64_t constant) noexcept
    {
        const Vector parities = sum(sum(a_[0], a_[1], a_[2]), a_[3], a_[4]);
        const Vector below = permuted<-1>(parities);
        const Vector above = permuted<1>(rotated(parities));
        unroll<5>([&](auto i) __attribute__((always_inline)) {
            a_[i] = sum(a_[i], below, above);
            rho<i>(places::rotations_of_rows);
            a_[i] = permuted<static_cast<int>(i.value), 2>(a_[i]);  // from vector x, lane x + 3 y
        });
        chi_and_iota<1>(constant);
    }
    /// From vector x, lane d y to vector x + 3 y, lane 2 d y. Each vector has a parity,
    /// in all lanes.
    [[gnu::always_inline]] void round_of_columns(std::uint64_t constant) noexcept
    {
        constexpr int d = 4;
        std::array<Vector, 5> parities;
        unroll<5>([&](auto i) __attribute__((always_inline)) {
            // Adds lanes u apart, for a u that is needed below; then two such sums, v apart; then
            // the fifth lane.
            constexpr int u = i == 0 ? 1 : places::modulo_5(d * static_cast<int>(i.value));
            constexpr int v = u == 1 || u == 4 ? 2 : 1;
            const Vector pairs = a_[i] ^ permuted<u>(a_[i]);
            parities[i] = sum(pairs, permuted<v>(pairs), permuted<-2 * (u + v)>(a_[i]));
        });
        unroll<5>([&](auto i) __attribute__((always_inline)) {
            constexpr int shift = d * static_cast<int>(i.value);  // after pi, from lane d x
            a_[i] = sum(permuted<shift>(a_[i]), parities[(i + 4) % 5], rotated(parities[(i + 1) % 5]));
            rho<i>(places::rotations_between<0, d, d>);
        });
        chi_and_iota<1>(constant);
    }
    /// theta and rho, from vector x + e y, lane d y; the lanes of vector r move down by r `shift`.
    template <int e, int d, int shift>
    [[gnu::always_inline]] void theta_and_rho() noexcept
    {
        // Lane d y has the parity of column -e y; vector r needs the parities of r - e y - 1 and r
        // - e y + 1.
        const Vector parities = sum(sum(a_[0], permuted<d>(vector<e>()), permuted<2 * d>(vector<2 * e>())),
                                    permuted<3 * d>(vector<3 * e>()), permuted<4 * d>(vector<4 * e>()));
        const Vector parities_rotated = rotated(parities);
        unroll<5>([&](auto i) __attribute__((always_inline)) {
            constexpr int r = static_cast<int>(i.value);
            constexpr int step = d * places::inverse(e);  // from one column to the next
            a_[i] = sum(permuted<shift * r>(a_[i]), permuted<shift * r - step*(r - 1)>(parities),
                        permuted<shift * r - step*(r + 1)>(parities_rotated));
            rho<i>(places::rotations_between<e, d, shift>);
        });
    }
    /// From vector x + e y, lane d y to vector x + 3 y / (1 + e), lane -3 d y / (1 + e).
    template <int e, int d>
    [[gnu::always_inline]] void round_between(std::uint64_t constant) noexcept
    {
        theta_and_rho<e, d,
                      d * places::inverse(1 + e)>();  // pi: vector (1 + e) x + 3 y, lane d x before the shift
        chi_and_iota<1 + e>(constant);
    }
    /// From vector x + 4 y, lane y to vector y, lane x.
    [[gnu::always_inline]] void round_to_rows(std::uint64_t constant) noexcept
    {
        theta_and_rho<4, 1, 0>();  // pi: vector 3 y, lane x
        std::array<Vector, 5> next;
        unroll<5>([&](auto y) __attribute__((always_inline)) {
            const Vector row = vector<3 * static_cast<int>(y.value)>();
            next[y] = chi(row, permuted<1>(row), permuted<2>(row));
        });
        a_ = next;
        iota(constant);
    }

    [[nodiscard, gnu::always_inline]] static __m512i raw(Vector a) noexcept
    {
        return reinterpret_cast<__m512i>(a);
    }
    [[nodiscard, gnu::always_inline]] static Vector of(__m512i a) noexcept
    {
        return reinterpret_cast<Vector>(a);
    }

    std::array<Vector, 5> a_;
};

}  // namespace girih::isa::avx512
