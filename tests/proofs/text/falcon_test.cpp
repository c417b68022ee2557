// Falcon's transforms modulo q and x^n + 1, and its verification, for all inputs: no sum overflows,
// the transforms are right, and c - s h is of smallest magnitude.
#include "evaluation.hpp"
#include "falcon/standard/verify.hpp"

namespace girih::proofs {
namespace {

constexpr std::uint64_t q = falcon::q;
constexpr std::string_view any_factor = "the bound of any 16 bits times any factor";
constexpr std::array loose{Loose{"Falcon-512 inverse", any_factor}, Loose{"Falcon-1024 inverse", any_factor}};

template <class Shape>
struct Falcon : ::testing::Test {
    template <std::size_t n>
    static void expect_transforms()
    {
        using Transform = transform::Transform<Shape, falcon::q, 2 * n>;
        using Butterflies = typename Transform::Butterflies;
        constexpr std::int32_t bound = Transform::negacyclic_bound;
        constexpr auto layers = static_cast<std::size_t>(std::countr_zero(n));
        const std::string name = "Falcon-" + std::to_string(n);
        transform::Points<n> points;

        Shape::begin(q, 16);
        fill(points.c, Bound::symmetric(bound), 1);
        Transform::forward_negacyclic(points, points);
        const auto roots = expect_values(points.c, 1, n, q - 1);
        expect_bound(name + " values", range_of(points.c),
                     Bound::symmetric(Butterflies::bound_after(bound, layers, false)), loose);

        Shape::begin(q, 16);
        fill(points.c, Bound::symmetric(Transform::inverse_value_bound), 1);
        Transform::inverse_negacyclic(points, Transform::Residue::factor(1));
        expect_inverse(points.c, 1, roots, 1);
        expect_bound(name + " inverse", range_of(points.c), Bound::symmetric(Transform::inverse_bound),
                     loose);
    }
    template <std::size_t n>
    static void expect_verification()
    {
        Shape::begin(q, 16);
        transform::Points<n> h, s;
        falcon::ResiduePoly<n> c;
        fill_without_forms(h.c, Bound::symmetric(falcon::q / 2));
        fill_without_forms(s.c, Bound::symmetric(2047));
        fill_without_forms(c, Bound::canonical(falcon::q));
        falcon::PreparedFactor<Shape, n> factor;
        factor.prepare(h);
        factor.subtract_product(c, s);
        expect_bound("Falcon-" + std::to_string(n) + " c - s h", range_of(s.c),
                     Bound::symmetric(falcon::q / 2), loose);
    }
};
TYPED_TEST_SUITE(Falcon, Shapes, ShapeNames);

TYPED_TEST(Falcon, Transforms512) { this->template expect_transforms<512>(); }
TYPED_TEST(Falcon, Transforms1024) { this->template expect_transforms<1024>(); }
TYPED_TEST(Falcon, Verification512) { this->template expect_verification<512>(); }
TYPED_TEST(Falcon, Verification1024) { this->template expect_verification<1024>(); }

}  // namespace
}  // namespace girih::proofs
