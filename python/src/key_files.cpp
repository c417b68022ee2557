#include <girih/key_files.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "keys.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

using key_files::Format;
using key_files::PrivateForm;

/// Python knows choices by name; girih._errors makes the exception of a file's problem.
[[noreturn]] void fail_file(const key_files::Error& error)
{
    const nb::object made = nb::module_::import_("girih._errors")
                                .attr("make_key_file")(static_cast<int>(error.problem), error.message);
    PyErr_SetObject(made.type().ptr(), made.ptr());
    throw nb::python_error();
}

Format format_of(const std::string& name)
{
    if (name == "pem") return Format::pem;
    if (name == "der") return Format::der;
    if (name == "raw") return Format::raw;
    fail(GIRIH_ERROR_ARGUMENT, "format", "'" + name + "' is none of pem, der and raw");
}

const char* name_of(Format format)
{
    return format == Format::pem ? "pem" : format == Format::der ? "der" : "raw";
}

PrivateForm form_of(const std::string& name)
{
    if (name == "seed") return PrivateForm::seed;
    if (name == "expanded") return PrivateForm::expanded;
    if (name == "both") return PrivateForm::both;
    fail(GIRIH_ERROR_ARGUMENT, "form", "'" + name + "' is none of seed, expanded and both");
}

const char* name_of(PrivateForm form)
{
    return form == PrivateForm::seed ? "seed" : form == PrivateForm::both ? "both" : "expanded";
}

const char* name_of(key_files::Kind kind)
{
    return kind == key_files::Kind::private_key  ? "private_key"
           : kind == key_files::Kind::public_key ? "public_key"
                                                 : "certificate";
}

/// (kind, format, form, algorithm, a KeyPair or the bytes of a public key)
nb::tuple read(nb::handle file, const Algorithm* algorithm)
{
    const Buffer buffer{file, "file"};
    auto found = [&] {
        const nb::gil_scoped_release unlocked;
        return key_files::read(buffer.bytes(), algorithm != nullptr ? algorithm->alg : nullptr);
    }();
    if (!found) fail_file(found.error());
    const Algorithm known{found->alg()};
    if (auto* pair = std::get_if<key_files::PrivateKey>(&found->key))
        return nb::make_tuple(name_of(found->kind), name_of(found->format), name_of(found->form), known,
                              std::make_unique<KeyPair>(std::make_shared<Pair>(std::move(*pair))));
    return nb::make_tuple(name_of(found->kind), name_of(found->format), nb::none(), known,
                          to_bytes(found->public_key()));
}

nb::object write_private(const KeyPair& holder, std::optional<std::string> form, const std::string& format)
{
    const auto pair = holder.get();
    const Format chosen = format_of(format);
    const auto written = key_files::write_private_key(
        *pair, form ? form_of(*form) : key_files::preferred_form(*pair, chosen), chosen);
    if (!written) fail_file(written.error());
    return nb::cast(std::make_unique<Secret>(*written));
}

key_files::PublicKey public_key(const Algorithm& algorithm, nb::handle bytes)
{
    const Buffer buffer{bytes, "public_key"};
    demand_length(algorithm.alg, "public_key", buffer.size(), girih_public_key_bytes(algorithm.alg));
    return {algorithm.alg, {buffer.bytes().begin(), buffer.bytes().end()}};
}

}  // namespace

void define_key_files(nb::module_& module)
{
    module.def("read_key_file", read, nb::arg("file"), nb::arg("algorithm").none());
    module.def("write_private_key", write_private, nb::arg("key"), nb::arg("form").none(), nb::arg("format"));
    module.def(
        "write_public_key",
        [](const Algorithm& algorithm, nb::handle bytes, const std::string& format) {
            return to_bytes(key_files::write_public_key(public_key(algorithm, bytes), format_of(format)));
        },
        nb::arg("algorithm"), nb::arg("public_key"), nb::arg("format"));
    module.def(
        "fingerprint",
        [](const Algorithm& algorithm, nb::handle bytes) {
            return to_bytes(key_files::fingerprint(public_key(algorithm, bytes)));
        },
        nb::arg("algorithm"), nb::arg("public_key"));
}

}  // namespace girih::python
