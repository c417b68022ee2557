#include "columns.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "keys.hpp"

namespace girih::python {
namespace {

/// Cells of Python objects, which this keeps alive.
class Objects {
  public:
    explicit Objects(Use use) : use_(use) {}

    /// Throws for a wrong type or a wiped key.
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
            return {.data = secret.data(), .size = secret.size(), .checked = true};
        }
        if (nb::isinstance<PreparedSigning>(object))
            return prepared(nb::cast<const PreparedSigning&>(object).get());
        if (nb::isinstance<PreparedDecapsulation>(object))
            return prepared(nb::cast<const PreparedDecapsulation&>(object).get());
        if (nb::isinstance<PreparedVerifying>(object))
            return prepared(&nb::cast<const PreparedVerifying&>(object));
        if (nb::isinstance<PreparedEncapsulation>(object))
            return prepared(&nb::cast<const PreparedEncapsulation&>(object));
        const BytesIn bytes = buffers_.emplace_back(std::make_unique<Buffer>(object, name))->bytes();
        if (use_ == Use::data) return {bytes.data(), bytes.size()};
        SecretVector& copy = copies_[{bytes.data(), bytes.size()}];
        if (copy.empty()) copy.assign(bytes.begin(), bytes.end());
        return {copy.data(), copy.size()};
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

    Use use_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::map<std::pair<const std::uint8_t*, std::size_t>, SecretVector>
        copies_;  ///< by the place of the original
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
    Objects objects_{Use::keys};
    Cell cell_;
};

/// A sequence of objects. The constructor reads all of them, so that wrong objects are found before
/// any work, and later changes of keys have no effect.
class ListColumn : public Column {
  public:
    ListColumn(nb::handle object, const char* name, Use use)
        : items_(nb::steal<nb::tuple>(PySequence_Tuple(object.ptr()))), objects_(use)
    {
        if (!items_.is_valid()) throw nb::python_error();
        cells_.reserve(items_.size());
        for (const nb::handle item : items_) cells_.push_back(read_object(item, name));
    }
    [[nodiscard]] std::optional<std::size_t> rows() const override { return cells_.size(); }
    void read(std::size_t first, std::span<Cell> out) override
    {
        std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    }

  private:
    Cell read_object(nb::handle item, const char* name)
    {
        const auto row = [&] { return "row " + std::to_string(cells_.size()) + " of "; };
        try {
            return objects_.read(item, name);
        } catch (const Failure& failure) {  // a wiped key
            return {.code = failure.code};
        } catch (const nb::builtin_exception& error) {
            throw nb::type_error((row() + error.what()).c_str());
        } catch (nb::python_error& error) {
            if (!error.matches(PyExc_Exception)) throw;
            nb::raise_from(error, PyExc_ValueError, "%s%s cannot be read", row().c_str(), name);
        }
    }

    nb::tuple items_;
    Objects objects_;
    std::vector<Cell> cells_;
};

/// A two-dimensional buffer, of rows and bytes, or one dimension of NumPy's unstructured void type.
class StridedColumn : public Column {
  public:
    StridedColumn(nb::handle object, const char* name, Use use)
    {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
        if (view_.ndim == 2 && (!has_bytes(view_) || (view_.shape[1] > 1 && view_.strides[1] != 1))) {
            PyBuffer_Release(&view_);
            const std::string text = std::string{name} + " must have rows of uint8 that lie together";
            throw nb::type_error(text.c_str());
        }
        data_ = static_cast<const std::uint8_t*>(view_.buf);
        stride_ = view_.strides[0];
        if (use == Use::keys) copy();
    }
    ~StridedColumn() override { PyBuffer_Release(&view_); }
    [[nodiscard]] std::optional<std::size_t> rows() const override
    {
        return static_cast<std::size_t>(view_.shape[0]);
    }
    void read(std::size_t first, std::span<Cell> out) override
    {
        for (Cell& cell : out) cell = {row(first++), width()};
    }

  private:
    [[nodiscard]] std::size_t width() const noexcept
    {
        return static_cast<std::size_t>(view_.ndim == 2 ? view_.shape[1] : view_.itemsize);
    }
    [[nodiscard]] const std::uint8_t* row(std::size_t index) const noexcept
    {
        return data_ + static_cast<Py_ssize_t>(index) * stride_;
    }
    /// A broadcast row stays a single row.
    void copy()
    {
        const auto rows =
            static_cast<std::size_t>(stride_ != 0 ? view_.shape[0] : std::min<Py_ssize_t>(view_.shape[0], 1));
        copy_.reserve(rows * width());
        for (std::size_t i = 0; i < rows; ++i) copy_.insert(copy_.end(), row(i), row(i) + width());
        data_ = copy_.data();
        stride_ = stride_ != 0 ? static_cast<Py_ssize_t>(width()) : 0;
    }

    Py_buffer view_{};
    const std::uint8_t* data_;
    Py_ssize_t stride_;
    SecretVector copy_;
};

/// A NumPy masked array: a row is null if anything in it is masked.
class MaskedColumn : public StridedColumn {
  public:
    MaskedColumn(nb::handle object, const char* name, Use use) : StridedColumn(object, name, use)
    {
        nb::object mask = nb::module_::import_("numpy").attr("ma").attr("getmaskarray")(object);
        if (nb::cast<int>(mask.attr("ndim")) == 2) mask = mask.attr("any")(nb::arg("axis") = 1);
        const auto rows = nb::cast<nb::bytes>(mask.attr("tobytes")());
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

/// The shape of an object's buffer of bytes or numbers, if it has one.
struct Shape {
    int dimensions = -1;
    bool is_row = false;
    bool of_strings = false;
    bool of_rows = false;
};
Shape shape_of(nb::handle object)
{
    if (!PyObject_CheckBuffer(object.ptr())) return {};
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_RECORDS_RO) != 0) {
        PyErr_Clear();
        return {};
    }
    const std::string_view format = format_of(view);
    Shape shape;
    if (!format.starts_with('O')) {
        const bool of_void = is_void(view);
        shape = {.dimensions = view.ndim,
                 .is_row = of_void ? view.ndim == 0 : view.ndim == 1 && has_bytes(view),
                 .of_strings = format.ends_with('s'),
                 .of_rows = of_void ? view.ndim == 1 : view.ndim == 2};
    }
    PyBuffer_Release(&view);
    return shape;
}

bool is_key(nb::handle object)
{
    return nb::isinstance<KeyPair>(object) || nb::isinstance<PreparedSigning>(object) ||
           nb::isinstance<PreparedDecapsulation>(object) || nb::isinstance<PreparedVerifying>(object) ||
           nb::isinstance<PreparedEncapsulation>(object);
}

bool has_rows(nb::handle object)
{
    return (PySequence_Check(object.ptr()) != 0 || nb::hasattr(object, "__iter__")) &&
           !PyUnicode_Check(object.ptr()) && !PyAnySet_Check(object.ptr()) && !is_key(object);
}

[[noreturn]] void fail_column(nb::handle object, const char* name, Use use, bool of_strings)
{
    std::string text = std::string{name} + " must be a column (a sequence, an array of rows or Arrow's)" +
                       (use == Use::keys ? " or one for all rows" : "") + ", not " + name_of_type(object);
    if (of_strings) text += " of strings, which lose the zero bytes at their end";
    if (PyAnySet_Check(object.ptr())) text += ", which has no order";
    throw nb::type_error(text.c_str());
}

}  // namespace

std::unique_ptr<Column> column_of(nb::handle object, const char* name, Use use)
{
    if (use == Use::keys && is_key(object)) return std::make_unique<SingleColumn>(object, name);
    if (nb::hasattr(object, "__arrow_c_stream__") || nb::hasattr(object, "__arrow_c_array__"))
        return arrow_column_of(object, name);
    const Shape shape = shape_of(object);
    if (shape.of_rows && has_mask(object)) return std::make_unique<MaskedColumn>(object, name, use);
    if (shape.of_rows) return std::make_unique<StridedColumn>(object, name, use);
    if (use == Use::keys && shape.is_row) return std::make_unique<SingleColumn>(object, name);
    if (shape.dimensions >= 0 || !has_rows(object)) fail_column(object, name, use, shape.of_strings);
    return std::make_unique<ListColumn>(object, name, use);
}

}  // namespace girih::python
