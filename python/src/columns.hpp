/// Columns of byte strings: lists, two-dimensional buffers (NumPy) and Arrow arrays, read in place.
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

/// The code of a row with a null.
inline constexpr int null_row = 1;

/// The cell of a column in one row. Its bytes live as long as the column.
struct Cell {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
    int code = GIRIH_OK;             ///< null_row, or GIRIH_ERROR_ARGUMENT for invalid rows
    bool checked = false;            ///< the bytes are those of a KeyPair
    const void* prepared = nullptr;  ///< a prepared key instead of bytes, and its type
    const std::type_info* type = nullptr;
};

/// Columns are made, read and destroyed with the interpreter's lock held; cells are used without
/// it.
class Column {
  public:
    Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    virtual ~Column() = default;

    /// The number of rows; nothing if one value serves all rows.
    [[nodiscard]] virtual std::optional<std::size_t> rows() const = 0;
    /// Reads rows from `first` on. Every row is read once, in order.
    virtual void read(std::size_t first, std::span<Cell> out) = 0;
};

/// The use of a column.
enum class Use {
    data,  ///< read in place
    keys,  ///< keys and contexts: one may serve all rows, and mutable ones are copied
};

/// The column of an object with Arrow's PyCapsule interface, of a two-dimensional buffer of bytes,
/// or of a sequence of bytes-like objects, keys and None. Throws TypeError for anything else, also
/// in a row: that is a mistake in a program, not a malformed row.
[[nodiscard]] std::unique_ptr<Column> column_of(nb::handle object, const char* name, Use use);

/// The column of an Arrow array or stream.
[[nodiscard]] std::unique_ptr<Column> arrow_column_of(nb::handle object, const char* name);

}  // namespace girih::python
