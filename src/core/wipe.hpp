/// Erasing secrets from memory, in a way that no optimiser removes.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "core/compiler.hpp"

namespace girih {

/// Overwrites memory with zero bytes, even if it is never read again.
void wipe_memory(void* data, std::size_t bytes) noexcept;

/// Overwrites an object with zero bytes. Does nothing in constant evaluation, where no memory
/// outlives the expression.
template <class T>
    requires std::is_trivially_copyable_v<T>
constexpr void wipe(T& object) noexcept
{
    if (!std::is_constant_evaluated()) wipe_memory(&object, sizeof object);
}

/// Overwrites everything that a view covers.
template <class T, std::size_t n>
    requires std::is_trivially_copyable_v<T>
constexpr void wipe(std::span<T, n> objects) noexcept
{
    if (!std::is_constant_evaluated() && !objects.empty()) wipe_memory(objects.data(), objects.size_bytes());
}

/// Copies a secret by a call that is not inlined: inlined, it might be spilled to the caller's
/// stack, where nothing wipes it.
void copy_secret(const void* from, void* to, std::size_t bytes) noexcept;
/// Copies a secret array; also in constant evaluation.
template <class T, std::size_t n>
constexpr void copy_secret(std::span<const T, n> from, std::span<T, n> to) noexcept
{
    static_assert(n != std::dynamic_extent);
    if (!std::is_constant_evaluated()) return copy_secret(from.data(), to.data(), from.size_bytes());
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

/// Overwrites `bytes` bytes of the stack below the caller, where earlier calls had their variables
/// and spilled registers. A permutation of eight Keccak states and its callers use less than 4096
/// bytes.
[[gnu::noinline]] void wipe_stack_below(std::size_t bytes = 4096) noexcept;

/// Tag for a value that is left uninitialised because it is written before it is read.
struct Uninitialized {};
inline constexpr Uninitialized uninitialized{};

/// A value that is wiped when its scope ends: `Wiped<Poly> s;`, used as `s.value` or `*s`.
template <class T>
struct Wiped {
    T value;

    constexpr Wiped() : value{} {}
    constexpr explicit Wiped(Uninitialized) {}
    constexpr explicit Wiped(const T& initial) : value(initial) {}
    Wiped(const Wiped&) = delete;
    Wiped& operator=(const Wiped&) = delete;
    constexpr ~Wiped() { wipe(value); }

    [[nodiscard]] constexpr T& operator*() noexcept { return value; }
    [[nodiscard]] constexpr const T& operator*() const noexcept { return value; }
    [[nodiscard]] constexpr T* operator->() noexcept { return &value; }
    [[nodiscard]] constexpr const T* operator->() const noexcept { return &value; }
};

}  // namespace girih
