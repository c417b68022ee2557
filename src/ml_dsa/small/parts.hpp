/// The parts of ML-DSA in little memory: masks, sums of 24 bits, transforms, and products with a
/// row of the matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "isa/options.hpp"
#include "isa/products.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/kernels/montgomery.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "ml_dsa/types.hpp"
#include "module_lattice/fields.hpp"
#include "transform/word_layers.hpp"

namespace girih::ml_dsa::small {

using module_lattice::group;
using module_lattice::pack;
using module_lattice::take_group;
using module_lattice::unpack;

/// Coefficients that are unpacked at once for a product with a challenge.
inline constexpr std::size_t part = 64;

/// A whole block of the sponge where memory is spent on speed, otherwise the least that suffices.
template <bool keeps>
inline constexpr std::size_t drawn_at_once = keeps ? keccak::shake128_function.rate : 24;

/// A polynomial of expand_mask, with no memory besides its own. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_mask(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa,
                                             Coefficients& y)
{
    keccak::Shake256<Isa> sponge;
    sponge.absorb(rho_double_prime).absorb(two_bytes(kappa));
    // The string is put at the end of the memory of y, whose coefficients take 32 bits each. The
    // coefficients written never overtake the bytes still to be read.
    constexpr std::size_t bits = S.z_bits();
    Byte* packed = reinterpret_cast<Byte*>(&y) + sizeof y - packed_bytes(bits);
    sponge.squeeze({packed, packed_bytes(bits)});
    for (std::size_t i = 0; i < n; i += group, packed += bits)
        take_group<bits>(packed, [&](std::size_t j, std::int32_t v)
                                     __attribute__((always_inline)) { y[i + j] = S.gamma1 - v; });
}

template <class Isa>
using Layers = transform::WordLayers<Isa, n, q, static_cast<std::uint32_t>(-q_inverse)>;

/// a b / R modulo q, for |a b| < 2^31 q: montgomery_multiply.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) noexcept
{
    return Layers<Isa>::multiply(a, b);
}

/// The factors alone, without the quotients that vectors are multiplied with.
inline constexpr std::array<std::int32_t, n> zetas = tables::zetas.factors;
inline constexpr std::array<std::int32_t, n> inverse_zetas = tables::inverse_zetas.factors;

/// The zetas in the order in which assembly uses them (ml_dsa_ntt.S): first two factors for the end
/// of the inverse, then blocks of three, two and three layers, each with its layers one after the
/// other.
inline constexpr std::array<std::int32_t, n + 1> ordered_zetas = [] {
    std::array<std::int32_t, n + 1> table{};
    table[0] = tables::inverse_factor;
    table[1] = to_montgomery(tables::inverse_scale * zeta_of(1));
    std::size_t at = 2;
    // The layer of `first` blocks, and `layers` - 1 after it.
    const auto add_blocks = [&](std::size_t first, std::size_t layers) {
        for (std::size_t block = 0; block < first; ++block)
            for (std::size_t layer = 0; layer < layers; ++layer)
                for (std::size_t i = 0; i < std::size_t{1} << layer; ++i)
                    table[at++] = zetas[((first + block) << layer) + i];
    };
    add_blocks(1, 3);
    add_blocks(8, 2);
    add_blocks(32, 3);
    return table;
}();

/// NTT (FIPS 204, Algorithm 41) in place, a coefficient at a time.
template <class Isa>
constexpr void ntt_in_loops(Coefficients& w) noexcept
{
    const std::int32_t* z = zetas.data();
    for (std::size_t len = n / 2; len >= 1; len /= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            ++z;
            for (std::size_t j = start; j < start + len; ++j) {
                const std::int32_t t = multiply<Isa>(*z, w[j + len]);
                w[j + len] = w[j] - t;
                w[j] += t;
            }
        }
    }
}
/// NTT^-1 (FIPS 204, Algorithm 42) in place, a coefficient at a time.
template <class Isa>
constexpr void inverse_ntt_in_loops(Coefficients& w) noexcept
{
    const std::int32_t* z = zetas.data() + n;
    for (std::size_t len = 1; len < n; len *= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            --z;
            for (std::size_t j = start; j < start + len; ++j) {
                const std::int32_t t = w[j];
                w[j] = t + w[j + len];
                w[j + len] = multiply<Isa>(*z, w[j + len] - t);  // -z times the difference
            }
        }
    }
}

/// NTT (FIPS 204, Algorithm 41) in place: |a| grows by q in each layer.
template <class Isa>
[[gnu::noinline]] constexpr void ntt(Coefficients& w) noexcept
{
    if constexpr (isa::SavesFlash<Isa>) return ntt_in_loops<Isa>(w);
    if (Isa::ml_dsa_ntt(w.data(), ordered_zetas.data())) return;
    const std::int32_t* layer = &zetas[1];
    layer = Layers<Isa>::template part_twice<64>(w, layer);
    layer = Layers<Isa>::template part_twice<16>(w, layer);
    layer = Layers<Isa>::template part_twice<4>(w, layer);
    Layers<Isa>::template part_twice<1>(w, layer);
}

/// NTT^-1 (FIPS 204, Algorithm 42) in place, then times R / 256: takes and leaves |w| <= q.
template <class Isa>
[[gnu::noinline]] constexpr void inverse_ntt(Coefficients& w) noexcept
{
    // A sum of two doubles the bound in each layer.
    static_assert((std::int64_t{q} << 8) < montgomery_radix / 2);
    if constexpr (isa::SavesFlash<Isa>) {
        inverse_ntt_in_loops<Isa>(w);
        for (std::int32_t& c : w) c = multiply<Isa>(c, tables::inverse_factor);
        return;
    }
    if (Isa::ml_dsa_inverse_ntt(w.data(), ordered_zetas.data())) return;
    const std::int32_t* end = inverse_zetas.data() + n;
    end = Layers<Isa>::template join_twice<1>(w, end);
    end = Layers<Isa>::template join_twice<4>(w, end);
    end = Layers<Isa>::template join_twice<16>(w, end);
    Layers<Isa>::template join_twice<64>(w, end);
    for (std::int32_t& c : w) c = multiply<Isa>(c, tables::inverse_factor);
}

/// A representative in (-q, q) of |a| < 2^31 - 2^22.
[[nodiscard]] constexpr std::int32_t reduce(std::int32_t a) noexcept
{
    // a - q round(a / 2^23): 2^23 = q + 2^13 - 1, so at most 2^22 + 2^8 2^13 < q is left.
    const std::int32_t rounded = (a + (1 << 22)) >> 23;
    return a - rounded * q;
}

/// Integers of 24 bits each, with their signs.
class PackedPoly {
  public:
    [[nodiscard]] constexpr std::int32_t operator[](std::size_t i) const noexcept
    {
        return std::int32_t{high_[i]} * (1 << 16) | low_[i];
    }
    constexpr void set(std::size_t i, std::int32_t a) noexcept
    {
        low_[i] = static_cast<std::uint16_t>(a);
        high_[i] = static_cast<std::int8_t>(a >> 16);
    }
    /// Adds a residue |a| < q to another, and leaves one below q in magnitude, or -q.
    constexpr void add(std::size_t i, std::int32_t a) noexcept
    {
        const std::int32_t sum = (*this)[i] + a;
        set(i, sum - q + (negative_lanes(sum) & 2 * q));
    }

  private:
    std::array<std::uint16_t, n> low_;
    std::array<std::int8_t, n> high_;
};

/// A vector of polynomials in NTT form: all of them kept, or each made again whenever it is needed.
/// make(j, poly) makes one.
template <std::size_t count, bool kept, class Make>
class NttVector {
  public:
    static constexpr std::size_t size = count;
    static constexpr std::size_t drawn = drawn_at_once<kept>;  ///< bytes of the matrix at a time

    constexpr explicit NttVector(Make make) : make_(make)
    {
        if constexpr (kept)
            for (std::size_t j = 0; j < count; ++j) make_(j, polys_[j]);
    }
    NttVector(const NttVector&) = delete;
    NttVector& operator=(const NttVector&) = delete;
    constexpr ~NttVector() { wipe(polys_); }

    [[nodiscard]] constexpr const Coefficients& operator[](std::size_t j)
    {
        if constexpr (kept) {
            return polys_[j];
        } else {
            make_(j, polys_[0]);
            return polys_[0];
        }
    }
    /// A polynomial that the caller may overwrite.
    [[nodiscard]] constexpr Coefficients& remake(std::size_t j)
        requires(!kept)
    {
        make_(j, polys_[0]);
        return polys_[0];
    }
    /// Memory of a polynomial that is made again when it is next needed.
    [[nodiscard]] constexpr Coefficients& scratch()
        requires(!kept)
    {
        return polys_[0];
    }

  private:
    Make make_;
    std::array<Coefficients, kept ? count : 1> polys_;
};

template <std::size_t count, bool kept, class Make>
[[nodiscard]] constexpr auto make_vector(Make make)
{
    return NttVector<count, kept, Make>{make};
}

// ---- Products of a row of the matrix

/// For |a| < q. In 32 bits, the sum of up to 8 stays below 2^26.
constexpr void add(Coefficients& sum, std::size_t at, std::int32_t a) { sum[at] += a; }
constexpr void add(PackedPoly& sum, std::size_t at, std::int32_t a) { sum.add(at, a); }

/// w = A y, of values, below q in magnitude, for a matrix that is kept. y is in the first rows of
/// w: for each coefficient, all rows of y are read before w is written.
template <class Isa, std::size_t rows, std::size_t columns>
[[gnu::noinline]] constexpr void multiply_matrix(
    const std::array<std::array<Coefficients, columns>, rows>& a_hat, std::array<Coefficients, rows>& w)
{
    static_assert(columns <= rows);
    // |a| < q and |y| < 9 q: the sum of 7 is below 63 q^2 < 2^29 q.
    static_assert(columns <= 7 && std::int64_t{63} * q < std::int64_t{1} << 29);
    for (std::size_t at = 0; at < n; ++at) {
        std::array<std::int32_t, columns> y;
        unroll<columns>([&](auto j) __attribute__((always_inline)) { y[j] = w[j][at]; });
        for (std::size_t i = 0; i < rows; ++i) {
            std::int64_t product = 0;
            unroll<columns>([&](auto j) __attribute__((always_inline)) {
                product += isa::long_product(a_hat[i][j][at], y[j]);
            });
            w[i][at] = Layers<Isa>::reduce(product);
        }
    }
}

/// The product of row i of the matrix and a vector, of values. (Not inlined, so that the sponge
/// is gone when the sum is used.)
template <class Isa, class Vector, class AnySum>
[[gnu::noinline]] constexpr void sum_row(BytesIn<rho_bytes> rho, std::size_t i, Vector& factors, AnySum& sum)
{
    sum = {};
    for (std::size_t j = 0; j < Vector::size; ++j) {
        const Coefficients& b = factors[j];
        rej_ntt_poly<Isa, Vector::drawn>(rho, j, i, [&sum, &b](std::size_t at, std::int32_t a) {
            add(sum, at, small::multiply<Isa>(a, b[at]));
        });
    }
}

/// A polynomial of values, packed in place into 24 bits a coefficient. The memory after it holds
/// the source of the matrix that it is multiplied with.
template <class Isa, std::size_t drawn>
class PackedFactor {
  public:
    explicit PackedFactor(Coefficients& b) noexcept : bytes_(reinterpret_cast<Byte*>(b.data()))
    {
        // The bytes written never overtake the coefficients still to be read.
        for (std::size_t at = 0; at < n; ++at) {
            const auto word = static_cast<std::uint32_t>(reduce(b[at]));
            for (std::size_t i = 0; i < 3; ++i) bytes_[3 * at + i] = static_cast<Byte>(word >> (8 * i));
        }
        source_ = new (bytes_ + 3 * n) Source;
    }
    PackedFactor(const PackedFactor&) = delete;
    PackedFactor& operator=(const PackedFactor&) = delete;
    ~PackedFactor() { source_->~Source(); }

    [[nodiscard]] std::int32_t operator[](std::size_t at) const noexcept
    {
        return static_cast<std::int32_t>(load_le32(bytes_ + 3 * at) << 8) >> 8;
    }
    [[nodiscard]] auto& source() noexcept { return *source_; }

  private:
    using Source = MatrixSource<Isa, drawn>;
    static_assert(3 * n + sizeof(Source) <= sizeof(Coefficients) && 3 * n % alignof(Source) == 0);

    Byte* bytes_;
    Source* source_;
};

/// sum_row, where a factor is made again whenever it is needed, and nothing else is stored.
template <class Isa, class Vector>
[[gnu::noinline]] void sum_row_in_place(BytesIn<rho_bytes> rho, std::size_t i, Vector& factors,
                                        PackedPoly& sum)
{
    sum = {};
    for (std::size_t j = 0; j < Vector::size; ++j) {
        PackedFactor<Isa, Vector::drawn> b{factors.remake(j)};
        rej_ntt_poly(b.source(), rho, j, i, [&sum, &b](std::size_t at, std::int32_t a) {
            sum.add(at, small::multiply<Isa>(a, b[at]));
        });
    }
}

/// From a sum of products to coefficients in [0, q).
template <class Isa>
[[gnu::noinline]] constexpr void finish_sum(Coefficients& sum)
{
    for (std::int32_t& c : sum) c = reduce(c);
    small::inverse_ntt<Isa>(sum);
    for (std::int32_t& c : sum) c = canonical(c);
}

}  // namespace girih::ml_dsa::small
