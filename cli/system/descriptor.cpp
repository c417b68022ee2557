#include "cli/system/descriptor.hpp"

#include <utility>

namespace girih::cli {

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() { (void)close(); }

bool Descriptor::close() noexcept
{
    const int number = std::exchange(number_, -1);
    return number < 0 || system::close(number);
}

}  // namespace girih::cli
