/// The Falcon tree (specification, Section 3.8.3): the LDL decomposition of a lattice basis's Gram
/// matrix, repeated down the tower of rings. Either lazy, computed during the walk, or expanded in
/// memory.
///
/// Below the root every matrix is ((d0, d1), (adj d1, d0)), where d = d0(x^2) + x d1(x^2) is a
/// self-adjoint diagonal element of the level above. So d alone determines a subtree.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/secret.hpp"
#include "falcon/fft/blocks.hpp"
#include "falcon/fft/fft.hpp"

namespace girih::falcon {

/// One level: L = ((1, 0), (l10, 1)) and D = (d00, d11), self-adjoint.
template <class Fpr, std::size_t n>
struct Ldl {
    Poly<Fpr, n> l10;
    RealPoly<Fpr, n> d00;
    RealPoly<Fpr, n> d11;
};

/// LDL* (Falcon, Algorithm 8) of the Gram matrix ((g00, g01), (adj g01, g11)): l10 = adj g01 / g00,
/// d00 = g00, d11 = g11 - g01 adj g01 / g00.
template <class Fpr, std::size_t n>
constexpr void decompose(const RealPoly<Fpr, n>& g00, const Poly<Fpr, n>& g01, const RealPoly<Fpr, n>& g11,
                         Ldl<Fpr, n>& out)
{
    using B = BlocksOf<Fpr, n / 2>;
    using Number = typename B::Number;
    for (std::size_t i = 0; i < n / 2; i += B::size) {
        const Number d00 = B::load(&g00[i]);
        const Number inverse = Number{Fpr{1.0}} / d00;
        const Complex<Number> g = load_values<B>(g01, i);
        store_values<B>(out.l10, i, conjugate(g) * inverse);
        B::store(&out.d00[i], d00);
        B::store(&out.d11[i], B::load(&g11[i]) - norm(g) * inverse);
    }
}

// ---- The lazy tree

/// Memory for a walk: one decomposition for each level, of the node that is being visited.
template <class Fpr, std::size_t n>
struct WalkScratch {
    Ldl<Fpr, n / 2> ldl;
    RealPoly<Fpr, n / 2> d0;
    Poly<Fpr, n / 2> d1;
    Poly<Fpr, n / 2> t0, t1, z0, z1;
    WalkScratch<Fpr, n / 2> below;
};
template <class Fpr>
struct WalkScratch<Fpr, 2> {};

/// A subtree of a self-adjoint d in the ring of degree n. ffLDL* (Falcon, Algorithm 9), lazy:
/// `open` computes a node when it is visited, which uses less memory than all nodes at once.
template <class Fpr, std::size_t n>
class LazyTree {
  public:
    static constexpr bool has_checked_leaves = false;
    template <class>
    using Scratch = WalkScratch<Fpr, n>;

    constexpr LazyTree(const RealPoly<Fpr, n>& d, Fpr inverse_sigma) : d_(&d), inverse_sigma_(inverse_sigma)
    {
    }

    /// Decomposes d into the level's memory.
    constexpr void open(WalkScratch<Fpr, n>& scratch)
        requires(n > 2)
    {
        split_real_fft<Fpr, n / 2>(*d_, scratch.d0, scratch.d1);
        decompose<Fpr, n / 2>(scratch.d0, scratch.d1, scratch.d0, scratch.ldl);
        ldl_ = &scratch.ldl;
    }
    [[nodiscard]] constexpr const Poly<Fpr, n / 2>& l10() const { return ldl_->l10; }
    [[nodiscard]] constexpr LazyTree<Fpr, n / 2> left() const { return {ldl_->d00, inverse_sigma_}; }
    [[nodiscard]] constexpr LazyTree<Fpr, n / 2> right() const { return {ldl_->d11, inverse_sigma_}; }

    /// 1 / sigma' for the two integers below n = 2: sigma' = sigma / sqrt(d) (Falcon, Algorithm 4,
    /// lines 6 and 7).
    [[nodiscard]] constexpr Fpr leaf() const { return sqrt((*d_)[0]) * inverse_sigma_; }

  private:
    const RealPoly<Fpr, n>* d_;
    const Ldl<Fpr, n / 2>* ldl_ = nullptr;
    Fpr inverse_sigma_;
};

// ---- The expanded tree

/// The numbers of a subtree: l10 of the node, then the left and the right subtree; a leaf is one
/// number.
constexpr std::size_t subtree_size(std::size_t n) { return n == 2 ? 1 : n / 2 + 2 * subtree_size(n / 2); }

/// Memory for a walk, for any type of numbers.
template <class Fpr, std::size_t n>
struct ExpandedWalkScratch {
    Poly<Fpr, n / 2> t0, t1, z0, z1;
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

    template <class Numbers>
    constexpr void open(ExpandedWalkScratch<Numbers, n>&)
    {
    }
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
    [[nodiscard]] constexpr Fpr leaf() const { return numbers_[0]; }

  private:
    std::span<const Fpr, subtree_size(n)> numbers_;
};

/// ffLDL* (Falcon, Algorithm 9): writes the numbers of an ExpandedTree. Every leaf passes through
/// leaf_range.admit.
template <std::size_t n, class Fpr, class Range>
constexpr void build_tree(LazyTree<Fpr, n> tree, WalkScratch<Fpr, n>& scratch, Range& leaf_range,
                          std::span<Fpr, subtree_size(n)> numbers)
{
    if constexpr (n == 2) {
        numbers[0] = leaf_range.admit(tree.leaf());
    } else {
        tree.open(scratch);
        for (std::size_t i = 0; i < n / 2; ++i) numbers[i] = tree.l10()[i];
        build_tree<n / 2>(tree.left(), scratch.below, leaf_range,
                          numbers.template subspan<n / 2, subtree_size(n / 2)>());
        build_tree<n / 2>(tree.right(), scratch.below, leaf_range,
                          numbers.template last<subtree_size(n / 2)>());
    }
}

}  // namespace girih::falcon
