// ML-KEM's linear kernels and its compression, for all inputs within their bounds: no sum
// overflows, and each output is the map of FIPS 203, Sections 4.2.1 and 4.3.
#include "claims.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"

namespace girih::proofs {
namespace {

using ml_kem::Coefficient;
using ml_kem::Coefficients;
using ml_kem::Form;
using ml_kem::n;
using ml_kem::NttPoly;
using ml_kem::ProductPoly;
using ml_kem::PublicPoly;
using module_lattice::Poly;
using module_lattice::Secrecy;

constexpr std::uint64_t q = ml_kem::q;
constexpr std::uint64_t R = transform::short_radix % q;
constexpr std::uint64_t inverse_R = reciprocal(R, q);

constexpr std::array loose{
    Loose{"inverse_ntt", "of a product by any centred constant; the scale is smaller than q / 2"},
    Loose{"dot of reduced polynomials", "the bound of public polynomials, whose coefficients are larger"},
    Loose{"subtract_product", "the bound of dot, whose place it takes"},
};

/// Coefficients 2 i and 2 i + 1 of an NTT are the residue modulo X^2 - gamma, with gamma =
/// zeta^(2 BitRev7(i) + 1) (FIPS 203, Section 4.3).
std::uint64_t gamma(std::size_t i)
{
    return power(ml_kem::zeta, 2 * static_cast<std::uint64_t>(ml_kem::bit_rev7(i)) + 1, q);
}

template <class Shape>
struct MlKem : ::testing::Test {
    MlKem() { Shape::begin(q, 16); }

    template <Bound bound>
    static Range expect_ntt()
    {
        Shape::begin(q, 16);
        Poly<Form::coefficients, bound, Secrecy::secret, Coefficient> f;
        NttPoly f_hat;
        fill(f.c, bound, 1);
        ml_kem::ntt<Shape>(f, f_hat);
        expect_forms(f_hat.c, [](std::size_t i) {
            Polynomial residue;
            for (std::size_t j = i % 2; j < n; j += 2)
                residue.terms.push_back({1 + j, power(gamma(i / 2), j / 2, q)});
            return residue;
        });
        return range_of(f_hat.c);
    }

    // The variables of factor j of `count` products: a[j] and b[j].
    static std::uint64_t a_at(std::size_t j, std::size_t i) { return 1 + 2 * n * j + i; }
    static std::uint64_t b_at(std::size_t j, std::size_t i) { return 1 + 2 * n * j + n + i; }

    /// Coefficient i of a sum of products by MultiplyNTTs (FIPS 203, Algorithm 11), over R.
    static Polynomial product_sum(std::size_t count, std::size_t i)
    {
        Polynomial sum;
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t even = i - i % 2;
            const std::uint64_t last = i % 2 == 0 ? inverse_R * gamma(i / 2) % q : inverse_R;
            sum.terms.push_back({product_of(a_at(j, even), b_at(j, i)), inverse_R});
            sum.terms.push_back({product_of(a_at(j, even + 1), b_at(j, i % 2 == 0 ? i + 1 : even)), last});
        }
        return sum;
    }
    /// The sum of max_k products of polynomials P by factors made of any integers in a bound.
    template <class P>
    static void sum_products(Bound b_bound, ProductPoly& sum)
    {
        constexpr std::size_t k = ml_kem::max_k;
        std::array<P, k> a;
        std::array<ml_kem::Factor, k> factors;
        for (std::size_t j = 0; j < k; ++j) {
            Coefficients b;
            fill(a[j].c, P::bound, a_at(j, 0));
            fill(b, b_bound, b_at(j, 0));
            ml_kem::make_factor<Shape>(b, factors[j]);
            expect_within("make_factor", range_of(factors[j].straight), NttPoly::bound);
            constexpr std::size_t used = isa::SumsEachLane<typename Shape::ShortLanes> ? n / 2 : n;
            expect_within("make_factor", range_of(std::span{factors[j].crossed}.template first<used>()),
                          NttPoly::bound);
        }
        ml_kem::dot<Shape, P>(a, factors, sum);
        expect_forms(sum.c, [](std::size_t i) { return product_sum(k, i); });
    }

    /// The values of what a function makes of a vector, for each integer in a range in its lanes.
    template <class F>
    static Column values_of(F function, Range range)
    {
        Shape::begin(q, 16);
        using L = typename Shape::ShortLanes;
        const Number x = any_in(range, variable(1));
        return proofs::values_of(
            L::lanes_of(function(typename L::Vector({typename L::Numbers(L::lanes, x)})))[0]);
    }
    template <int d>
    static void expect_compression()
    {
        using V = typename Shape::Vector;
        const auto compressed = values_of(
            [](V x) { return ml_kem::compress<d, Shape>(ml_kem::canonical<Shape>(x)); }, {-32768, 32767});
        for (std::int64_t x = -32768; x < 32768; ++x) {
            // round(2^d / q x) modulo 2^d
            const auto residue = static_cast<std::int64_t>(modulo(x, q));
            ASSERT_EQ(compressed[static_cast<std::size_t>(x + 32768)],
                      ((2 * residue << d) + ml_kem::q) / (2 * ml_kem::q) % (1 << d))
                << d << " bits of " << x;
        }
        const auto decompressed =
            values_of([](V y) { return ml_kem::decompress<d, Shape>(y); }, {0, (1 << d) - 1});
        for (std::int64_t y = 0; y < 1 << d; ++y)  // round(q / 2^d y)
            ASSERT_EQ(decompressed[static_cast<std::size_t>(y)], (2 * ml_kem::q * y + (1 << d)) >> (d + 1))
                << d << " bits: " << y;
    }
};
TYPED_TEST_SUITE(MlKem, Shapes, ShapeNames);

TYPED_TEST(MlKem, Ntt)
{
    this->template expect_ntt<ml_kem::NoisePoly::bound>();
    this->template expect_ntt<ml_kem::DecompressedPoly::bound>();
    const Range of_any = this->template expect_ntt<Bound::symmetric(8192)>();
    expect_bound("ntt", of_any, NttPoly::bound, loose);
}

TYPED_TEST(MlKem, InverseNtt)
{
    ProductPoly f_hat;
    ml_kem::RingPoly f;
    fill(f_hat.c, ProductPoly::bound, 1);
    ml_kem::inverse_ntt<TypeParam>(f_hat, f);
    // Coefficient j is R / 128 times the sum of gamma(i)^-(j / 2) times the residues' coefficients.
    expect_forms(f.c, [](std::size_t j) {
        Polynomial sum;
        for (std::size_t i = j % 2; i < n; i += 2)
            sum.terms.push_back(
                {1 + i, power(reciprocal(gamma(i / 2), q), j / 2, q) * R % q * reciprocal(n / 2, q) % q});
        return sum;
    });
    expect_bound("inverse_ntt", range_of(f.c), f.bound, loose);
}

TYPED_TEST(MlKem, Dot)
{
    ProductPoly sum;
    this->template sum_products<NttPoly>({0, 4095}, sum);
    expect_bound("dot of reduced polynomials", range_of(sum.c), sum.bound, loose);
    TypeParam::begin(q, 16);
    this->template sum_products<NttPoly>(Bound{-32768, 32767}, sum);
    expect_bound("dot of reduced polynomials", range_of(sum.c), sum.bound, loose);
}

TYPED_TEST(MlKem, DotOfPublicPolynomials)
{
    ProductPoly sum;
    this->template sum_products<PublicPoly>(NttPoly::bound, sum);
    expect_bound("dot", range_of(sum.c), sum.bound, loose);
}

TYPED_TEST(MlKem, ScaleAndAdd)
{
    ProductPoly sum;
    NttPoly addend;
    Coefficients t;
    fill(sum.c, ProductPoly::bound, 1);
    fill(addend.c, NttPoly::bound, 1 + n);
    ml_kem::scale_and_add<TypeParam>(sum, addend, t);
    expect_forms(t, [](std::size_t i) { return Polynomial{true, {{1 + i, R}, {1 + n + i, 1}}}; });
    expect_bound("scale_and_add", range_of(t), Bound::canonical(ml_kem::q), loose);
}

TYPED_TEST(MlKem, SubtractProduct)
{
    PublicPoly t;
    ProductPoly sum;
    fill(t.c, PublicPoly::bound, 1);
    fill(sum.c, ProductPoly::bound, 1 + n);
    ml_kem::subtract_product<TypeParam>(t, sum);
    expect_forms(sum.c,
                 [](std::size_t i) { return Polynomial{true, {{1 + i, inverse_R}, {1 + n + i, q - 1}}}; });
    expect_bound("subtract_product", range_of(sum.c), sum.bound, loose);
}

TYPED_TEST(MlKem, Compression)
{
    this->template expect_compression<1>();
    this->template expect_compression<4>();
    this->template expect_compression<5>();
    this->template expect_compression<10>();
    this->template expect_compression<11>();
}

}  // namespace
}  // namespace girih::proofs
