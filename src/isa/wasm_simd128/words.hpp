/// Two Keccak states in WebAssembly's vectors, one in each 64-bit lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "isa/vectors_128.hpp"

namespace girih::isa::wasm_simd128 {

struct TwoWords : TwoStateLanes<TwoWords> {
    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        if constexpr (bits == 0)
            return a;
        else if constexpr (bits % 8 == 0)
            return rotate_bytes<bits / 8>(a, std::make_index_sequence<16>{});
        else
            return a << bits | a >> (64 - bits);
    }

  private:
    /// A rotation by whole bytes is one instruction.
    template <std::size_t bytes, std::size_t... i>
    [[nodiscard]] static Words rotate_bytes(Words a, std::index_sequence<i...>) noexcept
    {
        using Bytes = std::uint8_t __attribute__((vector_size(16)));
        const auto b = reinterpret_cast<Bytes>(a);
        return reinterpret_cast<Words>(__builtin_shufflevector(b, b, (i / 8 * 8 + (i + 8 - bytes) % 8)...));
    }
};

}  // namespace girih::isa::wasm_simd128
