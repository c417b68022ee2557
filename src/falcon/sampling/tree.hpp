/// The Falcon tree (specification, Section 3.8.3): the LDL decomposition of a lattice basis's Gram
/// matrix, repeated down the tower of rings. Either lazy, computed during the walk, or expanded in
/// memory.
///
/// Below the root every matrix is ((d0, d1), (adj d1, d0)), where d = d0(x^2) + x d1(x^2) is a
/// self-adjoint diagonal element of the level above. So d alone determines a subtree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>

#include "core/secret.hpp"
#include "falcon/kernels/fft/blocks.hpp"
#include "falcon/kernels/fft/fft.hpp"

namespace girih::falcon {

/// One level: L = ((1, 0), (l10, 1)) and D = (d00, d11), self-adjoint.
template <class Fpr, std::size_t n>
struct Ldl {
    Poly<Fpr, n> l10;
    RealPoly<Fpr, n> d00;
    RealPoly<Fpr, n> d11;
};

/// LDL* (Falcon, Algorithm 8) of the Gram matrix ((g00, g01), (adj g01, g11)), a block of values
/// from i on: l10 = adj g01 / g00, d00 = g00, d11 = g11 - g01 adj g01 / g00.
template <class B, class Fpr, std::size_t n>
[[gnu::always_inline]] constexpr void decompose(const typename B::Number& g00,
                                                const Complex<typename B::Number>& g01,
                                                const typename B::Number& g11, std::size_t i,
                                                Ldl<Fpr, n>& out)
{
    const typename B::Number inverse = typename B::Number{Fpr{1.0}} / g00;
    store_values<B>(out.l10, i, conjugate(g01) * inverse);
    B::store(&out.d00[i], g00);
    B::store(&out.d11[i], g11 - norm(g01) * inverse);
}

// ---- The lazy tree

/// The nodes that are being visited: one for each level.
template <class Fpr, std::size_t n>
struct LazyNodes {
    Ldl<Fpr, n / 2> ldl;
    LazyNodes<Fpr, n / 2> below;
};
template <class Fpr>
struct LazyNodes<Fpr, 2> {};

/// Memory for ff_sampling down a lazy tree.
template <class Fpr, std::size_t n>
struct LazyWalkScratch {
    Poly<Fpr, n / 2> z1;
    LazyWalkScratch<Fpr, n / 2> below;
};
template <class Fpr>
struct LazyWalkScratch<Fpr, 2> {};

/// A subtree of a self-adjoint d in the ring of degree n. ffLDL* (Falcon, Algorithm 9), lazy:
/// `open` computes a node when it is visited, which uses less memory than all nodes at once.
template <class Fpr, std::size_t n>
class LazyTree {
  public:
    static constexpr bool has_checked_leaves = false;
    template <class>
    using Scratch = LazyWalkScratch<Fpr, n>;

    constexpr LazyTree(const RealPoly<Fpr, n>& d, Fpr inverse_sigma, LazyNodes<Fpr, n>& nodes)
        : d_(&d), nodes_(&nodes), inverse_sigma_(inverse_sigma)
    {
    }

    /// Decomposes d into the memory of its level.
    constexpr void open()
        requires(n > 2)
    {
        using B = BlocksOf<Fpr, n / 4>;
        for (std::size_t i = 0; i < n / 4; i += B::size) {
            const auto [d0, d1] = split_real_fft<B>(*d_, i);
            decompose<B>(d0, d1, d0, i, nodes_->ldl);
        }
    }
    [[nodiscard]] constexpr const Poly<Fpr, n / 2>& l10() const { return nodes_->ldl.l10; }
    [[nodiscard]] constexpr LazyTree<Fpr, n / 2> left() const { return below(nodes_->ldl.d00); }
    [[nodiscard]] constexpr LazyTree<Fpr, n / 2> right() const { return below(nodes_->ldl.d11); }
    /// Memory for the left half of a walk's result: that of l10, which the walk no longer needs.
    [[nodiscard]] constexpr std::span<Fpr, n / 2> z0(LazyWalkScratch<Fpr, n>&) const
    {
        return nodes_->ldl.l10;
    }

    /// 1 / sigma' for the two integers below n = 2: sigma' = sigma / sqrt(d) (Falcon, Algorithm 4,
    /// lines 6 and 7).
    [[nodiscard]] constexpr Fpr leaf() const { return sqrt((*d_)[0]) * inverse_sigma_; }

  private:
    [[nodiscard]] constexpr LazyTree<Fpr, n / 2> below(const RealPoly<Fpr, n / 2>& d) const
    {
        return {d, inverse_sigma_, nodes_->below};
    }

    const RealPoly<Fpr, n>* d_;
    LazyNodes<Fpr, n>* nodes_;
    Fpr inverse_sigma_;
};

// ---- The expanded tree

/// The numbers of a subtree: l10 of the node, then the left and the right subtree; a leaf is one
/// number.
constexpr std::size_t subtree_size(std::size_t n) { return n == 2 ? 1 : n / 2 + 2 * subtree_size(n / 2); }

/// Memory for ff_sampling down an expanded tree, for any type of numbers.
template <class Fpr, std::size_t n>
struct ExpandedWalkScratch {
    Poly<Fpr, n / 2> z0, z1;
    ExpandedWalkScratch<Fpr, n / 2> below;
};
template <class Fpr>
struct ExpandedWalkScratch<Fpr, 2> {};

/// A subtree that `build_tree` wrote.
template <class Fpr, std::size_t n>
class ExpandedTree {
  public:
    static constexpr bool has_checked_leaves = true;  ///< when the tree was built
    template <class Numbers>
    using Scratch = ExpandedWalkScratch<Numbers, n>;

    constexpr explicit ExpandedTree(std::span<const Fpr, subtree_size(n)> numbers) : numbers_(numbers) {}

    constexpr void open() {}
    [[nodiscard]] constexpr std::span<const Fpr, n / 2> l10() const
    {
        return numbers_.template first<n / 2>();
    }
    [[nodiscard]] constexpr ExpandedTree<Fpr, n / 2> left() const
    {
        return ExpandedTree<Fpr, n / 2>{numbers_.template subspan<n / 2, subtree_size(n / 2)>()};
    }
    [[nodiscard]] constexpr ExpandedTree<Fpr, n / 2> right() const
    {
        return ExpandedTree<Fpr, n / 2>{numbers_.template last<subtree_size(n / 2)>()};
    }
    template <class Numbers>
    [[nodiscard]] constexpr std::span<Numbers, n / 2> z0(ExpandedWalkScratch<Numbers, n>& scratch) const
    {
        return scratch.z0;
    }
    [[nodiscard]] constexpr Fpr leaf() const { return numbers_[0]; }

  private:
    std::span<const Fpr, subtree_size(n)> numbers_;
};

/// The sum modulo 2 of numbers' words: no change of a single one keeps it.
template <class Fpr, std::size_t count>
[[nodiscard]] std::uint64_t checksum(std::span<const Fpr, count> numbers)
{
    using B = BlocksOf<Fpr, count>;
    decltype(B::load(nullptr).bits()) sums{};
    for (std::size_t i = 0; i < count; i += B::size) sums ^= B::load(&numbers[i]).bits();
    std::array<std::uint64_t, B::size> lanes;
    static_assert(sizeof lanes == sizeof sums);
    std::memcpy(lanes.data(), &sums, sizeof lanes);
    return std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0}, std::bit_xor<>{});
}

/// ffLDL* (Falcon, Algorithm 9): writes the numbers of an ExpandedTree. Every leaf passes through
/// leaf_range.admit.
template <std::size_t n, class Fpr, class Range>
constexpr void build_tree(LazyTree<Fpr, n> tree, Range& leaf_range, std::span<Fpr, subtree_size(n)> numbers)
{
    if constexpr (n == 2) {
        numbers[0] = leaf_range.admit(tree.leaf());
    } else {
        tree.open();
        for (std::size_t i = 0; i < n / 2; ++i) numbers[i] = tree.l10()[i];
        build_tree<n / 2>(tree.left(), leaf_range, numbers.template subspan<n / 2, subtree_size(n / 2)>());
        build_tree<n / 2>(tree.right(), leaf_range, numbers.template last<subtree_size(n / 2)>());
    }
}

template <class Fpr, std::size_t n>
[[nodiscard]] constexpr Fpr leaf_product(const ExpandedTree<Fpr, n>& tree)
{
    if constexpr (n == 2)
        return tree.leaf();
    else
        return leaf_product(tree.left()) * leaf_product(tree.right());
}

}  // namespace girih::falcon
