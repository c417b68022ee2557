/// The functions of FIPS 180-4, Section 4.1.3, on words in lanes.
#pragma once

#include <cstdint>

#include "sha2/hash.hpp"

namespace girih::sha2 {

/// Rotations in lanes go to the left. Functions of three words at a time are Lanes', if it has
/// them.
template <class Lanes>
struct LaneSigma {
    using Words = typename Lanes::Words;

    [[gnu::always_inline]] static Words big0(Words x) { return xor3(rotr<28>(x), rotr<34>(x), rotr<39>(x)); }
    [[gnu::always_inline]] static Words big1(Words x) { return xor3(rotr<14>(x), rotr<18>(x), rotr<41>(x)); }
    [[gnu::always_inline]] static Words small0(Words x) { return xor3(rotr<1>(x), rotr<8>(x), x >> 7); }
    [[gnu::always_inline]] static Words small1(Words x) { return xor3(rotr<19>(x), rotr<61>(x), x >> 6); }

    [[gnu::always_inline]] static Words choose(Words e, Words f, Words g)
    {
        if constexpr (requires { Lanes::choose(e, f, g); }) return Lanes::choose(e, f, g);
        return Choices<Words>::choose(e, f, g);
    }
    [[gnu::always_inline]] static Words majority(Words a, Words b, Words c)
    {
        if constexpr (requires { Lanes::majority(a, b, c); }) return Lanes::majority(a, b, c);
        return Choices<Words>::majority(a, b, c);
    }

  private:
    template <int bits>
    [[gnu::always_inline]] static Words rotr(Words x)
    {
        return Lanes::template rotate_left<64 - bits>(x);
    }
    [[gnu::always_inline]] static Words xor3(Words a, Words b, Words c)
    {
        if constexpr (requires { Lanes::xor3(a, b, c); }) return Lanes::xor3(a, b, c);
        return a ^ b ^ c;
    }
};

/// The same on processors of 32 bits, a half at a time: six shifted halves in six instructions,
/// where rotations by themselves take eight.
template <class Lanes>
    requires requires { Lanes::works_in_halves; }
struct LaneSigma<Lanes> : Choices<std::uint64_t> {
    using Words = std::uint64_t;

    [[gnu::always_inline]] static Words big0(Words x) { return of_both<28, 34, 39>(x); }
    [[gnu::always_inline]] static Words big1(Words x) { return of_both<14, 18, 41>(x); }
    [[gnu::always_inline]] static Words small0(Words x) { return of_both<1, 8>(x) ^ (x >> 7); }
    [[gnu::always_inline]] static Words small1(Words x) { return of_both<19, 61>(x) ^ (x >> 6); }

  private:
    template <int... bits>
    [[gnu::always_inline]] static Words of_both(Words x)
    {
        const auto low = static_cast<std::uint32_t>(x);
        const auto high = static_cast<std::uint32_t>(x >> 32);
        return Words{(... ^ low_of_rotated<bits>(high, low))} << 32 | (... ^ low_of_rotated<bits>(low, high));
    }
    template <int bits>
    [[gnu::always_inline]] static std::uint32_t low_of_rotated(std::uint32_t low, std::uint32_t high)
    {
        if constexpr (bits > 32)
            return low_of_rotated<bits - 32>(high, low);
        else
            return low >> bits ^ high << (32 - bits);
    }
};

}  // namespace girih::sha2
