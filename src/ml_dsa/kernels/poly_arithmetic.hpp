/// Sums and norms of polynomials, a vector at a time.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// out[i] = F()(in[i]...) for every coefficient, a vector at a time.
///
/// F is a named function object and not a lambda: g++ 12 compiles a lambda that returns a vector
/// inside a template without the target of the region around it.
template <class F, class Isa, class... In>
constexpr void map(Coefficients& out, const In&... in) noexcept
{
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) Isa::store(&out[i], F::of(Isa::load(&in[i])...));
}

struct Sum {
    template <class V>
    [[gnu::always_inline]] static constexpr V of(V a, V b) noexcept
    {
        return a + b;
    }
};

/// AddNTT (FIPS 204, Algorithm 44), and the sum of polynomials in any other form.
template <class Isa, class A, PolyIn<A::form> B>
[[nodiscard]] constexpr auto add(const A& a, const B& b)
{
    Poly<A::form, A::bound + B::bound, A::secrecy | B::secrecy> sum;
    map<Sum, Isa>(sum.c, a.c, b.c);
    GIRIH_ASSERT_BOUND(sum);
    return sum;
}

/// Negative where |a| >= limit.
template <class V>
[[nodiscard, gnu::always_inline]] constexpr V negative_if_at_least(V a, std::int32_t limit) noexcept
{
    return (limit - 1 - a) | (limit - 1 + a);
}

/// Whether some |coefficient| is at least `limit`. Constant time; the answer is as secret
/// as the polynomial.
template <class Isa>
[[nodiscard]] constexpr bool any_at_least(const Coefficients& a, std::int32_t limit) noexcept
{
    auto too_large = Isa::broadcast(0);
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes)
        too_large = too_large | negative_if_at_least(Isa::load(&a[i]), limit);
    return Isa::any_negative(too_large);
}

}  // namespace girih::ml_dsa
