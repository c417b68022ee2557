/// Memory-mapped registers of devices.
#pragma once

#include <cstdint>

namespace girih::firmware::board {

/// A 32-bit register. Accesses are volatile.
class Register {
  public:
    constexpr explicit Register(std::uintptr_t address) : address_(address) {}

    [[nodiscard]] std::uint32_t read() const { return *at(); }
    void write(std::uint32_t value) const { *at() = value; }

    void set(std::uint32_t bits) const { write(read() | bits); }
    void clear(std::uint32_t bits) const { write(read() & ~bits); }
    /// Replaces the bits of `mask` by those of `value`.
    void change(std::uint32_t mask, std::uint32_t value) const { write((read() & ~mask) | value); }

    void wait_for(std::uint32_t bits) const
    {
        while ((read() & bits) != bits) {
        }
    }
    void wait_until(std::uint32_t mask, std::uint32_t value) const
    {
        while ((read() & mask) != value) {
        }
    }

  private:
    [[nodiscard]] volatile std::uint32_t* at() const
    {
        return reinterpret_cast<volatile std::uint32_t*>(address_);
    }

    std::uintptr_t address_;
};

}  // namespace girih::firmware::board
