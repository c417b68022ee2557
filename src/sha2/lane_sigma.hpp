/// The functions of FIPS 180-4, Section 4.1.3, on words in lanes.
#pragma once

#include "isa/isa.hpp"
#include "sha2/hash.hpp"

namespace girih::sha2 {

/// Lanes rotate to the left. Functions of three words are Lanes' own, if it has them.
template <class Lanes>
struct LaneSigma {
    using Words = typename Lanes::Words;

    [[gnu::always_inline]] static Words big0(Words x) { return xor3(rotr<28>(x), rotr<34>(x), rotr<39>(x)); }
    [[gnu::always_inline]] static Words big1(Words x) { return xor3(rotr<14>(x), rotr<18>(x), rotr<41>(x)); }
    [[gnu::always_inline]] static Words small0(Words x) { return xor3(rotr<1>(x), rotr<8>(x), x >> 7); }
    [[gnu::always_inline]] static Words small1(Words x) { return xor3(rotr<19>(x), rotr<61>(x), x >> 6); }

    [[gnu::always_inline]] static Words choose(Words e, Words f, Words g)
    {
        if constexpr (isa::ThreeWordLogic<Lanes>) return Lanes::choose(e, f, g);
        return Choices<Words>::choose(e, f, g);
    }
    [[gnu::always_inline]] static Words majority(Words a, Words b, Words c)
    {
        if constexpr (isa::ThreeWordLogic<Lanes>) return Lanes::majority(a, b, c);
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
        if constexpr (isa::ThreeWordLogic<Lanes>) return Lanes::xor3(a, b, c);
        return a ^ b ^ c;
    }
};

}  // namespace girih::sha2
