/// Columns of results, which other libraries take through Arrow's PyCapsule interface.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow_c.hpp"
#include "buffers.hpp"
#include "columns.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

/// An array's type and bytes, shared by the column and whoever took it.
struct Content {
    std::string format;
    std::int64_t rows = 0;
    std::vector<nb::object> owners;  ///< of the buffers: a Buffer does not keep `bytes` alive
    std::vector<std::unique_ptr<Buffer>> held;
    std::vector<const void*> buffers;
};
using Shared = std::shared_ptr<Content>;

class ArrowResult {
  public:
    ArrowResult(std::string format, std::size_t rows, const nb::list& buffers)
        : content_(new Content{.format = std::move(format), .rows = static_cast<std::int64_t>(rows)})
    {
        for (const nb::handle buffer : buffers) {
            content_->owners.push_back(nb::borrow(buffer));
            const auto& held = content_->held.emplace_back(std::make_unique<Buffer>(buffer, "buffers"));
            content_->buffers.push_back(held->data());
        }
    }

    [[nodiscard]] std::int64_t rows() const noexcept { return content_->rows; }

    [[nodiscard]] nb::tuple arrow_c_array(nb::handle) const
    {
        ArrowSchema schema{};
        schema.format = content_->format.c_str();
        schema.name = "";
        schema.flags = 2;  // nullable
        ArrowArray array{};
        array.length = content_->rows;
        array.null_count = -1;  // not counted
        array.n_buffers = static_cast<std::int64_t>(content_->buffers.size());
        array.buffers = content_->buffers.data();
        return nb::make_tuple(capsule_of(schema, "arrow_schema"), capsule_of(array, "arrow_array"));
    }

  private:
    /// A capsule with a structure that shares the content until its release.
    template <class Structure>
    [[nodiscard]] nb::object capsule_of(Structure structure, const char* name) const
    {
        structure.release = [](Structure* self) {
            self->release = nullptr;
            if (Py_IsInitialized() == 0) return;  // objects have ended with the interpreter
            const Locked locked;
            delete static_cast<Shared*>(self->private_data);
        };
        auto held = std::make_unique<Structure>(structure);
        auto share = std::make_unique<Shared>(content_);
        PyObject* capsule = PyCapsule_New(held.get(), name, [](PyObject* self) {
            const std::unique_ptr<Structure> last{
                static_cast<Structure*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)))};
            if (last->release != nullptr) last->release(last.get());
        });
        if (capsule == nullptr) throw nb::python_error();
        held.release()->private_data = share.release();
        return nb::steal(capsule);
    }

    Shared content_;
};

/// A bitmap of the rows whose code is `wanted`, or is another one.
nb::bytes bits_of(nb::handle codes, int wanted, bool equal)
{
    const Buffer rows{codes, "codes"};
    std::vector<std::uint8_t> bits((rows.size() + 7) / 8);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if ((rows.data()[i] == wanted) == equal) bits[i / 8] |= static_cast<std::uint8_t>(1 << (i % 8));
    return to_bytes(bits);
}

}  // namespace

void define_arrow_results(nb::module_& module)
{
    nb::class_<ArrowResult>(module, "ArrowResult")
        .def(nb::init<std::string, std::size_t, nb::list>(), nb::arg("format"), nb::arg("rows"),
             nb::arg("buffers"))
        .def("__len__", &ArrowResult::rows)
        .def("__arrow_c_array__", &ArrowResult::arrow_c_array,
             nb::arg("requested_schema").none() = nb::none());
    module.def("bits", bits_of, nb::arg("codes"), nb::arg("wanted"), nb::arg("equal"));
}

}  // namespace girih::python
