/// The key generator without floating point.
///
/// Constant time, except for the number of pairs of f and g that were rejected, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/bit_fields.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/keygen/fg_distribution.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/ntru_solve.hpp"
#include "falcon/params.hpp"
#include "falcon/sampling/chacha20.hpp"
#include "isa/products.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// f or g (Falcon, Algorithm 5, lines 2 to 6): every coefficient comes from 32 bits of the
/// generator, with the sign in the highest. Draws again until the sum is odd, so that all norms
/// down to the integers are odd.
template <Shape S, class Isa>
void draw_fg(ChaCha20<Isa>& random, SmallPoly<S.n()>& f)
{
    constexpr std::size_t at_once = ChaCha20<Isa>::buffer_bytes / 4;
    std::uint32_t sum = 0;
    do {
        sum = 0;
        for (std::size_t first = 0; first < S.n(); first += at_once) {
            random.refill_for_word();
            Wiped<std::array<std::uint32_t, at_once>> words{uninitialized};
            Wiped<std::array<std::uint32_t, at_once>> magnitudes;
            for (std::size_t i = 0; i < at_once; ++i) (*words)[i] = load_le32(random.buffer() + 4 * i);
            for (const std::uint32_t bound : FgDistribution<S>::at_least)
                for (std::size_t i = 0; i < at_once; ++i)
                    (*magnitudes)[i] += (((*words)[i] & 0x7FFFFFFF) - bound) >> 31;
            for (std::size_t i = 0; i < at_once; ++i) {
                const std::uint32_t negative = negative_lane((*words)[i]);
                const std::uint32_t a = ((*magnitudes)[i] ^ negative) - negative;
                sum += a;
                f[first + i] = static_cast<std::int8_t>(a);
            }
            random.set_position(ChaCha20<Isa>::last_word);
        }
    } while (declassify(Secret{sum & 1}, "Section 3.8.1: f and g with an even sum are thrown away") == 0);
}

/// Whether (g, -f) is at most 1.17 sqrt(q) long (Falcon, Algorithm 5, lines 9 and 10):
/// (1.17)^2 q = 16822.4121.
template <class Isa, std::size_t n>
[[nodiscard]] constexpr bool is_short(const SmallPoly<n>& f, const SmallPoly<n>& g)
{
    std::uint32_t squared_norm = 0;
    for (std::size_t i = 0; i < n; ++i)
        squared_norm += static_cast<std::uint32_t>(f[i] * f[i]) + static_cast<std::uint32_t>(g[i] * g[i]);
    const Secret too_long{(std::uint32_t{16822} - squared_norm) >> 31};
    return declassify(too_long, "Section 3.8.1: f and g that are too long are thrown away") == 0;
}

/// Whether (q f*, q g*) / (f f* + g g*) is at most that long, too. Its squared norm is q^2 / n
/// times the sum of 1 / (f f* + g g*) over the n roots, which come in pairs.
template <class Isa, std::size_t n>
[[nodiscard]] constexpr bool has_short_dual(const SmallPoly<n>& f, const SmallPoly<n>& g,
                                            std::array<Poly<Long, n>, 2>& memory)
{
    auto& [f_values, g_values] = memory;
    constexpr int point = 60 - 5 - std::bit_width(n - 1);  // coefficients are below 2^5
    for (std::size_t i = 0; i < n; ++i) {
        f_values[i] = Long{f[i]} * (Long{1} << point);
        g_values[i] = Long{g[i]} * (Long{1} << point);
    }
    long_fft<Isa>(f_values);
    long_fft<Isa>(g_values);
    std::uint64_t sum = 0;  // in units of 2^-50
    for (std::size_t i = 0; i < n / 2; ++i) {
        std::uint64_t norm = 0;  // in units of 2^-28; f and g are short, so below 2^(28 + 15 + 10)
        for (const Long a : {f_values[i], f_values[i + n / 2], g_values[i], g_values[i + n / 2]}) {
            const Long b = a >> (point - 14);
            norm += static_cast<std::uint64_t>(b * b);
        }
        // 2^28 / norm in units of 2^-50 is mantissa 2^(shift - 17). Capped at 2^-3, which alone
        // exceeds the limit of the sum.
        const Reciprocal inverse = reciprocal<Isa>(norm);
        const std::int32_t down = 32 - inverse.shift;
        sum += (std::uint64_t{inverse.mantissa} << 15) >> (down & ~negative_mask(down));
    }
    // sum 2 q^2 / n <= 1.17^2 q, less a margin above the rounding errors of norms.
    constexpr std::uint64_t limit = std::uint64_t{13689} * n * ((std::uint64_t{1} << 50) / (20000 * q));
    const Secret too_long{static_cast<std::uint32_t>((limit - (limit >> 17) - sum) >> 63)};
    return declassify(too_long, "Section 3.8.1: f and g with too long a dual are thrown away") == 0;
}

/// Whether f has a reciprocal modulo q (Falcon, Algorithm 5, line 7).
template <class Isa, std::size_t n>
[[nodiscard]] constexpr bool is_invertible(const SmallPoly<n>& f, ResiduePoly<n>& f_hat)
{
    reduce<Isa, n>(f, f_hat);
    ntt<Isa, n>(f_hat);
    std::uint32_t some_zero = 0;
    for (const Residue a : f_hat) some_zero |= (std::uint32_t{a} - 1) >> 31;
    return declassify(Secret{some_zero}, "Section 3.8.1: an f without reciprocal is thrown away") == 0;
}

/// f and g of one attempt, both with an odd sum, from a generator whose key, nonce and counter are
/// 56 bytes of SHAKE256 of the seed, the words "girih falcon keygen", the header byte of the secret
/// key, and the attempt's number in four bytes, little-endian.
template <Shape S, class Isa>
[[gnu::noinline]] void draw_pair(BytesIn<seed_bytes> seed, std::uint32_t attempt, SmallPoly<S.n()>& f,
                                 SmallPoly<S.n()>& g)
{
    constexpr std::string_view domain = "girih falcon keygen";
    keccak::Shake256<Isa> source;
    source.absorb(seed);
    for (const char c : domain) source.absorb(static_cast<Byte>(c));
    source.absorb(S.secret_key_header());
    for (int shift = 0; shift < 32; shift += 8) source.absorb(static_cast<Byte>(attempt >> shift));
    ChaCha20<Isa> random{source};
    draw_fg<S, Isa>(random, f);
    draw_fg<S, Isa>(random, g);
}

/// f and g, a byte a coefficient, at the end of the secret key's own memory: pack_fields writes
/// from the front, and never overwrites a coefficient that it has not read yet.
template <Shape S>
struct DrawnPair {
    static constexpr std::size_t n = S.n();
    static_assert(S.secret_key_bytes() >= 1 + fg_bytes<S> + n && S.secret_key_bytes() > 2 * n);

    SmallPoly<n>& f;
    SmallPoly<n>& g;

    explicit DrawnPair(BytesOut<S.secret_key_bytes()> sk)
        : f(*::new(sk.template last<2 * n>().data()) SmallPoly<n>),
          g(*::new(sk.template last<n>().data()) SmallPoly<n>)
    {
    }
};

/// The public key h = g / f modulo q of a secret key whose f has a reciprocal.
template <Shape S, class Isa>
[[gnu::noinline]] void make_public_key(BytesIn<S.secret_key_bytes()> sk, BytesOut<S.public_key_bytes()> pk)
{
    Wiped<SmallPoly<S.n()>> f{uninitialized};
    Wiped<SmallPoly<S.n()>> g{uninitialized};
    (void)unpack_signed_fields<S.fg_bits(), Isa>(sk.template subspan<1, fg_bytes<S>>(), *f);
    (void)unpack_signed_fields<S.fg_bits(), Isa>(sk.template subspan<1 + fg_bytes<S>, fg_bytes<S>>(), *g);
    write_public_key<S, Isa>(*f, *g, pk);
}

/// The rest of an attempt of NTRUGen (Falcon, Algorithm 5): computes F, and replaces f and g by the
/// secret key. False if the dual of (f, g) is too long, if f has no reciprocal, or if no F is
/// found.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] bool complete(BytesOut<S.secret_key_bytes()> sk, const DrawnPair<S>& pair)
{
    constexpr std::size_t n = S.n();
    const auto& [f, g] = pair;
    bool is_done = false;
    {
        Wiped<NtruSolver<Isa, S.logn>> solver{uninitialized};
        if (has_short_dual<Isa, n>(f, g, solver->template scratch<std::array<Poly<Long, n>, 2>>()) &&
            is_invertible<Isa, n>(f, solver->template scratch<ResiduePoly<n>>())) {
            const SmallPoly<n>* const big_f = solver->solve(f, g);
            is_done = big_f != nullptr;
            if (is_done) {
                sk[0] = S.secret_key_header();
                pack_fields<S.fg_bits(), Isa>(f, sk.template subspan<1, fg_bytes<S>>());
                pack_fields<S.fg_bits(), Isa>(g, sk.template subspan<1 + fg_bytes<S>, fg_bytes<S>>());
                pack_fields<S.big_f_bits, Isa>(*big_f, sk.template last<n * S.big_f_bits / 8>());
            }
        }
        // Wipes the stack of the solver's functions; microcontrollers have smaller frames, and less
        // stack.
        wipe_stack_below(sizeof(void*) >= 8 ? 4096 : 512);
    }
    return is_done;
}

/// Keygen (Falcon, Algorithm 4), from a seed. The loop is NTRUGen (Falcon, Algorithm 5): it ends
/// with the first pair of draw_pair that passes every check. The tree is left to signing.
///
/// The secret key's memory holds f and g meanwhile, so the seed may not lie in it.
template <Shape S, class Isa>
void fast_keygen(BytesIn<seed_bytes> seed, BytesOut<S.public_key_bytes()> pk,
                 BytesOut<S.secret_key_bytes()> sk)
{
    isa::require_falcons_secrets<Isa>();
    const DrawnPair<S> pair{sk};
    std::uint32_t attempt = 0;
    do draw_pair<S, Isa>(seed, attempt++, pair.f, pair.g);
    while (!is_short<Isa, S.n()>(pair.f, pair.g) || !complete<S, Isa>(sk, pair));
    make_public_key<S, Isa>(sk, pk);
}

}  // namespace girih::falcon
