/// SHA-2 (FIPS 180-4): SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224 and SHA-512/256, of messages
/// in pieces.
///
/// Constant time in the content of messages, not in their lengths. Messages are whole bytes, fewer
/// than 2^61 of them. States and buffers are wiped.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "sha2/constants.hpp"

namespace girih::sha2 {

/// The eight words of a hash value H, or the working variables a to h.
template <class Word>
using State = std::array<Word, 8>;

/// The parameters of the functions with one word size.
template <class Word>
struct Params {
    using WordType = Word;

    std::size_t digest_bytes;
    State<Word> initial;  ///< H(0)
};

/// Sixteen words (FIPS 180-4, Figure 1).
template <class Word>
inline constexpr std::size_t block_bytes = 16 * sizeof(Word);

/// `a`, hidden from the optimiser by an empty assembly, so that sums are computed in the order
/// written. (Not for clang's memory sanitizer, which cannot follow assembly.)
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word as_written(Word a) noexcept
{
#if !defined(GIRIH_MEMORY_SANITIZER)
    if constexpr (std::is_integral_v<Word>) {
        if (!std::is_constant_evaluated()) __asm__("" : "+r"(a));
    }
#endif
    return a;
}

/// FIPS 180-4, Section 4.1, equations 4.2 and 4.3, which are 4.8 and 4.9 as well: Ch and Maj. Maj's
/// b ^ c is a ^ b of the previous round.
template <class Word>
struct Choices {
    static constexpr Word choose(Word e, Word f, Word g) { return as_written(as_written(e & (f ^ g)) ^ g); }
    static constexpr Word majority(Word a, Word b, Word c) { return as_written((a ^ b) & (b ^ c)) ^ b; }
};

/// The Sigma and sigma functions of one word.
template <class Word>
struct Sigma;

/// FIPS 180-4, Section 4.1.2, equations 4.4 to 4.7.
template <>
struct Sigma<std::uint32_t> : Choices<std::uint32_t> {
    using Word = std::uint32_t;
    static constexpr Word big0(Word x) { return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22); }
    static constexpr Word big1(Word x) { return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25); }
    static constexpr Word small0(Word x) { return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3); }
    static constexpr Word small1(Word x) { return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10); }
};

/// FIPS 180-4, Section 4.1.3, equations 4.10 to 4.13.
template <>
struct Sigma<std::uint64_t> : Choices<std::uint64_t> {
    using Word = std::uint64_t;
    static constexpr Word big0(Word x) { return std::rotr(x, 28) ^ std::rotr(x, 34) ^ std::rotr(x, 39); }
    static constexpr Word big1(Word x) { return std::rotr(x, 14) ^ std::rotr(x, 18) ^ std::rotr(x, 41); }
    static constexpr Word small0(Word x) { return std::rotr(x, 1) ^ std::rotr(x, 8) ^ (x >> 7); }
    static constexpr Word small1(Word x) { return std::rotr(x, 19) ^ std::rotr(x, 61) ^ (x >> 6); }
};

/// Step 3 of Sections 6.2.2 and 6.4.2 for round t, with K_t + W_t.
///
/// Working variables are renamed instead of moved: in round t, a is v[-t mod 8] and b the next. So
/// a round writes two words, not eight.
///
/// Sums are in the order in which their terms become available, e last.
///
/// `Mix` is Sigma<Word>, or LaneSigma for words in lanes.
template <class Mix, std::size_t t, class Word>
[[gnu::always_inline]] constexpr void round(std::array<Word, 8>& v, Word k_plus_w) noexcept
{
    const auto at = [](std::size_t name) { return (name + 8 - t % 8) % 8; };
    const Word a = v[at(0)], b = v[at(1)], c = v[at(2)], e = v[at(4)], f = v[at(5)], g = v[at(6)];
    const Word early = as_written(v[at(7)] + k_plus_w);
    const Word t1 = as_written(as_written(early + Mix::choose(e, f, g)) + Mix::big1(e));
    v[at(3)] += t1;                                                     // the next round's e
    v[at(7)] = as_written(t1 + Mix::big0(a)) + Mix::majority(a, b, c);  // the next round's a
}

/// The message schedule (FIPS 180-4, Sections 6.2.2 and 6.4.2, step 1) in its last sixteen words:
/// W_t takes the place of W_(t-16).
template <class Mix, std::size_t t, class Word>
[[gnu::always_inline]] constexpr Word extend(std::array<Word, 16>& w) noexcept
{
    return w[t % 16] += Mix::small1(w[(t + 14) % 16]) + w[(t + 9) % 16] + Mix::small0(w[(t + 1) % 16]);
}

/// Whether rounds are unrolled. Loops take a quarter of the code and up to a fifth more time.
enum class Rounds { unrolled, loops };
#if defined(__OPTIMIZE_SIZE__)
inline constexpr Rounds usual_rounds = Rounds::loops;
#else
inline constexpr Rounds usual_rounds = Rounds::unrolled;
#endif

/// SHA-256 Hash Computation and SHA-512 Hash Computation (FIPS 180-4, Sections 6.2.2 and 6.4.2)
/// over whole blocks.
template <class Word, Rounds rounds = usual_rounds>
[[gnu::noinline]] constexpr void compress(State<Word>& hash, BytesIn<> blocks) noexcept
{
    constexpr std::size_t count = round_constants<Word>.size();
    using Mix = Sigma<Word>;
    std::array<Word, rounds == Rounds::loops ? count : 16> w{};
    State<Word> v{};
    for (; !blocks.empty(); blocks = blocks.subspan(block_bytes<Word>)) {
        for (std::size_t t = 0; t < 16; ++t) w[t] = load_be<Word>(&blocks[t * sizeof(Word)]);
        v = hash;
        if constexpr (rounds == Rounds::loops) {
            for (std::size_t t = 16; t < count; ++t)
                w[t] = Mix::small1(w[t - 2]) + w[t - 7] + Mix::small0(w[t - 15]) + w[t - 16];
            const auto eight_rounds = [&]<std::size_t... i>(std::size_t t, std::index_sequence<i...>) {
                (round<Mix, i>(v, static_cast<Word>(round_constants<Word>[t + i] + w[t + i])), ...);
            };
            for (std::size_t t = 0; t < count; t += 8) eight_rounds(t, std::make_index_sequence<8>{});
        } else {
            const auto sixteen_rounds = [&]<std::size_t... t>(const Word* k, bool first,
                                                              std::index_sequence<t...>) {
                if (first) {
                    (round<Mix, t>(v, static_cast<Word>(k[t] + w[t])), ...);
                } else {
                    (round<Mix, t>(v, static_cast<Word>(k[t] + extend<Mix, t>(w))), ...);
                }
            };
            for (std::size_t t = 0; t < count; t += 16)
                sixteen_rounds(&round_constants<Word>[t], t == 0, std::make_index_sequence<16>{});
        }
        for (std::size_t i = 0; i < 8; ++i) hash[i] += v[i];
    }
    wipe(w);
    wipe(v);
}

/// All functions of one word size, for messages in pieces. The initial value and the digest's
/// length select the function.
template <class Word>
class Hasher {
  public:
    constexpr explicit Hasher(const Params<Word>& p) noexcept : hash_(p.initial) {}
    constexpr Hasher(const Hasher&) = default;
    constexpr Hasher& operator=(const Hasher&) = default;
    constexpr ~Hasher()
    {
        wipe(hash_);
        wipe(buffer_);
        wipe(message_bytes_);
    }

    /// Appends to the message.
    constexpr void update(BytesIn<> message) noexcept
    {
        const std::size_t buffered = static_cast<std::size_t>(message_bytes_ % block);
        message_bytes_ += message.size();
        if (buffered != 0) {
            const std::size_t taken = std::min(message.size(), block - buffered);
            copy(message.first(taken), BytesOut<>{buffer_}.subspan(buffered));
            if (buffered + taken < block) return;
            compress(hash_, BytesIn<>{buffer_});
            message = message.subspan(taken);
        }
        const std::size_t rest = message.size() % block;
        compress(hash_, message.first(message.size() - rest));
        copy(message.last(rest), buffer_);
    }

    /// Ends the message and writes its digest, whose length is the function's.
    constexpr void finish(BytesOut<> digest) noexcept
    {
        pad();
        std::array<Byte, sizeof(State<Word>)> words{};
        for (std::size_t i = 0; i < 8; ++i) store_be<Word>(&words[i * sizeof(Word)], hash_[i]);
        copy(BytesIn<>{words}.first(digest.size()), digest);
        wipe(words);
    }

  private:
    static constexpr std::size_t block = block_bytes<Word>;
    static constexpr std::size_t length_bytes = 2 * sizeof(Word);

    /// FIPS 180-4, Section 5.1: a bit 1, zeros, and the length in bits at the end of a block.
    constexpr void pad() noexcept
    {
        const std::size_t buffered = static_cast<std::size_t>(message_bytes_ % block);
        BytesOut<> rest = BytesOut<>{buffer_}.subspan(buffered);
        std::fill(rest.begin(), rest.end(), Byte{0});
        rest[0] = 0x80;
        if (rest.size() < 1 + length_bytes) {
            compress(hash_, BytesIn<>{buffer_});
            buffer_ = {};
        }
        store_be64(&buffer_[block - 8], 8 * message_bytes_);
        compress(hash_, BytesIn<>{buffer_});
    }

    State<Word> hash_;
    std::array<Byte, block> buffer_{};  // the last message_bytes_ % block bytes of the message
    std::uint64_t message_bytes_ = 0;
};

/// One function, for messages in pieces.
template <Params P>
class Hash {
  public:
    using Word = typename decltype(P)::WordType;
    static constexpr std::size_t digest_bytes = P.digest_bytes;

    /// Appends to the message.
    constexpr Hash& update(BytesIn<> message) noexcept
    {
        hasher_.update(message);
        return *this;
    }

    /// Ends the message and writes its digest. The object is then ready for a new message.
    constexpr void finish(BytesOut<P.digest_bytes> digest) noexcept
    {
        hasher_.finish(digest);
        hasher_ = Hasher<Word>{P};
    }

    [[nodiscard]] constexpr std::array<Byte, P.digest_bytes> digest() noexcept
    {
        std::array<Byte, digest_bytes> bytes{};
        finish(bytes);
        return bytes;
    }

  private:
    Hasher<Word> hasher_{P};
};

/// The digest of a whole message.
template <Params P>
[[nodiscard]] constexpr std::array<Byte, P.digest_bytes> hash(BytesIn<> message) noexcept
{
    return Hash<P>{}.update(message).digest();
}

}  // namespace girih::sha2
