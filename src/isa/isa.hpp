/// The contract of an engine: the members of a processor's type `Isa` that schemes use.
///
/// `Engine` lists the members of every engine. The options at the end are faster ways to the same
/// result, and an engine without them is complete. An option's concept names the member that tells
/// whether an engine has it; the engine's header describes those that come with it.
///
/// Bounds are on the values in lanes. Every function is constant time in them, unless its comment
/// says that an argument is public. Memory need not be aligned.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace girih::isa {

// ---- Words of 64 bits: Keccak, SHA-512

/// `count` states of Keccak, 1 to 8, one in each lane of Words.
template <class L>
concept KeccakStates = requires(typename L::Words a, std::array<bool, L::count> fresh) {
    requires L::count >= 1 && L::count <= 8;
    requires sizeof(typename L::Words) == L::count * sizeof(std::uint64_t);
};

/// Logic on such words, from which the permutation is made; lanes with an OwnState need none.
template <class L>
concept WordLogic = KeccakStates<L> && requires(typename L::Words a, std::uint64_t word) {
    { L::template rotate_left<1>(a) } -> std::same_as<typename L::Words>;  // by 0 to 63 bits
    { L::chi(a, a, a) } -> std::same_as<typename L::Words>;                // a ^ (~b & c)
    { L::xor5(a, a, a, a, a) } -> std::same_as<typename L::Words>;
    { L::broadcast(word) } -> std::same_as<typename L::Words>;
};

/// A state with a layout of its own, and permute(), the permutation of it.
template <class L>
concept OwnState = requires { typename L::State; };
template <class L, class State>
concept OwnPermutation = requires(State& state) { L::permute(state); };

/// The stack in bytes that permute() takes, to be wiped after secrets. Default: 4096.
template <class L>
concept KnownPermutationStack = requires { L::permutation_stack_bytes; };

/// rotate_left(a ^ b), and a ^ rotate_left<1>(b), as one instruction each (Arm's SHA-3 extension).
template <class L>
concept RotatesSums = requires(typename L::Words a) { L::template rotate_sum_left<1>(a, a); };
template <class L>
concept AddsRotated = requires(typename L::Words a) { L::add_rotated(a, a); };

/// absorb_row(state, lane, row, is_fresh) for one lane: faster than absorb_rows() for up to
/// `single_rows` lanes. The lanes' numbers are public.
template <class L>
concept AbsorbsSingleRows = requires { L::single_rows; };

/// Lanes for the last tasks: `Fewer`, and `One` for a task that is alone. (On a Sapphire Rapids a
/// permutation of eight states takes 880 ticks, of four 590, of one 515.)
template <class L>
concept HasFewerLanes = requires {
    typename L::Fewer;
    typename L::One;
};

/// SHA-512's functions of three words as one instruction.
template <class L>
concept ThreeWordLogic = requires(typename L::Words a) {
    L::choose(a, a, a);
    L::majority(a, a, a);
    L::xor3(a, a, a);
};
/// SHA-512 by compress_sha512(state, blocks, count, constants), in assembly.
template <class L>
concept CompressesSha512 = requires { L::compress_sha512; };
/// Two blocks' message schedules side by side, in vectors of four words.
template <class L>
concept PairsSchedules = requires { typename L::ScheduleWords; };
/// Two messages side by side, in vectors of four words.
template <class L>
concept PairsMessages = requires { typename L::Wide; };
/// Lanes for one message, where HashWords are for several.
template <class L>
concept HasSerialLanes = requires { typename L::Serial; };

// ---- Integers of 32 bits with a sign: ML-DSA, sorting

/// `integer_lanes` in a vector. Sums and differences are those of C++ and do not overflow.
template <class Isa>
concept Integers32 = requires(typename Isa::Integers a, const std::int32_t* in, std::int32_t* out,
                              const std::int8_t* bytes, std::int32_t number) {
    requires sizeof(typename Isa::Integers) == Isa::integer_lanes * sizeof(std::int32_t);
    requires Isa::ntt_group >= Isa::integer_lanes;  // vectors that a transform keeps in registers
    { Isa::broadcast(number) } -> std::same_as<typename Isa::Integers>;
    { Isa::load(in) } -> std::same_as<typename Isa::Integers>;
    { Isa::widen(bytes) } -> std::same_as<typename Isa::Integers>;  // as many bytes as lanes
    Isa::store(out, a);
    // Products of 64 bits; the low half of one times a number; the high half of a multiple of 2^32.
    Isa::multiply_low(Isa::multiply(a, a), a);
    Isa::high_half(Isa::multiply(a, a) - Isa::multiply_low(Isa::multiply(a, a), a));
    { Isa::any_negative(a) } -> std::same_as<bool>;  // public
    // The lanes of a whose mask is all ones, packed, and up to one vector behind them; returns how
    // many. The mask is public.
    { Isa::compress_store(out, a, a) } -> std::same_as<std::size_t>;
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
    requires L::lanes >= 1;
    L::load(words, std::size_t{});  // from a multiple of `lanes` on, the lower half of a byte first
    L::below(a, std::int8_t{15});   // all ones where a is below it
    L::modulo_5(a);                 // of numbers below 15
    { L::compress_store(out, a, a) } -> std::same_as<std::size_t>;
};

// ---- Integers of 16 bits with a sign: ML-KEM, NTRU Prime, Falcon's verification

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
    { L::template partners<1>(a) } -> std::same_as<typename L::Vector>;  // lane i of lane i ^ distance
    { L::template lower_and_upper<1>(a, a) } -> std::same_as<typename L::Vector>;
};

/// AES's round as an instruction, on aes_blocks blocks (has_aes is true).
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

template <class L>
concept Permutes = KeccakStates<L> && (WordLogic<L> || OwnState<L>);

template <class Isa>
concept Engine = Permutes<typename Isa::SerialWords> && Isa::SerialWords::count == 1 &&
                 Permutes<typename Isa::WideWords> && Integers32<Isa> && ShortSums<Isa> &&
                 HalfBytes<typename Isa::HalfByteLanes> && Shorts16<typename Isa::ShortLanes> &&
                 ShortProducts<Isa> && BitString<typename Isa::BitLanes> && Sorts<typename Isa::SortLanes> &&
                 Binary64<typename Isa::Fpr> && (!Isa::has_aes || AesRounds<Isa>) && requires {
                     { Isa::name } -> std::convertible_to<std::string_view>;
                     // NTRU Prime as its specification writes it, without vectors.
                     { Isa::follows_specification } -> std::convertible_to<bool>;
                     typename Isa::HashWords;    // for SHA-512
                     typename Isa::CipherWords;  // for AES: a bit of many blocks in each word
                 };

// ---- Options of an engine

/// AES-256 in assembly: rounds 2 to 13 of two blocks, SubBytes of two blocks, and rounds by tables,
/// whose time depends on the data.
template <class Isa>
concept AesTwoBlockRounds = requires { &Isa::aes_rounds; };
template <class Isa>
concept AesSubstitutes = requires { &Isa::aes_substitute; };
template <class Isa>
concept AesVartime = requires { &Isa::aes_vartime; };

/// Falcon's numbers in vectors of doubles.
template <class Isa>
concept WideDoubles = requires { typename Isa::WideFpr; };
/// F is a number whose constants are kept as another, narrower kind.
template <class F>
concept HasNarrow = requires { typename F::Narrow; };
/// A butterfly of Falcon's transform, forward and inverse, on three adjoining complex numbers.
template <class F>
concept Butterflies = requires(F* a) {
    F::butterfly(a);
    F::inverse_butterfly(a);
};
/// The high half of a product of two words of 64 bits, where the processor has no such instruction.
template <class F>
concept MultipliesHigh = requires(std::uint64_t a) { F::multiply_high(a, a); };
/// Falcon's key generator in vectors: of integers of 64 bits, of residues of 31 bits.
template <class Isa>
concept LongVectors = requires { typename Isa::LongLanes; };
template <class Isa>
concept ResidueVectors = requires { typename Isa::ResidueLanes; };
/// The largest degree that an image transforms, and so has tables for. Default: 1024.
template <class Isa>
concept LimitsDegree = requires { Isa::max_degree; };
/// look_up(table, numbers) and count_less(count, a, b) in vectors of words.
template <class Isa, class Table>
concept LooksUp = requires(const Table& table, typename Isa::WideWords::Words a) { Isa::look_up(table, a); };
/// How many of Falcon's 18 thresholds are above a number of 72 bits.
template <class Isa, class Thresholds>
concept CountsAbove = requires(const Thresholds& thresholds) {
    Isa::count_above(std::uint64_t{}, std::uint32_t{}, thresholds);
};
/// ChaCha20's blocks: sixteen side by side, or one after the other. Default: eight side by side.
template <class Isa>
concept SixteenChaChaBlocks = requires { Isa::sixteen_blocks_at_a_time; };
template <class Isa>
concept OneChaChaBlock = requires { Isa::one_block_at_a_time; };

/// Two residues of 16 bits in a word, with sums and products of both halves (HalfwordsOf<r>).
template <class Isa>
concept Halfwords16 = requires { typename Isa::template HalfwordsOf<3329>; };
/// A processor without vectors: products of polynomials on words (multiplies_words).
template <class Isa>
concept MultipliesWords = requires { Isa::multiplies_words; };
/// NTRU Prime's products and sorting on words in assembly (cortex_m/ntru_prime_calls.hpp).
template <class Isa>
concept NtruPrimeAssembly = requires { &Isa::fold_rows; };
/// Elements to sort that hold a word each, as the processor compares them fastest.
template <class Isa>
concept SortsElements = requires { typename Isa::SortElement; };
template <class Isa, class Element>
concept ComparesFours = requires(Element* a) { Isa::template compare_fours<3, 4>(a, a, 1, 0, 1); };
/// The lower numbers of `minimum` and the upper ones of two vectors in one step.
template <class Isa, std::size_t distance>
concept LowerAndUpper =
    requires(typename Isa::SortLanes::Vector a) { Isa::template lower_and_upper<distance>(a, a, a); };
/// An image with one parameter set of NTRU Prime, whose numbers are constants.
template <class Isa>
concept HasOneSet = requires { Isa::has_one_set; };
/// The bytes of stack to wipe after an operation of NTRU Prime, if they are not the default.
template <class Isa>
concept KnownNtruPrimeStack = requires { Isa::ntru_prime_stack_bytes; };
/// L packs one, two or four vectors of integers of `bits` bits into as many bytes as they fill, and
/// unpacks one vector.
template <class L, class Vector, int bits>
concept Packs = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v); };
template <class L, class Vector, int bits>
concept PacksPairs = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v, v); };
template <class L, class Vector, int bits>
concept PacksFours = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v, v, v, v); };
template <class L, int bits>
concept Unpacks = requires(const std::uint8_t* bytes) { L::template unpack<bits>(bytes); };
/// ShortLanes packs integers of so few bits: two vectors of 32 bits at once.
template <class Isa, int bits>
concept PacksShorts = requires { requires bits <= Isa::ShortLanes::max_packed_bits; };
/// FewBits packs four vectors of integers of 32 bits by way of bytes.
template <class Isa, int bits>
concept PacksFewBits = requires(std::uint8_t* bytes, typename Isa::Integers v) {
    Isa::FewBits::template pack<bits>(bytes, v, v, v, v);
};
/// ShortLanes interleaves the lanes of two vectors.
template <class Isa>
concept Zips = requires(typename Isa::ShortLanes::Vector a) { Isa::ShortLanes::zip(a, a); };

}  // namespace girih::isa
