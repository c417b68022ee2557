#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/text_file.hpp"
#include "envelopes/forms.hpp"
#include "key_files/akp.hpp"
#include "key_files/encoding/base64url.hpp"
#include "key_files/encoding/json.hpp"

namespace girih::envelopes::jws {
namespace {

namespace json = key_files::json;
namespace akp = key_files::akp;
namespace base64url = key_files::base64url;

Bytes decoded(BytesIn<> characters, const std::string& part)
{
    const auto bytes = base64url::decode(characters);
    if (!bytes) key_files::refuse(Problem::member, "the JWS: " + part + " is not base64url without padding");
    return owned(*bytes);
}

/// An envelope with the protected header, which is in base64url.
Envelope with_header(BytesIn<> characters)
{
    const Bytes text = decoded(characters, "the protected header");
    const json::Object header(text, "the protected header");
    if (header.find("crit") != nullptr)
        header.refuse("crit", "is present, but girih supports no critical header parameters");
    if (header.find("b64") != nullptr)
        header.refuse("b64", "is present, but girih supports only encoded payloads");
    const auto& name = header.string("alg");
    const girih_alg* const alg = akp::by_name(name);
    if (alg == nullptr) header.refuse("alg", "is " + json::shown(name) + ", but girih reads " + akp::names);
    Envelope envelope{alg, {}, owned(characters), {}, {}};
    if (const auto* const kid = header.optional_string("kid")) envelope.kid = owned(*kid);
    if (const auto* const typ = header.optional_string("typ")) envelope.typ = owned(*typ);
    return envelope;
}

/// A media type in lower case, with the `application/` that `typ` may leave out.
std::string media_type(BytesIn<> typ)
{
    std::string type(typ.begin(), typ.end());
    if (type.find('/') == std::string::npos) type.insert(0, "application/");
    for (char& c : type)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return type;
}

}  // namespace

Envelope parse_compact(BytesIn<> file)
{
    std::string_view text = text_of_file(json::text_of(file), [](const char* error) {
        key_files::refuse(Problem::member, std::string("the JWS: ") + error);
    });
    const std::string_view line = take_line(text);
    if (!text.empty())
        key_files::refuse(Problem::member, "the JWS: a second line, but a compact JWS is one line");
    file = json::bytes_of(line);
    std::array<BytesIn<>, 3> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto dot = static_cast<std::size_t>(std::ranges::find(file, Byte{'.'}) - file.begin());
        if ((dot == file.size()) != (i + 1 == parts.size()))
            key_files::refuse(Problem::member, "a compact JWS has three parts, with two dots between them");
        parts[i] = file.first(dot);
        file = file.subspan(std::min(dot + 1, file.size()));
    }
    Envelope envelope = with_header(parts[0]);
    // RFC 7515, Appendix F: an empty one is detached.
    if (!parts[1].empty()) envelope.payload = decoded(parts[1], "the payload");
    envelope.signature = decoded(parts[2], "the signature");
    return envelope;
}

Envelope parse_json(BytesIn<> file)
{
    const json::Object object = json::Object::of_file(file, "the JWS");
    if (object.find("signatures") != nullptr)
        object.refuse("signatures", "is present, but girih reads only the flattened serialization");
    if (object.find("header") != nullptr)
        object.refuse("header", "is present, but girih reads nothing that is not signed");
    Envelope envelope = with_header(object.string("protected"));
    if (object.find("payload") != nullptr) envelope.payload = owned(object.base64url("payload"));
    envelope.signature = owned(object.base64url("signature"));
    return envelope;
}

SecretBytes header(const girih_alg* alg, BytesIn<> kid, const std::optional<Bytes>& typ)
{
    SecretBytes text;
    json::append_member(text, "alg", json::bytes_of(girih_name(alg)));
    json::append_member(text, "kid", kid);
    if (typ) json::append_member(text, "typ", *typ);
    text.push_back('}');
    return base64url::encode(text);
}

bool is_same_type(BytesIn<> a, BytesIn<> b) { return media_type(a) == media_type(b); }

SecretBytes write(const Envelope& envelope, Form form)
{
    SecretBytes out;
    const SecretBytes payload = envelope.payload ? base64url::encode(*envelope.payload) : SecretBytes{};
    const SecretBytes signature = base64url::encode(envelope.signature);
    if (form == Form::jws_json) {
        if (envelope.payload) json::append_member(out, "payload", payload);
        json::append_member(out, "protected", envelope.signed_header);
        json::append_member(out, "signature", signature);
        out.insert(out.end(), {'}', '\n'});
        return out;
    }
    for (const BytesIn<> part :
         {BytesIn<>(envelope.signed_header), BytesIn<>(payload), BytesIn<>(signature)}) {
        if (!out.empty()) out.push_back('.');
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

}  // namespace girih::envelopes::jws
