/// What a sponge of SHAKE256 has in its state: any of it gives the input away.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/bytes.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"

namespace girih::stack {

/// The states of a sponge that absorbs less than one block and squeezes `blocks`: before the last
/// round of each permutation and behind it.
inline std::vector<std::uint64_t> sponge_states(BytesIn<> input, std::size_t blocks)
{
    using Lanes = isa::portable::Isa::SerialWords;
    constexpr keccak::Function function = keccak::shake256_function;
    std::array<std::uint8_t, 200> block{};
    std::ranges::copy(input, block.begin());
    block[input.size()] = function.suffix;
    block[function.rate - 1] |= 0x80;
    keccak::State<Lanes> state;
    for (std::size_t i = 0; i < keccak::words; ++i) state[i] = load_le64(&block[8 * i]);

    std::vector<std::uint64_t> states;
    for (std::size_t i = 0; i < blocks; ++i) {
        for (const std::uint64_t constant : keccak::tables::round_constants) {
            const keccak::State<Lanes> before = state;
            if (constant == keccak::tables::round_constants.back())
                states.insert(states.end(), before.begin(), before.end());
            keccak::round<Lanes>(before, state, constant);
        }
        states.insert(states.end(), state.begin(), state.end());
    }
    return states;
}

/// Of a seed with a number behind it.
inline std::vector<std::uint64_t> numbered_sponge_states(BytesIn<> seed, std::size_t number,
                                                         std::size_t blocks)
{
    std::vector<Byte> numbered{seed.begin(), seed.end()};
    numbered.insert(numbered.end(), {static_cast<Byte>(number), static_cast<Byte>(number >> 8)});
    return sponge_states(numbered, blocks);
}

}  // namespace girih::stack
