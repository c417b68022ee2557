/// Code that must not compile: secrets that steer or are published unseen, polynomials of unlike
/// forms, sums past 32 bits, engines that have an option in part.
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/secret.hpp"
#include "isa/cortex_m/engine.hpp"
#include "isa/isa.hpp"
#include "isa/portable/engine.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/standard/attempt.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;

using Word = Secret<std::uint32_t>;

template <class T>
concept Comparable = requires(T a, T b) { a == b; } || requires(T a, T b) { a < b; };
template <class T>
concept Divisible = requires(T a, T b) { a / b; } || requires(T a, T b) { a % b; };
template <class T>
concept Index = requires(T i, int (&array)[4]) { array[i]; };
template <class T>
concept ShiftAmount = requires(T bits) { std::uint32_t{1} << bits; } || requires(T a, T bits) { a << bits; };

static_assert(Comparable<std::uint32_t> && Divisible<std::uint32_t> && Index<std::uint32_t> &&
              ShiftAmount<std::uint32_t>);
static_assert(!std::is_convertible_v<Word, bool> && !std::is_constructible_v<bool, Word>);
static_assert(!std::is_convertible_v<Word, std::uint32_t> && !std::is_constructible_v<std::uint32_t, Word>);
static_assert(!std::is_convertible_v<std::uint32_t, Word>);
static_assert(!Comparable<Word> && !Divisible<Word> && !Index<Word> && !ShiftAmount<Word>);

constexpr Bound wide = Bound::symmetric(INT32_MAX);
constexpr Bound unit = Bound::symmetric(1);

template <Form form, Bound bound, Secrecy secrecy = Secrecy::open>
using P = Poly<form, bound, secrecy>;

template <class A, class B>
concept Addable = requires(A a, B b) { add<Portable>(a, b); };
template <class A, class B>
concept Multipliable = requires(A a, B b) { multiply<Portable>(a, b); };
template <class A>
concept Transformable = requires(A a) { ntt<Portable>(a); };
template <class A>
concept InverseTransformable = requires(A a) { inverse_ntt<Portable>(a); };

static_assert(Addable<P<Form::ntt, unit>, P<Form::ntt, unit>>);
static_assert(!Addable<P<Form::ntt, unit>, P<Form::coefficients, unit>>, "values and coefficients");
static_assert(!Addable<P<Form::ntt, unit>, P<Form::ntt_product, unit>>, "divided by R and not");
static_assert(!Multipliable<P<Form::coefficients, unit>, P<Form::coefficients, unit>>);
static_assert(!Multipliable<P<Form::ntt, unit>, P<Form::ntt_product, unit>>);
static_assert(Transformable<P<Form::coefficients, unit>> && !Transformable<P<Form::ntt, unit>>);
static_assert(InverseTransformable<P<Form::ntt_product, unit>>);
static_assert(!InverseTransformable<P<Form::ntt, unit>>, "not divided by R");
static_assert(!InverseTransformable<P<Form::coefficients, unit>>);
static_assert(!InverseTransformable<P<Form::ntt_product, Bound::symmetric(q)>>, "would overflow");
static_assert(!Multipliable<P<Form::ntt, wide>, P<Form::ntt, Bound::symmetric(q + 1)>>, "beyond Montgomery");

/// A type that names a polynomial of this bound, if there is one.
template <std::int64_t magnitude>
concept HasPoly = requires { typename Poly<Form::coefficients, Bound::symmetric(magnitude)>; };
static_assert(HasPoly<INT32_MAX> && !HasPoly<std::int64_t{INT32_MAX} + 1>, "past 32 bits");

template <Secrecy secrecy>
using Residues = P<Form::coefficients, Bound::canonical(q), secrecy>;
static_assert(!std::is_convertible_v<Residues<Secrecy::secret>, Residues<Secrecy::open>>);
static_assert(decltype(add<Portable>(Residues<Secrecy::open>{}, Residues<Secrecy::secret>{}))::secrecy ==
              Secrecy::secret);
static_assert(decltype(add<Portable>(Residues<Secrecy::open>{}, Residues<Secrecy::open>{}))::secrecy ==
              Secrecy::open);

/// A polynomial goes into another type where its form is the same, its bound gets narrower and a
/// secret stays one.
template <class A, class B>
concept NarrowsTo = requires(const A& a, B& b) { narrow(a, b); };
using Unit = P<Form::coefficients, unit>;
using SecretUnit = P<Form::coefficients, unit, Secrecy::secret>;
static_assert(NarrowsTo<P<Form::coefficients, wide>, Unit>);
static_assert(NarrowsTo<P<Form::coefficients, wide, Secrecy::secret>, SecretUnit>);
static_assert(NarrowsTo<P<Form::coefficients, wide>, SecretUnit>);
static_assert(!NarrowsTo<P<Form::coefficients, wide, Secrecy::secret>, Unit>, "publishes a secret");
static_assert(!NarrowsTo<Unit, P<Form::coefficients, wide>>, "needs no check");
static_assert(!NarrowsTo<P<Form::ntt, wide>, Unit>, "values and coefficients");

/// A signer's z is secret until it is published, and no signature can be made from it without
/// `declassify`.
using SignerZ = decltype(Scratch<ml_dsa_65.shape()>::accepted_z);
using SignatureZ = std::remove_cvref_t<decltype(std::declval<Signature<ml_dsa_65.shape()>>().z[0])>;
static_assert(SignerZ::secrecy == Secrecy::secret && SignatureZ::secrecy == Secrecy::open);
static_assert(SignerZ::bound == SignatureZ::bound && !NarrowsTo<SignerZ, SignatureZ> &&
              !std::is_assignable_v<SignatureZ&, SignerZ>);

/// A public key holds public high bits, in range: no other polynomial can be packed there.
template <class A>
concept PackableAsT1 =
    requires(const A& a, BytesOut<packed_bytes(10)> bytes) { simple_bit_pack<10, Portable>(a, bytes); };
static_assert(PackableAsT1<T1Poly> && !PackableAsT1<P<Form::coefficients, Bound{0, 1024}>> &&
              !PackableAsT1<P<Form::coefficients, Bound{-1, 1}>>);

struct WithoutLongs : Portable {
    struct LongLanes {};
};
struct WithoutFewer : Portable {
    struct WideWords : Portable::WideWords {
        using Fewer = Portable::WideWords;  // as many states as this
        using One = Fewer;
    };
};
struct WithoutTrits : isa::cortex_m::Isa {
    static void trit_step();
};
static_assert(isa::Engine<Portable> && !isa::Engine<WithoutLongs> && !isa::Engine<WithoutFewer> &&
              !isa::Engine<WithoutTrits>);

TEST(Bounds, AddUp)
{
    constexpr Bound a{-3, 5};
    constexpr Bound b{-10, 1};
    EXPECT_EQ(a + b, (Bound{-13, 6}));
    EXPECT_EQ(a - b, (Bound{-4, 15}));
    EXPECT_EQ(a.magnitude(), 5);
    EXPECT_EQ(b.magnitude(), 10);
    EXPECT_TRUE(a.within(a) && a.within(Bound::symmetric(5)) && !a.within(b) && !b.within(a));
    EXPECT_TRUE((Bound{INT32_MIN, INT32_MAX}.fits(sizeof(std::int32_t))));
    EXPECT_FALSE((Bound{std::int64_t{INT32_MIN} - 1, 0}.fits(sizeof(std::int32_t))));
    EXPECT_FALSE((Bound{0, std::int64_t{INT32_MAX} + 1}.fits(sizeof(std::int32_t))));
}

TEST(Bounds, AreSeenWhenTheyAreBroken)
{
    Poly<Form::coefficients, Bound{-3, 5}> poly;
    poly.c.fill(5);
    for (const auto& [c, is_kept] : {std::pair{5, true}, {-3, true}, {-4, false}, {6, false}}) {
        poly.c[255] = c;
        EXPECT_EQ(keeps_bound(poly), is_kept);
    }
}

}  // namespace
