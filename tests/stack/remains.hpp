/// Looks for what is left of secrets in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/bytes.hpp"
#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/lattice/poly.hpp"

namespace girih::stack {

using Memory = std::span<const std::uint8_t>;

/// Bytes found, by the name of the secret.
using Remains = std::map<std::string, std::size_t>;

/// Secrets by name, and the pieces of them by which they are recognised anywhere in memory. A piece
/// is telling: long and random enough that it does not turn up by chance.
class Secrets {
  public:
    /// Bytes that look random: any eight of them in a row, from a multiple of eight on, are a
    /// piece.
    void add(const std::string& name, Memory secret)
    {
        for (std::size_t i = 0; i + 8 <= secret.size(); i += 8) add_piece(name, secret.subspan(i, 8));
    }

    /// Words of a Keccak state.
    void add(const std::string& name, std::span<const std::uint64_t> words) { add(name, memory_of(words)); }

    /// Coefficients of 18 bits or more: any two in a row, from an even one on.
    void add_large(const std::string& name, const ml_dsa::Coefficients& c)
    {
        add(name, memory_of(std::span<const std::int32_t>{c}));
    }

    /// Smaller coefficients: any four in a row, from an even one on, of which at least two are
    /// neither 0, 1 nor -1 (a challenge and a hint have no others), at least three not 0 (as they
    /// are in two small lengths), and not all are the same (as in a vector of a constant).
    void add_small(const std::string& name, const ml_dsa::Coefficients& c)
    {
        for (std::size_t i = 0; i + 4 <= c.size(); i += 2) {
            const std::span<const std::int32_t> four{&c[i], 4};
            if (std::ranges::count_if(four, [](std::int32_t x) { return x > 1 || x < -1; }) >= 2 &&
                std::ranges::count(four, 0) <= 1 && std::ranges::count(four, four[0]) < 4)
                add_piece(name, memory_of(four));
        }
    }

    /// The same coefficients in a byte each: any eight in a row, of which at least four are
    /// neither 0, 1 nor -1.
    void add_small_bytes(const std::string& name, const ml_dsa::Coefficients& c)
    {
        std::array<std::int8_t, ml_dsa::n> bytes;
        std::ranges::transform(c, bytes.begin(), [](std::int32_t x) { return static_cast<std::int8_t>(x); });
        add_small_bytes(name, std::span<const std::int8_t>{bytes});
    }
    void add_small_bytes(const std::string& name, std::span<const std::int8_t> c)
    {
        for (std::size_t i = 0; i + 8 <= c.size(); i += 8) {
            const auto eight = c.subspan(i, 8);
            if (std::ranges::count_if(eight, [](std::int8_t x) { return x > 1 || x < -1; }) >= 4)
                add_piece(name, memory_of(eight));
        }
    }

    /// Coefficients that are 0, 1 or -1, in a byte or in two each: any sixteen in a row,
    /// from a multiple of eight on, of which there are at least three of each kind (as in
    /// no table or mask).
    void add_trits(const std::string& name, std::span<const std::int8_t> c)
    {
        for (std::size_t i = 0; i + 16 <= c.size(); i += 8) {
            const auto sixteen = c.subspan(i, 16);
            if (std::ranges::count(sixteen, 0) < 3 || std::ranges::count(sixteen, 1) < 3 ||
                std::ranges::count(sixteen, -1) < 3)
                continue;
            const std::vector<std::int16_t> wide(sixteen.begin(), sixteen.end());
            add_piece(name + ", in bytes", memory_of(sixteen));
            add_piece(name + ", in words", memory_of(std::span{wide}));
        }
    }

    /// How many bytes of each secret are in the memory.
    [[nodiscard]] Remains remains_in(Memory memory) const
    {
        Remains found;
        for (std::size_t i = 0; i + 8 <= memory.size(); ++i) {
            const auto [first, last] = pieces_.equal_range(head(memory.subspan(i)));
            for (auto piece = first; piece != last; ++piece) {
                const auto& [name, bytes] = piece->second;
                if (bytes.size() <= memory.size() - i && std::equal(bytes.begin(), bytes.end(), &memory[i]))
                    found[name] += bytes.size();
            }
        }
        return found;
    }

  private:
    struct Piece {
        std::string name;
        std::vector<std::uint8_t> bytes;
    };

    template <class T, std::size_t extent>
    static Memory memory_of(std::span<T, extent> values)
    {
        return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
    }

    static std::uint64_t head(Memory bytes)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        return word;
    }

    void add_piece(const std::string& name, Memory bytes)
    {
        if (head(bytes) != 0) pieces_.emplace(head(bytes), Piece{name, {bytes.begin(), bytes.end()}});
    }

    std::unordered_multimap<std::uint64_t, Piece> pieces_;
};

/// The states of a sponge that absorbs less than one block and squeezes `blocks`: before the last
/// round of each permutation and behind it. The input follows from any of them.
template <keccak::Function function>
std::vector<std::uint64_t> sponge_states(Memory input, std::size_t blocks)
{
    using Lanes = isa::portable::Isa::SerialWords;
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

}  // namespace girih::stack
