/// Reduce (Falcon, Algorithm 7) at depths above 0.
///
/// Constant time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "falcon/keygen/arena.hpp"
#include "falcon/keygen/babai.hpp"
#include "falcon/keygen/fixed_fft.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/limb.hpp"
#include "falcon/keygen/numbers/limb_products.hpp"
#include "falcon/keygen/numbers/long.hpp"
#include "falcon/keygen/reduction_plan.hpp"

namespace girih::falcon {

/// Reduced F and G as limbs, in the place of f and g.
template <class Isa>
void keep_reduced(Arena<Isa>& memory, std::size_t depth)
{
    const BigPoly big = memory.large(depth, memory.plan(depth).reduced_words());
    const std::span<Limb> out = memory.upper(depth);
    const std::size_t length = memory.upper_limbs(depth);
    for (std::size_t i = 0; i < big.n; ++i) load_limbs<Isa>(big, i, out.subspan(i * length, length));
}

/// Reduce (Falcon, Algorithm 7), after Babai: (F, G) -= k (f, g) with k = round((F f* + G g*) /
/// (f f* + g g*)), the leading bits of k at a time. Returns nonzero if f and g are longer or
/// shorter than they nearly always are.
template <class Isa>
[[nodiscard]] Secret<Word> reduce(Arena<Isa>& memory, std::size_t depth)
{
    const DepthPlan p = memory.plan(depth);
    const std::size_t m = p.m();
    const std::size_t free = memory.free_offset(depth);
    const BigPoly fg = memory.level(depth, free);  // where the adjoints will be
    const auto adjoint = [&](std::size_t i) {
        return memory.template at<std::int32_t>(free + i * m / 2, m / 2);
    };
    const Adjoints adjoints{adjoint(0), adjoint(1), adjoint(2), adjoint(3),
                            memory.template at<std::uint8_t>(free + 2 * m, m / 2)};
    const std::span<Long> f_values = memory.template at<Long>(free + Arena<Isa>::adjoints_words(m), m);
    const std::span<Long> g_values =
        memory.template at<Long>(free + Arena<Isa>::adjoints_words(m) + 2 * m + 2, m);

    const std::int32_t fg_bits = longest<Isa>(fg);
    const auto wrong = static_cast<Word>((fg_bits - p.min_bits()) | (p.max_bits() - fg_bits)) >> 31;
    const auto shifted_by = [&](int bits) {
        return SecretShift{fg_bits + bits, p.min_bits() + bits, p.max_bits() + bits};
    };
    shift_right<Isa>(fg, 0, shifted_by(-p.fixed_bits()), f_values);
    shift_right<Isa>(fg, m, shifted_by(-p.fixed_bits()), g_values);
    long_fft<Isa>(f_values);
    long_fft<Isa>(g_values);
    fill_adjoints<Isa>(f_values, g_values, adjoints);

    int headroom = p.headroom();
    for (int excess = p.first_excess(); excess > p.slack();) {
        const BigPoly big = memory.large(depth, p.words_for(excess));
        const int scale = std::max(excess + headroom - p.bits_at_once(), 0);
        shift_right<Isa>(big, 0, shifted_by(excess - p.fixed_bits()), f_values);
        shift_right<Isa>(big, m, shifted_by(excess - p.fixed_bits()), g_values);
        long_fft<Isa>(f_values);
        long_fft<Isa>(g_values);
        divide_by_norm<Isa>(f_values, g_values, adjoints, excess - scale);
        inverse_long_fft<Isa>(f_values);
        const std::span<std::int32_t> k =
            memory.template at<std::int32_t>(free + Arena<Isa>::adjoints_words(m) + 2 * m + 2, 2 * m);
        round_quotients<Isa>(f_values, k.last(m));
        for (std::size_t i = 0; i < m; ++i)
            k[i] = static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(k[m + i]));
        subtract_products<Isa>(big, memory.level(depth, free + Arena<Isa>::adjoints_words(m)), k,
                               WordShift::of(scale));
        excess = std::min(excess, scale + p.slack());
        headroom = 0;
    }
    keep_reduced(memory, depth);
    return Secret{wrong};
}

}  // namespace girih::falcon
