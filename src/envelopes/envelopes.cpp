#include "envelopes/envelopes.hpp"

#include <array>
#include <utility>

#include "core/wipe.hpp"
#include "envelopes/forms.hpp"
#include "key_files/akp.hpp"
#include "key_files/encoding/base64url.hpp"
#include "key_files/encoding/json.hpp"
#include "key_files/structures.hpp"

namespace girih::envelopes {
namespace {

namespace akp = key_files::akp;
namespace base64url = key_files::base64url;
namespace json = key_files::json;
using key_files::Error;
using key_files::Format;
using key_files::PrivateKey;

using Mu = std::array<Byte, GIRIH_MU_BYTES>;

/// The representative of an envelope's message for a key, which `begin` takes. `copy`, if not null,
/// receives the payload's bytes.
Result<Mu> representative(BytesIn<> header, Payload& payload, const Options& options, const girih_alg* alg,
                          BytesIn<> key, decltype(&girih_message_begin) begin, Bytes* copy)
{
    girih_message state;
    const girih_options empty_context{};
    int code = begin(&state, alg, key.data(), key.size(), &empty_context);
    const auto update = [&](const auto& bytes) {
        if (code == GIRIH_OK) code = girih_message_update(&state, bytes.data(), bytes.size());
    };
    const bool is_cose = options.form == Form::cose_sign1;
    if (is_cose) {
        update(cose::before_payload(header, options.external_aad, payload.bytes));
    } else {
        update(header);
        if (options.form != Form::note) update(json::bytes_of("."));
    }
    if (options.form == Form::note) payload = payload_of({});  // the header is the whole message
    std::uint64_t bytes = 0;
    Bytes rest;  // of JWS, whose base64url has four characters for three bytes
    for (bool at_end = false; !at_end && code == GIRIH_OK;) {
        const BytesIn<> piece = payload.next();
        at_end = piece.empty();
        bytes += piece.size();
        if (copy != nullptr) copy->insert(copy->end(), piece.begin(), piece.end());
        if (is_cose) {
            update(piece);
            continue;
        }
        rest.insert(rest.end(), piece.begin(), piece.end());
        const std::size_t whole = at_end ? rest.size() : rest.size() / 3 * 3;
        update(base64url::encode(BytesIn<>(rest).first(whole)));
        rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(whole));
    }
    Mu mu{};
    if (code == GIRIH_OK) code = girih_message_mu(&state, mu.data(), mu.size());
    wipe(state);
    if (code != GIRIH_OK) return key_files::library_error(code);
    if (is_cose && bytes != payload.bytes)
        return Error{Problem::library, "the payload changed its length while it was read"};
    return mu;
}

/// An error for a key that RFC 9964 has no envelopes for, or data that the form does not sign.
template <class Key>
std::optional<Error> unfit(const Key& key, const Options& options)
{
    const bool is_note = options.form == Form::note;
    if (options.form != Form::cose_sign1 && options.external_aad.size() != 0)
        return Error{Problem::no_form, "external_aad: only COSE_Sign1 has it"};
    if ((is_note || options.form == Form::cose_sign1) && options.typ)
        return Error{Problem::no_form, "typ: only a JWS has it"};
    if (!is_note && options.time != 0) return Error{Problem::no_form, "time: only a note has it"};
    if (is_note && options.detached) return Error{Problem::no_form, "detached: a note has its text inside"};
    if (is_note && key.alg != girih_algorithm("ML-DSA-44"))
        return Error{Problem::no_form,
                     std::string("notes are signed with ML-DSA-44, not with ") + girih_name(key.alg)};
    if (akp::number_of(key.alg) == 0)
        return Error{Problem::no_form, std::string("JWS and COSE_Sign1 are signed with ") + akp::names +
                                           ", not with " + girih_name(key.alg)};
    if (key.for_hash_ml_dsa)
        return Error{Problem::no_form, "the key is for HashML-DSA, which envelopes do not have"};
    return {};
}

/// The key with its kid in an envelope.
PublicKey named(PublicKey key, const Options& options)
{
    const bool is_cose = options.form == Form::cose_sign1;
    key.kid = options.kid ? *options.kid : akp::kid_of(key, is_cose ? Format::cose_key : Format::jwk);
    return key;
}

}  // namespace

Payload payload_of(BytesView bytes)
{
    return {bytes.size(), [rest = bytes]() mutable { return std::exchange(rest, BytesView{}); }};
}

Result<Bytes> sign(const PrivateKey& key, Payload payload, const Options& options)
{
    if (auto error = unfit(key, options)) return *error;
    const bool is_cose = options.form == Form::cose_sign1;
    const bool is_note = options.form == Form::note;
    const PublicKey shown = named({key.alg, key.public_key, false, key.kid}, options);
    const Bytes& kid = shown.kid;
    if (!is_cose && !is_note && !json::is_text(kid))
        return Error{Problem::no_form, "kid: a JWS holds text in UTF-8, without control characters"};
    if (options.typ && (options.typ->empty() || !json::is_text(*options.typ)))
        return Error{Problem::no_form, "typ: a media type is text in UTF-8, without control characters"};
    Envelope envelope{key.alg, kid, {}, {}, {}};
    Bytes file;  // the note without this signature
    if (is_note) {
        for (BytesIn<> piece = payload.next(); !piece.empty(); piece = payload.next())
            file.insert(file.end(), piece.begin(), piece.end());
        auto parsed = parse(file, options, shown);
        if (!parsed) return parsed.error();
        if (parsed->kid) return Error{Problem::member, "the note: the key's signature is already present"};
        if (!parsed->unsigned_lines.empty())
            return Error{Problem::member,
                         "line 4 of the note: an extension line, which ML-DSA-44's cosignatures do not sign"};
        envelope = std::move(*parsed);
    } else {
        envelope.signed_header =
            owned(is_cose ? cose::header(key.alg, kid) : jws::header(key.alg, kid, options.typ));
    }
    Bytes content;
    const auto mu = representative(envelope.signed_header, payload, options, key.alg, key.expanded,
                                   girih_message_begin_secret, options.detached ? nullptr : &content);
    if (!mu) return mu.error();
    if (!options.detached && !is_note) envelope.payload = std::move(content);
    girih_options how{};
    how.deterministic = options.deterministic ? 1 : 0;
    envelope.signature.resize(girih_signature_bytes(key.alg));
    std::size_t bytes = 0;
    const int code = girih_sign_mu(key.alg, key.expanded.data(), key.expanded.size(), mu->data(), mu->size(),
                                   &how, envelope.signature.data(), envelope.signature.size(), &bytes);
    if (code != GIRIH_OK) return key_files::library_error(code);
    if (is_note) return key_files::caught([&] { return note::write(file, envelope, shown, options.time); });
    return owned(is_cose ? cose::write(envelope) : jws::write(envelope, options.form));
}

Result<Envelope> parse(BytesView file, const Options& options, const PublicKey& key)
{
    if (options.form == Form::note)
        if (auto error = unfit(key, options)) return *error;
    return key_files::caught([&] {
        return options.form == Form::note         ? note::parse(file, named(key, options), options.time)
               : options.form == Form::cose_sign1 ? cose::parse(file)
               : options.form == Form::jws_json   ? jws::parse_json(file)
                                                  : jws::parse_compact(file);
    });
}

Result<bool> verify(const Envelope& envelope, const PublicKey& key, Payload payload, const Options& options)
{
    if (auto error = unfit(key, options)) return *error;
    if (envelope.alg != key.alg)
        return Error{Problem::algorithm, std::string("alg is ") + girih_name(envelope.alg) +
                                             ", but the key is " + girih_name(key.alg)};
    const auto& kid = envelope.kid;
    if (options.form == Form::note && !kid)
        return Error{Problem::member, "the note has no signature by " + json::shown(named(key, options).kid) +
                                          " with the ID of the key"};
    if (options.kid && kid != options.kid)
        return Error{Problem::member, "kid is " + (kid ? json::shown(*kid) : "missing") + ", not " +
                                          json::shown(*options.kid)};
    if (!options.kid && kid && !key.kid.empty() && kid != key.kid && kid != thumbprint(key, Format::jwk) &&
        kid != thumbprint(key, Format::cose_key))
        return Error{Problem::member,
                     "kid is " + json::shown(*kid) + ", but the key's is " + json::shown(key.kid)};
    const auto& typ = envelope.typ;
    if (options.typ && !(typ && jws::is_same_type(*typ, *options.typ)))
        return Error{Problem::member, "typ is " + (typ ? json::shown(*typ) : "missing") + ", not " +
                                          json::shown(*options.typ)};
    const auto mu = representative(envelope.signed_header, payload, options, key.alg, key.bytes,
                                   girih_message_begin, nullptr);
    if (!mu) return mu.error();
    const int code = girih_verify_mu(key.alg, key.bytes.data(), key.bytes.size(), mu->data(), mu->size(),
                                     envelope.signature.data(), envelope.signature.size());
    if (code != GIRIH_OK && code != GIRIH_ERROR_SIGNATURE) return key_files::library_error(code);
    return code == GIRIH_OK;
}

Result<Bytes> write_verifier_key(const PublicKey& key)
{
    const Options options{Form::note, false, key.kid.empty() ? std::nullopt : std::optional(key.kid)};
    if (auto error = unfit(key, options)) return *error;
    return key_files::caught([&] { return note::write_verifier_key(named(key, options)); });
}

Result<PublicKey> read_verifier_key(BytesView file)
{
    return key_files::caught([&] { return note::read_verifier_key(file); });
}

}  // namespace girih::envelopes
