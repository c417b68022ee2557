/// What ML-KEM in little memory is made of: the matrix as it comes out of its sponges, noise,
/// hashes, and vectors as the bytes of keys and ciphertexts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/compact/poly.hpp"
#include "ml_kem/hashing/hash.hpp"
#include "ml_kem/params.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_kem::compact {

/// All functions are one code.
template <class Isa>
using Sponge = keccak::ChosenSponge<Isa>;

/// A hash of two pieces, one of which may be empty.
template <class Isa>
[[gnu::noinline]] void hash(keccak::Function function, BytesIn<> first, BytesIn<> second, BytesOut<> out)
{
    Sponge<Isa>{{function}}.absorb(first).absorb(second).squeeze(out);
}

/// SampleNTT(rho | column | row) (FIPS 203, Algorithm 7), multiplied as it is drawn: sum += a b.
/// Variable time: the matrix is public.
template <class Isa>
[[gnu::noinline]] void add_matrix_product(Poly& sum, BytesIn<rho_bytes> rho, std::size_t column,
                                          std::size_t row, const Poly& b)
{
    Sponge<Isa> sponge{{keccak::shake128_function}};
    sponge.absorb(rho).absorb(std::array{static_cast<Byte>(column), static_cast<Byte>(row)});
    std::array<Byte, 24 + 1> bytes;  // three bytes are read as a word
    bytes[24] = 0;
    bool is_waiting = false;  // a0 of a residue
    std::uint32_t a0 = 0;
    std::size_t i = 0;
    const auto is_last = [&](std::uint32_t a) __attribute__((always_inline)) {
        if (a >= static_cast<std::uint32_t>(q)) return false;
        is_waiting = !is_waiting;
        if (is_waiting) {
            a0 = a;
            return false;
        }
        Arithmetic<Isa>::add_product(sum, i, a0 | a << 16, b);
        return ++i == n / 2;
    };
    for (;;) {
        sponge.squeeze(std::span{bytes}.template first<24>());
        for (std::size_t at = 0; at < 24; at += 3) {
            const std::uint32_t two = load_le32(&bytes[at]);
            if (is_last(two & 0xFFF) || is_last(two >> 12 & 0xFFF)) return;
        }
    }
}

/// f += SamplePolyCBD(PRF(seed, number)) (FIPS 203, Algorithm 8). Constant time.
template <int eta, class Isa>
[[gnu::noinline]] void add_noise(BytesIn<sigma_bytes> seed, std::size_t number, Poly& f)
{
    using Halves = typename Isa::template HalfwordsOf<q>;
    static_assert(eta == 2 || eta == 3);
    constexpr std::size_t at_once = 8 * eta;         // bytes, of 32 coefficients
    constexpr std::size_t piece = eta == 2 ? 4 : 3;  // bytes, of 8 or 4 coefficients
    constexpr std::size_t pairs = 2 * piece / eta;
    constexpr std::uint32_t lowest = eta == 2 ? 0x55555555 : 0x249249;
    constexpr std::uint32_t mask = (1 << eta) - 1;
    Sponge<Isa> sponge{{keccak::shake256_function}};
    sponge.absorb(seed).absorb(static_cast<Byte>(number));
    Wiped<std::array<Byte, at_once + 1>> bytes{unset};
    (*bytes)[at_once] = 0;
    for (std::size_t i = 0; i < n / 2;) {
        sponge.squeeze(std::span{*bytes}.template first<at_once>());
        for (std::size_t at = 0; at < at_once; at += piece, i += pairs) {
            const std::uint32_t bits = load_le32(&(*bytes)[at]);
            // The sums of eta bits each, in eta bits: two of them a coefficient.
            std::uint32_t sums = (bits & lowest) + (bits >> 1 & lowest);
            if constexpr (eta == 3) sums += bits >> 2 & lowest;
            unroll<pairs>([&](auto j) __attribute__((always_inline)) {
                constexpr int shift = 4 * eta * static_cast<int>(j);
                const std::uint32_t plus = (sums >> shift & mask) | (sums >> (shift + 2 * eta) & mask) << 16;
                const std::uint32_t minus =
                    (sums >> (shift + eta) & mask) | (sums >> (shift + 3 * eta) & mask) << 16;
                f.set_pair(i + j, Halves::add(f.pair(i + j), Halves::subtract(plus, minus)));
            });
        }
    }
}

/// ByteEncode (FIPS 203, Algorithm 5) of [0, q).
[[gnu::noinline]] inline void encode(const Poly& f, Byte* bytes)
{
    module_lattice::pack<coefficient_bits, 0>(f.c, bytes);
}
/// ByteDecode (FIPS 203, Algorithm 6), not reduced.
[[gnu::noinline]] inline void decode(const Byte* bytes, Poly& f)
{
    module_lattice::unpack<coefficient_bits, 0>(bytes, f.c);
}

/// Whether all coefficients in 12 bits are below q. Constant time, but for the answer.
[[nodiscard, gnu::noinline]] inline bool are_below_q(BytesIn<> bytes)
{
    std::int32_t any = 0;
    for (std::size_t at = 0; at < bytes.size(); at += coefficient_bits)
        module_lattice::take_group<coefficient_bits>(
            &bytes[at], [&](auto, std::int32_t v) __attribute__((always_inline)) { any |= q - 1 - v; });
    return declassify(Secret{static_cast<std::uint32_t>(any)},
                      "FIPS 203, Section 7.2: a key that is no key may be known to be none") >>
               31 ==
           0;
}

/// Decompress(ByteDecode(bytes)).
template <int d>
[[gnu::noinline]] void decode_and_decompress(const Byte* bytes, Poly& f)
{
    for (std::size_t i = 0; i < n; i += group, bytes += d)
        module_lattice::take_group<d>(bytes, [&](auto j, std::int32_t y) __attribute__((always_inline)) {
            f[i + j] = static_cast<Coefficient>(decompress<d>(y));
        });
}

/// A ciphertext that is written, or compared with one that is given: nothing but a difference is
/// kept of it.
class Ciphertext {
  public:
    [[nodiscard]] static Ciphertext written_to(Byte* out) { return Ciphertext{out, nullptr}; }
    [[nodiscard]] static Ciphertext compared_with(const Byte* given) { return Ciphertext{nullptr, given}; }

    /// ByteEncode(Compress(f)) is what is next in it, for |f| < 2 q.
    template <int d>
    [[gnu::noinline]] void add(const Poly& f)
    {
        constexpr std::size_t size = d;  // bytes of a group
        Wiped<std::array<Byte, size>> bytes{unset};
        for (std::size_t i = 0; i < n; i += group, at_ += size) {
            module_lattice::put_group<d>(
                bytes->data(), [&](auto j) __attribute__((always_inline)) { return compress<d>(f[i + j]); });
            if (out_ != nullptr) {
                std::memcpy(out_ + at_, bytes->data(), size);
            } else {
                for (std::size_t j = 0; j < size; ++j)
                    difference_ |= static_cast<std::uint32_t>((*bytes)[j] ^ given_[at_ + j]);
            }
        }
    }
    /// Not 0 if any bit differs. A secret.
    [[nodiscard]] std::uint32_t difference() const { return difference_; }

  private:
    Ciphertext(Byte* out, const Byte* given) : out_(out), given_(given) {}

    Byte* out_;
    const Byte* given_;
    std::size_t at_ = 0;
    std::uint32_t difference_ = 0;
};

}  // namespace girih::ml_kem::compact
