// Kernels that the library inlines into their callers, each in a function of its own; and the
// bounds that the sources declare, by name. tests/proofs/machine reads them beside the library.
// Compiled with the library's flags, once for each engine, which girih_proved_isa names.

#include <new>

#include "ml_dsa/lattice/products.hpp"
#include "ml_kem/lattice/ntt.hpp"

using Isa = girih::isa::girih_proved_isa::Isa;

namespace girih {

using module_lattice::Bound;
using module_lattice::Form;

namespace ml_dsa {

constexpr Bound mask_bound{-((1 << 19) - 1), 1 << 19};  // y, with the larger gamma1
constexpr Bound t0_bound{-((1 << (d - 1)) - 1), 1 << (d - 1)};
constexpr Bound t1_bound{0, 1023 << d};  // t1 2^d

using Uniform = Poly<Form::ntt, Bound::canonical(q)>;
using MaskHat = Poly<Form::ntt, ntt_bound(mask_bound)>;
using ChallengeHat = Poly<Form::ntt, ntt_bound(Bound::symmetric(1))>;
using T0Hat = Poly<Form::ntt, ntt_bound(t0_bound)>;
using T1Hat = Poly<Form::ntt, ntt_bound(t1_bound)>;
using Product = Poly<Form::ntt_product, reduced_bound>;

}  // namespace ml_dsa
}  // namespace girih

#define GIRIH_WRAPPER extern "C" [[gnu::used, gnu::noipa]] void
#if defined(__clang__)
#    undef GIRIH_WRAPPER
#    define GIRIH_WRAPPER extern "C" [[gnu::used, gnu::noinline]] void
#endif

GIRIH_WRAPPER wrapped_ml_dsa_multiply(const girih::ml_dsa::ChallengeHat& a, const girih::ml_dsa::T0Hat& b,
                                      girih::ml_dsa::Product& product)
{
    girih::ml_dsa::multiply<Isa>(a, b, product);
}

#define GIRIH_DOTS(l)                                                                                        \
    GIRIH_WRAPPER wrapped_ml_dsa_dot_##l(const girih::ml_dsa::PolyVector<l, girih::ml_dsa::Uniform>& a,      \
                                         const girih::ml_dsa::PolyVector<l, girih::ml_dsa::MaskHat>& b,      \
                                         girih::ml_dsa::Product& sum)                                        \
    {                                                                                                        \
        girih::ml_dsa::dot<Isa>(a, b, sum);                                                                  \
    }                                                                                                        \
    GIRIH_WRAPPER wrapped_ml_dsa_dot_less_product_##l(                                                       \
        const girih::ml_dsa::PolyVector<l, girih::ml_dsa::Uniform>& a,                                       \
        const girih::ml_dsa::PolyVector<l, girih::ml_dsa::MaskHat>& b, const girih::ml_dsa::ChallengeHat& c, \
        const girih::ml_dsa::T1Hat& t, girih::ml_dsa::Product& difference)                                   \
    {                                                                                                        \
        new (&difference) girih::ml_dsa::Product(girih::ml_dsa::dot_less_product<Isa>(a, b, c, t));          \
    }
GIRIH_DOTS(4)
GIRIH_DOTS(5)
GIRIH_DOTS(7)

GIRIH_WRAPPER wrapped_ml_kem_inverse_ntt(const girih::ml_kem::ProductPoly& f_hat, girih::ml_kem::RingPoly& f)
{
    girih::ml_kem::inverse_ntt<Isa>(f_hat, f);
}

template <std::size_t n>
using FalconTransform = girih::transform::Transform<Isa, 12289, 2 * n>;

/// The transform back, as verification has it: with the factor 1 / n.
#define GIRIH_FALCON_INVERSE(n)                                                                    \
    GIRIH_WRAPPER wrapped_falcon_##n##_inverse(girih::transform::Points<n>& w)                     \
    {                                                                                              \
        constexpr std::int32_t inverse_n = girih::transform::Roots<12289, 2 * n>::power(n, 12287); \
        FalconTransform<n>::inverse_negacyclic(w, FalconTransform<n>::Residue::factor(inverse_n)); \
    }
GIRIH_FALCON_INVERSE(512)
GIRIH_FALCON_INVERSE(1024)

#define GIRIH_BOUND(name, value)                                                                          \
    extern "C" [[gnu::used]] constexpr std::int64_t bound_##name __attribute__((visibility("default"))) = \
        value;

GIRIH_BOUND(ml_dsa_reduced, girih::ml_dsa::reduced_bound.magnitude())
GIRIH_BOUND(ml_dsa_ntt, girih::ml_dsa::ntt_bound(girih::ml_dsa::reduced_bound).magnitude())
GIRIH_BOUND(ml_dsa_ntt_y, girih::ml_dsa::MaskHat::bound.magnitude())
GIRIH_BOUND(ml_dsa_ntt_c, girih::ml_dsa::ChallengeHat::bound.magnitude())
GIRIH_BOUND(ml_dsa_ntt_t0, girih::ml_dsa::T0Hat::bound.magnitude())
GIRIH_BOUND(ml_dsa_ntt_t1, girih::ml_dsa::T1Hat::bound.magnitude())
GIRIH_BOUND(ml_kem_reduced, girih::ml_kem::reduced_bound)
GIRIH_BOUND(ml_kem_product, girih::ml_kem::product_bound)
GIRIH_BOUND(ml_kem_inverse, girih::ml_kem::inverse_bound)
GIRIH_BOUND(ml_kem_ntt_in, girih::ml_kem::Transform<Isa>::negacyclic_bound)

template <std::size_t n>
constexpr std::int32_t falcon_values = FalconTransform<n>::Butterflies::bound_after(
    FalconTransform<n>::negacyclic_bound, std::bit_width(n) - 1, false);
GIRIH_BOUND(falcon_forward_in, FalconTransform<512>::negacyclic_bound)
GIRIH_BOUND(falcon_512_values, falcon_values<512>)
GIRIH_BOUND(falcon_1024_values, falcon_values<1024>)
GIRIH_BOUND(falcon_512_inverse_in, FalconTransform<512>::inverse_value_bound)
GIRIH_BOUND(falcon_1024_inverse_in, FalconTransform<1024>::inverse_value_bound)
GIRIH_BOUND(falcon_512_inverse, FalconTransform<512>::inverse_bound)
GIRIH_BOUND(falcon_1024_inverse, FalconTransform<1024>::inverse_bound)

using CyclicTransform = girih::transform::Transform<Isa, 3329, 256, girih::transform::Leaves{2, 0, 3329}>;
GIRIH_BOUND(ntru_prime_first_layer, CyclicTransform::first_layer_bound)
GIRIH_BOUND(ntru_prime_values, CyclicTransform::forward_value_bound())
GIRIH_BOUND(ntru_prime_inverse_in, CyclicTransform::inverse_value_bound)
GIRIH_BOUND(ntru_prime_inverse, CyclicTransform::cyclic_inverse_bound())
