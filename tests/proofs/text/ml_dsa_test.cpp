// ML-DSA's linear kernels, for all inputs within their bounds: no sum overflows, and each output is
// the map of FIPS 204, Sections 7.5 and 7.6.
#include "claims.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "support/textbook.hpp"

namespace girih::proofs {
namespace {

using ml_dsa::Form;
using ml_dsa::n;
using ml_dsa::Poly;
using ml_dsa::PolyVector;
using ml_dsa::reduced_bound;

constexpr std::uint64_t q = ml_dsa::q;
constexpr std::uint64_t R = ml_dsa::montgomery_radix % q;
constexpr std::uint64_t inverse_R = reciprocal(R, q);

constexpr std::string_view any_product = "q - 1 holds for every Montgomery product, and the inverse takes it";
constexpr std::array loose{Loose{"inverse_ntt", any_product}, Loose{"dot", any_product},
                           Loose{"dot_less_product", any_product}, Loose{"multiply", any_product}};

/// Output i of the NTT is w(root(i)).
constexpr std::uint64_t root(std::size_t i) { return static_cast<std::uint64_t>(textbook::root(i)); }
/// sum over j of factor x^j, in the variables 1, ..., 256 for j = 0, ..., 255.
Polynomial powers_of(std::uint64_t x, std::uint64_t factor)
{
    Polynomial sum;
    for (std::size_t j = 0; j < n; ++j, factor = factor * x % q) sum.terms.push_back({1 + j, factor});
    return sum;
}

constexpr Bound y_bound{-((1 << 19) - 1), 1 << 19};
constexpr Bound t1_bound{0, 1023 << 13};  // t1 2^d

template <class Shape>
struct MlDsa : ::testing::Test {
    MlDsa() { Shape::begin(q, 32); }

    template <Bound bound>
    static void expect_ntt()
    {
        Shape::begin(q, 32);
        Poly<Form::coefficients, bound> w;
        fill(w.c, bound, 1);
        const auto w_hat = ml_dsa::ntt<Shape>(w);
        expect_forms(w_hat.c, [](std::size_t i) { return powers_of(root(i), 1); });
        expect_bound("ntt", range_of(w_hat.c), w_hat.bound, loose);
    }
};

/// Polynomials in NTT form whose coefficients are the variables from `first` on, 256 a polynomial.
template <std::size_t l, Bound bound>
auto inputs(std::uint64_t first)
{
    PolyVector<l, Poly<Form::ntt, bound>> v;
    for (std::size_t j = 0; j < l; ++j) fill(v[j].c, bound, first + n * j);
    return v;
}
/// Coefficient i of the sum of l products of inputs(1) and inputs(1 + 256 l), divided by R.
Polynomial product_sum(std::size_t l, std::size_t i)
{
    Polynomial sum;
    for (std::size_t j = 0; j < l; ++j)
        sum.terms.push_back({product_of(1 + n * j + i, 1 + n * (l + j) + i), inverse_R});
    return sum;
}

TYPED_TEST_SUITE(MlDsa, Shapes, ShapeNames);

TYPED_TEST(MlDsa, Ntt)
{
    this->template expect_ntt<Bound::symmetric(1)>();               // c
    this->template expect_ntt<Bound::symmetric(4)>();               // s1, s2
    this->template expect_ntt<Bound{-((1 << 12) - 1), 1 << 12}>();  // t0
    this->template expect_ntt<t1_bound>();
    this->template expect_ntt<y_bound>();
    this->template expect_ntt<Bound::symmetric(ml_dsa::q - 1)>();
}

TYPED_TEST(MlDsa, InverseNtt)
{
    Poly<Form::ntt_product, reduced_bound> w_hat;
    fill(w_hat.c, reduced_bound, 1);
    const auto w = ml_dsa::inverse_ntt<TypeParam>(w_hat);
    // The product lacks a factor R: w_hat[i] = w(root(i)) / R, so w_j = R / 256 times the sum of
    // root(i)^-j w_hat[i].
    expect_forms(w.c, [](std::size_t j) {
        Polynomial sum;
        for (std::size_t i = 0; i < n; ++i)
            sum.terms.push_back({1 + i, power(root(i), 512 - j, q) * R % q * reciprocal(n, q) % q});
        return sum;
    });
    expect_bound("inverse_ntt", range_of(w.c), w.bound, loose);
}

TYPED_TEST(MlDsa, Multiply)
{
    const auto a = inputs<1, Bound::symmetric(ml_dsa::q - 1)>(1);
    const auto b = inputs<1, ml_dsa::ntt_bound(y_bound)>(1 + n);
    const auto product = ml_dsa::multiply<TypeParam>(a[0], b[0]);
    expect_forms(product.c, [](std::size_t i) { return product_sum(1, i); });
    expect_bound("multiply", range_of(product.c), product.bound, loose);
}

TYPED_TEST(MlDsa, Dot)
{
    const auto a = inputs<7, Bound::canonical(ml_dsa::q)>(1);
    const auto b = inputs<7, ml_dsa::ntt_bound(y_bound)>(1 + 7 * n);
    const auto sum = ml_dsa::dot<TypeParam>(a, b);
    expect_forms(sum.c, [](std::size_t i) { return product_sum(7, i); });
    expect_bound("dot", range_of(sum.c), sum.bound, loose);
}

TYPED_TEST(MlDsa, DotLessProduct)
{
    constexpr std::size_t c_at = 1 + 14 * n;
    const auto a = inputs<7, Bound::canonical(ml_dsa::q)>(1);
    const auto b = inputs<7, ml_dsa::ntt_bound(y_bound)>(1 + 7 * n);
    const auto c = inputs<1, ml_dsa::ntt_bound(Bound::symmetric(1))>(c_at);
    const auto t = inputs<1, ml_dsa::ntt_bound(t1_bound)>(c_at + n);
    const auto difference = ml_dsa::dot_less_product<TypeParam>(a, b, c[0], t[0]);
    expect_forms(difference.c, [](std::size_t i) {
        Polynomial sum = product_sum(7, i);
        sum.terms.push_back({product_of(c_at + i, c_at + n + i), q - inverse_R});
        return sum;
    });
    expect_bound("dot_less_product", range_of(difference.c), difference.bound, loose);
}

}  // namespace
}  // namespace girih::proofs
