#include "lab/measure/random.hpp"

namespace girih::lab {

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

Bytes Random::bytes(std::size_t count)
{
    Bytes drawn(count);
    fill(drawn);
    return drawn;
}

std::int32_t Random::between(std::int64_t low, std::int64_t high)
{
    return static_cast<std::int32_t>(std::uniform_int_distribution<std::int64_t>(low, high)(engine_));
}

}  // namespace girih::lab
