#include "buffers.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace girih::python {

bool has_mask(nb::handle object)
{
    return nb::hasattr(object, "mask") && nb::hasattr(object, "__array_interface__");
}

std::string name_of_type(nb::handle object) { return nb::cast<std::string>(object.type().attr("__name__")); }

bool flag_of(nb::handle object, const char* name)
{
    if (!PyBool_Check(object.ptr()))
        throw nb::type_error(
            (std::string{name} + " must be True or False, not " + name_of_type(object)).c_str());
    return object.is(Py_True);
}

std::string_view format_of(const Py_buffer& view) noexcept
{
    const std::string_view format = view.format != nullptr ? view.format : "B";
    return format.substr(std::min(format.find_first_not_of("@=<>!|"), format.size()));
}

bool has_bytes(const Py_buffer& view) noexcept
{
    const std::string_view format = format_of(view);
    return view.itemsize == 1 && (format == "B" || format == "b" || format == "c");
}

bool is_void(const Py_buffer& view) noexcept { return format_of(view).ends_with('x'); }

void demand_size(std::size_t size, const char* name, const girih_alg* alg, std::size_t wanted)
{
    if (size == wanted) return;
    const std::string_view place{name};
    fail(place.starts_with("public_key")                      ? GIRIH_ERROR_PUBLIC_KEY_LENGTH
         : place.starts_with("secret_key") || place == "keys" ? GIRIH_ERROR_SECRET_KEY_LENGTH
                                                              : GIRIH_ERROR_LENGTH,
         name, std::to_string(size) + " bytes, " + girih_name(alg) + " has " + std::to_string(wanted));
}

namespace {

/// The reason why a buffer is not one string of bytes, or nothing.
std::string fault_of(const Py_buffer& view)
{
    if (view.ndim == 0 && is_void(view)) return {};
    if (!has_bytes(view))
        return "must have items of one byte (uint8), not of format '" + std::string{format_of(view)} + "'";
    if (view.ndim != 1) return "must have one dimension, not " + std::to_string(view.ndim);
    if (view.shape[0] > 1 && view.strides[0] != 1) return "must have its bytes side by side, without gaps";
    return {};
}

}  // namespace

Buffer::Buffer(nb::handle object, const char* name, bool optional)
{
    if (optional && object.is_none()) return;
    if (PyBytes_Check(object.ptr())) {  // immutable, and kept by the caller
        bytes_ = {reinterpret_cast<const std::uint8_t*>(PyBytes_AsString(object.ptr())),
                  static_cast<std::size_t>(PyBytes_Size(object.ptr()))};
        return;
    }
    if (has_mask(object) && nb::cast<bool>(nb::bool_(object.attr("mask").attr("any")()))) {
        const std::string text = std::string{name} + " has bytes that are masked";
        throw nb::type_error(text.c_str());
    }
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
        nb::python_error error;
        if (!error.matches(PyExc_TypeError)) throw error;
        const std::string text = std::string{name} + " must be bytes-like, not " + name_of_type(object);
        throw nb::type_error(text.c_str());
    }
    if (const std::string fault = fault_of(view_); !fault.empty()) {
        PyBuffer_Release(&view_);
        throw nb::type_error((std::string{name} + " " + fault).c_str());
    }
    held_ = true;
    bytes_ = {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)};
}

Buffer::Buffer(nb::handle object, const char* name, const girih_alg* alg, std::size_t wanted)
    : Buffer(object, name)
{
    demand_size(size(), name, alg, wanted);
}

void Secret::wipe()
{
    const std::scoped_lock lock{mutex_};
    if (exports_ != 0) throw nb::buffer_error("a memoryview of the secret is still in use");
    bytes_ = SecretVector{};
    wiped_ = true;
}

int Secret::export_to(Py_buffer* view, PyObject* self, int flags)
{
    const std::scoped_lock lock{mutex_};
    if (wiped_) {
        PyErr_SetString(PyExc_ValueError, "secret: it was wiped");
        return -1;
    }
    const int status =
        PyBuffer_FillInfo(view, self, bytes_.data(), static_cast<Py_ssize_t>(bytes_.size()), 1, flags);
    if (status == 0) ++exports_;
    return status;
}

void Secret::release() noexcept
{
    const std::scoped_lock lock{mutex_};
    --exports_;
}

bool equal(BytesIn a, BytesIn b) noexcept
{
    if (a.size() != b.size()) return false;
    std::uint8_t difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<std::uint8_t>(a[i] ^ b[i]);
    __asm__ __volatile__("" : "+r"(difference));  // no earlier decision
    return difference == 0;
}

nb::object to_secret(SecretVector bytes)
{
    const nb::object type = nb::module_::import_("girih._secret").attr("SecretBytes");
    nb::object made = nb::inst_alloc(type);
    new (nb::inst_ptr<Secret>(made)) Secret{std::move(bytes)};
    nb::inst_mark_ready(made);
    return made;
}

namespace {

int export_secret(PyObject* self, Py_buffer* view, int flags)
{
    if (!nb::inst_ready(self)) {
        PyErr_SetString(PyExc_BufferError, "the secret was never made");
        return -1;
    }
    return nb::inst_ptr<Secret>(self)->export_to(view, self, flags);
}

void release_secret(PyObject* self, Py_buffer*) { nb::inst_ptr<Secret>(self)->release(); }

PyType_Slot secret_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(export_secret)},
                              {Py_bf_releasebuffer, reinterpret_cast<void*>(release_secret)},
                              {0, nullptr}};

}  // namespace

void define_buffers(nb::module_& module)
{
    nb::class_<Secret>(module, "Secret", nb::type_slots(secret_slots))
        .def(
            "__init__",
            [](Secret* self, nb::handle object) {
                const Buffer buffer{object, "secret"};
                new (self) Secret{SecretVector(buffer.bytes().begin(), buffer.bytes().end())};
            },
            nb::arg("data").none())
        .def("wipe", &Secret::wipe)
        .def_prop_ro("wiped", &Secret::wiped)
        .def("__len__",
             [](const Secret& self) { return self.use([](BytesIn bytes) { return bytes.size(); }); })
        .def("__eq__",
             [](const Secret& self, nb::handle other) -> nb::object {
                 try {
                     const Buffer buffer{other, "other"};
                     return nb::bool_(self.use([&](BytesIn bytes) { return equal(bytes, buffer.bytes()); }));
                 } catch (const nb::builtin_exception&) {  // these are no bytes
                     return nb::borrow(Py_NotImplemented);
                 }
             })
        .attr("__hash__") = nb::none();
    module.def(
        "to_bytes",
        [](nb::handle data, const std::string& name) { return to_bytes(Buffer{data, name.c_str()}.bytes()); },
        nb::arg("data").none(), nb::arg("name"));
}

}  // namespace girih::python
