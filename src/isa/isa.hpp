/// The contract of an engine: the members of a processor's type `Isa` that schemes use.
///
/// `Engine`, at the end, lists what every engine has; an engine with no more than that is complete.
/// options.hpp lists what makes an engine faster; an engine that has an option needs all its
/// members.
///
/// To add an engine NAME:
///
/// 1. src/isa/NAME/engine.hpp: a struct `Isa` in namespace girih::isa::NAME. Derive it from
///    vectors_128.hpp, from vector_isa.hpp for wider vectors, or from portable/engine.hpp where the
///    processor has none. The compiler names each member that is missing.
/// 2. src/engines/NAME/: prelude.hpp, which includes engines/prelude.hpp and the headers of
///    intrinsics; target_begin.hpp and target_end.hpp, the region of the processor's instructions
///    (empty if all processors have them). In built.hpp, the name in three places: its processor
///    family, the empty default and the list; and a larger max_engines, if a build has more
///    engines. In list.cpp, has_NAME (processor and operating system), is_fast_NAME (whether to
///    choose it there) and the reason. In cmake/GirihAlgorithms.cmake, the name in
///    girih_engines_of_FAMILY; a new family of processors also in girih_vector_families, family.hpp
///    and cmake/family.cpp, where it may depend on the compiler.
/// 3. `make test` compares it with the other engines: `kernels` each function, `cross_isa` each
///    operation of each scheme.
/// 4. Add it to the lists of engines in tests/proofs/text/engine.hpp and claims.hpp (its shape),
///    tests/proofs/machine/kernels.py, tests/emulated, lab/report/rows.py.
///
/// Vectors have a size (__attribute__((vector_size))), and the compiler may put one into several
/// registers. So processors whose registers may have any length suit the contract: rvv/ reaches the
/// intrinsics, whose vectors have no size, through memory. A vector should be longer than two
/// general registers: some calling conventions pass it in these, and clang++ then computes there.
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

/// SHA-512 and bitsliced AES need only rotations.
template <class L>
concept Rotates = requires(typename L::Words a) {
    { L::template rotate_left<1>(a) } -> std::same_as<typename L::Words>;  // by 0 to 63 bits
};

// ---- Signed integers of 32 bits: ML-DSA, sorting

/// A square of integers: lane j of vector i becomes lane i of vector j.
template <class Isa>
concept Transposes =
    requires(std::array<typename Isa::Integers, Isa::integer_lanes>& square) { Isa::transpose(square); };

/// `integer_lanes` in a vector. Sums and differences are those of C++ and do not overflow.
template <class Isa>
concept Integers32 = requires(typename Isa::Integers a, const std::int32_t* in, std::int32_t* out,
                              const std::int8_t* bytes, std::int32_t number) {
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
    // Products of 64 bits; the low half of one times a number; the high half of a multiple of 2^32.
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

/// Half-bytes of a string, to be sampled from: public masks, secret values.
template <class L>
concept HalfBytes = requires(typename L::Vector a, const std::uint64_t* words, std::int8_t* out) {
    // A block of the sponge has 272.
    requires 272 % L::lanes == 0 || MasksFirstLanes<L, typename L::Vector>;
    L::load(words, std::size_t{});  // from a multiple of `lanes` on, the lower half of a byte first
    L::below(a, std::int8_t{15});   // all ones where a is below it
    L::modulo_5(a);                 // of numbers below 15
    { L::compress_store(out, a, a) } -> std::same_as<std::size_t>;
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
    { L::compress_store(out, a, a) } -> std::same_as<std::size_t>;          // the mask is public
    L::template store_eight<0>(out, a);
};

/// Products of such vectors.
template <class Isa>
concept ShortProducts = requires(typename Isa::ShortLanes::Vector a) {
    { Isa::multiply_high(a, a) } -> std::same_as<decltype(a)>;     // floor(a b / 2^16)
    { Isa::multiply_rounded(a, a) } -> std::same_as<decltype(a)>;  // (a b + 2^14) >> 15, 0 <= b < 2^14
    { Isa::opaque(a) } -> std::same_as<decltype(a)>;  // a, about which the compiler knows nothing
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

/// `lanes` words of 32 bits to sort.
template <class L>
concept Sorts = requires(typename L::Vector a, void* out) {
    requires sizeof(typename L::Vector) == L::lanes * sizeof(std::int32_t);
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
template <class F>
concept Binary64 = requires(F a, std::int64_t integer, std::uint64_t bits) {
    { F::is_native } -> std::convertible_to<bool>;
    { F::of(integer) } -> std::same_as<F>;
    { F::of_bits(bits) } -> std::same_as<F>;
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
                 keccak::PermutesTasks<typename Isa::WideWords> &&
                 Rotates<typename Isa::HashWords> &&    // SHA-512: a message in each lane
                 Rotates<typename Isa::CipherWords> &&  // AES: a bit of many blocks in each word
                 Integers32<Isa> && ShortSums<Isa> && HalfBytes<typename Isa::HalfByteLanes> &&
                 Shorts16<typename Isa::ShortLanes> && ShortProducts<Isa> &&
                 BitString<typename Isa::BitLanes> && Sorts<typename Isa::SortLanes> && Orders<Isa> &&
                 Binary64<typename Isa::Fpr> && (!Isa::has_aes || AesRounds<Isa>) &&
                 (!MayHaveAes<Isa> || OptionalAesRounds<Isa>) && CompleteOptions<Isa> && requires {
                     { Isa::name } -> std::convertible_to<std::string_view>;
                     // NTRU Prime as its specification writes it, without vectors.
                     { Isa::follows_specification } -> std::convertible_to<bool>;
                 };

}  // namespace girih::isa
