/// Signing (specification, Section 3.9).
///
/// Every engine runs this text for one signature. lanes/sign.hpp signs several messages at once,
/// and microcontrollers run small/sign.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "falcon/sampling/ff_sampling.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/sampling/speculative_sampler.hpp"
#include "falcon/sampling/tree.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// The values of the basis ((g, -f), (G, -F)) at the roots.
template <class Fpr, std::size_t n>
struct BasisValues {
    Poly<Fpr, n> b00, b01, b10, b11;
};

template <class Fpr, std::size_t n>
constexpr void transform(const SmallPoly<n>& small, Poly<Fpr, n>& values)
{
    for (std::size_t i = 0; i < n; ++i) values[i] = Fpr::of(small[i]);
    fft<Fpr>(values);
}

template <class Fpr, std::size_t n>
constexpr void negate(Poly<Fpr, n>& f)
{
    for (Fpr& a : f) a = -a;
}

template <class Fpr, std::size_t n>
constexpr void transform(const Basis<n>& basis, BasisValues<Fpr, n>& values)
{
    transform<Fpr, n>(basis.g, values.b00);
    transform<Fpr, n>(basis.f, values.b01);
    transform<Fpr, n>(basis.big_g, values.b10);
    transform<Fpr, n>(basis.big_f, values.b11);
    negate<Fpr, n>(values.b01);
    negate<Fpr, n>(values.b11);
}

/// Returns 0 if f G - g F = q, else 1, from the values of the basis: the difference has integer
/// coefficients, so it is 0 if all its values are below 1 in magnitude, and rounding errors are far
/// below that.
template <class Fpr, std::size_t n>
[[nodiscard]] constexpr Secret<std::uint32_t> has_wrong_determinant(const BasisValues<Fpr, n>& b)
{
    const Complex<Fpr> modulus{Fpr::of(q), Fpr::of(0)};
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < n / 2; ++i) {
        const Complex<Fpr> determinant = at(b.b00, i) * at(b.b11, i) - at(b.b01, i) * at(b.b10, i);
        wrong |= less(norm(determinant - modulus), Fpr{1.0}) ^ 1;
    }
    return Secret{wrong};
}

/// The LDL decomposition of the basis' Gram matrix B B*: the root of the tree (Falcon, Algorithm 4,
/// lines 2 to 5).
template <class Fpr, std::size_t n>
constexpr void decompose_gram(const BasisValues<Fpr, n>& b, Ldl<Fpr, n>& out)
{
    using B = BlocksOf<Fpr, n / 2>;
    for (std::size_t i = 0; i < n / 2; i += B::size) {
        const auto b00 = load_values<B>(b.b00, i);
        const auto b01 = load_values<B>(b.b01, i);
        const auto b10 = load_values<B>(b.b10, i);
        const auto b11 = load_values<B>(b.b11, i);
        decompose<B>(norm(b00) + norm(b01), b00 * conjugate(b10) + b01 * conjugate(b11),
                     norm(b10) + norm(b11), i, out);
    }
}

/// The input of signing, from a stored key or a prepared one.
template <class Fpr, std::size_t n>
struct LazyRoot {
    template <class>
    using Scratch = LazyWalkScratch<Fpr, n>;

    const Ldl<Fpr, n>* ldl;
    Fpr inverse_sigma;
    LazyNodes<Fpr, n>* nodes;
    [[nodiscard]] constexpr const Poly<Fpr, n>& l10() const { return ldl->l10; }
    [[nodiscard]] constexpr LazyTree<Fpr, n> left() const { return {ldl->d00, inverse_sigma, *nodes}; }
    [[nodiscard]] constexpr LazyTree<Fpr, n> right() const { return {ldl->d11, inverse_sigma, *nodes}; }
};
template <class Fpr, std::size_t n>
struct ExpandedRoot {
    template <class Numbers>
    using Scratch = ExpandedWalkScratch<Numbers, n>;

    std::span<const Fpr, n> l10_values;
    ExpandedTree<Fpr, n> left_tree;
    ExpandedTree<Fpr, n> right_tree;
    [[nodiscard]] constexpr std::span<const Fpr, n> l10() const { return l10_values; }
    [[nodiscard]] constexpr ExpandedTree<Fpr, n> left() const { return left_tree; }
    [[nodiscard]] constexpr ExpandedTree<Fpr, n> right() const { return right_tree; }
};

/// Memory for one signature, or one for each lane of an Fpr.
template <class Fpr, class Root, std::size_t n>
struct SigningScratch {
    using Number = Fpr;
    static constexpr std::size_t degree = n;

    Poly<Fpr, n> t0, t1, z1;
    typename Root::template Scratch<Fpr> walk;
};

/// A lattice point near (c, 0) (Falcon, Algorithm 10, lines 3 to 7): takes c in t0, and leaves z B
/// in t0 and t1. The first level of ffSampling (Falcon, Algorithm 11) is written out between the
/// products.
template <class Basis, class Root, class Sampler, class Scratch>
constexpr void approach(const Basis& b, const Root& tree, Sampler& sampler, Scratch& scratch)
{
    using Fpr = typename Scratch::Number;
    constexpr std::size_t n = Scratch::degree;
    // t = (c, 0) B^-1 = (c b11, -c b01) / q
    using B = BlocksOf<Fpr, n / 2>;
    const typename B::Number inverse_q{Fpr{1.0 / q}};
    fft<Fpr>(scratch.t0);
    for (std::size_t i = 0; i < n / 2; i += B::size) {
        const auto point = load_values<B>(scratch.t0, i);
        store_values<B>(scratch.t1, i, (point * load_key_values<B, Fpr, n>(b.b01, i)) * -inverse_q);
        store_values<B>(scratch.t0, i, (point * load_key_values<B, Fpr, n>(b.b11, i)) * inverse_q);
    }

    ff_sampling<Fpr, n>(sampler, tree.right(), scratch.walk, scratch.t1, scratch.z1);
    shift_centre<Fpr, n>(scratch.t0, scratch.t1, scratch.z1, tree.l10());
    auto& z0 = scratch.t1;  // t1 is no longer needed
    ff_sampling<Fpr, n>(sampler, tree.left(), scratch.walk, scratch.t0, z0);

    for (std::size_t i = 0; i < n / 2; i += B::size) {
        const auto z0_i = load_values<B>(z0, i);
        const auto z1_i = load_values<B>(scratch.z1, i);
        const auto b00 = load_key_values<B, Fpr, n>(b.b00, i);
        const auto b01 = load_key_values<B, Fpr, n>(b.b01, i);
        const auto b10 = load_key_values<B, Fpr, n>(b.b10, i);
        const auto b11 = load_key_values<B, Fpr, n>(b.b11, i);
        store_values<B>(scratch.t0, i, z0_i * b00 + z1_i * b10);
        store_values<B>(scratch.t1, i, z0_i * b01 + z1_i * b11);
    }
    inverse_fft<Fpr>(scratch.t0);
    inverse_fft<Fpr>(scratch.t1);
}

/// s2, if (s1, s2) = (c, 0) - z B is short enough. Coefficients of z B are rounded to integers.
template <Shape S, class Point>
[[nodiscard]] constexpr bool is_short(std::span<const Residue, S.n()> c, const Point& nearest,
                                      ShortPoly<S.n()>& s2_out)
{
    std::uint64_t norm = 0;
    for (std::size_t i = 0; i < S.n(); ++i) {
        const std::int64_t s1 = c[i] - nearest(0, i);
        const std::int64_t s2 = -nearest(1, i);
        norm += static_cast<std::uint64_t>(s1 * s1) + static_cast<std::uint64_t>(s2 * s2);
        s2_out[i] = static_cast<std::int16_t>(s2);
    }
    const Secret is_within{static_cast<std::uint32_t>((norm - S.norm_bound() - 1) >> 63)};
    return declassify(is_within, "Section 3.9: a vector that is too long is thrown away, whatever the key") !=
           0;
}

/// A signing key in the form that signing uses: the basis at the roots, and the tree.
///
/// A wrong tree gives valid signatures, and a million of them give the key away (ePrint 2026/2046).
/// So a key whose leaves were computed wrongly is refused, and so is one whose tree has changed
/// since. A wrong basis is not looked for: its signatures do not verify, unless it is wrong by so
/// little that rounding hides it.
template <Shape S, class Isa>
struct PreparedSigningKey {
    using Fpr = typename Isa::Fpr;
    static constexpr std::size_t n = S.n();
    BasisValues<Fpr, n> basis;
    Poly<Fpr, n> l10;
    std::array<Fpr, subtree_size(n)> left;
    std::array<Fpr, subtree_size(n)> right;
    std::uint64_t checksum;  ///< of the tree

    constexpr PreparedSigningKey() = default;
    PreparedSigningKey(const PreparedSigningKey&) = delete;
    PreparedSigningKey& operator=(const PreparedSigningKey&) = delete;
    constexpr ~PreparedSigningKey()
    {
        wipe(basis);
        wipe(l10);
        wipe(left);
        wipe(right);
        wipe(checksum);
    }
    [[nodiscard]] constexpr ExpandedRoot<Fpr, n> root() const
    {
        return {l10, ExpandedTree<Fpr, n>{left}, ExpandedTree<Fpr, n>{right}};
    }

    [[nodiscard, gnu::noinline]] std::uint64_t checksum_now() const
    {
        constexpr std::uint64_t of_nothing = 0x6769726968206B79;  // memory that is zeroed has another
        return of_nothing ^ falcon::checksum(std::span{l10}) ^ falcon::checksum(std::span{left}) ^
               falcon::checksum(std::span{right});
    }
    /// Whether the leaves' product is that of every key: a change of one leaf by 2^-19 of it is
    /// found, and rounding errors are far below that.
    [[nodiscard, gnu::noinline]] constexpr bool has_correct_leaf_product() const
    {
        constexpr Fpr inverse{1 / S.leaf_product()};
        const Fpr ratio = leaf_product(root().left()) * inverse * leaf_product(root().right());
        const std::uint32_t is_right = less(Fpr{1 - 0x1p-20}, ratio) & less(ratio, Fpr{1 + 0x1p-20});
        return declassify(Secret{is_right}, "whether leaves were computed wrongly may be known") != 0;
    }
    void seal() { checksum = checksum_now(); }
    [[nodiscard]] bool is_unchanged() const
    {
        const std::uint64_t now = checksum_now();
        wipe_stack_below(1024);
        return declassify(Secret{now ^ checksum}, "whether a prepared key has changed may be known") == 0;
    }
};

/// The random bytes of one signature.
struct SigningRandomness {
    BytesIn<salt_bytes> salt;
    BytesIn<seed_bytes> seed;  ///< of the sampler
};

/// All attempts fail with a probability below 2^-128: fewer than one in four has too large a norm
/// or, in the padded format, too many bytes.
inline constexpr int max_attempts = 64;

/// Writes the signature with s2. Returns its length, or 0 if it does not fit its format.
template <Shape S, class Isa>
[[nodiscard]] constexpr std::size_t write_signature(Format format, ShortPoly<S.n()>& s2,
                                                    BytesIn<salt_bytes> salt, BytesOut<> signature)
{
    girih::declassify(std::span{s2}, "Section 3.9: s2 is the signature");
    const std::size_t used = encode_s2<S, Isa>(format, s2, signature.subspan(1 + salt_bytes));
    if (used == 0) return 0;
    signature[0] = S.signature_header(format);
    copy(salt, signature.subspan(1, salt_bytes));
    return 1 + salt_bytes + used;
}

/// Sign (Falcon, Algorithm 10) with either kind of tree: attempts until one is short and fits its
/// format. noinline: its frame reuses the stack of opening the key.
template <Shape S, class Isa, class Root>
[[nodiscard, gnu::noinline]] constexpr SignOutcome sign_point(
    Format format, const BasisValues<typename Isa::Fpr, S.n()>& basis, const Root& tree,
    std::span<const Residue, S.n()> c, const SigningRandomness& random, BytesOut<> signature)
{
    using Fpr = typename Isa::Fpr;
    alignas(64) Wiped<SigningScratch<Fpr, Root, S.n()>> scratch{uninitialized};
    Wiped<ShortPoly<S.n()>> s2;
    keccak::Shake256<Isa> source;
    source.absorb(random.seed);
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        typename UsualSampler<Isa>::Type sampler{S.sigma_min(), source};
        for (std::size_t i = 0; i < S.n(); ++i) scratch->t0[i] = Fpr::of(c[i]);
        approach(basis, tree, sampler, *scratch);
        const auto nearest = [&](std::size_t which, std::size_t i) {
            return round(which == 0 ? scratch->t0[i] : scratch->t1[i]);
        };
        const bool is_short_enough = is_short<S>(c, nearest, *s2);
        if (declassify(sampler.leaf_range().some_outside(),
                       "Section 3.8.3: a malformed key is refused, and may be known to be") != 0)
            return {SignResult::malformed_key};
        if (!is_short_enough) continue;
        if (const std::size_t bytes = write_signature<S, Isa>(format, *s2, random.salt, signature))
            return {SignResult::good, bytes};
    }
    return {SignResult::too_many_attempts};
}

/// The basis at the roots and the root of the tree. False for a basis that does not solve the NTRU
/// equation.
template <Shape S, class Isa>
[[nodiscard]] constexpr bool open_key(const Basis<S.n()>& basis,
                                      BasisValues<typename Isa::Fpr, S.n()>& values,
                                      Ldl<typename Isa::Fpr, S.n()>& ldl)
{
    transform(basis, values);
    if (declassify(has_wrong_determinant(values),
                   "Section 3.4: a key that contradicts itself is refused, and may be known to") != 0)
        return false;
    decompose_gram(values, ldl);
    return true;
}

/// From a stored key. False for a malformed one.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool open_key(BytesIn<S.secret_key_bytes()> sk,
                                                     BasisValues<typename Isa::Fpr, S.n()>& values,
                                                     Ldl<typename Isa::Fpr, S.n()>& ldl)
{
    Wiped<Basis<S.n()>> basis;
    return decode_secret_key<S, Isa>(sk, *basis) && open_key<S, Isa>(*basis, values, ldl);
}

/// Builds both halves of the tree, and returns the range of its leaves. Leaves nodes on its stack.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr LeafRange<typename Isa::Fpr> build_halves(
    const Ldl<typename Isa::Fpr, S.n()>& ldl, LazyNodes<typename Isa::Fpr, S.n()>& nodes,
    std::span<typename Isa::Fpr, subtree_size(S.n())> left,
    std::span<typename Isa::Fpr, subtree_size(S.n())> right)
{
    using Fpr = typename Isa::Fpr;
    const LazyRoot<Fpr, S.n()> root{&ldl, Fpr{S.inverse_sigma()}, &nodes};
    LeafRange<Fpr> leaf_range{S.sigma_min()};
    build_tree(root.left(), leaf_range, left);
    build_tree(root.right(), leaf_range, right);
    return leaf_range;
}

/// Builds both halves of the tree. False for a malformed key, which has leaves out of range.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool build_trees(
    const Ldl<typename Isa::Fpr, S.n()>& ldl, std::span<typename Isa::Fpr, subtree_size(S.n())> left,
    std::span<typename Isa::Fpr, subtree_size(S.n())> right)
{
    using Fpr = typename Isa::Fpr;
    alignas(64) Wiped<LazyNodes<Fpr, S.n()>> nodes{uninitialized};
    const LeafRange<Fpr> leaf_range = build_halves<S, Isa>(ldl, *nodes, left, right);
    if (!std::is_constant_evaluated()) wipe_stack_below(4096);
    return declassify(leaf_range.some_outside(),
                      "Section 3.8.3: a malformed key is refused, and may be known to be") == 0;
}

/// Signs with a stored key: the tree is lazy.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr SignOutcome sign(Format format, BytesIn<S.secret_key_bytes()> sk,
                                                        std::span<const Residue, S.n()> c,
                                                        const SigningRandomness& random, BytesOut<> signature)
{
    using Fpr = typename Isa::Fpr;
    alignas(64) Wiped<BasisValues<Fpr, S.n()>> basis{uninitialized};
    alignas(64) Wiped<Ldl<Fpr, S.n()>> ldl{uninitialized};
    if (!open_key<S, Isa>(sk, *basis, *ldl)) return {SignResult::malformed_key};
    alignas(64) Wiped<LazyNodes<Fpr, S.n()>> nodes{uninitialized};
    const LazyRoot<Fpr, S.n()> root{&*ldl, Fpr{S.inverse_sigma()}, &*nodes};
    return sign_point<S, Isa>(format, *basis, root, c, random, signature);
}

/// Prepares everything that does not depend on the message.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] SignResult prepare_signing_key(BytesIn<S.secret_key_bytes()> sk,
                                                            PreparedSigningKey<S, Isa>& out)
{
    alignas(64) Wiped<Ldl<typename Isa::Fpr, S.n()>> ldl{uninitialized};
    if (!open_key<S, Isa>(sk, out.basis, *ldl)) return SignResult::malformed_key;
    out.l10 = ldl->l10;
    if (!build_trees<S, Isa>(*ldl, out.left, out.right)) return SignResult::malformed_key;
    out.seal();
    const bool is_correct = out.has_correct_leaf_product();
    wipe_stack_below(4096);
    return is_correct ? SignResult::good : SignResult::fault;
}

/// Signs with a prepared key.
template <Shape S, class Isa>
[[nodiscard]] SignOutcome sign_prepared(Format format, const PreparedSigningKey<S, Isa>& key,
                                        std::span<const Residue, S.n()> c, const SigningRandomness& random,
                                        BytesOut<> signature)
{
    if (!key.is_unchanged()) return {SignResult::fault};
    return sign_point<S, Isa>(format, key.basis, key.root(), c, random, signature);
}

}  // namespace girih::falcon
