/// Searches memory for remains of secrets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace girih::stack {

using Memory = std::span<const std::uint8_t>;

template <class T, std::size_t extent>
Memory memory_of(std::span<T, extent> values)
{
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

/// Bytes found, by the name of the secret.
using Remains = std::map<std::string, std::size_t>;

/// Secrets by name, and the pieces of them by which they are recognised anywhere in memory. A piece
/// is telling: long and random enough that it does not turn up by chance.
class Secrets {
  public:
    /// Values that look random: any eight bytes in a row, from a multiple of eight on, are a piece.
    template <class Values>
    void add(const std::string& name, const Values& values)
    {
        const Memory secret = memory_of(std::span{values});
        for (std::size_t i = 0; i + 8 <= secret.size(); i += 8) add_piece(name, secret.subspan(i, 8));
    }

    /// Small coefficients: any eight bytes in a row, or four that are longer, of which half are
    /// neither 0, 1 nor -1 (a challenge and a hint have no others), three quarters not 0 (as they
    /// are in two small lengths), and not all the same (as in a vector of a constant). Among 32-bit
    /// coefficients none may be 0, which is the upper half of a small 64-bit number: a challenge's
    /// last coefficient in front of a counter and a length is no secret.
    template <class Coefficients>
    void add_small(const std::string& name, const Coefficients& coefficients)
    {
        const std::span all{coefficients};
        constexpr std::size_t step = 8 / sizeof(all[0]);
        constexpr std::size_t count = std::max<std::size_t>(step, 4);
        for (std::size_t i = 0; i + count <= all.size(); i += step) {
            const auto some = all.subspan(i, count);
            const auto large = std::ranges::count_if(some, [](auto x) { return x > 1 || x < -1; });
            const std::ptrdiff_t zeros = sizeof(some[0]) == 4 ? 0 : std::ssize(some) / 4;
            if (2 * large >= std::ssize(some) && std::ranges::count(some, 0) <= zeros &&
                std::ranges::count(some, some[0]) < std::ssize(some))
                add_piece(name, memory_of(some));
        }
    }

    /// Coefficients that are 0, 1 or -1, in a byte or in two each: any sixteen in a row,
    /// from a multiple of eight on, of which there are at least three of each kind (as in
    /// no table or mask).
    void add_trits(const std::string& name, std::span<const std::int8_t> c)
    {
        for (std::size_t i = 0; i + 16 <= c.size(); i += 8) {
            const auto some = c.subspan(i, 16);
            const auto is_rare = [&](int trit) { return std::ranges::count(some, trit) < 3; };
            if (is_rare(0) || is_rare(1) || is_rare(-1)) continue;
            const std::vector<std::int16_t> wide(some.begin(), some.end());
            add_piece(name + ", in bytes", memory_of(some));
            add_piece(name + ", in words", memory_of(std::span{wide}));
        }
    }

    /// How many bytes of each secret are in the memory.
    [[nodiscard]] Remains remains_in(Memory memory) const
    {
        Remains found;
        for (std::size_t i = 0; i + 8 <= memory.size(); ++i) {
            const std::uint64_t word = head(memory.subspan(i));
            if (!may_be_head_[word % may_be_head_.size()]) continue;
            const auto [first, last] = pieces_.equal_range(word);
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

    static std::uint64_t head(Memory bytes)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        return word;
    }

    void add_piece(const std::string& name, Memory bytes)
    {
        const std::uint64_t word = head(bytes);
        if (word == 0) return;
        may_be_head_[word % may_be_head_.size()] = true;
        pieces_.emplace(word, Piece{name, {bytes.begin(), bytes.end()}});
    }

    std::unordered_multimap<std::uint64_t, Piece> pieces_;
    std::vector<bool> may_be_head_ = std::vector<bool>(std::size_t{1} << 20);  ///< asked for each byte
};

}  // namespace girih::stack
