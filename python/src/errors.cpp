#include "errors.hpp"

#include <girih/core.hpp>
#include <girih/key_files.hpp>

#include <new>
#include <utility>

namespace girih::python {

void fail(int code, std::string place, std::string text)
{
    throw Failure{code, std::move(place), std::move(text), {}};
}

namespace {

void translate(const std::exception_ptr& thrown, void*)
{
    Failure failure{};
    try {
        std::rethrow_exception(thrown);
    } catch (const Failure& known) {
        failure = known;
    } catch (const girih::Exception& known) {
        failure = {static_cast<int>(known.error()), "key", {}, {}};
    }
    // nanobind translates all other exceptions.
    if (failure.text.empty()) failure.text = girih_error_text(failure.code);
    try {
        const nb::object made = nb::module_::import_("girih._errors")
                                    .attr("make")(failure.code, failure.place, failure.text,
                                                  failure.cause.is_valid() ? failure.cause : nb::none());
        PyErr_SetObject(made.type().ptr(), made.ptr());
    } catch (nb::python_error& error) {
        error.restore();
    }
}

}  // namespace

void define_errors(nb::module_& module)
{
    nb::register_exception_translator(translate);
    module.def("error_text", [](int code) { return girih_error_text(code); }, nb::arg("code"));
}

}  // namespace girih::python
