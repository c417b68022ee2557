/// Key generation (specification, Section 3.8), with the choices that fix the known
/// answers of round 3.
///
/// girih_falcon_reference_keygen runs this text, compiled for the portable engine alone. The other
/// functions make keys by keygen/keygen.hpp, which is faster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/params.hpp"
#include "falcon/standard/keygen/ntru_solve.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// A discrete Gaussian of deviation 1.17 sqrt(q / 2048), in units of 2^-63: entry 0 is the
/// probability of 0, entry k > 0 that of a magnitude above k, given that it is at least 1.
inline constexpr std::array<std::uint64_t, 27> fg_distribution{1283868770400643928,
                                                               6416574995475331444,
                                                               4078260278032692663,
                                                               2353523259288686585,
                                                               1227179971273316331,
                                                               575931623374121527,
                                                               242543240509105209,
                                                               91437049221049666,
                                                               30799446349977173,
                                                               9255276791179340,
                                                               2478152334826140,
                                                               590642893610164,
                                                               125206034929641,
                                                               23590435911403,
                                                               3948334035941,
                                                               586753615614,
                                                               77391054539,
                                                               9056793210,
                                                               940121950,
                                                               86539696,
                                                               7062824,
                                                               510971,
                                                               32764,
                                                               1862,
                                                               94,
                                                               4,
                                                               0};

template <class Isa>
[[nodiscard]] constexpr std::uint64_t next_word(keccak::Shake256<Isa>& source)
{
    std::array<Byte, 8> bytes{};
    source.squeeze(bytes);
    const std::uint64_t word = load_le64(bytes.data());
    wipe(bytes);
    return word;
}

/// One draw from fg_distribution: sign and zero from one word, the magnitude from
/// another. Constant time.
template <class Isa>
[[nodiscard]] constexpr std::int32_t sample_1024(keccak::Shake256<Isa>& source)
{
    constexpr std::uint64_t low_63 = (std::uint64_t{1} << 63) - 1;
    const std::uint64_t first = next_word<Isa>(source);
    const auto negative = static_cast<std::uint32_t>(first >> 63);
    auto found =
        static_cast<std::uint32_t>(((first & low_63) - fg_distribution[0]) >> 63);  // 1 if the draw is 0
    const std::uint64_t second = next_word<Isa>(source) & low_63;
    std::uint32_t magnitude = 0;
    for (std::uint32_t k = 1; k < fg_distribution.size(); ++k) {
        const auto reached = static_cast<std::uint32_t>((second - fg_distribution[k]) >> 63) ^ 1;
        magnitude |= k & odd_mask(reached & ~found);
        found |= reached;
    }
    return static_cast<std::int32_t>((magnitude ^ odd_mask(negative)) + negative);
}

/// f or g (Falcon, Algorithm 5, lines 1 to 6): coefficients of deviation 1.17 sqrt(q / 2n), sums of
/// 1024 / n draws. Only coefficients of one byte are taken. The last one is drawn until their sum
/// is odd, so that all norms down to the integers are odd.
template <class Isa, std::size_t n>
constexpr void sample_fg(keccak::Shake256<Isa>& source, SmallPoly<n>& f)
{
    std::uint32_t parity = 0;
    for (std::size_t i = 0; i < n;) {
        std::int32_t a = 0;
        for (std::size_t draw = 0; draw < 1024 / n; ++draw) a += sample_1024<Isa>(source);
        const Secret out_of_range{static_cast<std::uint32_t>((127 - a) | (127 + a)) >> 31};
        if (declassify(out_of_range, "Section 3.8.1: a coefficient out of range is thrown away") != 0)
            continue;
        const std::uint32_t odd = static_cast<std::uint32_t>(a) & 1;
        if (i + 1 == n &&
            declassify(Secret{parity ^ odd}, "Section 3.8.1: the sum is made odd, and known to be") == 0)
            continue;
        parity ^= odd;
        f[i++] = static_cast<std::int8_t>(a);
    }
}

/// The bound of the squared norms of (g, -f) and (q f*, q g*) / (f f* + g g*): (1.17)^2 q.
inline constexpr double max_gram_schmidt_norm = 16822.4121;

/// Whether f and g are short, and the other vectors of the basis's orthogonalization as well
/// (Falcon, Algorithm 5, lines 9 and 10).
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool are_short(const SmallPoly<S.n()>& f, const SmallPoly<S.n()>& g)
{
    constexpr std::size_t n = S.n();
    constexpr std::int32_t limit = 1 << (S.fg_bits() - 1);
    std::uint32_t out_of_range = 0;
    std::uint32_t squared_norm = 0;  // n 2 127^2 < 2^25
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::int32_t a : {f[i], g[i]}) {
            out_of_range |= static_cast<std::uint32_t>((limit - 1 - a) | (limit - 1 + a)) >> 31;
            squared_norm += static_cast<std::uint32_t>(a * a);
        }
    }
    const std::uint32_t too_long = (static_cast<std::uint32_t>(max_gram_schmidt_norm) - squared_norm) >> 31;
    if (declassify(Secret{out_of_range | too_long},
                   "Section 3.8.1: f and g that are too long are thrown away") != 0)
        return false;

    using Fpr = typename Isa::Fpr;
    Wiped<Poly<Fpr, n>> f_values{uninitialized};
    Wiped<Poly<Fpr, n>> g_values{uninitialized};
    for (std::size_t i = 0; i < n; ++i) {
        (*f_values)[i] = Fpr::of(f[i]);
        (*g_values)[i] = Fpr::of(g[i]);
    }
    fft<Fpr>(*f_values);
    fft<Fpr>(*g_values);
    const Fpr modulus = Fpr::of(q);
    for (std::size_t i = 0; i < n / 2; ++i) {
        const Complex<Fpr> a = at(*f_values, i);
        const Complex<Fpr> b = at(*g_values, i);
        const Fpr scale = modulus * (Fpr{1.0} / (norm(a) + norm(b)));
        put(*f_values, i, conjugate(a) * scale);
        put(*g_values, i, conjugate(b) * scale);
    }
    inverse_fft<Fpr>(*f_values);
    inverse_fft<Fpr>(*g_values);
    Fpr sum = Fpr::of(0);
    for (std::size_t i = 0; i < n; ++i) sum = sum + square((*f_values)[i]) + square((*g_values)[i]);
    const Secret is_below{less(sum, Fpr{max_gram_schmidt_norm})};
    return declassify(is_below, "Section 3.8.1: f and g with too long a dual are thrown away") != 0;
}

/// Keygen (Falcon, Algorithm 4), from a seed. The loop is NTRUGen (Falcon, Algorithm 5); the tree
/// is left to signing.
///
/// Constant time if the arithmetic is, except for the number of pairs of f and g that were
/// rejected, and why.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen(BytesIn<seed_bytes> seed, BytesOut<S.public_key_bytes()> pk,
                                        BytesOut<S.secret_key_bytes()> sk)
{
    constexpr std::size_t n = S.n();
    Wiped<Basis<n>> basis;
    Wiped<ResiduePoly<n>> h;
    Wiped<ReferenceNtruSolver<Isa, S.logn>> solver;
    keccak::Shake256<Isa> source;
    source.absorb(seed);
    for (;;) {
        sample_fg<Isa, n>(source, basis->f);
        sample_fg<Isa, n>(source, basis->g);
        if (!are_short<S, Isa>(basis->f, basis->g)) continue;
        const Secret is_singular{public_polynomial<Isa, n>(basis->f, basis->g, *h)};
        if (declassify(is_singular, "Section 3.8.1: an f without reciprocal is thrown away") != 0) continue;
        if (solver->solve(*basis)) break;
    }
    girih::declassify(std::span{*h}, "Algorithm 4: h is the public key");
    encode_public_key<S, Isa>(*h, pk);
    encode_secret_key<S, Isa>(*basis, sk);
}

}  // namespace girih::falcon
