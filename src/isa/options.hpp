/// The options of an engine: faster ways to the same result.
///
/// The first concept of an option tells a scheme whether the engine has it. The concepts after it
/// list its members, and `CompleteOptions` checks that the engine has them all. Bounds are on the
/// values in lanes. Every function is constant time in them, unless its comment says that an
/// argument is public.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "isa/shared/table.hpp"
#include "isa/word_options.hpp"

namespace girih::isa {

// ---- Memory

/// An engine whose transforms are loops over single coefficients: a quarter of the flash.
template <class Isa>
concept SavesFlash = requires { Isa::saves_flash; };
/// An engine for small modules: the rows of an ML-DSA batch run one after the other, and the zetas
/// inside vectors of four are shuffled out of the full table.
template <class Isa>
concept SavesBytes = requires { Isa::saves_bytes; };
/// An engine on which verification of ML-DSA packs its factors, which saves 240 bytes of stack.
template <class Isa>
concept SavesMemory = requires { Isa::saves_memory; };
/// An engine whose vectors compilers keep on the stack of any function, since they lie in general
/// registers, or in registers that no call keeps and whose length the compiler does not know:
/// operations with secrets wipe all of their stack.
template <class Isa>
concept SpillsVectors = requires { Isa::spills_vectors; };
/// An engine whose registers have the processor's length. Zeroes them, since later code may store
/// one without looking at it, and returns how many more bytes nested frames take with them.
template <class Isa>
concept HasLongRegisters = requires {
    { Isa::clear_registers() } -> std::same_as<std::size_t>;
};

// ---- SHA-512

/// Functions of three words as one instruction.
template <class L>
concept ThreeWordLogic = requires(typename L::Words a) {
    L::choose(a, a, a);
    L::majority(a, a, a);
    L::xor3(a, a, a);
};
/// Compression in assembly: of `count` blocks, at least one, into a state of eight words.
template <class L>
concept CompressesSha512 = requires { &L::compress_sha512; };
template <class L>
concept Sha512Members = requires(std::uint64_t* state, const std::uint8_t* blocks, std::size_t count) {
    L::compress_sha512(state, blocks, count, state);  // the last: the 80 round constants
};
/// A processor of the engine may have instructions for the compression, which Sha512Instructions
/// has: are_here() says so, publicly.
template <class L>
concept MayHaveSha512 = requires { typename L::Sha512Instructions; };
template <class L>
concept Sha512InstructionMembers =
    requires(std::uint64_t* state, const std::uint8_t* blocks, std::size_t count) {
        { L::Sha512Instructions::are_here() } -> std::same_as<bool>;
        L::Sha512Instructions::compress(state, blocks, count, state);  // as compress_sha512
    };
/// Two blocks' message schedules side by side, in `ScheduleWords`.
template <class L>
concept PairsSchedules = requires { typename L::ScheduleWords; };
/// Two messages side by side, whose schedules are in `Wide`.
template <class L>
concept PairsMessages = requires { typename L::Wide; };
/// Vectors of four words for a message schedule.
template <class W>
concept FourWordMembers = requires(typename W::Words a, const void* bytes) {
    requires sizeof(a) == 4 * sizeof(std::uint64_t);
    { W::load_pairs(bytes, bytes) } -> std::same_as<typename W::Words>;  // two words at each address
    { W::swap_bytes(a) } -> std::same_as<typename W::Words>;             // the eight bytes of each word
    { W::template rotate_left<1>(a) } -> std::same_as<typename W::Words>;
};
/// Lanes for one message, where HashWords are for several.
template <class L>
concept HasSerialLanes = requires { typename L::Serial; };

// ---- AES-256

/// A processor of the engine may have instructions for a round (AesRounds, as members of
/// `AesInstructions`): are_here() says so, publicly.
template <class Isa>
concept MayHaveAes = requires { typename Isa::AesInstructions; };
/// In assembly, all three: rounds 2 to 14 of two blocks, bitsliced in eight words; their SUBBYTES()
/// without its additive constant; and one block by tables, in a time that depends on the data.
template <class Isa>
concept AesTwoBlockRounds = requires { &Isa::aes_rounds; };
template <class Isa>
concept AesSubstitutes = requires { &Isa::aes_substitute; };
template <class Isa>
concept AesVartime = requires { &Isa::aes_vartime; };
template <class Isa>
concept AesAssemblyMembers = requires(std::uint32_t* state, std::uint8_t* block, const std::uint32_t* words) {
    Isa::aes_rounds(state, words, words);  // keys of round 2 on, keys of the last round
    Isa::aes_substitute(state);
    Isa::aes_vartime(block, words, words, words);  // keys, table of 256 columns, last keys
};

// ---- Integers of 32 and of 16 bits

/// The first `count` lanes as a mask: for vectors that a block of the sponge does not fill. The
/// count is public.
template <class L, class Vector>
concept MasksFirstLanes = requires(std::size_t count) {
    { L::first_lanes(count) } -> std::same_as<Vector>;
};

/// L packs one, two or four vectors of integers in [0, 2^bits) into as many bytes as they fill, and
/// unpacks one vector of L's type: lowest bits first, in little-endian bytes. No other byte is read
/// or written. A template that takes any `bits` has the option for all: constrain it to those with
/// which one vector fills whole bytes.
template <class L, class Vector, int bits>
concept Packs = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v); };
template <class L, class Vector, int bits>
concept PacksPairs = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v, v); };
template <class L, class Vector, int bits>
concept PacksFours = requires(std::uint8_t* bytes, Vector v) { L::template pack<bits>(bytes, v, v, v, v); };
template <class L, int bits>
concept Unpacks = requires(const std::uint8_t* bytes) { L::template unpack<bits>(bytes); };
/// unpack gains by being told how many bytes can be read: at least 16.
template <class L, int bits>
concept UnpacksReadable = requires(const std::uint8_t* bytes) { L::template unpack<bits, 16>(bytes); };
/// FewBits packs four vectors of integers of 32 bits by way of bytes.
template <class Isa, int bits>
concept PacksFewBits = requires(std::uint8_t* bytes, typename Isa::Integers v) {
    Isa::FewBits::template pack<bits>(bytes, v, v, v, v);
};
/// ShortLanes packs integers of that few bits: two vectors of 32-bit lanes at once.
template <class Isa, int bits>
concept PacksShorts = requires { requires bits <= Isa::ShortLanes::max_packed_bits; };
/// Products with a fixed factor b modulo r in three instructions, on lanes of w = 16 bits (V =
/// ShortLanes::Vector) or of w = 32 (V = Integers): with b' = round(2^(w-1) b / r),
///
///     multiply_modulo(a, b, b', r) = a b - r round(a b' / 2^(w-1)) modulo 2^w.
///
/// Halves are rounded up. r is odd and below 2^(w-1). |b| <= r / 2, so |b'| <= 2^(w-2), and no
/// quotient saturates. With b' = 2^(w-1) b / r + e, |e| < 1/2, the rounded quotient is a b / r +
/// a e / 2^(w-1) + d, |d| <= 1/2. So the result is -r (a e / 2^(w-1) + d), which is congruent to
/// a b, and at most (2^(w-1) + |a|) r / 2^w in magnitude: less than r.
template <class Isa, class V>
concept MultipliesModulo = requires(V a) { Isa::multiply_modulo(a, a, a, a); };
/// b' of a factor b modulo r.
template <int w>
[[nodiscard]] constexpr std::int32_t rounded_quotient(std::int64_t b, std::int32_t r) noexcept
{
    const std::int64_t twice = b * (std::int64_t{1} << w) + (b < 0 ? -r : r);
    return static_cast<std::int32_t>(twice / (2 * r));
}
/// A table of factors: on such an engine, by a hidden address, which a compiler keeps in a
/// register. It would make constants of the entries, and load each from an address of its own.
/// (Isa::opaque may be compiled for more of a processor than this, and is not inlined here then.)
template <class Isa, class V, const auto& table>
[[nodiscard, gnu::always_inline]] constexpr const auto& factor_table() noexcept
{
    const auto* address = &table;
    if constexpr (MultipliesModulo<Isa, V>) __asm__("" : "+r"(address));
    return *address;
}
template <class Isa, class V>
concept ModuloMembers = requires(V a) {
    { Isa::multiply_modulo(a, a, a, a) } -> std::same_as<V>;
    // By lane 2 i of a vector of factors, and its quotient in lane 2 i + 1.
    { Isa::template multiply_modulo<0>(a, a, a) } -> std::same_as<V>;
    { Isa::opaque(a) } -> std::same_as<V>;  // a, about which the compiler knows nothing
    { Isa::opaque(&a) } -> std::same_as<V*>;
};
/// (a b - c d) / 2^16, where a b = c d modulo 2^16, in fewer instructions than the difference of
/// two multiply_high. Neither product is 2^30.
template <class Isa>
concept DividesDifferences =
    requires(typename Isa::ShortLanes::Vector a) { Isa::divide_difference(a, a, a, a); };
/// ShortLanes interleaves and separates blocks of two vectors as cheaply as it exchanges them.
template <class L>
concept ZipsBlocks = requires(typename L::Vector a) { L::template zip_lower<2>(a, a); };
template <class L>
concept ZipsBlocksMembers = requires(typename L::Vector a) {
    // For blocks of one and of two lanes.
    { L::template zip_lower<1>(a, a) } -> std::same_as<typename L::Vector>;  // (a0, b0, a1, b1, ...)
    { L::template zip_upper<1>(a, a) } -> std::same_as<typename L::Vector>;  // of the upper halves
    { L::template even_of<1>(a, a) } -> std::same_as<typename L::Vector>;    // (a0, a2, ..., b0, b2, ...)
    { L::template odd_of<1>(a, a) } -> std::same_as<typename L::Vector>;     // (a1, a3, ..., b1, b3, ...)
    { L::template zip_upper<2>(a, a) } -> std::same_as<typename L::Vector>;
    { L::template even_of<2>(a, a) } -> std::same_as<typename L::Vector>;
    { L::template odd_of<2>(a, a) } -> std::same_as<typename L::Vector>;
};
/// `WideSums`: sums of 32 bits of the products in each lane, where sums of pairs of products take
/// more than one instruction. (Comes with ZipsBlocks.)
template <class L>
concept SumsEachLane = requires { typename L::WideSums; };
template <class L>
concept WideSumsMembers = ZipsBlocks<L> && requires(typename L::WideSums s, typename L::Vector a) {
    { L::multiply_wide(a, a) } -> std::same_as<decltype(s)>;
    { L::add_wide(s, a, a) } -> std::same_as<decltype(s)>;       // s + a a, exact while it fits 32 bits
    { L::subtract_wide(s, a, a) } -> std::same_as<decltype(s)>;  // s - a a
    { L::low_wide(s) } -> std::same_as<decltype(a)>;             // modulo 2^16
    { L::high_wide(s) } -> std::same_as<decltype(a)>;            // floor(s / 2^16)
};
/// ShortLanes interleaves the lanes of two vectors.
template <class Isa>
concept Zips = requires(typename Isa::ShortLanes::Vector a) { Isa::ShortLanes::zip(a, a); };
/// An engine has both or neither: halves of 32-bit lanes to 16-bit lanes, and back.
template <class L>
concept HalvedMembers = requires(typename L::Vector a, typename L::Sums s, std::uint8_t* bytes) {
    L::template pack<L::max_packed_bits>(bytes, a);                 // in [0, 2^bits)
    { L::lower_halves(s, s) } -> std::same_as<typename L::Vector>;  // of all lanes, in order
    { L::upper_halves(s, s) } -> std::same_as<typename L::Vector>;
    { L::zip(a, a).low } -> std::convertible_to<typename L::Sums>;   // (a0, b0, a1, b1, ...)
    { L::zip(a, a).high } -> std::convertible_to<typename L::Sums>;  // of the upper lanes
    { L::load_bytes(bytes) } -> std::same_as<typename L::Vector>;    // an unsigned one in each lane
    L::store_bytes(bytes, a);                                        // the lower byte of each lane
};

// ---- Falcon: doubles in vectors

/// `WideFpr`: a signature's number in each lane, in a pair of vectors of doubles.
template <class Isa>
concept WideDoubles = requires { typename Isa::WideFpr; };
template <class F>
concept WideFprMembers =
    requires(F a, typename F::Integers mask, typename F::Doubles d, const std::uint8_t* bytes) {
        typename F::Narrow;  // the scalar number, and the kind of constants
        requires sizeof(F) == F::lanes * sizeof(double);
        { a + a } -> std::same_as<F>;
        { a - a } -> std::same_as<F>;
        { a* a } -> std::same_as<F>;
        { -a } -> std::same_as<F>;
        { half(a) } -> std::same_as<F>;
        { square(a) } -> std::same_as<F>;
        { select(mask, a, a) } -> std::same_as<F>;  // the first where all ones, the second where 0
        { F::of(mask) } -> std::same_as<F>;         // integers below 2^51 in magnitude
        { a.integer() } -> std::same_as<typename F::Integers>;  // of integers below 2^51 in magnitude
        { a.floor() } -> std::same_as<F>;                       // |a| < 2^51
        { a.lane(std::size_t{}) } -> std::same_as<typename F::Narrow>;
        { a.value() } -> std::same_as<typename F::Doubles>;
        { d < d } -> std::same_as<typename F::Integers>;  // masks
        // d d + d, rounded once or twice: only where engines may differ in the last bits.
        { multiply_add(d, d, d) } -> std::same_as<typename F::Doubles>;
        { any_set(mask) } -> std::same_as<bool>;                         // public
        { gather(bytes, mask) } -> std::same_as<typename F::Integers>;   // eight bytes at public offsets
        { shift_right(mask, 1) } -> std::same_as<typename F::Integers>;  // without sign
    };
using TwoDoubles = double __attribute__((vector_size(16)));
/// On one vector of the pair: a pair's multiply_add; a bit for each lane in which a is less than b;
/// and eight bytes every 11 bytes, one lane each, from the first 96. On two doubles: both rounded
/// towards minus infinity, by an instruction at every level of optimization.
template <class Isa, class V = typename Isa::WideFpr::Doubles::Vector>
concept WideDoubleMembers =
    WideFprMembers<typename Isa::WideFpr> && requires(V v, TwoDoubles two, const std::uint8_t* bytes) {
        { Isa::floor(two) } -> std::same_as<TwoDoubles>;
        { Isa::multiply_add(v, v, v) } -> std::same_as<V>;
        { Isa::less_bits(v, v) } -> std::same_as<unsigned>;
        requires sizeof(Isa::template strided<11>(bytes)) == sizeof(v);
    };
/// F is a number whose constants are kept as another, narrower kind.
template <class F>
concept HasNarrow = requires { typename F::Narrow; };
/// The entries of a table whose indices, modulo 16, are in the lanes.
template <class Isa, class Entries>
concept LooksUp =
    requires(const Entries& table, typename Isa::WideWords::Words a) { Isa::look_up(table, a); };
template <class Isa>
concept LookUpMembers = requires(typename Isa::WideWords::Words a) {
    { Isa::count_less(a, a, a) } -> std::same_as<decltype(a)>;  // count + 1 where a < b, unsigned
};
/// A product, rounded before it is added, where the compiler would fuse both.
template <class Isa>
concept RoundsProducts = requires(double product) { Isa::rounded(product); };

// ---- Falcon: the key generator in vectors

/// A vector type for blocks: V is the vector, of `count` lanes. Block sizes are 1 to count / 2.
template <class L, class V>
concept Blocks = requires(V a) {
    { L::template even_blocks<1>(a, a) } -> std::same_as<V>;  // (a0, b0, a2, b2, ...)
    { L::template odd_blocks<1>(a, a) } -> std::same_as<V>;   // (a1, b1, a3, b3, ...)
};
/// `LongLanes`: signed integers of 64 bits.
template <class Isa>
concept LongVectors = requires { typename Isa::LongLanes; };
template <class L>
concept LongLaneMembers = requires(typename L::Longs a, std::int64_t* longs, std::int32_t* words) {
    requires sizeof(a) == L::count * sizeof(std::int64_t) && Blocks<L, typename L::Longs>;
    { L::load(longs) } -> std::same_as<decltype(a)>;
    L::store(longs, a);
    { L::template load_words<2>(words) } -> std::same_as<decltype(a)>;  // signed, or below 2^31
    L::template store_words<2>(words, a);                               // modulo 2^32
    { L::broadcast(std::int64_t{}) } -> std::same_as<decltype(a)>;
    { L::multiply(a, a) } -> std::same_as<decltype(a)>;  // of the low 32 bits, signed
    // count / size numbers over the blocks of even_blocks(x, y): for x's blocks, then for y's.
    { L::template spread<1>(longs) } -> std::same_as<decltype(a)>;
    // Lane `first` of every group of lanes, in all of the group.
    { L::template repeat_in_groups<2, 0>(a) } -> std::same_as<decltype(a)>;
};
/// `ResidueLanes`: residues of 31 bits in unsigned words.
template <class Isa>
concept ResidueVectors = requires { typename Isa::ResidueLanes; };
template <class L>
concept ResidueLaneMembers = requires(typename L::Words a, std::uint32_t* words) {
    requires sizeof(a) == L::count * sizeof(std::uint32_t) && Blocks<L, typename L::Words>;
    { L::load(words) } -> std::same_as<decltype(a)>;
    L::store(words, a);
    { L::broadcast(std::uint32_t{}) } -> std::same_as<decltype(a)>;
    { L::minimum(a, a) } -> std::same_as<decltype(a)>;              // unsigned
    { L::multiply_even(a, a) } -> std::same_as<decltype(a)>;        // of the even lanes, in 64 bits
    { L::odd(a) } -> std::same_as<decltype(a)>;                     // the odd lanes in the even ones
    { L::add_products(a, a) } -> std::same_as<decltype(a)>;         // of 64 bits
    { L::high_halves(a, a) } -> std::same_as<decltype(a)>;          // of the even products, of the odd ones
    { L::template spread<1>(words) } -> std::same_as<decltype(a)>;  // as LongLanes'
    { L::template spread_reversed<1>(words) } -> std::same_as<decltype(a)>;
};

// ---- Falcon without a double unit

/// A butterfly of the transform, forward and inverse, on three adjacent complex numbers.
template <class F>
concept Butterflies = requires(F* a) {
    F::butterfly(a);
    F::inverse_butterfly(a);
};
/// The high half of a product of two words of 64 bits, where the processor has no such instruction.
template <class F>
concept MultipliesHigh = requires(std::uint64_t a) { F::multiply_high(a, a); };
/// How many of 18 numbers of 72 bits, in 54 words, are above a given one.
template <class Isa, class Thresholds>
concept CountsAbove = requires(const Thresholds& thresholds) {
    Isa::count_above(std::uint64_t{}, std::uint32_t{}, thresholds);
};
/// The largest degree that an image transforms, and so has tables for. Default: 1024.
template <class Isa>
concept LimitsDegree = requires { Isa::max_degree; };
/// ChaCha20's blocks: sixteen side by side, or one after the other. Default: eight side by side.
template <class Isa>
concept SixteenChaChaBlocks = requires { Isa::sixteen_blocks_at_a_time; };
template <class Isa>
concept OneChaChaBlock = requires { Isa::one_block_at_a_time; };

// ---- Every option that an engine has, with all its members

template <class L>
concept CompleteHashWords =
    (!CompressesSha512<L> || Sha512Members<L>) && (!MayHaveSha512<L> || Sha512InstructionMembers<L>) &&
    (!PairsSchedules<L> || FourWordMembers<typename L::ScheduleWords>) &&
    (!PairsMessages<L> || FourWordMembers<typename L::Wide>);

template <class Isa, class V>
concept CompleteProducts = !MultipliesModulo<Isa, V> || ModuloMembers<Isa, V>;
template <class Isa>
concept CompleteKernels =
    CompleteProducts<Isa, typename Isa::ShortLanes::Vector> &&
    CompleteProducts<Isa, typename Isa::Integers> &&
    (!ZipsBlocks<typename Isa::ShortLanes> || ZipsBlocksMembers<typename Isa::ShortLanes>) &&
    (!SumsEachLane<typename Isa::ShortLanes> || WideSumsMembers<typename Isa::ShortLanes>);

template <class Isa>
concept CompleteFalcon = (!WideDoubles<Isa> || WideDoubleMembers<Isa>) &&
                         (!LooksUp<Isa, Table<std::uint64_t, 16>> || LookUpMembers<Isa>) &&
                         (!LongVectors<Isa> || LongLaneMembers<typename Isa::LongLanes>) &&
                         (!ResidueVectors<Isa> || ResidueLaneMembers<typename Isa::ResidueLanes>);

template <class Isa>
concept CompleteWords =
    (!Halfwords16<Isa> || (HalfwordMembers<typename Isa::template HalfwordsOf<3329>> &&
                           HalfwordMembers<typename Isa::template HalfwordsOf<12289>>)) &&
    (!TransformsWords<Isa> || TransformMembers<Isa>) && (!MultipliesWords<Isa> || WordProductMembers<Isa>) &&
    (!RowAssembly<Isa> || RowAssemblyMembers<Isa>) && (!ByteAssembly<Isa> || ByteAssemblyMembers<Isa>) &&
    (!SortsElements<Isa> || SortElementMembers<Isa>);

template <class Isa>
concept CompleteOptions =
    CompleteHashWords<typename Isa::HashWords> &&
    ((!AesTwoBlockRounds<Isa> && !AesSubstitutes<Isa> && !AesVartime<Isa>) || AesAssemblyMembers<Isa>) &&
    (!Zips<Isa> || HalvedMembers<typename Isa::ShortLanes>) && CompleteKernels<Isa> && CompleteFalcon<Isa> &&
    CompleteWords<Isa>;

}  // namespace girih::isa
