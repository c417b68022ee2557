/// The S-box of AES (FIPS 197, Section 5.1.1) as a circuit of single-bit operations: no table,
/// constant time. The circuit and its names are Boyar and Peralta's ("A new combinational logic
/// minimization technique with applications to cryptology", 2010), who number bits from the
/// highest.
///
/// A byte is inverted in GF(16)[Y]: sums of its bits, their products, the inverse in GF(16), and
/// sums of products with that, which include the affine transformation.
#pragma once

#include <array>

namespace girih::aes {

/// Word i holds bit i of many bytes.
template <class Word>
using Slices = std::array<Word, 8>;

/// The sums of bits that are multiplied, each of them twice; and bit 0.
template <class Word>
struct SboxSums {
    Word x7, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21;
};
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr SboxSums<Word> sbox_sums(const Slices<Word>& bits) noexcept
{
    const auto& [x7, x6, x5, x4, x3, x2, x1, x0] = bits;
    const Word y14 = x3 ^ x5;
    const Word y13 = x0 ^ x6;
    const Word y9 = x0 ^ x3;
    const Word y8 = x0 ^ x5;
    const Word t0 = x1 ^ x2;
    const Word y1 = t0 ^ x7;
    const Word y4 = y1 ^ x3;
    const Word y12 = y13 ^ y14;
    const Word y2 = y1 ^ x0;
    const Word y5 = y1 ^ x6;
    const Word y3 = y5 ^ y8;
    const Word t1 = x4 ^ y12;
    const Word y15 = t1 ^ x5;
    const Word y20 = t1 ^ x1;
    const Word y6 = y15 ^ x7;
    const Word y10 = y15 ^ t0;
    const Word y11 = y20 ^ y9;
    const Word y7 = x7 ^ y11;
    const Word y17 = y10 ^ y11;
    const Word y19 = y10 ^ y8;
    const Word y16 = t0 ^ y11;
    const Word y21 = y13 ^ y16;
    const Word y18 = x0 ^ y16;
    return {x7,  y1,  y2,  y3,  y4,  y5,  y6,  y7,  y8,  y9,  y10,
            y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21};
}

/// The inverse of a norm in GF(16), and sums of its bits.
template <class Word>
struct SboxInverse {
    Word t29, t33, t37, t40, t41, t42, t43, t44, t45;
};
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr SboxInverse<Word> sbox_inverse(
    const SboxSums<Word>& sums) noexcept
{
    const auto& [x7, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19,
                 y20, y21] = sums;
    const Word t2 = y12 & y15;
    const Word t3 = y3 & y6;
    const Word t4 = t3 ^ t2;
    const Word t5 = y4 & x7;
    const Word t6 = t5 ^ t2;
    const Word t7 = y13 & y16;
    const Word t8 = y5 & y1;
    const Word t9 = t8 ^ t7;
    const Word t10 = y2 & y7;
    const Word t11 = t10 ^ t7;
    const Word t12 = y9 & y11;
    const Word t13 = y14 & y17;
    const Word t14 = t13 ^ t12;
    const Word t15 = y8 & y10;
    const Word t16 = t15 ^ t12;
    const Word t17 = t4 ^ t14;
    const Word t18 = t6 ^ t16;
    const Word t19 = t9 ^ t14;
    const Word t20 = t11 ^ t16;
    const Word t21 = t17 ^ y20;
    const Word t22 = t18 ^ y19;
    const Word t23 = t19 ^ y21;
    const Word t24 = t20 ^ y18;
    const Word t25 = t21 ^ t22;
    const Word t26 = t21 & t23;
    const Word t27 = t24 ^ t26;
    const Word t28 = t25 & t27;
    const Word t29 = t28 ^ t22;
    const Word t30 = t23 ^ t24;
    const Word t31 = t22 ^ t26;
    const Word t32 = t31 & t30;
    const Word t33 = t32 ^ t24;
    const Word t34 = t23 ^ t33;
    const Word t35 = t27 ^ t33;
    const Word t36 = t24 & t35;
    const Word t37 = t36 ^ t34;
    const Word t38 = t27 ^ t36;
    const Word t39 = t29 & t38;
    const Word t40 = t25 ^ t39;
    const Word t41 = t40 ^ t37;
    const Word t42 = t29 ^ t33;
    const Word t43 = t29 ^ t40;
    const Word t44 = t33 ^ t37;
    const Word t45 = t42 ^ t41;
    return {t29, t33, t37, t40, t41, t42, t43, t44, t45};
}

/// SBOX() (FIPS 197, Section 5.1.1) without its additive constant.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Slices<Word> substitute_without_constant(
    const Slices<Word>& bits) noexcept
{
    const SboxSums<Word> sums = sbox_sums(bits);
    const auto& [x7, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19,
                 y20, y21] = sums;
    const auto [t29, t33, t37, t40, t41, t42, t43, t44, t45] = sbox_inverse(sums);
    const Word z0 = t44 & y15;
    const Word z1 = t37 & y6;
    const Word z2 = t33 & x7;
    const Word z3 = t43 & y16;
    const Word z4 = t40 & y1;
    const Word z5 = t29 & y7;
    const Word z6 = t42 & y11;
    const Word z7 = t45 & y17;
    const Word z8 = t41 & y10;
    const Word z9 = t44 & y12;
    const Word z10 = t37 & y3;
    const Word z11 = t33 & y4;
    const Word z12 = t43 & y13;
    const Word z13 = t40 & y5;
    const Word z14 = t29 & y2;
    const Word z15 = t42 & y9;
    const Word z16 = t45 & y14;
    const Word z17 = t41 & y8;
    const Word t46 = z15 ^ z16;
    const Word t47 = z10 ^ z11;
    const Word t48 = z5 ^ z13;
    const Word t49 = z9 ^ z10;
    const Word t50 = z2 ^ z12;
    const Word t51 = z2 ^ z5;
    const Word t52 = z7 ^ z8;
    const Word t53 = z0 ^ z3;
    const Word t54 = z6 ^ z7;
    const Word t55 = z16 ^ z17;
    const Word t56 = z12 ^ t48;
    const Word t57 = t50 ^ t53;
    const Word t58 = z4 ^ t46;
    const Word t59 = z3 ^ t54;
    const Word t60 = t46 ^ t57;
    const Word t61 = z14 ^ t57;
    const Word t62 = t52 ^ t58;
    const Word t63 = t49 ^ t58;
    const Word t64 = z4 ^ t59;
    const Word t65 = t61 ^ t62;
    const Word t66 = z1 ^ t63;
    const Word s0 = t59 ^ t63;
    const Word s6 = t56 ^ t62;
    const Word s7 = t48 ^ t60;
    const Word t67 = t64 ^ t65;
    const Word s3 = t53 ^ t66;
    const Word s4 = t51 ^ t66;
    const Word s5 = t47 ^ t65;
    const Word s1 = t64 ^ s3;
    const Word s2 = t55 ^ t67;
    return {s7, s6, s5, s4, s3, s2, s1, s0};
}

/// SUBBYTES() (FIPS 197, Section 5.1.1) on all bytes at once.
template <class Isa>
constexpr void sub_bytes(Slices<typename Isa::Words>& s) noexcept
{
    s = substitute_without_constant(s);
    for (const unsigned i : {0U, 1U, 5U, 6U}) s[i] = ~s[i];  // the constant {63}
}

}  // namespace girih::aes
