#include "random.hpp"

#include <cstring>
#include <string>

#include "buffers.hpp"
#include "lock.hpp"

namespace girih::python {

RandomSource::RandomSource(nb::handle callable)
{
    if (callable.is_none()) return;
    if (!PyCallable_Check(callable.ptr())) throw nb::type_error("random must be callable, or None");
    callable_ = nb::borrow(callable);
    int piecewise = 0;
    if (nb::hasattr(callable, "piecewise"))
        piecewise = PyObject_IsTrue(nb::object(callable.attr("piecewise")).ptr());
    if (piecewise < 0) throw nb::python_error();
    random_ = {fill, this, piecewise};
    present_ = true;
}

int RandomSource::fill(void* state, std::uint8_t* out, std::size_t bytes)
{
    const auto* self = static_cast<const RandomSource*>(state);
    const Locked lock;
    nb::object raised;
    try {
        const nb::object drawn = self->callable_(bytes);
        const Buffer buffer{drawn, "what random returns"};
        if (buffer.size() == bytes) {
            std::memcpy(out, buffer.data(), bytes);
            return 0;
        }
        const std::string text =
            "random returned " + std::to_string(buffer.size()) + " bytes of " + std::to_string(bytes);
        raised = nb::borrow(PyExc_ValueError)(text);
    } catch (nb::python_error& error) {
        raised = nb::borrow(error.value());
    } catch (const std::exception& error) {
        raised = nb::borrow(PyExc_TypeError)(error.what());
    }
    const std::scoped_lock first{self->mutex_};
    if (!self->cause_.is_valid()) self->cause_ = std::move(raised);
    return 1;
}

void RandomSource::succeed(int code, const char* place) const
{
    if (code == GIRIH_OK) return;
    // Exceptions that end a program (KeyboardInterrupt, SystemExit) are raised unchanged.
    if (cause_.is_valid() && !nb::isinstance(cause_, nb::handle(PyExc_Exception))) {
        PyErr_SetObject(cause_.type().ptr(), cause_.ptr());
        throw nb::python_error();
    }
    throw Failure{code, cause_.is_valid() ? "random" : place, {}, cause_};
}

}  // namespace girih::python
