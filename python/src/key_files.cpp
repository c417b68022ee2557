#include <girih/key_files.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "key_files.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

using key_files::Encryption;
using key_files::Format;
using key_files::Kdf;
using key_files::Kind;
using key_files::PrivateForm;

constexpr Names<Format, 5> formats{{{"pem", Format::pem},
                                    {"der", Format::der},
                                    {"raw", Format::raw},
                                    {"jwk", Format::jwk},
                                    {"cose", Format::cose_key}}};
constexpr Names<PrivateForm, 3> forms{
    {{"seed", PrivateForm::seed}, {"expanded", PrivateForm::expanded}, {"both", PrivateForm::both}}};
constexpr Names<Kdf, 8> kdfs{{{"pbkdf2_sha256", Kdf::pbkdf2_sha256},
                              {"pbkdf2_sha512", Kdf::pbkdf2_sha512},
                              {"scrypt", Kdf::scrypt},
                              {"pbkdf2_sha1", Kdf::pbkdf2_sha1},
                              {"pbkdf2_sha224", Kdf::pbkdf2_sha224},
                              {"pbkdf2_sha384", Kdf::pbkdf2_sha384},
                              {"pbkdf2_sha512_224", Kdf::pbkdf2_sha512_224},
                              {"pbkdf2_sha512_256", Kdf::pbkdf2_sha512_256}}};
constexpr Names<Kind, 3> kinds{{{"private_key", Kind::private_key},
                                {"public_key", Kind::public_key},
                                {"certificate", Kind::certificate}}};

/// An integer that fits the type.
template <std::unsigned_integral Number>
Number number_of(nb::handle object, const char* name)
{
    Number number = 0;
    if (!nb::try_cast(object, number))
        fail(GIRIH_ERROR_ARGUMENT, name,
             "it is no integer from 0 to " + std::to_string(std::numeric_limits<Number>::max()));
    return number;
}

/// From the fields of girih.key_files.Encryption.
Encryption encryption_of(const nb::tuple& fields)
{
    std::string kdf;
    if (!nb::try_cast(fields[0], kdf)) fail(GIRIH_ERROR_ARGUMENT, "kdf", "it is not a string");
    return {choice_of(kdfs, "kdf", kdf), number_of<std::uint32_t>(fields[1], "iterations"),
            number_of<std::uint64_t>(fields[2], "scrypt_n"), number_of<std::uint32_t>(fields[3], "scrypt_r"),
            number_of<std::uint32_t>(fields[4], "scrypt_p")};
}

nb::object fields_of(const std::optional<Encryption>& how)
{
    if (!how) return nb::none();
    return nb::make_tuple(name_of(kdfs, how->kdf), how->iterations, how->scrypt_n, how->scrypt_r,
                          how->scrypt_p);
}

/// (kind, format, form, algorithm, a KeyPair or the bytes of a public key, the encryption's fields,
/// the pre-hash that the key is for, its kid or None)
nb::tuple read(nb::handle file, const Algorithm* algorithm, nb::handle passphrase)
{
    const Buffer buffer{file, "file"};
    const Buffer secret{passphrase, "passphrase", true};
    auto found = [&, alg = algorithm != nullptr ? algorithm->alg : nullptr, locked = passphrase.is_none()] {
        const Unlocked unlocked;
        return locked ? key_files::read(buffer.bytes(), alg)
                      : key_files::read(buffer.bytes(), alg, {secret.bytes()});
    }();
    if (!found) fail_file(found.error());
    const Algorithm known{found->alg()};
    const nb::object pre_hash = found->for_hash_ml_dsa() ? nb::object(nb::str("SHA2-512")) : nb::none();
    const key_files::Bytes named = found->public_part().kid;
    const nb::object kid = named.empty() ? nb::none() : nb::object(to_bytes(named));
    if (auto* pair = std::get_if<key_files::PrivateKey>(&found->key))
        return nb::make_tuple(name_of(kinds, found->kind), name_of(formats, found->format),
                              name_of(forms, found->form), known,
                              std::make_unique<KeyPair>(std::make_shared<Pair>(std::move(*pair))),
                              fields_of(found->encryption), pre_hash, kid);
    return nb::make_tuple(name_of(kinds, found->kind), name_of(formats, found->format), nb::none(), known,
                          to_bytes(found->public_key()), nb::none(), pre_hash, kid);
}

/// Encrypts if a passphrase is given; `encryption` has the fields of Encryption.
nb::object write_private(const KeyPair& holder, std::optional<std::string> form, const std::string& format,
                         nb::handle passphrase, const nb::tuple& encryption)
{
    const auto pair = holder.get();
    const Format chosen = choice_of(formats, "format", format);
    const PrivateForm held =
        form ? choice_of(forms, "form", *form) : key_files::preferred_form(*pair, chosen);
    const Buffer secret{passphrase, "passphrase", true};
    const Encryption how = encryption_of(encryption);
    const auto written = [&, encrypts = !passphrase.is_none()] {
        const Unlocked unlocked;
        return encrypts ? key_files::write_encrypted_private_key(*pair, held, chosen, secret.bytes(), how)
                        : key_files::write_private_key(*pair, held, chosen);
    }();
    if (!written) fail_file(written.error());
    return to_secret(*written);
}

}  // namespace

void fail_file(const key_files::Error& error)
{
    const nb::object made = nb::module_::import_("girih._errors")
                                .attr("make_key_file")(static_cast<int>(error.problem), error.message);
    PyErr_SetObject(made.type().ptr(), made.ptr());
    throw nb::python_error();
}

key_files::PublicKey public_key(const Algorithm& algorithm, nb::handle bytes)
{
    const Buffer buffer{bytes, "public_key", algorithm.alg, girih_public_key_bytes(algorithm.alg)};
    return {algorithm.alg, {buffer.bytes().begin(), buffer.bytes().end()}};
}

void define_key_files(nb::module_& module)
{
    using key_files::Problem;
    module.attr("problem_wrong_kind") = static_cast<int>(Problem::wrong_kind);
    module.attr("problem_encrypted") = static_cast<int>(Problem::encrypted);
    module.attr("problem_passphrase") = static_cast<int>(Problem::passphrase);
    module.attr("problem_no_passphrase") = static_cast<int>(Problem::no_passphrase);
    module.def("read_key_file", read, nb::arg("file").none(), nb::arg("algorithm").none(),
               nb::arg("passphrase").none());
    module.def("write_private_key", write_private, nb::arg("key"), nb::arg("form").none(), nb::arg("format"),
               nb::arg("passphrase").none(), nb::arg("encryption"));
    module.def(
        "write_public_key",
        [](const Algorithm& algorithm, nb::handle bytes, const std::string& format) {
            const auto file =
                key_files::write_public(public_key(algorithm, bytes), choice_of(formats, "format", format));
            if (!file) fail_file(file.error());
            return to_bytes(*file);
        },
        nb::arg("algorithm"), nb::arg("public_key").none(), nb::arg("format"));
    module.def(
        "thumbprint",
        [](const Algorithm& algorithm, nb::handle bytes, const std::string& format) {
            return to_bytes(
                key_files::thumbprint(public_key(algorithm, bytes), choice_of(formats, "format", format)));
        },
        nb::arg("algorithm"), nb::arg("public_key").none(), nb::arg("format"));
    module.def(
        "fingerprint",
        [](const Algorithm& algorithm, nb::handle bytes) {
            return to_bytes(key_files::fingerprint(public_key(algorithm, bytes)));
        },
        nb::arg("algorithm"), nb::arg("public_key").none());
}

}  // namespace girih::python
