#include "bench/support/inputs.hpp"

namespace girih::bench {

namespace {

std::uint64_t system_seed()
{
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

}  // namespace

Random::Random() : Random(system_seed()) {}

void Random::fill(BytesOut<> bytes)
{
    for (Byte& byte : bytes) byte = static_cast<Byte>(engine_());
}

std::int32_t Random::between(std::int64_t low, std::int64_t high)
{
    return static_cast<std::int32_t>(std::uniform_int_distribution<std::int64_t>(low, high)(engine_));
}

ml_dsa::Coefficients random_coefficients(std::int64_t low, std::int64_t high)
{
    Random random;
    ml_dsa::Coefficients coefficients;
    for (std::int32_t& c : coefficients) c = random.between(low, high);
    return coefficients;
}

}  // namespace girih::bench
