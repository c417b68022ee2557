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

using key_files::Error;
using key_files::Format;
using key_files::PrivateKey;
using key_files::PublicKey;

using Mu = std::array<Byte, GIRIH_MU_BYTES>;

Format format_of_keys(Form form) { return form == Form::cose_sign1 ? Format::cose_key : Format::jwk; }

/// The message that is signed, of which the payload comes in pieces. JWS signs its base64url, in
/// which three bytes are four characters.
class Message {
  public:
    Message(girih_message& state, bool is_encoded) : state_(state), is_encoded_(is_encoded) {}

    int update(BytesIn<> piece)
    {
        bytes_ += piece.size();
        if (!is_encoded_) return girih_message_update(&state_, piece.data(), piece.size());
        rest_.insert(rest_.end(), piece.begin(), piece.end());
        return encode(rest_.size() / 3 * 3);
    }
    int end() { return encode(rest_.size()); }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  private:
    int encode(std::size_t count)
    {
        const auto text = key_files::base64url::encode(BytesIn<>(rest_).first(count));
        rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
        return girih_message_update(&state_, text.data(), text.size());
    }

    girih_message& state_;
    bool is_encoded_;
    std::uint64_t bytes_ = 0;
    Bytes rest_;  ///< at most two bytes between pieces
};

/// The representative of an envelope's message. `begin` begins it for a key; `copy` takes the
/// payload's bytes, if it is not null.
template <class Begin>
Result<Mu> representative(BytesIn<> header, Payload& payload, const Options& options, Begin begin,
                          Bytes* copy)
{
    girih_message state;
    const girih_options empty_context{};
    int code = begin(state, empty_context);
    const bool is_cose = options.form == Form::cose_sign1;
    SecretBytes before(header.begin(), header.end());
    before.push_back('.');
    if (is_cose) before = cose::before_payload(header, options.external_aad, payload.bytes);
    if (code == GIRIH_OK) code = girih_message_update(&state, before.data(), before.size());
    Message message(state, !is_cose);
    while (code == GIRIH_OK) {
        const BytesIn<> piece = payload.next();
        if (piece.empty()) break;
        code = message.update(piece);
        if (copy != nullptr) copy->insert(copy->end(), piece.begin(), piece.end());
    }
    if (code == GIRIH_OK) code = message.end();
    Mu mu{};
    if (code == GIRIH_OK) code = girih_message_mu(&state, mu.data(), mu.size());
    wipe(state);
    if (code != GIRIH_OK) return key_files::library_error(code);
    if (is_cose && message.bytes() != payload.bytes)
        return Error{Problem::library, "the payload changed its length while it was read"};
    return mu;
}

/// An error for a key that RFC 9964 has no envelopes for, or data that the form does not sign.
template <class Key>
std::optional<Error> unfit(const Key& key, const Options& options)
{
    if (options.form != Form::cose_sign1 && options.external_aad.size() != 0)
        return Error{Problem::no_form, "external_aad: a JWS has none"};
    if (key_files::akp::number_of(key.alg) == 0)
        return Error{Problem::no_form, std::string("JWS and COSE_Sign1 are signed with ") +
                                           key_files::akp::names + ", and not with " + girih_name(key.alg)};
    if (key.for_hash_ml_dsa)
        return Error{Problem::no_form, "the key is for HashML-DSA, which JWS and COSE_Sign1 do not have"};
    return {};
}

/// Whether a kid names the key.
bool names(const Bytes& kid, const PublicKey& key)
{
    return kid == key.kid || kid == thumbprint(key, Format::jwk) || kid == thumbprint(key, Format::cose_key);
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
    const PublicKey shown{key.alg, key.public_key, false, key.kid};
    const Bytes kid =
        options.kid ? *options.kid : key_files::akp::kid_of(shown, format_of_keys(options.form));
    if (!is_cose && !key_files::json::is_text(kid))
        return Error{Problem::no_form, "kid: a JWS holds text in UTF-8, without control characters"};
    Envelope envelope{
        key.alg, kid, owned(is_cose ? cose::header(key.alg, kid) : jws::header(key.alg, kid)), {}, {}};
    Bytes content;
    const auto begin = [&key](girih_message& state, const girih_options& how) {
        return girih_message_begin_secret(&state, key.alg, key.expanded.data(), key.expanded.size(), &how);
    };
    const auto mu = representative(envelope.signed_header, payload, options, begin,
                                   options.detached ? nullptr : &content);
    if (!mu) return mu.error();
    if (!options.detached) envelope.payload = std::move(content);
    girih_options how{};
    how.deterministic = options.deterministic ? 1 : 0;
    envelope.signature.resize(girih_signature_bytes(key.alg));
    std::size_t bytes = 0;
    const int code = girih_sign_mu(key.alg, key.expanded.data(), key.expanded.size(), mu->data(), mu->size(),
                                   &how, envelope.signature.data(), envelope.signature.size(), &bytes);
    if (code != GIRIH_OK) return key_files::library_error(code);
    return owned(is_cose ? cose::write(envelope) : jws::write(envelope, options.form));
}

Result<Envelope> parse(BytesView file, Form form)
{
    return key_files::caught([&] {
        return form == Form::cose_sign1 ? cose::parse(file)
               : form == Form::jws_json ? jws::parse_json(file)
                                        : jws::parse_compact(file);
    });
}

Result<bool> verify(const Envelope& envelope, const PublicKey& key, Payload payload, const Options& options)
{
    if (auto error = unfit(key, options)) return *error;
    if (envelope.alg != key.alg)
        return Error{Problem::algorithm, std::string("alg is ") + girih_name(envelope.alg) +
                                             ", and the key is " + girih_name(key.alg)};
    const auto shown = [](const Bytes& kid) { return key_files::json::shown(kid); };
    if (options.kid && envelope.kid != options.kid)
        return Error{Problem::member, "kid is " + (envelope.kid ? shown(*envelope.kid) : "missing") +
                                          ", and not " + shown(*options.kid)};
    if (!options.kid && envelope.kid && !key.kid.empty() && !names(*envelope.kid, key))
        return Error{Problem::member,
                     "kid is " + shown(*envelope.kid) + ", and the key's is " + shown(key.kid)};
    const auto begin = [&key](girih_message& state, const girih_options& how) {
        return girih_message_begin(&state, key.alg, key.bytes.data(), key.bytes.size(), &how);
    };
    const auto mu = representative(envelope.signed_header, payload, options, begin, nullptr);
    if (!mu) return mu.error();
    const int code = girih_verify_mu(key.alg, key.bytes.data(), key.bytes.size(), mu->data(), mu->size(),
                                     envelope.signature.data(), envelope.signature.size());
    if (code != GIRIH_OK && code != GIRIH_ERROR_SIGNATURE) return key_files::library_error(code);
    return code == GIRIH_OK;
}

}  // namespace girih::envelopes
