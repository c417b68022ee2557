/// Fast Fourier sampling (specification, Section 3.9.2): lattice points near a target, with a
/// spherical Gaussian distribution.
#pragma once

#include <cstddef>
#include <span>

#include "falcon/kernels/fft/blocks.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/sampling/sampler.hpp"
#include "falcon/sampling/tree.hpp"

namespace girih::falcon {

// `Fpr` is the type of the tree's numbers, or a vector of them, one for each of several signatures
// in lockstep.

/// Values of a polynomial of the key from i on: a block, or one value for all lanes.
template <class B, class Fpr, std::size_t n, class Values>
[[nodiscard, gnu::always_inline]] constexpr Complex<typename B::Number> load_key_values(const Values& f,
                                                                                        std::size_t i)
{
    if constexpr (B::size == 1)
        return {Fpr{f[i]}, Fpr{f[i + n / 2]}};
    else
        return {B::load(&f[i]), B::load(&f[i + n / 2])};
}

/// t0 becomes t0 + (t1 - z1) l10 (Falcon, Algorithm 11).
template <class Fpr, std::size_t n, class L>
constexpr void shift_centre(std::span<Fpr, n> t0, std::span<const Fpr, n> t1, std::span<const Fpr, n> z1,
                            const L& l10)
{
    using B = BlocksOf<Fpr, n / 2>;
    for (std::size_t i = 0; i < n / 2; i += B::size) {
        const auto l = load_key_values<B, Fpr, n>(l10, i);
        store_values<B>(t0, i, load_values<B>(t0, i) + (load_values<B>(t1, i) - load_values<B>(z1, i)) * l);
    }
}

/// ffSampling (Falcon, Algorithm 11) below its first level, which is in `approach` (sign.hpp): z
/// near t, for one polynomial and the subtree of its ring. Used for lazy and expanded trees, and
/// for one signature or several in lockstep.
///
/// At n = 2, t is one complex number. It splits into its real and its imaginary part, the t0 and t1
/// of Algorithm 11 at n = 1, each of which gives an integer.
///
/// Before z holds the result, its memory holds the two halves of t.
///
/// SmallWalk (falcon/small/sign.hpp) has the same steps with the degree as an argument, so that
/// one function walks all levels, in memory that signing uses before and after.
template <class Fpr, std::size_t n, class Sampler, class Tree>
constexpr void ff_sampling(Sampler& sampler, Tree tree, typename Tree::template Scratch<Fpr>& scratch,
                           std::span<const Fpr, n> t, std::span<Fpr, n> z)
{
    if constexpr (n == 2) {
        auto inverse_sigma = tree.leaf();
        if constexpr (!Tree::has_checked_leaves) inverse_sigma = sampler.leaf_range().admit(inverse_sigma);
        sampler.sample_leaf(inverse_sigma, t, z);
    } else {
        tree.open();
        const auto t0 = z.template first<n / 2>();
        const auto t1 = z.template last<n / 2>();
        split_fft<Fpr, n>(t, t0, t1);
        ff_sampling<Fpr, n / 2>(sampler, tree.right(), scratch.below, t1, scratch.z1);
        shift_centre<Fpr, n / 2>(t0, t1, scratch.z1, tree.l10());
        const std::span<Fpr, n / 2> z0 = tree.z0(scratch);
        ff_sampling<Fpr, n / 2>(sampler, tree.left(), scratch.below, t0, z0);
        merge_fft<Fpr, n>(z0, scratch.z1, z);
    }
}

}  // namespace girih::falcon
