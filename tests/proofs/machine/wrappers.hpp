// Kernels that the library inlines into their callers, each in its own function; and the bounds
// that the sources declare, by name. tests/proofs/machine reads them together with the library.
// Compiled with the library's flags, once for each engine, which girih_proved_isa names.

#include <new>

#include "falcon/standard/verify.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "transform/transform.hpp"

#if defined(__clang__)
#    define GIRIH_WRAPPER extern "C" [[gnu::used, gnu::noinline]] void
#else
#    define GIRIH_WRAPPER extern "C" [[gnu::used, gnu::noipa]] void
#endif
#define GIRIH_BOUND(name, value)                                                                          \
    extern "C" [[gnu::used]] constexpr std::int64_t bound_##name __attribute__((visibility("default"))) = \
        value;
#define GIRIH_INTERVAL(name, bound)      \
    GIRIH_BOUND(name##_low, (bound).low) \
    GIRIH_BOUND(name##_high, (bound).high)

namespace girih {

using Isa = isa::girih_proved_isa::Isa;

namespace ml_dsa {

constexpr Shape dsa65 = ml_dsa_65.shape(), dsa87 = ml_dsa_87.shape();
using Y = MaskPoly<dsa87>;    // with the larger gamma1
using S = SecretPoly<dsa65>;  // with the larger eta
using T1 = Poly<Form::coefficients, Bound{0, T1Poly::bound.high << d}>;
template <class P>
using Hat = Poly<Form::ntt, ntt_bound(P::bound)>;
template <std::size_t l>
using Uniforms = PolyVector<l, Poly<Form::ntt, Bound::canonical(q)>>;
using Product = Poly<Form::ntt_product, reduced_bound>;

GIRIH_WRAPPER wrapped_ml_dsa_multiply(const Hat<ChallengePoly>& a, const Hat<T0Poly>& b, Product& product)
{
    multiply<Isa>(a, b, product);
}

#define GIRIH_DOTS(l)                                                                                        \
    GIRIH_WRAPPER wrapped_ml_dsa_dot_##l(const Uniforms<l>& a, const PolyVector<l, Hat<Y>>& b, Product& sum) \
    {                                                                                                        \
        dot<Isa>(a, b, sum);                                                                                 \
    }                                                                                                        \
    GIRIH_WRAPPER wrapped_ml_dsa_dot_less_product_##l(const Uniforms<l>& a, const PolyVector<l, Hat<Y>>& b,  \
                                                      const Hat<ChallengePoly>& c, const Hat<T1>& t,         \
                                                      Product& difference)                                   \
    {                                                                                                        \
        new (&difference) Product(dot_less_product<Isa>(a, b, c, t));                                        \
    }
GIRIH_DOTS(4)
GIRIH_DOTS(5)
GIRIH_DOTS(7)

GIRIH_BOUND(ml_dsa_reduced, reduced_bound.magnitude())
#define GIRIH_NTT_BOUNDS(name, ...)              \
    GIRIH_INTERVAL(ml_dsa_##name, (__VA_ARGS__)) \
    GIRIH_BOUND(ml_dsa_ntt_##name, ntt_bound(__VA_ARGS__).magnitude())
GIRIH_NTT_BOUNDS(any, reduced_bound)
GIRIH_NTT_BOUNDS(y, Y::bound)
GIRIH_NTT_BOUNDS(z, AcceptedZPoly<dsa87>::bound)
GIRIH_NTT_BOUNDS(c, ChallengePoly::bound)
GIRIH_NTT_BOUNDS(s, S::bound)
GIRIH_NTT_BOUNDS(t0, T0Poly::bound)
GIRIH_NTT_BOUNDS(t1, T1::bound)

}  // namespace ml_dsa

namespace ml_kem {

GIRIH_WRAPPER wrapped_ml_kem_inverse_ntt(const ProductPoly& f_hat, RingPoly& f)
{
    inverse_ntt<Isa>(f_hat, f);
}
GIRIH_BOUND(ml_kem_reduced, reduced_bound)
GIRIH_BOUND(ml_kem_product, product_bound)
GIRIH_BOUND(ml_kem_inverse, inverse_bound)
GIRIH_BOUND(ml_kem_ntt_in, Transform<Isa>::negacyclic_bound)

}  // namespace ml_kem

namespace falcon {

/// The transform back, as verification has it: with the factor 1 / n.
#define GIRIH_FALCON(n)                                                                                    \
    using Transform##n = transform::Transform<Isa, q, 2 * n>;                                              \
    GIRIH_WRAPPER wrapped_falcon_##n##_inverse(transform::Points<n>& w)                                    \
    {                                                                                                      \
        constexpr std::int32_t inverse_n = transform::Roots<q, 2 * n>::power(n, q - 2);                    \
        Transform##n::inverse_negacyclic(w, Transform##n::Residue::factor(inverse_n));                     \
    }                                                                                                      \
    GIRIH_WRAPPER wrapped_falcon_##n##_prepare(const ResiduePoly<n>& h, PreparedFactor<Isa, n>& factor)    \
    {                                                                                                      \
        factor.prepare(h);                                                                                 \
    }                                                                                                      \
    GIRIH_WRAPPER wrapped_falcon_##n##_subtract_product(const PreparedFactor<Isa, n>& factor,              \
                                                        const ResiduePoly<n>& c, transform::Points<n>& s)  \
    {                                                                                                      \
        factor.subtract_product(c, s);                                                                     \
    }                                                                                                      \
    GIRIH_BOUND(falcon_##n##_values, Transform##n::Butterflies::bound_after(                               \
                                         Transform##n::negacyclic_bound, std::bit_width(n##u) - 1, false)) \
    GIRIH_BOUND(falcon_##n##_inverse_in, Transform##n::inverse_value_bound)                                \
    GIRIH_BOUND(falcon_##n##_inverse, Transform##n::inverse_bound)
GIRIH_FALCON(512)
GIRIH_FALCON(1024)
GIRIH_BOUND(falcon_forward_in, Transform512::negacyclic_bound)
GIRIH_BOUND(falcon_s2, max_coefficient)

}  // namespace falcon

namespace ntru_prime {

using CyclicTransform = transform::Transform<Isa, 3329, 256, transform::Leaves{2, 0, 3329}>;
GIRIH_BOUND(ntru_prime_first_layer, CyclicTransform::first_layer_bound)
GIRIH_BOUND(ntru_prime_values, CyclicTransform::forward_value_bound())
GIRIH_BOUND(ntru_prime_inverse_in, CyclicTransform::inverse_value_bound)
GIRIH_BOUND(ntru_prime_inverse, CyclicTransform::cyclic_inverse_bound())

}  // namespace ntru_prime
}  // namespace girih
