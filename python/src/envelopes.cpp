#include "envelopes/envelopes.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "key_files.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

using envelopes::Form;
using key_files::Problem;

constexpr Names<Form, 4> envelope_forms{
    {{"jws", Form::jws}, {"jws-json", Form::jws_json}, {"cose", Form::cose_sign1}, {"note", Form::note}}};

std::optional<key_files::Bytes> optional_bytes(nb::handle object, const char* name)
{
    if (object.is_none()) return {};
    const Buffer buffer{object, name};
    return key_files::Bytes(buffer.bytes().begin(), buffer.bytes().end());
}

nb::bytes sign(const KeyPair& holder, nb::handle payload, const std::string& format, bool detached,
               nb::handle kid, nb::handle external_aad, bool deterministic, std::uint64_t time,
               nb::handle typ)
{
    const auto pair = holder.get();
    const Buffer content{payload, "payload"};
    const Buffer aad{external_aad, "external_aad"};
    const envelopes::Options options{choice_of(envelope_forms, "format", format),
                                     detached,
                                     optional_bytes(kid, "kid"),
                                     aad.bytes(),
                                     deterministic,
                                     time,
                                     optional_bytes(typ, "typ")};
    const auto made = [&] {
        const Unlocked unlocked;
        return envelopes::sign(*pair, envelopes::payload_of(content.bytes()), options);
    }();
    if (!made) fail_file(made.error());
    return to_bytes(*made);
}

/// The verified payload and the lines that are not signed, or a sentence that says why the envelope
/// is not by the key.
nb::object verify(const Algorithm& algorithm, nb::handle bytes, nb::handle envelope,
                  const std::string& format, nb::handle payload, nb::handle kid, nb::handle external_aad,
                  nb::handle typ)
{
    const key_files::PublicKey key = public_key(algorithm, bytes);
    const Buffer file{envelope, "envelope"};
    const Buffer detached{payload, "payload", true};
    const Buffer aad{external_aad, "external_aad"};
    const envelopes::Options options{.form = choice_of(envelope_forms, "format", format),
                                     .kid = optional_bytes(kid, "kid"),
                                     .external_aad = aad.bytes(),
                                     .typ = optional_bytes(typ, "typ")};
    auto parsed = envelopes::parse(file.bytes(), options, key);
    if (!parsed) fail_file(parsed.error());
    if (parsed->payload.has_value() != payload.is_none())
        fail(GIRIH_ERROR_ARGUMENT, "payload",
             parsed->payload ? "it is inside the envelope" : "the envelope is detached from it");
    if (!parsed->payload) parsed->payload.emplace(detached.bytes().begin(), detached.bytes().end());
    const auto good = [&] {
        const Unlocked unlocked;
        return envelopes::verify(*parsed, key, envelopes::payload_of(*parsed->payload), options);
    }();
    if (good && *good) return nb::make_tuple(to_bytes(*parsed->payload), to_bytes(parsed->unsigned_lines));
    if (good) return nb::str("the signature does not verify");
    if (good.error().problem != Problem::algorithm && good.error().problem != Problem::member)
        fail_file(good.error());
    return nb::cast(good.error().message);
}

}  // namespace

void define_envelopes(nb::module_& module)
{
    module.def("sign_envelope", sign, nb::arg("key"), nb::arg("payload").none(), nb::arg("format"),
               nb::arg("detached"), nb::arg("kid").none(), nb::arg("external_aad").none(),
               nb::arg("deterministic"), nb::arg("time"), nb::arg("typ").none());
    module.def("verify_envelope", verify, nb::arg("algorithm"), nb::arg("public_key").none(),
               nb::arg("envelope").none(), nb::arg("format"), nb::arg("payload").none(),
               nb::arg("kid").none(), nb::arg("external_aad").none(), nb::arg("typ").none());
}

}  // namespace girih::python
