#include <atomic>
#include <utility>

#include "algorithms.hpp"
#include "buffers.hpp"
#include "keys.hpp"
#include "options.hpp"

NB_MODULE(_girih_of_one_interpreter, module)
{
    using namespace girih::python;
    nb::set_leak_warnings(false);  // objects may live until the interpreter ends
    module.attr("version") = GIRIH_VERSION;
    define_errors(module);
    define_algorithms(module);
    define_buffers(module);
    define_keys(module);
    define_signatures(module);
    define_kems(module);
    define_messages(module);
    define_key_files(module);
    define_envelopes(module);
    define_batches(module);
    define_arrow_results(module);
}

namespace girih::python {
namespace {

// nanobind supports the types of one interpreter at a time: a second one would take them from the
// first. So the first interpreter that imports the module claims it until it ends, and others are
// refused (PEP 489).

constexpr const char* place = "girih._girih";  ///< of the claim in an interpreter's dictionary
std::atomic<bool> claimed = false;
int (*execute_once)(PyObject*) = nullptr;  ///< nanobind's function

/// Releases an interpreter's claim, whose pointer is a weak reference to the module.
void release_claim(PyObject* claim)
{
    Py_DECREF(static_cast<PyObject*>(PyCapsule_GetPointer(claim, place)));
    claimed = false;
}

/// Runs work that uses nanobind, and turns its exceptions into Python's.
template <class Work>
int guarded(const Work& work)
{
    try {
        work();
        return 0;
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_ImportError, error.what());
    }
    return -1;
}

/// A module imported again by the same interpreter, after its removal from sys.modules, shares the
/// first one's types, so that keys of both are compatible.
int share(PyObject* second, PyObject* claim)
{
    return guarded([&] {
        const nb::handle reference = static_cast<PyObject*>(PyCapsule_GetPointer(claim, place));
        const nb::object first = reference();
        if (first.is_none()) throw nb::import_error("girih: the interpreter is about to end");
        const nb::handle module = second;
        for (const auto& [name, value] : nb::cast<nb::dict>(first.attr("__dict__")))
            if (!nb::hasattr(module, name)) module.attr(name) = value;
    });
}

/// Without nanobind, which is not initialised yet.
int execute(PyObject* module)
{
    PyObject* interpreter = PyInterpreterState_GetDict(PyInterpreterState_Get());
    if (interpreter == nullptr) {
        PyErr_SetString(PyExc_ImportError, "girih: the interpreter has no dictionary");
        return -1;
    }
    if (PyObject* claim = PyDict_GetItemString(interpreter, place)) return share(module, claim);
    if (claimed.exchange(true)) {
        PyErr_SetString(
            PyExc_ImportError,
            "girih: another interpreter of this process has imported it; it works in one at a time");
        return -1;
    }
    PyObject* reference = PyWeakref_NewRef(module, nullptr);
    PyObject* claim = reference != nullptr ? PyCapsule_New(reference, place, release_claim) : nullptr;
    if (claim == nullptr) {
        Py_XDECREF(reference);
        claimed = false;
        return -1;
    }
    const bool done = execute_once(module) == 0 && PyDict_SetItemString(interpreter, place, claim) == 0;
    Py_DECREF(claim);
    if (!done) return -1;
    // Keeps the module alive until the interpreter ends, because keys may be used until then.
    return guarded([&] {
        nb::module_::import_("atexit").attr("register")(nb::module_::import_("builtins").attr("id"),
                                                        nb::handle{module});
    });
}

}  // namespace
}  // namespace girih::python

extern "C" NB_EXPORT PyObject* PyInit__girih()
{
    using namespace girih::python;
    PyObject* definition = PyInit__girih_of_one_interpreter();
    if (definition == nullptr || execute_once != nullptr) return definition;
    for (auto* slot = reinterpret_cast<PyModuleDef*>(definition)->m_slots; slot->slot != 0; ++slot)
        if (slot->slot == Py_mod_exec)
            execute_once = reinterpret_cast<int (*)(PyObject*)>(
                std::exchange(slot->value, reinterpret_cast<void*>(execute)));
    return definition;
}
