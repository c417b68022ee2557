/// The NEON engine with the SHA-3 instructions EOR3, RAX1, XAR and BCAX. Included inside the target
/// region of operations.cpp.in.
#pragma once

#include <arm_neon.h>

#include <string_view>

#include "isa/neon/aes.hpp"
#include "isa/neon/integers.hpp"
#include "isa/neon/sha512.hpp"
#include "isa/neon/words.hpp"

namespace girih::isa::neon_sha3 {

/// Two Keccak states, each step of a round one instruction.
struct TwoWords : neon::RotatedWords<TwoWords> {
    template <int bits>
    [[nodiscard]] static Words rotate_sum_left(Words a, Words b) noexcept
    {
        return of(vxarq_u64(raw(a), raw(b), (64 - bits) % 64));
    }
    [[nodiscard]] static Words add_rotated(Words a, Words b) noexcept
    {
        return of(vrax1q_u64(raw(a), raw(b)));
    }
    [[nodiscard]] static Words chi(Words a, Words b, Words c) noexcept
    {
        return of(vbcaxq_u64(raw(a), raw(c), raw(b)));
    }
    [[nodiscard]] static Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return of(veor3q_u64(veor3q_u64(raw(a), raw(b), raw(c)), raw(d), raw(e)));
    }
};

struct Isa : neon::FourIntegers<Isa> {
    static constexpr std::string_view name = "neon_sha3";
    using WideWords = TwoWords;
    using SerialWords = neon::SerialState<Isa>;
    using CipherWords = WideWords;
    using AesInstructions = neon::AesInstructions<Isa>;
    struct HashWords : SerialWords {
        using Sha512Instructions = neon::Sha512Instructions<Isa>;
    };
};

}  // namespace girih::isa::neon_sha3
