/// The options of engines of processors without vectors: see options.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace girih::isa {

/// HalfwordsOf<r>: two residues modulo r < 2^14 in a word, as signed integers of 16 bits.
template <class Isa>
concept Halfwords16 = requires { typename Isa::template HalfwordsOf<3329>; };
template <class H>
concept HalfwordMembers = requires(typename H::Pair a, std::int32_t c, std::uint32_t factor) {
    { H::factor(std::int64_t{}) } -> std::same_as<std::uint32_t>;  // a factor for multiply
    { H::pair(c, c) } -> std::same_as<typename H::Pair>;           // low, high
    { H::low(a) } -> std::same_as<std::int32_t>;
    { H::high(a) } -> std::same_as<std::int32_t>;
    { H::lows(a, a) } -> std::same_as<typename H::Pair>;  // the low halves of both
    { H::highs(a, a) } -> std::same_as<typename H::Pair>;
    { H::add(a, a) } -> std::same_as<typename H::Pair>;  // within 16 bits
    { H::subtract(a, a) } -> std::same_as<typename H::Pair>;
    { H::multiply(a, factor) } -> std::same_as<typename H::Pair>;  // to product_bound in magnitude
    { H::multiply(a, factor, factor) } -> std::same_as<typename H::Pair>;
    // (a0 + a1 X) (b0 + b1 X) modulo X^2 - gamma, times `reduction`, to product_bound. Sums of two
    // products are at least -2^16 r.
    { H::multiply_linear(a, a, factor) } -> std::same_as<typename H::Pair>;
    { H::canonical(a) } -> std::same_as<typename H::Pair>;                  // from [-r, r) to [0, r)
    requires H::product_bound > 0 && H::reduction* H::undo_reduction != 0;  // which cancel modulo r
};

/// ML-DSA on words: Montgomery products, and the transform in assembly.
template <class Isa>
concept TransformsWords = requires { &Isa::ml_dsa_ntt; };
template <class Isa>
concept TransformMembers = requires(std::int32_t* w, std::int32_t a, std::uint32_t inverse) {
    // a / 2^32 modulo an odd m, below m in magnitude, for |a| < 2^31 m; `inverse` is -1 / m.
    { Isa::montgomery_reduce(std::int64_t{}, a, inverse) } -> std::same_as<std::int32_t>;
    { Isa::montgomery_multiply(a, a, a, inverse) } -> std::same_as<std::int32_t>;  // of a b
    // On 256 values, with zetas in the order of use. |w| grows by q in each of eight layers; the
    // inverse takes and leaves |w| <= q, times 2^32 / 256. False where there is no assembly.
    { Isa::ml_dsa_ntt(w, w) } -> std::same_as<bool>;
    { Isa::ml_dsa_inverse_ntt(w, w) } -> std::same_as<bool>;
};

/// NTRU Prime's products and reciprocals on words.
template <class Isa>
concept MultipliesWords = requires { Isa::multiplies_words; };
template <class P>
concept HalfwordPairMembers = requires(typename P::Word a, const typename P::Rows& rows) {
    { P::first(a) } -> std::same_as<std::int32_t>;  // the lower half, signed
    { P::second(a) } -> std::same_as<std::int32_t>;
    { P::pack(a, a) } -> std::same_as<typename P::Word>;       // of the lower halves
    { P::pack_high(a, a) } -> std::same_as<typename P::Word>;  // of the upper halves
    { P::determinant(a, a) } -> std::same_as<std::int32_t>;    // a0 b1 - a1 b0
    // A residue of |a| < 2^31 modulo an odd q < 2^13: at most q (1/2 + |a| / 2^33) in magnitude.
    { P::Modulus::of(std::int32_t{}).reduce(std::int32_t{}) } -> std::same_as<std::int32_t>;
    // `steps` division steps on 3 n pairs, in place, reading `steps` + 1 more: at most 0.6 q.
    P::apply(rows, &a, std::size_t{});
    requires P::steps + 1 == std::tuple_size_v<decltype(rows.to_second)>;
};
template <class Isa>
concept WordProductMembers =
    HalfwordPairMembers<typename Isa::HalfwordPairs> && requires(typename Isa::Trits t, std::uint32_t mask) {
        requires sizeof(t) == 4 * sizeof(std::uint32_t);
        // 32 coefficients modulo 3 of (f, g): whether each is not 0, whether it is -1.
        t.f_nonzero | t.f_minus | t.g_nonzero | t.g_minus;
        // A division step on the words from the first to the second; the masks are secret: whether
        // c is not 0, whether it is -1, whether f becomes g.
        Isa::trit_step(&t, &t, mask, mask, mask);
    };
/// Products modulo q in assembly, and modulo 3: see cortex_m/ntru_prime_calls.hpp.
template <class Isa>
concept RowAssembly = requires { &Isa::fold_rows; };
template <class Isa>
concept ByteAssembly = requires { &Isa::multiply_bytes; };
template <class Isa>
concept RowAssemblyMembers =
    requires(std::uint32_t* to, const std::uint32_t* from, const std::uint16_t* places,
             const std::int8_t* small, const std::int16_t* wide, std::int16_t* folded) {
        Isa::place_rows(to, small, places, places);  // |coefficients| <= 1
        Isa::place_rows(to, wide, places, places);   // |coefficients| <= q / 2
        Isa::transform_nines(to, from, from);
        Isa::transform_fives(to, from, from);
        Isa::multiply_rows(to, from, from, from, std::uint32_t{});
        Isa::join_rows(to, from, places, places);
        Isa::fold_rows(folded, from, std::size_t{}, std::size_t{}, std::uint32_t{});
    };
template <class Isa>
concept ByteAssemblyMembers = requires(std::uint32_t* to, const std::uint32_t* from) {
    Isa::multiply_bytes(to, from, from);  // bytes of at most 2, products of at most 30
    Isa::add_bytes(to, from, from, from);
    Isa::join_products(to, from, std::size_t{});
};
/// Elements to sort, which hold a word each in the form that the processor compares fastest.
template <class Isa>
concept SortsElements = requires { typename Isa::SortElement; };
template <class Isa>
concept SortElementMembers = requires(std::uint32_t word) {
    { Isa::sort_element(word) } -> std::same_as<typename Isa::SortElement>;
    { Isa::sort_element(word).word } -> std::same_as<std::uint32_t&&>;
};
template <class Isa, class Element>
concept ComparesFours = requires(Element* a) { Isa::template compare_fours<3, 4>(a, a, 1, 0, 1); };
/// The minimum in the lower lane of each pair and the maximum in the upper one, in one step.
template <class Isa, std::size_t distance>
concept LowerAndUpper =
    requires(typename Isa::SortLanes::Vector a) { Isa::template lower_and_upper<distance>(a, a, a); };
/// An image with one parameter set of NTRU Prime, whose numbers are constants.
template <class Isa>
concept HasOneSet = requires { Isa::has_one_set; };
/// The bytes of stack to wipe after an operation of NTRU Prime, if they are not the default.
template <class Isa>
concept KnownNtruPrimeStack = requires { Isa::ntru_prime_stack_bytes; };

}  // namespace girih::isa
