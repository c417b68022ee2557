#include "columns.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "keys.hpp"

namespace girih::python {
namespace {

/// Python objects as cells: what they need to stay is held here.
class Objects {
  public:
    /// Throws what the object's type or a wiped key makes wrong.
    Cell read(nb::handle object, const char* name)
    {
        if (object.is_none()) return {.code = null_row};
        if (PyBytes_Check(object.ptr())) {
            const Buffer bytes{object, name};
            return {bytes.data(), bytes.size()};
        }
        if (nb::isinstance<KeyPair>(object)) {
            auto pair = nb::cast<const KeyPair&>(object).get();
            const SecretVector& secret = pair->expanded;
            held_.push_back(std::move(pair));
            return {secret.data(), secret.size()};
        }
        if (nb::isinstance<PreparedSigning>(object))
            return prepared(nb::cast<const PreparedSigning&>(object).get());
        if (nb::isinstance<PreparedDecapsulation>(object))
            return prepared(nb::cast<const PreparedDecapsulation&>(object).get());
        if (nb::isinstance<PreparedVerifying>(object))
            return prepared(&nb::cast<const PreparedVerifying&>(object));
        if (nb::isinstance<PreparedEncapsulation>(object))
            return prepared(&nb::cast<const PreparedEncapsulation&>(object));
        buffers_.push_back(std::make_unique<Buffer>(object, name));
        return {buffers_.back()->data(), buffers_.back()->size()};
    }

  private:
    template <class Key>
    Cell prepared(std::shared_ptr<const Key> key)
    {
        const Cell cell = prepared(key.get());
        held_.push_back(std::move(key));
        return cell;
    }
    template <class Key>
    static Cell prepared(const Key* key)
    {
        return {.prepared = key, .type = &typeid(Key)};
    }

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<std::shared_ptr<const void>> held_;
};

/// One object in every row.
class SingleColumn : public Column {
  public:
    SingleColumn(nb::handle object, const char* name)
        : object_(nb::borrow(object)), cell_(objects_.read(object, name))
    {
    }
    [[nodiscard]] std::optional<std::size_t> rows() const override { return std::nullopt; }
    void read(std::size_t, std::span<Cell> out) override { std::fill(out.begin(), out.end(), cell_); }

  private:
    nb::object object_;
    Objects objects_;
    Cell cell_;
};

/// A sequence of objects.
class ListColumn : public Column {
  public:
    ListColumn(nb::handle object, const char* name)
        : items_(nb::steal<nb::tuple>(PySequence_Tuple(object.ptr()))), name_(name)
    {
        if (!items_.is_valid()) throw nb::python_error();
    }
    [[nodiscard]] std::optional<std::size_t> rows() const override { return items_.size(); }
    void read(std::size_t first, std::span<Cell> out) override
    {
        for (Cell& cell : out) {
            try {
                cell = objects_.read(items_[first++], name_);
            } catch (const Failure& failure) {
                cell = {.code = failure.code};
            } catch (const nb::builtin_exception&) {  // no bytes: this row alone is malformed
                cell = {.code = GIRIH_ERROR_ARGUMENT};
            } catch (nb::python_error&) {
                cell = {.code = GIRIH_ERROR_ARGUMENT};
            }
        }
    }

  private:
    nb::tuple items_;
    const char* name_;
    Objects objects_;
};

/// A buffer of two dimensions, rows and bytes.
class StridedColumn : public Column {
  public:
    StridedColumn(nb::handle object, const char* name)
    {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0)
            throw nb::python_error();
        const bool bytes =
            view_.ndim == 2 && view_.itemsize == 1 && (view_.shape[1] <= 1 || view_.strides[1] == 1);
        if (!bytes) {
            PyBuffer_Release(&view_);
            const std::string text = std::string{name} + " must have rows of uint8 that lie together";
            throw nb::type_error(text.c_str());
        }
    }
    ~StridedColumn() override { PyBuffer_Release(&view_); }
    [[nodiscard]] std::optional<std::size_t> rows() const override
    {
        return static_cast<std::size_t>(view_.shape[0]);
    }
    void read(std::size_t first, std::span<Cell> out) override
    {
        for (Cell& cell : out) {
            const auto* row = static_cast<const std::uint8_t*>(view_.buf) +
                              static_cast<Py_ssize_t>(first++) * view_.strides[0];
            cell = {row, static_cast<std::size_t>(view_.shape[1])};
        }
    }

  private:
    Py_buffer view_{};
};

/// The same of a masked array of NumPy: a row is null if anything in it is masked.
class MaskedColumn : public StridedColumn {
  public:
    MaskedColumn(nb::handle object, const char* name) : StridedColumn(object, name)
    {
        const nb::object mask = nb::module_::import_("numpy").attr("ma").attr("getmaskarray")(object);
        const auto rows = nb::cast<nb::bytes>(mask.attr("any")(nb::arg("axis") = 1).attr("tobytes")());
        nulls_.assign(rows.c_str(), rows.c_str() + rows.size());
    }
    void read(std::size_t first, std::span<Cell> out) override
    {
        StridedColumn::read(first, out);
        for (Cell& cell : out)
            if (nulls_.at(first++) != 0) cell = {.code = null_row};
    }

  private:
    std::vector<char> nulls_;
};

/// An object's buffer: how many dimensions, -1 if it has none, and whether its items are bytes.
struct Shape {
    int dimensions;
    bool of_bytes;
};
Shape shape_of(nb::handle object)
{
    if (!PyObject_CheckBuffer(object.ptr())) return {-1, false};
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        return {-1, false};
    }
    const bool opaque = view.format != nullptr && view.format[0] == 'O';
    const Shape shape{opaque ? -1 : view.ndim, view.itemsize == 1};
    PyBuffer_Release(&view);
    return shape;
}

bool is_key(nb::handle object)
{
    return nb::isinstance<KeyPair>(object) || nb::isinstance<PreparedSigning>(object) ||
           nb::isinstance<PreparedDecapsulation>(object) || nb::isinstance<PreparedVerifying>(object) ||
           nb::isinstance<PreparedEncapsulation>(object);
}

}  // namespace

std::unique_ptr<Column> column_of(nb::handle object, const char* name, bool single)
{
    if (single && is_key(object)) return std::make_unique<SingleColumn>(object, name);
    if (nb::hasattr(object, "__arrow_c_stream__") || nb::hasattr(object, "__arrow_c_array__"))
        return arrow_column_of(object, name);
    const Shape shape = shape_of(object);
    if (shape.dimensions == 2 && has_mask(object)) return std::make_unique<MaskedColumn>(object, name);
    if (shape.dimensions == 2) return std::make_unique<StridedColumn>(object, name);
    if (single && (shape.dimensions == 0 || shape.dimensions == 1) && shape.of_bytes)
        return std::make_unique<SingleColumn>(object, name);
    if (shape.dimensions >= 0 || PyUnicode_Check(object.ptr()) || is_key(object)) {
        const std::string text =
            std::string{name} + " must be a column: a sequence, an array of rows or Arrow's";
        throw nb::type_error(text.c_str());
    }
    return std::make_unique<ListColumn>(object, name);
}

}  // namespace girih::python
