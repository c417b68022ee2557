/// The contract of an engine: the members of a processor's type `Isa` that schemes use.
///
/// `Engine`, at the end, lists what every engine has; an engine with no more than that is complete.
/// options.hpp lists what makes an engine faster; an engine that has an option needs all its
/// members. Schemes derive from Isa, so it may not be final.
///
/// To add an engine NAME:
///
/// 1. src/isa/NAME/engine.hpp: a struct `Isa` in namespace girih::isa::NAME. Derive it from
///    isa/vectors_128.hpp, from isa/vector_isa.hpp for wider vectors, or from portable/engine.hpp
///    where the processor has none; isa/shared/ has parts for the members that are left. With
///    vectors_128.hpp these are `name`, WideWords (their rotation), CipherWords (WideWords may
///    serve), HalfByteLanes (shared/half_bytes.hpp), Products and their functions, any_negative,
///    compress_store, unpack, the products of ShortLanes, opaque, minimum and maximum. Types of
///    its own lie in the engine's namespace too, and templates name the engine: the linker keeps
///    one of two functions with one name, whose instructions another processor may lack
///    (`tools/check engines` looks for such). The compiler names a missing member, one at a time.
/// 2. src/engines/NAME/: prelude.hpp, which includes engines/prelude.hpp and the headers of
///    intrinsics, once (#pragma once); target_begin.hpp and target_end.hpp, the region of the
///    processor's instructions (empty files if all processors have them). In built.hpp, the name
///    in three places: its processor family, the empty default and the list; and a larger
///    max_engines, if a build has more engines, the reference engine among them. In list.cpp,
///    has_NAME (processor and system), is_fast_NAME (whether to choose it there: `always`, or a
///    function) and the reason. In cmake/GirihAlgorithms.cmake, the name in
///    girih_engines_of_FAMILY; a new family of processors also in girih_vector_families,
///    isa/family.hpp and cmake/family.cpp, where it may depend on the compiler.
/// 3. `cmake --preset test -DGIRIH_ENGINES=NAME`, with all algorithms, which the tests expect.
///    Build girih_kernels_tests, whose `--gtest_filter='*/NAME'` compares each function with the
///    portable engine, girih_cross_isa_tests, which compare each operation of each scheme on all
///    engines of the build, and girih_vectors_tests, to run with GIRIH_ISA=NAME and GIRIH_VECTORS.
///    For constant time, `cmake --preset constant-time -DGIRIH_ENGINES=NAME`, then `ctest -L
///    constant-time`. At last `make test`, with the other engines.
/// 4. Add it to the lists of engines in tests/proofs/text/engine.hpp and claims.hpp (its shape),
///    tests/proofs/machine/kernels.py (whose reader has to know the processor), tests/emulated (if
///    people have processors that choose another), tests/platforms, lab/report/rows.py (slowest
///    first) and style.css, Makefile (widest_engine, memcheck_engines), tools/parts.tsv,
///    tools/amalgamate, rust/package and rust/girih-sys/build.rs (if the crates shall have it),
///    docs/architecture/engines.md and README.md.
///
/// Vectors have a size (__attribute__((vector_size))), and the compiler may put one into several
/// registers. (On x86, g++ refuses such a one as an argument or result: use a struct of several.)
/// So processors whose registers may have any length suit the contract: rvv/ reaches the
/// intrinsics, whose vectors have no size, through memory. Where vectors have no registers of
/// their own in calls (RISC-V passes those of two general registers there, and clang++ then
/// computes there), longer ones are better, and the engine has `spills_vectors`.
///
/// Start with Keccak, which takes most of ML-DSA's time: WideWords with as many states as a vector
/// has words, or more (keccak/lanes.hpp). Then Integers (ML-DSA), ShortLanes (ML-KEM, NTRU Prime),
/// and the options: packing, Falcon's doubles, AES.
///
/// Bounds are on the values in lanes. Every function is constant time in them, unless its comment
/// says that an argument is public. Memory need not be aligned.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/options.hpp"
#include "keccak/lanes.hpp"

namespace girih::isa {

// ---- Words of 64 bits: SHA-512, AES (keccak/lanes.hpp: Keccak)

template <class L>
concept Rotates = requires(typename L::Words a) {
    { L::template rotate_left<1>(a) } -> std::same_as<typename L::Words>;  // by 0 to 63 bits
};
/// SHA-512: `count` messages, one in each lane.
template <class L>
concept HashesLanes = Rotates<L> && requires {
    requires L::count >= 1;
    requires sizeof(typename L::Words) == L::count * sizeof(std::uint64_t);
};
/// Bitsliced AES: a bit of many blocks in each word, four blocks for 64 bits. WideWords may serve,
/// or fewer or more lanes.
template <class L>
concept SlicesBits = Rotates<L> && requires(typename L::Words a) {
    { L::broadcast(std::uint64_t{}) } -> std::same_as<typename L::Words>;
    { a << 1 } -> std::convertible_to<typename L::Words>;
    { a >> 1 } -> std::convertible_to<typename L::Words>;  // without sign
    { (a & a) ^ ~a } -> std::convertible_to<typename L::Words>;
};

// ---- Signed integers of 32 bits: ML-DSA, sorting

/// A square of integers: lane j of vector i becomes lane i of vector j.
template <class Isa>
concept Transposes =
    requires(std::array<typename Isa::Integers, Isa::integer_lanes>& square) { Isa::transpose(square); };

/// `integer_lanes` in a vector. Sums and differences are those of C++ and do not overflow.
template <class Isa>
concept Integers32 = requires(typename Isa::Integers a, const std::int32_t* in, std::int32_t* out,
                              const std::int8_t* bytes, std::int32_t number, typename Isa::Products sum) {
    requires sizeof(typename Isa::Integers) == Isa::integer_lanes * sizeof(std::int32_t);
    // A transform of 256 integers keeps ntt_group vectors in registers, at a stride of
    // 256 / ntt_group. A stride has at least one vector, and at most as many as a square, which is
    // transposed in registers as well.
    requires Isa::ntt_group >= Isa::integer_lanes;
    requires Isa::integer_lanes <= 256 / Isa::ntt_group;
    requires Isa::integer_lanes == 1 || 256 / Isa::ntt_group <= Isa::integer_lanes* Isa::integer_lanes;
    { Isa::broadcast(number) } -> std::same_as<typename Isa::Integers>;
    { Isa::load(in) } -> std::same_as<typename Isa::Integers>;
    { Isa::widen(bytes) } -> std::same_as<typename Isa::Integers>;  // as many bytes as lanes
    Isa::store(out, a);
    // Products of 64 bits, alone or added up; the low half, as a signed integer, times a number;
    // the high half of a multiple of 2^32.
    { Isa::multiply(a, a) } -> std::convertible_to<typename Isa::Products>;
    { sum + Isa::multiply(a, a) } -> std::convertible_to<typename Isa::Products>;
    { sum - Isa::multiply(a, a) } -> std::convertible_to<typename Isa::Products>;
    Isa::multiply_low(Isa::multiply(a, a), a);
    Isa::high_half(Isa::multiply(a, a) - Isa::multiply_low(Isa::multiply(a, a), a));
    { Isa::any_negative(a) } -> std::same_as<bool>;  // public
    // Stores the lanes of a whose mask is all ones without gaps, and returns their number. May
    // overwrite up to one vector after them. The mask is public.
    { Isa::compress_store(out, a, a) } -> std::same_as<std::size_t>;
    // The 56 candidates of a block of the sponge may end within a vector.
    requires 56 % Isa::integer_lanes == 0 || MasksFirstLanes<Isa, typename Isa::Integers>;
    requires Isa::integer_lanes == 1 || Transposes<Isa>;
    // Candidates of the sponge have 24 bits; coefficients of a mask have 18 or 20.
    requires Isa::integer_lanes == 1 || (Unpacks<Isa, 24> && Unpacks<Isa, 18> && Unpacks<Isa, 20>);
};

/// Vectors of 8-bit integers for sums of short products: + and -, modulo 2^8.
template <class Isa>
concept ShortSums = requires(typename Isa::ShortIntegers a) {
    a + a;
    a - a;
};

/// Half-bytes of a string, to be sampled from: public masks, secret values. Each lane, of 8 bits or
/// more, has one, in [0, 15].
template <class L>
concept HalfBytes = requires(typename L::Vector a, const std::uint64_t* words, std::int8_t* out) {
    // A block of the sponge has 272.
    requires 272 % L::lanes == 0 || MasksFirstLanes<L, typename L::Vector>;
    L::load(words, std::size_t{});  // from a half-byte on, whose number is a multiple of `lanes`; a
                                    // byte's lower half is first
    L::below(a, std::int8_t{15});   // all ones where a is below it
    L::modulo_5(a);                 // of numbers below 15
    { L::compress_store(out, a, a) } -> std::same_as<std::size_t>;  // as that of Integers32
};

// ---- Signed integers of 16 bits: ML-KEM, NTRU Prime, Falcon's verification

/// `lanes` in a Vector, and half as many sums of 32 bits in Sums. Sums and differences are those of
/// C++ and stay within 16 bits.
template <class L>
concept Shorts16 = requires(typename L::Vector a, typename L::Sums s, const std::int16_t* in,
                            const std::int8_t* bytes, std::int16_t* out) {
    requires sizeof(typename L::Vector) == L::lanes * sizeof(std::int16_t);
    requires sizeof(typename L::Sums) == sizeof(typename L::Vector);
    { L::broadcast(std::int32_t{}) } -> std::same_as<typename L::Vector>;
    { L::load(in) } -> std::same_as<typename L::Vector>;
    { L::load(bytes) } -> std::same_as<typename L::Vector>;  // as many bytes as lanes
    L::store(out, a);
    { L::multiply_low(a, a) } -> std::same_as<typename L::Vector>;         // a b modulo 2^16
    { L::subtract_product(a, a, a) } -> std::same_as<typename L::Vector>;  // c - a b modulo 2^16
    // a0 b0 + a1 b1 of each pair of lanes; the same added to s: exact while it fits 32 bits.
    { L::multiply_pairs(a, a) } -> std::same_as<typename L::Sums>;
    { L::add_pairs(s, a, a) } -> std::same_as<typename L::Sums>;
    { L::cross_pairs(a) } -> std::same_as<typename L::Vector>;       // (a1, a0, a3, a2, ...)
    { L::merge_pairs(a, a) } -> std::same_as<typename L::Vector>;    // (a0, b1, a2, b3, ...)
    { L::exchange_middles(a) } -> std::same_as<typename L::Vector>;  // (a0, a2, a1, a3, ...)
    // Blocks of 1 to lanes / 2 numbers: (a0, b0, a2, b2, ...), and (a1, b1, a3, b3, ...).
    { L::template even_blocks<1>(a, a) } -> std::same_as<typename L::Vector>;
    { L::template odd_blocks<1>(a, a) } -> std::same_as<typename L::Vector>;
    { L::first_lanes(std::size_t{}) } -> std::same_as<typename L::Vector>;  // a mask; public
    { L::compress_store(out, a, a) } -> std::same_as<std::size_t>;          // as that of Integers32
    L::template store_eight<0>(out, a);
};

/// Products of such vectors.
template <class Isa>
concept ShortProducts = requires(typename Isa::ShortLanes::Vector a) {
    { Isa::multiply_high(a, a) } -> std::same_as<decltype(a)>;     // floor(a b / 2^16)
    { Isa::multiply_rounded(a, a) } -> std::same_as<decltype(a)>;  // (a b + 2^14) >> 15, 0 <= b < 2^14
    // a, about which the compiler knows nothing, for speed alone: it makes shifts of products.
    { Isa::opaque(a) } -> std::same_as<decltype(a)>;
};

// ---- Bits, sorting, AES: NTRU Prime

/// Long integers as vectors of bits.
template <class L>
concept BitString = requires(typename L::Vector a) {
    { L::broadcast(std::uint64_t{}) } -> std::same_as<typename L::Vector>;
    { L::first_word(a) } -> std::same_as<std::uint64_t>;
    { L::up(a, a) } -> std::same_as<typename L::Vector>;    // one place up, with the top bit of b
    { L::down(a, a) } -> std::same_as<typename L::Vector>;  // one place down, with the lowest bit of b
};

/// `lanes` signed integers of 32 bits to sort.
template <class L>
concept Sorts = requires(typename L::Vector a, void* out) {
    requires sizeof(typename L::Vector) == L::lanes * sizeof(std::int32_t);
    { L::broadcast(std::int32_t{}) } -> std::same_as<typename L::Vector>;
    { L::load(out) } -> std::same_as<typename L::Vector>;
    L::store(out, a);
    { L::template partners<1>(a) } -> std::same_as<typename L::Vector>;  // lane i from lane i ^ distance
    { L::template lower_and_upper<1>(a, a) } -> std::same_as<typename L::Vector>;
};

/// The lower and the upper number of each pair of lanes; the maximum may be computed from the
/// minimum.
template <class Isa>
concept Orders = requires(typename Isa::SortLanes::Vector a) {
    { Isa::minimum(a, a) } -> std::same_as<decltype(a)>;
    { Isa::maximum(a, a, Isa::minimum(a, a)) } -> std::same_as<decltype(a)>;
};

/// AES's round as an instruction, on aes_blocks blocks (has_aes is true, or MayHaveAes).
template <class Isa>
concept AesRounds = requires(typename Isa::AesBlocks a, const std::uint8_t* in, std::uint8_t* out) {
    requires Isa::aes_blocks >= 1;
    { Isa::aes_broadcast(in) } -> std::same_as<typename Isa::AesBlocks>;
    Isa::aes_store(out, a);
    { Isa::aes_counters(std::uint64_t{}) } -> std::same_as<typename Isa::AesBlocks>;
    { Isa::aes_round(a, a) } -> std::same_as<typename Isa::AesBlocks>;
    { Isa::aes_last_round(a, a) } -> std::same_as<typename Isa::AesBlocks>;
    { Isa::aes_sub_word(std::uint32_t{}) } -> std::same_as<std::uint32_t>;
};
template <class Isa>
concept OptionalAesRounds = AesRounds<typename Isa::AesInstructions> && requires {
    { Isa::AesInstructions::are_here() } -> std::same_as<bool>;
};

// ---- Falcon's numbers

/// IEEE 754's binary64, rounded to nearest. Constant time unless the engine says otherwise.
/// `Engine` is the Isa that it is of. A double converts explicitly, and of_bits is constexpr.
template <class F>
concept Binary64 = std::default_initializable<F> && requires(F a, std::int64_t integer, std::uint64_t bits) {
    typename F::Engine;
    { F::is_native } -> std::convertible_to<bool>;
    { F::of(integer) } -> std::same_as<F>;
    { F::of_bits(bits) } -> std::same_as<F>;
    F{0.5};
    { -a } -> std::same_as<F>;
    { a.bits() } -> std::same_as<std::uint64_t>;
    { a + a } -> std::same_as<F>;
    { a - a } -> std::same_as<F>;
    { a* a } -> std::same_as<F>;
    { a / a } -> std::same_as<F>;
    { half(a) } -> std::same_as<F>;
    { twice(a) } -> std::same_as<F>;
    { square(a) } -> std::same_as<F>;
    { sqrt(a) } -> std::same_as<F>;
    { less(a, a) } -> std::same_as<std::uint32_t>;  // 1 or 0
    { round(a) } -> std::same_as<std::int64_t>;     // ties to even; |a| < 2^51
    { floor(a) } -> std::same_as<std::int64_t>;
    { trunc(a) } -> std::same_as<std::int64_t>;
};

// ---- An engine

template <class Isa>
concept Engine = keccak::Permutes<typename Isa::SerialWords> && Isa::SerialWords::count == 1 &&
                 keccak::PermutesTasks<typename Isa::WideWords> && HashesLanes<typename Isa::HashWords> &&
                 SlicesBits<typename Isa::CipherWords> && Integers32<Isa> && ShortSums<Isa> &&
                 HalfBytes<typename Isa::HalfByteLanes> && Shorts16<typename Isa::ShortLanes> &&
                 ShortProducts<Isa> && BitString<typename Isa::BitLanes> && Sorts<typename Isa::SortLanes> &&
                 Orders<Isa> && Binary64<typename Isa::Fpr> && (!Isa::has_aes || AesRounds<Isa>) &&
                 (!MayHaveAes<Isa> || OptionalAesRounds<Isa>) && CompleteOptions<Isa> && requires {
                     { Isa::name } -> std::convertible_to<std::string_view>;
                     // NTRU Prime as its specification writes it, without vectors.
                     { Isa::follows_specification } -> std::convertible_to<bool>;
                 };

}  // namespace girih::isa
