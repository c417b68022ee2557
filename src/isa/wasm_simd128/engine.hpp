/// The engine of WebAssembly's 128-bit vectors: two Keccak states, four integers.
#pragma once

#include <string_view>

#include "isa/wasm_simd128/integers.hpp"
#include "isa/wasm_simd128/words.hpp"

namespace girih::isa::wasm_simd128 {

struct Isa : FourIntegers<Isa> {
    static constexpr std::string_view name = "wasm_simd128";
    static constexpr bool saves_bytes = true;
    using WideWords = TwoWords;
    using CipherWords = WideWords;
};

}  // namespace girih::isa::wasm_simd128
