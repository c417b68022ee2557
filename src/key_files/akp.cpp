#include "key_files/akp.hpp"

#include <algorithm>
#include <string_view>

#include "key_files/encoding/base64url.hpp"
#include "key_files/encoding/cbor.hpp"
#include "key_files/encoding/json.hpp"
#include "key_files/structures.hpp"
#include "sha2/sha2.hpp"

namespace girih::key_files::akp {
namespace {

struct Row {
    const char* name;
    std::int64_t number;
};
/// RFC 9964, Section 4.
constexpr Row rows[]{
    // facts: numbers
    {"ML-DSA-44", -48},
    {"ML-DSA-65", -49},
    {"ML-DSA-87", -50},
    // facts: end
};

/// Labels of COSE_Key (RFC 9052, Table 4; RFC 9964, Section 7).
enum Label : std::int64_t { kty = 1, kid = 2, alg = 3, pub = -1, priv = -2 };
constexpr std::int64_t kty_akp = 7;

constexpr std::size_t seed_bytes = 32;

/// The parts of a key's file. A wrong length is an error of the member that has it.
struct Parts {
    const girih_alg* alg;
    Bytes pub;
    std::optional<SecretBytes> priv;
    Bytes kid;
};

void check_length(Problem problem, const std::string& part, std::size_t bytes, std::size_t right)
{
    if (bytes != right)
        refuse(problem,
               part + " has " + std::to_string(bytes) + " bytes, but should have " + std::to_string(right));
}

KeyFile checked(Parts parts, Format format)
{
    check_length(Problem::public_key_length, "pub", parts.pub.size(), girih_public_key_bytes(parts.alg));
    if (!parts.priv)
        return KeyFile{Kind::public_key, format, PrivateForm::seed,
                       PublicKey{parts.alg, std::move(parts.pub), false, std::move(parts.kid)}};
    check_length(Problem::private_key_length, "priv", parts.priv->size(), seed_bytes);
    auto key = check_private_key(parts.alg, {*parts.priv, {}, parts.pub, {}});
    if (!key) throw Malformed{key.error()};
    key->kid = std::move(parts.kid);
    return KeyFile{Kind::private_key, format, PrivateForm::seed, std::move(*key)};
}

Parts parts_of_jwk(BytesIn<> file)
{
    const json::Object jwk = json::Object::of_file(file, "the JWK");
    if (jwk.find("kty") == nullptr && jwk.find("keys") != nullptr)
        refuse(Problem::member, "a JWK Set, but girih reads a single JWK");
    const auto is = [](BytesIn<> text, const char* value) {
        return std::ranges::equal(text, json::bytes_of(value));
    };
    const SecretBytes& type = jwk.string("kty");
    if (!is(type, "AKP")) jwk.refuse("kty", "is " + json::shown(type) + ", but girih reads \"AKP\"");
    const SecretBytes& name = jwk.string("alg");
    Parts parts{by_name(name), {}, {}, {}};
    if (parts.alg == nullptr) jwk.refuse("alg", "is " + json::shown(name) + ", but girih reads " + names);
    parts.pub = owned(jwk.base64url("pub"));
    if (jwk.find("priv") != nullptr) parts.priv = jwk.base64url("priv");
    if (const SecretBytes* const text = jwk.optional_string("kid")) parts.kid = owned(*text);
    const SecretBytes* const use = jwk.optional_string("use");
    if (use != nullptr && !is(*use, "sig"))
        jwk.refuse("use", "is " + json::shown(*use) + ", but ML-DSA is for \"sig\"");
    return parts;
}

Parts parts_of_cose_key(BytesIn<> file)
{
    cbor::Reader reader(file, "the COSE_Key");
    bool has_type = false, has_pub = false;
    Parts parts{};
    reader.entries("the COSE_Key", [&](std::int64_t label) {
        if (label == kty) {
            has_type = true;
            const std::int64_t type = reader.number("kty");
            if (type != kty_akp)
                reader.fail(Problem::member, "kty is " + std::to_string(type) + ", but girih reads 7 (AKP)");
        } else if (label == kid) {
            parts.kid = owned(reader.byte_string("kid"));
        } else if (label == alg) {
            parts.alg = algorithm_of(reader);
        } else if (label == pub) {
            has_pub = true;
            parts.pub = owned(reader.byte_string("pub"));
        } else if (label == priv) {
            const BytesIn<> seed = reader.byte_string("priv");
            parts.priv.emplace(seed.begin(), seed.end());
        } else {
            return false;
        }
        return true;
    });
    reader.end();
    for (const auto& [there, name] :
         {std::pair{has_type, "kty (1)"}, {parts.alg != nullptr, "alg (3)"}, {has_pub, "pub (-1)"}})
        if (!there) refuse(Problem::member, std::string("the COSE_Key: ") + name + " is missing");
    return parts;
}

SecretBytes jwk(const PublicKey& key, BytesIn<> seed)
{
    SecretBytes out;
    json::append_member(out, "kty", json::bytes_of("AKP"));
    json::append_member(out, "alg", json::bytes_of(girih_name(key.alg)));
    json::append_member(out, "kid", kid_of(key, Format::jwk));
    json::append_member(out, "pub", base64url::encode(key.bytes));
    if (!seed.empty()) json::append_member(out, "priv", base64url::encode(seed));
    out.insert(out.end(), {'}', '\n'});
    return out;
}

/// In the order of deterministic encoding (RFC 8949, Section 4.2.1). A thumbprint is of the
/// parameters without kid and priv.
SecretBytes cose_key(const PublicKey& key, BytesIn<> kid_bytes, BytesIn<> seed)
{
    SecretBytes out;
    cbor::append_head(out, cbor::map, 3u + (kid_bytes.empty() ? 0 : 1) + (seed.empty() ? 0 : 1));
    const auto append_bytes = [&out](Label label, BytesIn<> content) {
        if (content.empty()) return;
        cbor::append_number(out, label);
        cbor::append_bytes(out, content);
    };
    cbor::append_number(out, kty);
    cbor::append_number(out, kty_akp);
    append_bytes(kid, kid_bytes);
    cbor::append_number(out, alg);
    cbor::append_number(out, number_of(key.alg));
    append_bytes(pub, key.bytes);
    append_bytes(priv, seed);
    return out;
}

}  // namespace

const girih_alg* by_name(BytesIn<> name) noexcept
{
    for (const Row& row : rows)
        if (std::ranges::equal(json::bytes_of(row.name), name)) return girih_algorithm(row.name);
    return nullptr;
}

std::int64_t number_of(const girih_alg* alg) noexcept
{
    for (const Row& row : rows)
        if (std::string_view(row.name) == girih_name(alg)) return row.number;
    return 0;
}

const girih_alg* algorithm_of(cbor::Reader& reader)
{
    const std::int64_t number = reader.number("alg");
    for (const Row& row : rows)
        if (row.number == number) return girih_algorithm(row.name);
    reader.fail(Problem::member,
                "alg is " + std::to_string(number) + ", but girih reads -48, -49 and -50 (" + names + ")");
}

Result<KeyFile> read_jwk(BytesIn<> file)
{
    return caught([&] { return checked(parts_of_jwk(file), Format::jwk); });
}

Result<KeyFile> read_cose_key(BytesIn<> file)
{
    return caught([&] { return checked(parts_of_cose_key(file), Format::cose_key); });
}

Result<SecretBytes> write(const PublicKey& key, BytesIn<> seed, Format format)
{
    const std::string form = format == Format::jwk ? "a JWK" : "a COSE_Key";
    if (number_of(key.alg) == 0)
        return Error{Problem::no_form, form + " holds keys of " + names + ", not of " + girih_name(key.alg)};
    if (key.for_hash_ml_dsa) return Error{Problem::no_form, form + " holds no key for HashML-DSA"};
    return format == Format::jwk ? jwk(key, seed) : cose_key(key, kid_of(key, format), seed);
}

Bytes kid_of(const PublicKey& key, Format format)
{
    const bool holds = !key.kid.empty() && (format == Format::cose_key || json::is_text(key.kid));
    return holds ? key.kid : thumbprint(key, format);
}

}  // namespace girih::key_files::akp

namespace girih::key_files {

Bytes thumbprint(const PublicKey& key, Format format)
{
    if (akp::number_of(key.alg) == 0 || (format != Format::jwk && format != Format::cose_key)) return {};
    SecretBytes parameters;
    if (format == Format::jwk) {
        json::append_member(parameters, "alg", json::bytes_of(girih_name(key.alg)));
        json::append_member(parameters, "kty", json::bytes_of("AKP"));
        json::append_member(parameters, "pub", base64url::encode(key.bytes));
        parameters.push_back('}');
    } else {
        parameters = akp::cose_key(key, {}, {});
    }
    sha2::Sha256 hash;
    hash.update(parameters);
    const auto digest = hash.digest();
    return format == Format::cose_key ? owned(digest) : owned(base64url::encode(digest));
}

}  // namespace girih::key_files
