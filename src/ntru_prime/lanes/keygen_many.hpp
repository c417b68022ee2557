/// Many Streamlined NTRU Prime keys at once, by batch inversion: one reciprocal modulo q and one
/// modulo 3 are enough for all keys (Montgomery, "Speeding the Pollard and elliptic curve methods
/// of factorization", 1987, Section 10.3.1). Each seed gives the same key as alone.
///
/// With G_i = g_0 ... g_i, and from the last i down,
///
///     1 / g_i = (1 / G_i) G_(i-1)  and  1 / G_(i-1) = (1 / G_i) g_i,
///
/// so that n reciprocals become one, and 3 (n - 1) products. With F_i = f_0 ... f_i, public keys
/// are
///
///     h_i = g_i / 3f_i = (1 / 3F_i) (F_(i-1) g_i).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include "core/keygen_row.hpp"
#include "core/wipe.hpp"
#include "keccak/lanes.hpp"
#include "ntru_prime/arithmetic.hpp"
#include "ntru_prime/interface.hpp"
#include "ntru_prime/standard/kem.hpp"

namespace girih::ntru_prime {

/// KEM_KeyGen (NTRU Prime, Section 3.7), step by step for all rows. Constant time, except for the
/// number of polynomials g of each row that had no reciprocal.
template <class Set, class Isa>
class StreamlinedBatch {
  public:
    [[gnu::noinline]] static void keygen(const Set& set, std::span<const KeygenRow> rows)
    {
        StreamlinedBatch batch{set};
        batch.rows_ = rows;
        batch.draw_g();
        batch.invert_g();
        batch.draw_f();
        batch.make_public_keys();
        batch.finish_secret_keys();
        batch.hash_public_keys();
    }

  private:
    static constexpr std::size_t capacity = Set::capacity;
    using Ring = std::remove_cvref_t<decltype(Set::ring)>;
    using Arithmetic = ntru_prime::Arithmetic<Isa, Ring>;
    using ModuloQ = typename Arithmetic::ModuloQ;
    using Modulo3 = typename Arithmetic::Modulo3;

    struct Drawn {
        std::optional<RandomStream<Isa>> random;
        Wiped<Small<capacity>> f;
        Wiped<Small<capacity>> g;
        Wiped<Small<capacity>> g_reciprocal;
    };

    [[gnu::noinline]] void draw_g()
    {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            drawn_[i].random.emplace(Randomness{rows_[i].seed});
            draw_g(drawn_[i]);
        }
    }

    /// Draws a g that is not a multiple of the small factor: one such g would spoil the batch.
    void draw_g(Drawn& row)
    {
        Secret<std::int32_t> has_none;
        do {
            small_random<Isa>(set_.ring, *row.random, *row.g);
            has_none = Secret<std::int32_t>{
                set_.ring.small_factor.template divides<Isa>(row.g->c.data(), set_.ring.p)};
        } while (declassify(has_none, "Section 3.5: a g without a reciprocal is thrown away") != 0);
    }

    /// The reciprocals of all g. If their product has none, each row is inverted by itself, and
    /// those g that have none are drawn again.
    [[gnu::noinline]] void invert_g()
    {
        const std::size_t count = rows_.size();
        const std::size_t p = set_.ring.p;
        // product[i] is G_i
        std::array<Small<capacity>, rows_at_once> product;
        product[0] = *drawn_[0].g;
        for (std::size_t i = 1; i < count; ++i)
            Modulo3::multiply(p, product[i - 1], *drawn_[i].g, product[i]);
        Wiped<Small<capacity>> rest;  // 1 / G_i
        const Secret<std::int32_t> has_none{Arithmetic::r3_recip(set_.ring, product[count - 1], *rest)};
        if (declassify(has_none, "Section 3.5: a g without a reciprocal is thrown away") != 0) {
            for (std::size_t i = 0; i < count; ++i) invert_alone(drawn_[i]);
        } else {
            Wiped<typename Modulo3::Values> of_rest{uninitialized};
            Wiped<typename Modulo3::Values> of_other{uninitialized};
            for (std::size_t i = count; i-- > 1;) {
                Modulo3::transform(p, *rest, *of_rest);
                Modulo3::transform(p, product[i - 1], *of_other);
                Modulo3::multiply(p, *of_rest, *of_other, *of_other, *drawn_[i].g_reciprocal);
                Modulo3::transform(p, *drawn_[i].g, *of_other);
                Modulo3::multiply(p, *of_rest, *of_other, *of_other, *rest);
            }
            *drawn_[0].g_reciprocal = *rest;
        }
        wipe(product);
    }

    void invert_alone(Drawn& row)
    {
        for (;;) {
            const Secret<std::int32_t> has_none{Arithmetic::r3_recip(set_.ring, *row.g, *row.g_reciprocal)};
            if (declassify(has_none, "Section 3.5: a g without a reciprocal is thrown away") == 0) return;
            draw_g(row);
        }
    }

    [[gnu::noinline]] void draw_f()
    {
        for (std::size_t i = 0; i < rows_.size(); ++i)
            short_random<Isa>(set_.ring.p, set_.w, *drawn_[i].random, *drawn_[i].f);
    }

    /// h = g / 3f of each row, encoded.
    [[gnu::noinline]] void make_public_keys()
    {
        const std::size_t count = rows_.size();
        // product[i] is F_i
        std::array<Rq<capacity>, rows_at_once> product;
        for (std::size_t j = 0; j < set_.ring.p; ++j) product[0].c[j] = drawn_[0].f->c[j];
        for (std::size_t i = 1; i < count; ++i)
            ModuloQ::multiply(set_.ring, product[i - 1], *drawn_[i].f, product[i]);
        Wiped<Rq<capacity>> rest;  // 1 / 3F_i
        ReciprocalModuloQ<Isa, Ring>::of_3f(set_.ring, product[count - 1], *rest);
        Wiped<Rq<capacity>> quotient;  // F_(i-1) g_i
        Wiped<typename ModuloQ::Values> of_rest{uninitialized};
        Wiped<typename ModuloQ::Values> of_other{uninitialized};
        Rq<capacity> h;
        for (std::size_t i = count; i-- > 0;) {
            if (i > 0) {
                ModuloQ::transform(set_.ring, *rest, *of_rest);
                ModuloQ::multiply(set_.ring, product[i - 1], *drawn_[i].g, *quotient);
                ModuloQ::transform(set_.ring, *quotient, *of_other);
                ModuloQ::multiply(set_.ring, *of_rest, *of_other, *of_other, h);
                ModuloQ::transform(set_.ring, *drawn_[i].f, *of_other);
                ModuloQ::multiply(set_.ring, *of_rest, *of_other, *of_other, *rest);
            } else {
                ModuloQ::multiply(set_.ring, *rest, *drawn_[0].g, h);
            }
            const BytesOut<> pk{rows_[i].pk, set_.public_key_bytes};
            rq_encode<Isa>(set_.ring, h, pk);
            girih::declassify(pk, "Section 3.5: h is the public key");
        }
        wipe(product);
    }

    /// Writes the secret keys, except for the hashes at their ends.
    [[gnu::noinline]] void finish_secret_keys()
    {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const BytesOut<> sk = secret_key(i);
            small_encode<Isa>(set_.ring, *drawn_[i].f, sk.first(set_.ring.small_bytes()));
            small_encode<Isa>(set_.ring, *drawn_[i].g_reciprocal,
                              sk.subspan(set_.ring.small_bytes(), set_.ring.small_bytes()));
            append_public_key_and_rho<Set, Isa>(set_, *drawn_[i].random, public_key(i), sk);
        }
    }

    /// The hashes at the ends of the secret keys, as many side by side as the engine has lanes.
    [[gnu::noinline]] void hash_public_keys()
    {
        // States that are kept apart have no words of several lanes; those of the cipher are.
        using Words = std::conditional_t<keccak::KeepsStatesApart<typename Isa::WideWords>,
                                         typename Isa::CipherWords, typename Isa::WideWords>;
        for (std::size_t first = 0; first < rows_.size(); first += Words::count) {
            const std::size_t count = std::min(rows_.size() - first, Words::count);
            std::array<std::optional<PrefixHash<Isa, Set::public_key_capacity>>, Words::count> hashes;
            std::array<sha2::Sha512Chain*, Words::count> chains{};
            for (std::size_t i = 0; i < count; ++i) {
                hashes[i].emplace(HashOf::public_key, set_.public_key_bytes).append(public_key(first + i));
                chains[i] = &hashes[i]->chain();
            }
            if constexpr (Words::count > 1)
                sha2::Sha512Lanes<Words>::compress(std::span{chains}.first(count), chains[0]->blocks_left);
            for (std::size_t i = 0; i < count; ++i)
                hashes[i]->finish(secret_key(first + i).template last<hash_bytes>());
        }
    }

    [[nodiscard]] BytesIn<> public_key(std::size_t i) const
    {
        return BytesIn<>{rows_[i].pk, set_.public_key_bytes};
    }
    [[nodiscard]] BytesOut<> secret_key(std::size_t i) const
    {
        return BytesOut<>{rows_[i].sk, set_.secret_key_bytes};
    }

    explicit StreamlinedBatch(const Set& set) : set_(set) {}

    const Set& set_;
    std::span<const KeygenRow> rows_;
    std::array<Drawn, rows_at_once> drawn_;

  public:
    /// Stack of a batch: its rows, the products of their polynomials, and the values of two
    /// factors.
    static constexpr std::size_t stack_bytes =
        rows_at_once * (sizeof(Drawn) + sizeof(Rq<capacity>) + 64) + (capacity <= 768 ? 47104 : 81920);
};

}  // namespace girih::ntru_prime
