/// The walk through the tree in signing in little memory.
///
/// Constant time if the engine is.
#pragma once

#include <bit>
#include <cstddef>

#include "falcon/kernels/fft/fft.hpp"
#include "falcon/sampling/sampler.hpp"

namespace girih::falcon {

/// ffSampling (Falcon, Algorithm 11) on subtrees of any degree, with a lazy tree: each level is
/// decomposed by ffLDL* (Falcon, Algorithm 9) on the way. The plain form is ff_sampling
/// (falcon/sampling/ff_sampling.hpp) on a LazyTree (tree.hpp), a function for each degree.
template <class Isa>
class SmallWalk {
  public:
    using Fpr = typename Isa::Fpr;
    constexpr SmallWalk(Sampler<Isa>& sampler, Fpr inverse_sigma)
        : sampler_(&sampler), inverse_sigma_(inverse_sigma)
    {
    }

    /// Samples z near t, both of `degree` numbers, in the subtree of the self-adjoint d, with 3
    /// degree numbers of scratch. (Pointers, and steps that are not inlined, keep each level's
    /// frame small.)
    constexpr void sample(const Fpr* d, const Fpr* t, Fpr* z, Fpr* scratch, std::size_t degree)
    {
        if (degree == 2) return sample_leaf(*d, t, z);
        const std::size_t part = degree / 2;
        Fpr* const l10 = scratch;
        Fpr* const d00 = scratch + part;
        Fpr* const d11 = d00 + part / 2;
        Fpr* const z1 = scratch + degree;
        Fpr* const below = z1 + part;
        decompose(d, l10, d00, d11, part);

        // z holds the two parts of t, and z0 once the second part is no longer needed.
        split(t, z, degree);
        sample(d11, z + part, z1, below, part);
        shift_centre(z, z + part, z1, l10, part);
        sample(d00, z, z + part, below, part);
        for (std::size_t i = 0; i < part; ++i) l10[i] = z[part + i];
        merge(l10, z1, z, degree);
    }

    /// t0 becomes t0 + (t1 - z1) l10.
    [[gnu::noinline]] static constexpr void shift_centre(Fpr* t0, const Fpr* t1, const Fpr* z1,
                                                         const Fpr* l10, std::size_t degree)
    {
        const auto of = [degree](auto* f, std::size_t i) { return Complex<Fpr>{f[i], f[i + degree / 2]}; };
        for (std::size_t i = 0; i < degree / 2; ++i) {
            const Complex<Fpr> t = of(t0, i) + (of(t1, i) - of(z1, i)) * of(l10, i);
            t0[i] = t.re;
            t0[i + degree / 2] = t.im;
        }
    }

  private:
    constexpr void sample_leaf(Fpr d, const Fpr* t, Fpr* z)
    {
        const Fpr inverse_sigma = sampler_->leaf_range().admit(sqrt(d) * inverse_sigma_);
        for (std::size_t i = 0; i < 2; ++i) z[i] = Fpr::of(sampler_->sample(t[i], inverse_sigma));
    }

    /// The layer whose roots split and merge polynomials of this degree.
    [[nodiscard]] static constexpr unsigned layer_of(std::size_t degree)
    {
        return static_cast<unsigned>(std::bit_width(degree)) - 3;
    }

    /// splitfft (Falcon, Algorithm 1) of the self-adjoint d, and LDL* (Falcon, Algorithm 8) of
    /// ((d0, d1), (adj d1, d0)): d has `degree` numbers, and so has l10.
    [[gnu::noinline]] static constexpr void decompose(const Fpr* d, Fpr* l10, Fpr* d00, Fpr* d11,
                                                      std::size_t degree)
    {
        const unsigned layer = layer_of(2 * degree);
        for (std::size_t i = 0; i < degree / 2; ++i) {
            const Fpr d0 = half(d[2 * i] + d[2 * i + 1]);
            const Complex<Fpr> d1 = conjugate(root<Fpr>(layer, i)) * half(d[2 * i] - d[2 * i + 1]);
            const Fpr inverse = Fpr{1.0} / d0;
            const Complex<Fpr> l = conjugate(d1) * inverse;
            l10[i] = l.re;
            l10[i + degree / 2] = l.im;
            d00[i] = d0;
            d11[i] = d0 - norm(d1) * inverse;
        }
    }

    /// splitfft (Falcon, Algorithm 1); both parts are contiguous.
    [[gnu::noinline]] static constexpr void split(const Fpr* f, Fpr* parts, std::size_t degree)
    {
        const std::size_t quarter = degree / 4;
        const unsigned layer = layer_of(degree);
        for (std::size_t i = 0; i < quarter; ++i) {
            Butterfly<Fpr> x{.a = {f[2 * i], f[2 * i + degree / 2]},
                             .b = {f[2 * i + 1], f[2 * i + 1 + degree / 2]},
                             .zeta = root<Fpr>(layer, i)};
            x.inverse();
            const Complex<Fpr> sum = half(x.a);
            const Complex<Fpr> difference = half(x.b);  // halving is exact, so its place does not matter
            parts[i] = sum.re;
            parts[i + quarter] = sum.im;
            parts[i + 2 * quarter] = difference.re;
            parts[i + 3 * quarter] = difference.im;
        }
    }

    /// mergefft (Falcon, Algorithm 2)
    [[gnu::noinline]] static constexpr void merge(const Fpr* f0, const Fpr* f1, Fpr* f, std::size_t degree)
    {
        const std::size_t quarter = degree / 4;
        const unsigned layer = layer_of(degree);
        for (std::size_t i = 0; i < quarter; ++i) {
            Butterfly<Fpr> x{
                .a = {f0[i], f0[i + quarter]}, .b = {f1[i], f1[i + quarter]}, .zeta = root<Fpr>(layer, i)};
            x.forward();
            f[2 * i] = x.a.re;
            f[2 * i + degree / 2] = x.a.im;
            f[2 * i + 1] = x.b.re;
            f[2 * i + 1 + degree / 2] = x.b.im;
        }
    }

    Sampler<Isa>* sampler_;
    Fpr inverse_sigma_;
};

}  // namespace girih::falcon
