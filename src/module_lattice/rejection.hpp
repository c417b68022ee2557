/// Rejection sampling of polynomials: each from the output of its own sponge, many sponges at a
/// time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/isa.hpp"
#include "keccak/task.hpp"
#include "module_lattice/poly.hpp"
#include "module_lattice/whole_block.hpp"

namespace girih::module_lattice {

/// Number `index` in a string of integers of `bits` bits, in little-endian words.
template <int bits>
[[nodiscard]] constexpr std::int32_t integer_at(const std::uint64_t* words, std::size_t index) noexcept
{
    const std::size_t bit = index * bits;
    std::uint64_t value = words[bit / 64] >> (bit % 64);
    if (bit % 64 + bits > 64) value |= words[bit / 64 + 1] << (64 - bit % 64);
    return static_cast<std::int32_t>(value & ((std::uint64_t{1} << bits) - 1));
}

/// Numbers `index`, `index` + 1, ... in a block of integers of `bits` bits: one per lane, or one
/// alone where Lanes does not unpack them.
template <int bits, class Lanes>
[[nodiscard, gnu::always_inline]] constexpr auto integers_at(keccak::RowOfOutput block,
                                                             std::size_t index) noexcept
{
    if constexpr (!isa::Unpacks<Lanes, bits>) {
        return integer_at<bits>(block.data(), index);
    } else {
        const Byte* const bytes = reinterpret_cast<const Byte*>(block.data()) + index * bits / 8;
        if constexpr (isa::UnpacksReadable<Lanes, bits>)
            return Lanes::template unpack<bits, 16>(bytes);  // a row is longer than its block
        else
            return Lanes::template unpack<bits>(bytes);
    }
}

/// Fills a polynomial with the candidates that are not refused.
///
/// Source::candidates gives a vector of candidates from the words of a block, Source::keep says
/// which to take, and Source::per_block how many candidates a block has. The vectors are those of
/// Source::Lanes.
template <class Source, class Isa>
class RejectionSampler {
    using Lanes = typename Source::template Lanes<Isa>;

  public:
    using Integer = typename Lanes::Integer;

    constexpr explicit RejectionSampler(Coefficients<Integer>& out) noexcept : out_(&out) {}

    /// Takes the coefficients of a block, in order. True when the polynomial is full. (Always
    /// inlined: a call, which clang++ would make, costs ExpandA 2 %.)
    [[nodiscard, gnu::always_inline]] constexpr bool take(keccak::RowOfOutput block) noexcept
    {
        constexpr std::size_t lanes = Lanes::lanes;
        constexpr std::size_t vectors = (Source::per_block + lanes - 1) / lanes;
        constexpr std::size_t in_last = Source::per_block - (vectors - 1) * lanes;
        if (take_whole_block<Source, Isa>(block, *out_, taken_)) return taken_ == n;
        std::size_t taken = taken_;
        std::size_t vector = 0;
        const auto candidates_and_kept = [&] {
            const auto v = Source::template candidates<Isa>(block, vector * lanes);
            auto keep = Source::keep(v);
            if constexpr (in_last != lanes)
                if (vector == vectors - 1) keep = keep & Lanes::first_lanes(in_last);
            ++vector;
            return std::pair{Source::value(v), keep};
        };
        const auto take_vector = [&]() __attribute__((always_inline)) {
            const auto [v, keep] = candidates_and_kept();
            taken += Lanes::compress_store(&(*out_)[taken], v, keep);
        };
        if constexpr (vectors <= 7 && lanes > 1) {  // a loop costs ExpandA 5 %, ML-KEM 1 %
            unroll<vectors>([&](auto) __attribute__((always_inline)) {
                if (taken + lanes <= n) take_vector();
            });
        } else {
            while (vector < vectors && taken + lanes <= n) take_vector();
        }
        if (vector < vectors && taken < n) {
            // Storing a whole vector would pass the end. So the last coefficients are collected in
            // a copy of the end of the polynomial, which then replaces it.
            Integer* const last = &(*out_)[n - lanes];
            std::array<Integer, 2 * lanes> made;
            std::copy_n(last, lanes, made.begin());
            do {
                const auto [v, keep] = candidates_and_kept();
                taken += Lanes::compress_store(&made[taken - (n - lanes)], v, keep);
            } while (vector < vectors && taken < n);
            std::copy_n(made.begin(), lanes, last);
            taken = std::min(taken, n);
        }
        taken_ = taken;
        return taken == n;
    }
    [[nodiscard]] constexpr bool is_full() const noexcept { return taken_ == n; }

  private:
    Coefficients<Integer>* out_;
    std::size_t taken_ = 0;
};

/// One polynomial from its own sponge: `Sampler` takes coefficients from its blocks. The sponge
/// absorbs the seed, which is read when the task begins, and the number in two bytes, the lower one
/// first: IntegerToBytes (FIPS 204, Algorithm 11).
template <class Sampler, keccak::Function function, std::size_t seed_size>
class RejectionTask final : public keccak::Task {
  public:
    constexpr RejectionTask(BytesIn<seed_size> seed, std::size_t number,
                            Coefficients<typename Sampler::Integer>& out) noexcept
        : seed_(seed), number_{static_cast<Byte>(number), static_cast<Byte>(number >> 8)}, sampler_(out)
    {
    }

    constexpr void start(keccak::Lane lane) noexcept override
    {
        lane.absorb(seed_);
        lane.absorb(number_, seed_size);
        lane.pad(function, seed_size + number_.size());
    }
    constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        return sampler_.take(lane.output()) ? nullptr : this;
    }
    [[nodiscard]] constexpr bool is_done() const noexcept { return sampler_.is_full(); }

  private:
    BytesIn<seed_size> seed_;
    std::array<Byte, 2> number_;
    Sampler sampler_;
};

}  // namespace girih::module_lattice
