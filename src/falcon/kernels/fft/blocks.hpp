/// Blocks of a polynomial's numbers that are processed at once: a vector if the engine has vectors
/// of doubles, else one number.
#pragma once

#include <cstddef>
#include <type_traits>

#include "falcon/kernels/fft/complex.hpp"
#include "falcon/params.hpp"
#include "isa/doubles/block_fpr.hpp"
#include "isa/isa.hpp"

namespace girih::falcon {

/// One number at a time, of any type.
template <class Fpr>
struct OneByOne {
    using Number = Fpr;
    static constexpr std::size_t size = 1;
    [[nodiscard, gnu::always_inline]] static constexpr Fpr load(const Fpr* from) noexcept { return *from; }
    [[gnu::always_inline]] static constexpr void store(Fpr* to, const Fpr& a) noexcept { *to = a; }
    [[gnu::always_inline]] static constexpr void load_pairs(const Fpr* from, Fpr& even, Fpr& odd) noexcept
    {
        even = from[0];
        odd = from[1];
    }
    [[gnu::always_inline]] static constexpr void store_pairs(Fpr* to, const Fpr& even,
                                                             const Fpr& odd) noexcept
    {
        to[0] = even;
        to[1] = odd;
    }
};

/// A vector of numbers at a time.
template <class Block>
struct InBlocks {
    using Number = Block;
    using Narrow = typename Block::Number;
    static constexpr std::size_t size = Block::size;
    [[nodiscard, gnu::always_inline]] static Block load(const Narrow* from) noexcept
    {
        return Block::load(from);
    }
    [[gnu::always_inline]] static void store(Narrow* to, const Block& a) noexcept { a.store(to); }
    [[gnu::always_inline]] static void load_pairs(const Narrow* from, Block& even, Block& odd) noexcept
    {
        Block::load_pairs(from, even, odd);
    }
    [[gnu::always_inline]] static void store_pairs(Narrow* to, const Block& even, const Block& odd) noexcept
    {
        Block::store_pairs(to, even, odd);
    }
};

/// The widest block of a type of numbers.
template <class Fpr>
struct WidestBlocks {
    using Type = OneByOne<Fpr>;
};
template <isa::WideDoubles Isa>
struct WidestBlocks<isa::NativeFpr<Isa>> {
    using Type = InBlocks<isa::BlockFpr<Isa, typename Isa::WideFpr::Doubles::Vector>>;
};
template <class Fpr>
using Blocks = typename WidestBlocks<Fpr>::Type;

/// The widest block of which `count` numbers are a multiple.
template <class Fpr, std::size_t count>
using BlocksOf = std::conditional_t<count % Blocks<Fpr>::size == 0, Blocks<Fpr>, OneByOne<Fpr>>;

/// Values from i on.
template <class B, class Values>
[[nodiscard, gnu::always_inline]] constexpr Complex<typename B::Number> load_values(const Values& f,
                                                                                    std::size_t i)
{
    return {B::load(&f[i]), B::load(&f[i + f.size() / 2])};
}
template <class B, class Values>
[[gnu::always_inline]] constexpr void store_values(Values& f, std::size_t i,
                                                   Complex<typename B::Number> values)
{
    B::store(&f[i], values.re);
    B::store(&f[i + f.size() / 2], values.im);
}

}  // namespace girih::falcon
