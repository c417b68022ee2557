/// Tables for vector registers, computed at compile time.
#pragma once

#include <array>
#include <cstddef>

namespace girih::isa {

/// A table that a whole vector can be loaded from.
template <class T, std::size_t size>
struct Table {
    alignas(64) std::array<T, size> entries{};
    [[nodiscard]] constexpr const T* data() const noexcept { return entries.data(); }
};

/// entry(0), entry(1), ...
template <class T, std::size_t size, class Entry>
[[nodiscard]] constexpr Table<T, size> make_table(Entry entry)
{
    Table<T, size> table;
    for (std::size_t i = 0; i < size; ++i) table.entries[i] = static_cast<T>(entry(static_cast<int>(i)));
    return table;
}

}  // namespace girih::isa
