/// The number-theoretic transform (FIPS 204, Section 7.5) and its inverse, on an engine's vectors.
/// plain_ntt.hpp has both in the standard's steps.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "core/unroll.hpp"
#include "isa/options.hpp"
#include "ml_dsa/kernels/montgomery.hpp"
#include "ml_dsa/kernels/plain_ntt.hpp"
#include "ml_dsa/kernels/poly_arithmetic.hpp"

namespace girih::ml_dsa {

namespace tables {

/// The forms of a fixed factor and its quotient by q: Montgomery's (see Twiddle), or the factor as
/// it is, with 2^31 times its quotient, rounded (isa::MultipliesModulo).
enum class FactorForm { montgomery, rounded };

struct FixedFactor {
    std::int32_t value;
    std::int32_t quotient;
};
template <FactorForm form>
constexpr FixedFactor fixed_factor(Residue z)
{
    if (form == FactorForm::montgomery) return {to_montgomery(z), montgomery_quotient(to_montgomery(z))};
    return {z.centred(), isa::rounded_quotient<32>(z.centred(), q)};
}

/// Zetas with their quotients.
struct Zetas {
    std::array<std::int32_t, n> factors{};
    std::array<std::int32_t, n> quotients{};

    constexpr void set(unsigned m, FixedFactor z)
    {
        factors[m] = z.value;
        quotients[m] = z.quotient;
    }
};

template <FactorForm form>
inline constexpr Zetas zetas_in = [] {
    Zetas table;
    for (unsigned m = 0; m < n; ++m) table.set(m, fixed_factor<form>(zeta_of(m)));
    return table;
}();

/// 1 / zetas[m], which undoes the butterfly of zetas[m].
template <FactorForm form>
inline constexpr Zetas inverse_zetas_in = [] {
    Zetas table;
    const Residue inverse_zeta = inverse(Residue{zeta});
    for (unsigned m = 0; m < n; ++m) table.set(m, fixed_factor<form>(power(inverse_zeta, bit_rev8(m))));
    return table;
}();

inline constexpr const Zetas& zetas = zetas_in<FactorForm::montgomery>;
inline constexpr const Zetas& inverse_zetas = inverse_zetas_in<FactorForm::montgomery>;

/// R / 256: the scale of the inverse, times the R that cancels a product's 1 / R.
inline constexpr Residue inverse_scale = Residue{montgomery_radix} / Residue{n};
/// inverse_scale in Montgomery form.
inline constexpr std::int32_t inverse_factor = to_montgomery(inverse_scale);

}  // namespace tables

/// Largest magnitude of a product of |a| <= a_magnitude with a fixed factor, rounded up: |a| q / R
/// + q / 2 by a rounded quotient, |a| (q / 2) / R + q / 2 by Montgomery's reduction.
constexpr std::int64_t twiddled(std::int64_t a_magnitude)
{
    return a_magnitude * q / montgomery_radix + q / 2 + 1;
}

/// The bound after eight layers of butterflies, each of which adds one twiddled product.
constexpr Bound ntt_bound(Bound in)
{
    std::int64_t magnitude = in.magnitude();
    for (int layer = 0; layer < 8; ++layer) magnitude += twiddled(magnitude);
    return Bound::symmetric(magnitude);
}

/// The bound of a Montgomery reduction's result.
inline constexpr Bound reduced_bound = Bound::symmetric(q - 1);

namespace kernels {

/// How a transform of 256 coefficients is divided among vectors of `lanes`.
///
/// First come the layers whose butterflies span `stride` or more, on `group` vectors at a time, a
/// stride apart. Then, on runs of `run` adjacent vectors, come the layers down to one vector. For
/// the last layers, inside a vector, the vectors of a run are transposed, so that every butterfly
/// is again between whole vectors. AVX2: 8 lanes, group 8, stride 32, run 8; AVX-512: 16 in all
/// four; NEON: 4, 16, 16, 4; portable: 1, 16, 16, 16.
template <class Isa>
struct TransformLayout {
    static constexpr std::size_t lanes = Isa::integer_lanes;
    static constexpr std::size_t group = Isa::ntt_group;
    static constexpr std::size_t stride = n / group;
    static constexpr std::size_t run = lanes > stride / lanes ? lanes : stride / lanes;
    static_assert(lanes <= stride && run * lanes <= n);
    static_assert(lanes == 1 || run == lanes);  // a transpose needs a square

    using Integers = typename Isa::Integers;
    using Group = std::array<Integers, group>;
    using Run = std::array<Integers, run>;
};

/// The number of the block of 2 `length` coefficients that holds coefficient `start`, in the
/// order of the zetas.
constexpr std::size_t zeta_index(std::size_t length, std::size_t start) { return (n + start) / (2 * length); }

/// The form in which an engine takes fixed factors.
template <class Isa>
inline constexpr auto factor_form =
    isa::MultipliesModulo<Isa, typename Isa::Integers> ? tables::FactorForm::rounded
                                                       : tables::FactorForm::montgomery;
template <class Isa>
inline constexpr bool has_rounded_quotients = factor_form<Isa> == tables::FactorForm::rounded;

/// Factor `index` of two in a vector, each with its quotient.
template <class Integers, std::size_t index>
struct IndexedTwiddle {
    Integers row;
};

/// a times a fixed factor, at most `twiddled` in magnitude.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr typename Isa::Integers multiply_fixed(
    typename Isa::Integers a, const Twiddle<typename Isa::Integers>& z) noexcept
{
    if constexpr (has_rounded_quotients<Isa>)
        return Isa::multiply_modulo(a, z.factor, z.quotient, Isa::opaque(Isa::broadcast(q)));
    else
        return montgomery_multiply<Isa>(a, z);
}
template <class Isa, std::size_t index>
[[nodiscard, gnu::always_inline]] inline typename Isa::Integers multiply_fixed(
    typename Isa::Integers a, const IndexedTwiddle<typename Isa::Integers, index>& z) noexcept
{
    return Isa::template multiply_modulo<index>(a, z.row, Isa::opaque(Isa::broadcast(q)));
}

/// For rounded quotients: the zetas of the layers across strides, each beside its quotient. A
/// vector holds two.
template <const tables::Zetas& zetas>
inline constexpr auto group_rows = [] {
    std::array<tables::FixedFactor, 16> rows{};
    for (std::size_t m = 1; m < rows.size(); ++m) rows[m] = {zetas.factors[m], zetas.quotients[m]};
    return rows;
}();

/// Zetas for the layers inside vectors: for each run, each layer of `length` < lanes, and each
/// block of it in a vector, one vector whose lane i belongs to vector i of the run.
template <std::size_t lanes>
struct LaneZetas {
    static constexpr std::size_t per_run = lanes - 1;
    static constexpr std::size_t runs = n / (lanes * lanes);

    /// The place of a layer's block: layers of length lanes / 2, ..., 1 have 1, 2, ...
    /// blocks in a vector.
    static constexpr std::size_t place(std::size_t run, std::size_t length, std::size_t block)
    {
        return (run * per_run + lanes / (2 * length) - 1 + block) * lanes;
    }

    alignas(64) std::array<std::int32_t, runs * per_run * lanes> factors{};
    alignas(64) std::array<std::int32_t, runs * per_run * lanes> quotients{};

    constexpr explicit LaneZetas(const tables::Zetas& zetas)
    {
        for (std::size_t run = 0; run < runs; ++run)
            for (std::size_t length = lanes / 2; length >= 1; length /= 2)
                for (std::size_t block = 0; block < lanes / (2 * length); ++block)
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        const std::size_t start = (run * lanes + lane) * lanes + block * 2 * length;
                        const std::size_t index = zeta_index(length, start);
                        factors[place(run, length, block) + lane] = zetas.factors[index];
                        quotients[place(run, length, block) + lane] = zetas.quotients[index];
                    }
    }
};

template <std::size_t lanes, const tables::Zetas& zetas>
inline constexpr LaneZetas<lanes> lane_zetas{zetas};

/// For rounded quotients: all zetas of the runs of four vectors of four, two numbers for each
/// coefficient and 32 for each run. A run begins with a vector of zetas beside their quotients for
/// each layer between vectors. Then a vector of zetas and one of quotients follow for each of
/// LaneZetas.
template <const tables::Zetas& zetas>
struct RunZetas {
    static constexpr std::size_t row(std::size_t length) { return length == 8 ? 0 : 4; }
    static constexpr std::size_t lanes(std::size_t length, std::size_t block)
    {
        return 8 + 2 * LaneZetas<4>::place(0, length, block);
    }

    alignas(64) std::array<std::int32_t, 2 * n> numbers{};

    constexpr RunZetas()
    {
        for (std::size_t start = 0; start < n; start += 16) {
            std::int32_t* const of_run = &numbers[2 * start];
            for (std::size_t length = 8; length >= 4; length /= 2)
                for (std::size_t block = 0; block < 8 / length; ++block) {
                    const std::size_t m = zeta_index(length, start) + block;
                    of_run[row(length) + 2 * block] = zetas.factors[m];
                    of_run[row(length) + 2 * block + 1] = zetas.quotients[m];
                }
            const LaneZetas<4>& table = lane_zetas<4, zetas>;
            for (std::size_t i = 0; i < 12; ++i) {
                of_run[8 + i / 4 * 8 + i % 4] = table.factors[table.place(start / 16, 2, 0) + i];
                of_run[8 + i / 4 * 8 + i % 4 + 4] = table.quotients[table.place(start / 16, 2, 0) + i];
            }
        }
    }
};
template <const tables::Zetas& zetas>
inline constexpr RunZetas<zetas> run_zetas{};

/// The numbers of the run at `start`.
template <class Isa, const tables::Zetas& zetas>
[[gnu::always_inline]] inline const std::int32_t* zetas_of_run(std::size_t start) noexcept
{
    using Layout = TransformLayout<Isa>;
    static_assert(Layout::lanes == 4 && Layout::run == 4 && Layout::stride == 16);
    return Isa::opaque(&run_zetas<zetas>.numbers[2 * start]);
}

/// The zeta of a block in a layer across strides, or between the vectors of a run: for all lanes.
template <class Isa, const tables::Zetas& zetas>
[[gnu::always_inline]] constexpr Twiddle<typename Isa::Integers> broadcast_zeta(std::size_t index) noexcept
{
    return {Isa::broadcast(zetas.factors[index]), Isa::broadcast(zetas.quotients[index])};
}
template <class Isa, const tables::Zetas& zetas, std::size_t length, std::size_t block>
[[gnu::always_inline]] constexpr auto group_zeta() noexcept
{
    constexpr std::size_t index = zeta_index(length, block * 2 * length);
    if constexpr (has_rounded_quotients<Isa>) {
        const auto* const rows = isa::factor_table<Isa, typename Isa::Integers, group_rows<zetas>>().data();
        return IndexedTwiddle<typename Isa::Integers, block % 2>{Isa::load(&rows[index - block % 2].value)};
    } else {
        return broadcast_zeta<Isa, zetas>(index);
    }
}
template <class Isa, const tables::Zetas& zetas, std::size_t length, std::size_t block>
[[gnu::always_inline]] constexpr auto run_zeta(std::size_t start) noexcept
{
    if constexpr (has_rounded_quotients<Isa>) {
        const std::int32_t* const row = zetas_of_run<Isa, zetas>(start) + RunZetas<zetas>::row(length);
        return IndexedTwiddle<typename Isa::Integers, block>{Isa::load(row)};
    } else {
        return broadcast_zeta<Isa, zetas>(zeta_index(length, start + block * 2 * length));
    }
}

/// A vector of LaneZetas for four lanes, from numbers in the order of zeta_index: four in a row for
/// length 2, every other of eight for length 1.
template <class Isa, class Numbers>
[[gnu::always_inline]] inline typename Isa::Integers shuffled_zeta(const Numbers& zetas, std::size_t run,
                                                                   std::size_t length,
                                                                   std::size_t block) noexcept
{
    static_assert(Isa::integer_lanes == 4);
    const auto first = Isa::load(&zetas[zeta_index(length, run * 16)]);
    if (length == 2) return first;
    const auto second = Isa::load(&zetas[zeta_index(length, run * 16) + 4]);
    return block == 0 ? __builtin_shufflevector(first, second, 0, 2, 4, 6)
                      : __builtin_shufflevector(first, second, 1, 3, 5, 7);
}

template <class Isa, const tables::Zetas& zetas>
[[gnu::always_inline]] constexpr Twiddle<typename Isa::Integers> lane_zeta(std::size_t start,
                                                                           std::size_t length,
                                                                           std::size_t block) noexcept
{
    const std::size_t run = start / (TransformLayout<Isa>::run * TransformLayout<Isa>::lanes);
    if constexpr (has_rounded_quotients<Isa>) {
        const std::int32_t* const zeta =
            zetas_of_run<Isa, zetas>(start) + RunZetas<zetas>::lanes(length, block);
        return {Isa::load(zeta), Isa::load(zeta + 4)};
    } else if constexpr (isa::SavesBytes<Isa>) {
        return {shuffled_zeta<Isa>(zetas.factors, run, length, block),
                shuffled_zeta<Isa>(zetas.quotients, run, length, block)};
    } else {
        const auto& table = lane_zetas<Isa::integer_lanes, zetas>;
        const std::size_t place = table.place(run, length, block);
        return {Isa::load(&table.factors[place]), Isa::load(&table.quotients[place])};
    }
}

/// The Cooley-Tukey butterfly: (a, b) becomes (a + z b, a - z b).
template <class Isa>
struct Forward {
    static constexpr const tables::Zetas& zetas = tables::zetas_in<factor_form<Isa>>;
    using Integers = typename Isa::Integers;
    template <class Factor>
    [[gnu::always_inline]] static constexpr void butterfly(Integers& a, Integers& b, const Factor& z) noexcept
    {
        const Integers t = multiply_fixed<Isa>(b, z);
        b = a - t;
        a = a + t;
    }
};

/// The Gentleman-Sande butterfly, twice the inverse of the above: (a, b) becomes
/// (a + b, (a - b) / z).
template <class Isa>
struct Inverse {
    static constexpr const tables::Zetas& zetas = tables::inverse_zetas_in<factor_form<Isa>>;
    using Integers = typename Isa::Integers;
    template <class Factor>
    [[gnu::always_inline]] static constexpr void butterfly(Integers& a, Integers& b, const Factor& z) noexcept
    {
        const Integers difference = a - b;
        a = a + b;
        b = multiply_fixed<Isa>(difference, z);
    }
};

/// One layer on vectors in registers: blocks of 2 half vectors, the zeta of each from zeta(block).
template <std::size_t half, class Butterfly, class Vectors, class Zeta>
[[gnu::always_inline]] constexpr void layer(Vectors& v, Zeta zeta) noexcept
{
    unroll<std::tuple_size_v<Vectors> / (2 * half)>([&](auto block) __attribute__((always_inline)) {
        const auto z = zeta(block);
        unroll<half>([&](auto j) __attribute__((always_inline)) {
            Butterfly::butterfly(v[block * 2 * half + j], v[block * 2 * half + half + j], z);
        });
    });
}

/// The layers of half = count / 2, ..., 1 vectors, or the other way round.
template <std::size_t count, class Layer>
[[gnu::always_inline]] constexpr void falling(Layer layer_of) noexcept
{
    if constexpr (count > 1) {
        layer_of(std::integral_constant<std::size_t, count / 2>{});
        falling<count / 2>(layer_of);
    }
}
template <std::size_t count, class Layer>
[[gnu::always_inline]] constexpr void rising(Layer layer_of) noexcept
{
    if constexpr (count > 1) {
        rising<count / 2>(layer_of);
        layer_of(std::integral_constant<std::size_t, count / 2>{});
    }
}

/// w's group of vectors that begins at j, one of each stride.
template <class Isa>
[[gnu::always_inline]] constexpr auto load_group(const Coefficients& w, std::size_t j) noexcept
{
    typename TransformLayout<Isa>::Group v{};
    unroll<TransformLayout<Isa>::group>([&](auto i) __attribute__((always_inline)) {
        v[i] = Isa::load(&w[j + i * TransformLayout<Isa>::stride]);
    });
    return v;
}

/// The layers across strides, on the group of vectors that begins at j.
template <class Isa, class Butterfly, std::size_t half>
[[gnu::always_inline]] constexpr void group_layer(typename TransformLayout<Isa>::Group& v) noexcept
{
    using Layout = TransformLayout<Isa>;
    layer<half, Butterfly>(v, [](auto block) __attribute__((always_inline)) {
        return group_zeta<Isa, Butterfly::zetas, half * Layout::stride, block>();
    });
}

/// The layers inside a run and between its vectors.
template <class Isa, class Butterfly, std::size_t half>
[[gnu::always_inline]] constexpr void run_layer(typename TransformLayout<Isa>::Run& v,
                                                std::size_t start) noexcept
{
    using Layout = TransformLayout<Isa>;
    layer<half, Butterfly>(v, [start](auto block) __attribute__((always_inline)) {
        return run_zeta<Isa, Butterfly::zetas, half * Layout::lanes, block>(start);
    });
}

/// The layers inside vectors, on transposed ones.
template <class Isa, class Butterfly, std::size_t half>
[[gnu::always_inline]] constexpr void lane_layer(typename TransformLayout<Isa>::Run& v,
                                                 std::size_t start) noexcept
{
    layer<half, Butterfly>(v, [start](std::size_t block) __attribute__((always_inline)) {
        return lane_zeta<Isa, Butterfly::zetas>(start, half, block);
    });
}

/// Eight layers of Cooley-Tukey butterflies, |a| growing as ntt_bound says; `from` may be w.
template <class Isa>
constexpr void ntt(const Coefficients& from, Coefficients& w) noexcept
{
    using Layout = TransformLayout<Isa>;
    for (std::size_t j = 0; j < Layout::stride; j += Layout::lanes) {
        auto v = load_group<Isa>(from, j);
        falling<Layout::group>(
            [&](auto half) __attribute__((always_inline)) { group_layer<Isa, Forward<Isa>, half>(v); });
        unroll<Layout::group>(
            [&](auto i) __attribute__((always_inline)) { Isa::store(&w[j + i * Layout::stride], v[i]); });
    }
    for (std::size_t start = 0; start < n; start += Layout::run * Layout::lanes) {
        typename Layout::Run v{};
        unroll<Layout::run>(
            [&](auto i) __attribute__((always_inline)) { v[i] = Isa::load(&w[start + i * Layout::lanes]); });
        falling<Layout::stride / Layout::lanes>(
            [&](auto half) __attribute__((always_inline)) { run_layer<Isa, Forward<Isa>, half>(v, start); });
        if constexpr (Layout::lanes > 1) {
            Isa::transpose(v);
            falling<Layout::lanes>([&](auto half) __attribute__((always_inline)) {
                lane_layer<Isa, Forward<Isa>, half>(v, start);
            });
            Isa::transpose(v);
        }
        unroll<Layout::run>(
            [&](auto i) __attribute__((always_inline)) { Isa::store(&w[start + i * Layout::lanes], v[i]); });
    }
}

/// The factors of the last inverse layer: of sums, and of differences.
template <tables::FactorForm form>
alignas(16) inline constexpr std::array<tables::FixedFactor, 2> last_factors{
    tables::fixed_factor<form>(tables::inverse_scale),
    tables::fixed_factor<form>(tables::inverse_scale / zeta_of(1))};

template <class Isa, std::size_t index>
[[gnu::always_inline]] constexpr auto last_factor() noexcept
{
    const auto& factors = isa::factor_table<Isa, typename Isa::Integers, last_factors<factor_form<Isa>>>();
    if constexpr (has_rounded_quotients<Isa>)
        return IndexedTwiddle<typename Isa::Integers, index>{Isa::load(&factors[0].value)};
    else
        return Twiddle<typename Isa::Integers>{Isa::broadcast(factors[index].value),
                                               Isa::broadcast(factors[index].quotient)};
}

/// Eight layers of Gentleman-Sande butterflies, and in the last one a factor of R / 256.
/// Coefficients are below q in magnitude before and after; `from` may be w.
template <class Isa>
constexpr void inverse_ntt(const Coefficients& from, Coefficients& w) noexcept
{
    // A sum of two doubles the bound in each layer: 2^8 (q - 1) = 2,145,386,496 < 2^31.
    static_assert((std::int64_t{q} - 1) << 8 < montgomery_radix / 2);
    using Layout = TransformLayout<Isa>;
    for (std::size_t start = 0; start < n; start += Layout::run * Layout::lanes) {
        typename Layout::Run v{};
        unroll<Layout::run>([&](auto i) __attribute__((always_inline)) {
            v[i] = Isa::load(&from[start + i * Layout::lanes]);
        });
        if constexpr (Layout::lanes > 1) {
            Isa::transpose(v);
            rising<Layout::lanes>([&](auto half) __attribute__((always_inline)) {
                lane_layer<Isa, Inverse<Isa>, half>(v, start);
            });
            Isa::transpose(v);
        }
        rising<Layout::stride / Layout::lanes>(
            [&](auto half) __attribute__((always_inline)) { run_layer<Isa, Inverse<Isa>, half>(v, start); });
        unroll<Layout::run>(
            [&](auto i) __attribute__((always_inline)) { Isa::store(&w[start + i * Layout::lanes], v[i]); });
    }
    const auto of_sum = last_factor<Isa, 0>();
    const auto of_difference = last_factor<Isa, 1>();
    for (std::size_t j = 0; j < Layout::stride; j += Layout::lanes) {
        auto v = load_group<Isa>(w, j);
        rising<Layout::group / 2>(
            [&](auto half) __attribute__((always_inline)) { group_layer<Isa, Inverse<Isa>, half>(v); });
        unroll<Layout::group / 2>([&](auto i) __attribute__((always_inline)) {
            const auto a = v[i];
            const auto b = v[i + Layout::group / 2];
            Isa::store(&w[j + i * Layout::stride], multiply_fixed<Isa>(a + b, of_sum));
            Isa::store(&w[j + (i + Layout::group / 2) * Layout::stride],
                       multiply_fixed<Isa>(a - b, of_difference));
        });
    }
}

}  // namespace kernels

// The forms whose last argument is the result leave no temporary that would have to be wiped.

/// NTT (FIPS 204, Algorithm 41).
template <class Isa, Bound bound, Secrecy secrecy>
constexpr void ntt(const Poly<Form::coefficients, bound, secrecy>& w,
                   Poly<Form::ntt, ntt_bound(bound), secrecy>& w_hat)
{
    GIRIH_ASSERT_BOUND(w);
    kernels::ntt<Isa>(w.c, w_hat.c);
    GIRIH_ASSERT_BOUND(w_hat);
}
template <class Isa, Bound bound, Secrecy secrecy>
[[nodiscard]] constexpr auto ntt(const Poly<Form::coefficients, bound, secrecy>& w)
{
    Poly<Form::ntt, ntt_bound(bound), secrecy> w_hat;
    ntt<Isa>(w, w_hat);
    return w_hat;
}

/// NTT^-1 (FIPS 204, Algorithm 42), times R: this cancels the 1 / R of the product.
template <class Isa, Bound bound, Secrecy secrecy>
    requires(bound.within(reduced_bound))
constexpr void inverse_ntt(const Poly<Form::ntt_product, bound, secrecy>& w_hat,
                           Poly<Form::coefficients, reduced_bound, secrecy>& w)
{
    GIRIH_ASSERT_BOUND(w_hat);
    kernels::inverse_ntt<Isa>(w_hat.c, w.c);
    GIRIH_ASSERT_BOUND(w);
}
template <class Isa, Bound bound, Secrecy secrecy>
    requires(bound.within(reduced_bound))
[[nodiscard]] constexpr auto inverse_ntt(const Poly<Form::ntt_product, bound, secrecy>& w_hat)
{
    Poly<Form::coefficients, reduced_bound, secrecy> w;
    inverse_ntt<Isa>(w_hat, w);
    return w;
}

}  // namespace girih::ml_dsa
