/// Arrow columns, through the PyCapsule interface.
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_c.hpp"
#include "columns.hpp"

namespace girih::python {
namespace {

/// A structure that its producer frees.
template <class Structure>
struct Owned {
    Structure value{};

    Owned() = default;
    Owned(Owned&& other) noexcept : value(std::exchange(other.value, {})) {}
    Owned& operator=(Owned&&) = delete;
    ~Owned()
    {
        if (value.release != nullptr) value.release(&value);
    }
};

/// Takes the content of a capsule; fails, naming `column`, if it was taken before.
template <class Structure>
void take(Structure& into, nb::handle capsule, const char* name, const std::string& column)
{
    auto* held = static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (held == nullptr) throw nb::python_error();
    if (held->release == nullptr)
        fail(GIRIH_ERROR_ARGUMENT, column, std::string{"its "} + name + " was used up");
    into = std::exchange(*held, {});
}

enum class Layout { offsets_32, offsets_64, fixed, views, nothing };

struct Type {
    Layout layout = Layout::nothing;
    std::int64_t width = 0;  ///< of fixed

    /// The minimum number of an array's buffers.
    [[nodiscard]] std::int64_t buffers() const noexcept
    {
        if (layout == Layout::nothing) return 0;
        return layout == Layout::fixed || layout == Layout::views ? 2 : 3;
    }
};

/// The type of a column in the words of its library, or the format of Arrow's C interface.
std::string type_name(nb::handle column, std::string_view format)
{
    for (const char* attribute : {"type", "dtype"})
        if (nb::hasattr(column, attribute))
            return nb::cast<std::string>(column.attr(attribute).attr("__str__")());
    return "format '" + std::string{format} + "'";
}

Type type_of(std::string_view format, const std::string& name, nb::handle column)
{
    if (format == "z") return {Layout::offsets_32};
    if (format == "Z") return {Layout::offsets_64};
    if (format == "vz") return {Layout::views};
    if (format == "n") return {Layout::nothing};
    if (format.starts_with("w:")) return {Layout::fixed, std::stoll(std::string{format.substr(2)})};
    const bool strings = format == "u" || format == "U" || format == "vu";
    const std::string text =
        name +
        " must be an Arrow column of binary, large_binary, binary_view, fixed-size binary or a "
        "dictionary of these, not " +
        (strings          ? "of strings"
         : format == "+s" ? "a table"
                          : "of " + type_name(column, format));
    throw nb::type_error(text.c_str());
}

template <class T>
T at(const void* buffer, std::int64_t index)
{
    T value;
    std::memcpy(&value, static_cast<const char*>(buffer) + index * static_cast<std::int64_t>(sizeof(T)),
                sizeof value);
    return value;
}

bool is_null(const ArrowArray& array, std::int64_t index)
{
    const auto* bitmap = array.n_buffers > 0 ? static_cast<const std::uint8_t*>(array.buffers[0]) : nullptr;
    return bitmap != nullptr && ((bitmap[index / 8] >> (index % 8)) & 1) == 0;
}

/// The bytes between two offsets, of `size`; GIRIH_ERROR_LENGTH if they run backwards or beyond.
Cell between(const void* bytes, std::int64_t begin, std::int64_t end, std::int64_t size)
{
    if (begin < 0 || end < begin || end > size) return {.code = GIRIH_ERROR_LENGTH};
    return {static_cast<const std::uint8_t*>(bytes) + begin, static_cast<std::size_t>(end - begin)};
}

/// The bytes between two offsets of a row; the last offset is the end of all bytes.
template <class Offset>
Cell between_offsets(const ArrowArray& array, std::int64_t index)
{
    const void* offsets = array.buffers[1];
    return between(array.buffers[2], at<Offset>(offsets, index), at<Offset>(offsets, index + 1),
                   at<Offset>(offsets, array.offset + array.length));
}

Cell view(const ArrowArray& array, std::int64_t index)
{
    const auto* slot = static_cast<const std::uint8_t*>(array.buffers[1]) + 16 * index;
    const auto length = at<std::int32_t>(slot, 0);
    if (length <= 12) return between(slot + 4, 0, length, 12);
    const auto buffer = at<std::int32_t>(slot, 2);
    const std::int64_t begin = at<std::int32_t>(slot, 3);
    const std::int64_t sizes = array.n_buffers - 1;  // the last buffer has the sizes of the others
    if (buffer < 0 || 2 + std::int64_t{buffer} >= sizes) return {.code = GIRIH_ERROR_LENGTH};
    return between(array.buffers[2 + std::int64_t{buffer}], begin, begin + length,
                   at<std::int64_t>(array.buffers[sizes], buffer));
}

/// A value of an array that is not a dictionary; `row` is relative to the array's own start.
Cell value(const ArrowArray& array, Type type, std::int64_t row)
{
    const std::int64_t index = row + array.offset;
    if (type.layout == Layout::nothing || is_null(array, index)) return {.code = null_row};
    switch (type.layout) {
        case Layout::offsets_32:
            return between_offsets<std::int32_t>(array, index);
        case Layout::offsets_64:
            return between_offsets<std::int64_t>(array, index);
        case Layout::fixed:
            return between(array.buffers[1], index * type.width, (index + 1) * type.width,
                           (index + 1) * type.width);
        default:
            return view(array, index);
    }
}

/// An index of a dictionary.
std::int64_t dictionary_index(const ArrowArray& array, char format, std::int64_t index)
{
    switch (format) {
        case 'c':
            return at<std::int8_t>(array.buffers[1], index);
        case 'C':
            return at<std::uint8_t>(array.buffers[1], index);
        case 's':
            return at<std::int16_t>(array.buffers[1], index);
        case 'S':
            return at<std::uint16_t>(array.buffers[1], index);
        case 'i':
            return at<std::int32_t>(array.buffers[1], index);
        case 'I':
            return at<std::uint32_t>(array.buffers[1], index);
        default:
            return at<std::int64_t>(array.buffers[1], index);
    }
}

class ArrowColumn : public Column {
  public:
    ArrowColumn(nb::handle object, const std::string& name) : object_(nb::borrow(object))
    {
        if (nb::hasattr(object, "__arrow_c_stream__"))
            read_stream(object.attr("__arrow_c_stream__")(), name);
        else
            read_array(object.attr("__arrow_c_array__")(), name);
        for (const auto& chunk : chunks_) {
            demand_structure(chunk.value, name);
            rows_ += static_cast<std::size_t>(chunk.value.length);
        }
    }

    [[nodiscard]] std::optional<std::size_t> rows() const override { return rows_; }

    void read(std::size_t first, std::span<Cell> out) override
    {
        for (Cell& cell : out) {
            while (first - before_ >= static_cast<std::size_t>(chunks_[chunk_].value.length))
                before_ += static_cast<std::size_t>(chunks_[chunk_++].value.length);
            cell = read_row(chunks_[chunk_].value, static_cast<std::int64_t>(first - before_));
            ++first;
        }
    }

  private:
    void understand(const ArrowSchema& schema, const std::string& name)
    {
        const bool encoded = schema.dictionary != nullptr;
        if (encoded) index_ = schema.format[0];
        type_ = type_of(encoded ? schema.dictionary->format : schema.format, name, object_);
    }

    void read_array(const nb::object& pair, const std::string& name)
    {
        Owned<ArrowSchema> schema;
        take(schema.value, pair[0], "arrow_schema", name);
        understand(schema.value, name);
        take(chunks_.emplace_back().value, pair[1], "arrow_array", name);
    }

    void read_stream(const nb::object& capsule, const std::string& name)
    {
        Owned<ArrowArrayStream> stream;
        take(stream.value, capsule, "arrow_array_stream", name);
        Owned<ArrowSchema> schema;
        demand(stream.value, stream.value.get_schema(&stream.value, &schema.value), name);
        understand(schema.value, name);
        for (;;) {
            Owned<ArrowArray> chunk;
            demand(stream.value, stream.value.get_next(&stream.value, &chunk.value), name);
            if (chunk.value.release == nullptr) return;
            chunks_.push_back(std::move(chunk));
        }
    }

    /// Checks the structure that reading rows relies on.
    void demand_structure(const ArrowArray& array, const std::string& name) const
    {
        const bool encoded = index_ != '\0';
        const bool fits =
            counts(array, encoded ? 2 : type_.buffers()) &&
            (!encoded || (array.dictionary != nullptr && counts(*array.dictionary, type_.buffers())));
        if (!fits)
            fail(GIRIH_ERROR_ARGUMENT, name, "an Arrow array with a negative length or too few buffers");
    }
    static bool counts(const ArrowArray& array, std::int64_t buffers)
    {
        return array.length >= 0 && array.offset >= 0 && array.n_buffers >= buffers;
    }

    static void demand(ArrowArrayStream& stream, int status, const std::string& name)
    {
        if (status == 0) return;
        const char* said = stream.get_last_error(&stream);
        fail(GIRIH_ERROR_ARGUMENT, name, said != nullptr ? said : "its Arrow stream failed");
    }

    [[nodiscard]] Cell read_row(const ArrowArray& array, std::int64_t row) const
    {
        if (index_ == '\0') return value(array, type_, row);
        const std::int64_t place = row + array.offset;
        if (is_null(array, place)) return {.code = null_row};
        const std::int64_t index = dictionary_index(array, index_, place);
        if (index < 0 || index >= array.dictionary->length) return {.code = GIRIH_ERROR_LENGTH};
        return value(*array.dictionary, type_, index);
    }

    nb::object object_;
    std::vector<Owned<ArrowArray>> chunks_;
    Type type_;
    char index_ = '\0';  ///< the format of a dictionary's indices
    std::size_t rows_ = 0;
    std::size_t chunk_ = 0;   ///< the position of read():
    std::size_t before_ = 0;  ///< the rows in earlier chunks
};

}  // namespace

std::unique_ptr<Column> arrow_column_of(nb::handle object, const char* name)
{
    std::string full = name, column;
    if (nb::hasattr(object, "name") && nb::try_cast(object.attr("name"), column))
        full += " (column '" + column + "')";
    return std::make_unique<ArrowColumn>(object, full);
}

}  // namespace girih::python
