/// What the rows work on: random, so that no figure depends on a lucky input.
#pragma once

#include <cstdint>
#include <random>

#include "core/bytes.hpp"
#include "ml_dsa/lattice/poly.hpp"

namespace girih::bench {

/// Random numbers for measuring, not for keys that anybody uses.
class Random {
  public:
    /// Other numbers in every run.
    Random();
    /// The same numbers in every run.
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    void fill(BytesOut<> bytes);
    /// A number between two bounds, both included.
    [[nodiscard]] std::int32_t between(std::int64_t low, std::int64_t high);

  private:
    std::mt19937_64 engine_;
};

/// Random coefficients between two bounds, both included.
[[nodiscard]] ml_dsa::Coefficients random_coefficients(std::int64_t low, std::int64_t high);

}  // namespace girih::bench
