/// Columns of byte strings: lists, two-dimensional buffers (NumPy) and Arrow arrays, read where
/// they are.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <typeinfo>

#include "errors.hpp"

namespace girih::python {

/// The code of a row that has a null.
inline constexpr int null_row = 1;

/// What a column has in a row. Its bytes stay until the column's life ends.
struct Cell {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
    int code = GIRIH_OK;             ///< null_row, or GIRIH_ERROR_ARGUMENT for what is no bytes
    const void* prepared = nullptr;  ///< a prepared key instead of bytes, and its type
    const std::type_info* type = nullptr;
};

/// Made, read and destroyed with the interpreter's lock held; cells are used without it.
class Column {
  public:
    Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    virtual ~Column() = default;

    /// How many rows there are; nothing if one value stands in every row.
    [[nodiscard]] virtual std::optional<std::size_t> rows() const = 0;
    /// Rows from `first` on. Every row is read once, in order.
    virtual void read(std::size_t first, std::span<Cell> out) = 0;
};

/// How a column is used.
enum class Use {
    data,  ///< read where it is
    keys,  ///< keys and contexts: one may stand for every row, and they are copied if they can change
};

/// The column of an object: of what has Arrow's PyCapsule interface, of a buffer of two dimensions
/// with bytes as elements, or of a sequence of bytes-like objects, keys and None. Throws TypeError
/// for anything else, in a row too: that is a mistake in a program, and no malformed row.
[[nodiscard]] std::unique_ptr<Column> column_of(nb::handle object, const char* name, Use use);

/// The column of an Arrow array or stream.
[[nodiscard]] std::unique_ptr<Column> arrow_column_of(nb::handle object, const char* name);

}  // namespace girih::python
