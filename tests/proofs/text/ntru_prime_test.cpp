// NTRU Prime's transforms, for all inputs: modulo 3329, for products in R/3, and from rows to
// values and back, for products in R/q. No sum overflows, and the maps are right.
#include "evaluation.hpp"
#include "ntru_prime/kernels/product_modulo_3.hpp"
#include "ntru_prime/kernels/product_modulo_q.hpp"
#include "ntru_prime/ring.hpp"

namespace girih::proofs {
namespace {

using ntru_prime::Ring;
constexpr std::array loose{
    Loose{"inverse modulo 3329", "the bound of two layers is taken twice; 16 bits are enough for it"}};

/// Products in R/q, with the letters of product_modulo_q.hpp.
template <class Shape, Ring R>
struct RowProofs {
    static constexpr std::size_t capacity = ntru_prime::capacity_of<R>;
    static constexpr std::uint64_t q = R.q;
    static constexpr const auto& ring = ntru_prime::ring_of<R>;
    static constexpr ntru_prime::RowShape shape = ring.rows.shape;
    static constexpr std::size_t columns = shape.columns;
    static constexpr std::size_t rows = shape.parts * shape.dense;
    using Product = ntru_prime::ProductModuloQ<Shape, ntru_prime::AnyRing<capacity>>;
    using Values = typename Product::Values;

    /// Values are reduced by the transform, and products take them so.
    static constexpr Bound value_bound =
        Bound::symmetric(transform::ShortModulus::of(R.q).reduced_bound_of(32768));

    /// The lanes of a polynomial's values, in room for those of larger rings.
    static constexpr std::size_t used = shape.parts * columns * ntru_prime::max_dense;

    /// The place of coefficient c of the value A_k: words of all d side by side, k = d + dense e.
    static std::size_t place(std::size_t k, std::size_t c)
    {
        const std::size_t word = k / shape.dense * (columns / 2) + c / 2;
        return 2 * ntru_prime::max_dense * word + 2 * (k % shape.dense) + c % 2;
    }

    /// A_k = sum over i of w^(i k) a_i. Returns w.
    static std::uint64_t expect_transform()
    {
        Shape::begin(q, 16);
        ntru_prime::Rq<capacity> a;
        fill(a.c, Bound::symmetric(R.q12()), 1);
        Values values;
        Product::transform(ring, a, values);
        expect_within("NTRU Prime's values", range_of(std::span(values.c).template first<used>()),
                      value_bound);
        const std::uint64_t w = form_of(load_number(&values.c[place(1, 0)])).terms.at(1).factor;
        if (power(w, rows, q) != 1 || power(w, rows / 2, q) == 1 || power(w, rows / 3, q) == 1)
            fail("no root");
        for (std::size_t k = 0; k < rows; ++k)
            for (std::size_t c = 0; c < columns; ++c) {
                Polynomial value;
                for (std::size_t i = 0; i * columns + c < R.p; ++i)
                    value.terms.push_back({1 + i * columns + c, power(w, i * k, q)});
                if (form_of(load_number(&values.c[place(k, c)])) != value)
                    fail("value " + std::to_string(k) + " is another map");
            }
        return w;
    }

    /// From values to the product: coefficient i columns + c of the product before it is reduced
    /// modulo x^p - x - 1 is sum over k of w^(-i k) C_k[c] / rows, C_k = A_k B_k modulo
    /// x^columns - w^k.
    static void expect_product(std::uint64_t w)
    {
        Shape::begin(q, 16);
        Values a, b;
        // The lanes from `dense` on stay 0.
        constexpr std::uint64_t b_first = 1 + std::tuple_size_v<decltype(a.c)>;
        fill(a.c, value_bound, 1);
        fill(b.c, value_bound, b_first);
        for (std::size_t i = 0; i < a.c.size(); ++i)
            if (i % (2 * ntru_prime::max_dense) >= 2 * shape.dense) a.c[i] = b.c[i] = 0;
        ntru_prime::Rq<capacity> product;
        Product::multiply(ring, a, b, b, product);
        expect_bound("NTRU Prime's product", range_of(std::span(product.c).template first<R.p>()),
                     Bound::symmetric(R.q12()), loose);

        const auto add_coefficient = [&](std::size_t m, std::vector<Term>& terms) {
            const std::size_t c = m % columns;
            for (std::size_t k = 0; k < rows; ++k) {
                const std::uint64_t factor =
                    power(w, rows * rows - m / columns * k, q) * reciprocal(rows, q) % q;
                for (std::size_t u = 0; u < columns; ++u) {
                    const std::uint64_t wrapped = u <= c ? 1 : power(w, k, q);
                    const std::size_t v = u <= c ? c - u : c + columns - u;
                    terms.push_back(
                        {product_of(1 + place(k, u), b_first + place(k, v)), factor * wrapped % q});
                }
            }
        };
        expect_forms(std::span(product.c).template first<R.p>(), [&](std::size_t i) {
            std::vector<Term> terms;  // x^p = x + 1
            add_coefficient(i, terms);
            add_coefficient(i + R.p, terms);
            if (i > 0) add_coefficient(i + R.p - 1, terms);
            return polynomial_of(std::move(terms), q);
        });
    }
};

template <class Shape>
struct NtruPrime : ::testing::Test {
    template <Ring R>
    static void expect_rows()
    {
        using Proofs = RowProofs<Shape, R>;
        Proofs::expect_product(Proofs::expect_transform());
    }
};
TYPED_TEST_SUITE(NtruPrime, Shapes, ShapeNames);

TYPED_TEST(NtruPrime, TransformsModulo3329)
{
    constexpr std::int32_t r = 3329;
    using Transform = transform::Transform<TypeParam, r, 256, transform::Leaves{2, 0, r}>;
    transform::Points<512> in, values;
    TypeParam::begin(r, 16);
    fill(in.c, Bound::symmetric(Transform::first_layer_bound / 2), 1);
    Transform::forward(in, values);
    const auto roots = expect_values(values.c, 2, 256, 1);
    expect_bound("values modulo 3329", range_of(values.c), Bound::symmetric(Transform::forward_value_bound()),
                 loose);

    TypeParam::begin(r, 16);
    fill(values.c, Bound::symmetric(Transform::inverse_value_bound), 1);
    Transform::inverse(values);
    expect_inverse(values.c, 2, roots, 1);
    expect_bound("inverse modulo 3329", range_of(values.c),
                 Bound::symmetric(Transform::cyclic_inverse_bound()), loose);
}

TYPED_TEST(NtruPrime, Rows761) { this->template expect_rows<ntru_prime::ring761>(); }
// Other rings in one shape: their text is the same, with other numbers.
TEST(NtruPrimeRings, Rows653) { NtruPrime<Avx2>::expect_rows<ntru_prime::ring653>(); }
TEST(NtruPrimeRings, Rows857) { NtruPrime<Avx2>::expect_rows<ntru_prime::ring857>(); }
TEST(NtruPrimeRings, Rows953) { NtruPrime<Avx2>::expect_rows<ntru_prime::ring953>(); }
TEST(NtruPrimeRings, Rows1013) { NtruPrime<Avx2>::expect_rows<ntru_prime::ring1013>(); }
TEST(NtruPrimeRings, Rows1277) { NtruPrime<Avx2>::expect_rows<ntru_prime::ring1277>(); }

/// From values on; the small factors are bytes, which hold too few tokens.
TYPED_TEST(NtruPrime, ProductsModulo3)
{
    const auto expect_no_overflow = []<std::size_t capacity>(std::integral_constant<std::size_t, capacity>,
                                                             std::size_t p) {
        using Product = ntru_prime::ProductModulo3<TypeParam, capacity>;
        using Transform = transform::Transform<TypeParam, 3329, 256, transform::Leaves{2, 0, 3329}>;
        TypeParam::begin(3329, 16);
        typename Product::Values a, b;
        for (auto* factor : {&a, &b})
            for (auto& part : *factor)
                fill_without_forms(part.c, Bound::symmetric(Transform::forward_value_bound()));
        ntru_prime::Small<capacity> product;
        Product::multiply(p, a, b, a, product);
    };
    expect_no_overflow(std::integral_constant<std::size_t, 768>{}, 761);
    expect_no_overflow(std::integral_constant<std::size_t, 1280>{}, 1277);
}

}  // namespace
}  // namespace girih::proofs
