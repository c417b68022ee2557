/// Random numbers for measuring, not for keys that anybody uses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "core/bytes.hpp"

namespace girih::lab {

using Bytes = std::vector<Byte>;

class Random {
  public:
    /// Other numbers in every run.
    Random();
    /// The same numbers in every run.
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    void fill(BytesOut<> bytes);
    [[nodiscard]] Bytes bytes(std::size_t count);
    /// A number between two bounds, both included.
    [[nodiscard]] std::int32_t between(std::int64_t low, std::int64_t high);

    template <class Items>
    void shuffle(Items& items)
    {
        std::shuffle(items.begin(), items.end(), engine_);
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace girih::lab
