/// PKCS#8 private keys, and the checks that bind a seed, an expanded key and a public key.
#include <algorithm>
#include <utility>

#include "core/random.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "key_files/foreign/layouts.hpp"
#include "key_files/ntru_prime.hpp"
#include "key_files/structures.hpp"

namespace girih::key_files {
namespace {

/// OneAsymmetricKey's version: v1 is written 0; v2, written 1, may have a public key (RFC 5958,
/// Section 2).
constexpr Byte version_1 = 0;
constexpr Byte version_2 = 1;

/// Whether two secrets of equal length are equal. Constant time, except for the verdict.
bool same(BytesIn<> a, BytesIn<> b)
{
    Secret<Byte> difference;
    for (std::size_t i = 0; i < a.size(); ++i) difference |= Secret<Byte>(a[i]) ^ Secret<Byte>(b[i]);
    return declassify(difference, "whether a file's two halves agree is what its owner asks") == 0;
}

PrivateKey zeroed_key(const girih_alg* alg)
{
    return {alg, {}, SecretBytes(girih_secret_key_bytes(alg)), Bytes(girih_public_key_bytes(alg))};
}

Error malformed_error(const Identified& algorithm)
{
    if (algorithm.is_ntru_prime()) return ntru_prime::malformed_error(algorithm);
    if (algorithm.is_ml_kem())
        return {Problem::secret_key_range,
                "the expanded key has a coefficient that is not below q, in s or in the public key"};
    if (algorithm.layout == PrivateLayout::falcon)
        return {Problem::secret_key_range,
                "the expanded key is not a Falcon key: a wrong header, a coefficient out of range, "
                "or an f without reciprocal"};
    return {Problem::secret_key_range, "the expanded key has a coefficient of s1 or s2 out of range"};
}

/// The error that says which parts of an ML-KEM key contradict each other: decapsulation checks the
/// hash alone.
Error ml_kem_mismatch_error(const girih_alg* alg, BytesIn<> expanded)
{
    const Bytes ciphertext(girih_ciphertext_bytes(alg));
    SecretBytes secret(girih_shared_secret_bytes(alg));
    const int code = girih_decapsulate(alg, expanded.data(), expanded.size(), ciphertext.data(),
                                       ciphertext.size(), secret.data(), secret.size());
    return {Problem::secret_key_mismatch,
            std::string("the expanded key contradicts itself: ") +
                (code == GIRIH_ERROR_KEY_MISMATCH ? "its hash does not match the public key in it"
                                                  : "its s does not match the public key in it")};
}

Error mismatch_error(const Identified& algorithm, BytesIn<> expanded)
{
    if (algorithm.is_ntru_prime()) return ntru_prime::mismatch_error(algorithm);
    if (algorithm.is_ml_kem()) return ml_kem_mismatch_error(algorithm.alg, expanded);
    if (algorithm.layout == PrivateLayout::falcon)
        return {Problem::secret_key_mismatch,
                "the expanded key contradicts itself: f G - g F is not q, or the basis is not short"};
    return {Problem::secret_key_mismatch,
            "the expanded key contradicts itself: its t0 or its tr does not match the rest"};
}

/// The error for an expanded key that is not its seed's.
Error halves_error(const girih_alg* alg, BytesIn<> expected, BytesIn<> given)
{
    constexpr std::size_t z_bytes = 32;  // the end of an ML-KEM key; the rest is expanded from d
    const std::size_t rest = given.size() - z_bytes;
    if (by_algorithm(alg).is_ml_kem() && same(expected.first(rest), given.first(rest)))
        return {Problem::halves_mismatch,
                "the expanded key is not that of the seed beside it: its z is not that of the seed"};
    return {Problem::halves_mismatch, "the expanded key is not the one that the seed beside it expands to"};
}

Result<PrivateKey> from_expanded(const girih_alg* alg, BytesIn<> expanded)
{
    PrivateKey key = zeroed_key(alg);
    std::copy(expanded.begin(), expanded.end(), key.expanded.begin());
    const int code = girih_public_key(alg, key.expanded.data(), key.expanded.size(), key.public_key.data(),
                                      key.public_key.size());
    switch (code) {
        case GIRIH_OK:
            return key;
        case GIRIH_ERROR_SECRET_KEY:
            return malformed_error(by_algorithm(alg));
        case GIRIH_ERROR_KEY_MISMATCH:
            return mismatch_error(by_algorithm(alg), expanded);
        default:
            return library_error(code);
    }
}

Byte read_version(der::Reader& info)
{
    const BytesIn<> version = info.element(der::integer, "version");
    if (info.failed()) return version_1;
    if (version.size() == 1 && (version[0] == version_1 || version[0] == version_2)) return version[0];
    info.fail(Problem::version, "the version of the private key is neither 0 nor 1");
    return version_1;
}

/// ML-DSA-44-PrivateKey, ML-KEM-512-PrivateKey and their like (RFC 9881 and RFC 9935, Section 6):
/// seed, expandedKey or both; or another program's layout.
PrivateParts read_choice(der::Reader& content, const girih_alg* alg)
{
    if (auto foreign = read_foreign_choice(content, alg)) return *std::move(foreign);
    const std::size_t seed_bytes = girih_seed_bytes(alg);
    const std::size_t expanded_bytes = girih_secret_key_bytes(alg);
    PrivateParts parts;
    if (content.next_is(der::context_primitive(0))) {
        parts.seed = read_private_part(content, der::context_primitive(0), "seed", seed_bytes);
    } else if (content.next_is(der::octet_string)) {
        parts.expanded = read_private_part(content, der::octet_string, "expandedKey", expanded_bytes);
    } else if (content.next_is(der::sequence)) {
        der::Reader both = content.inside(der::sequence, "both");
        parts.seed = read_private_part(both, der::octet_string, "seed", seed_bytes);
        parts.expanded = read_private_part(both, der::octet_string, "expandedKey", expanded_bytes);
        both.end();
    } else {
        content.fail(Problem::private_choice,
                     std::string("privateKey is none of seed, expandedKey and both (RFC ") +
                         (girih_is_kem(alg) == 1 ? "9935)" : "9881)"));
    }
    return parts;
}

PrivateParts read_parts(der::Reader& content, const Identified& algorithm)
{
    switch (algorithm.layout) {
        case PrivateLayout::choice:
            return read_choice(content, algorithm.alg);
        case PrivateLayout::falcon:
            if (content.next_is(der::sequence)) return read_bouncy_castle_falcon(content, algorithm.alg);
            [[fallthrough]];
        case PrivateLayout::oqs_provider:
            return read_oqs_provider(content, algorithm.alg);
        case PrivateLayout::streamlined:
        case PrivateLayout::lprime:
            break;
    }
    return ntru_prime::read_parts(content, algorithm);
}

/// The optional fields after privateKey: attributes, which are ignored, and publicKey.
BytesIn<> read_optional_fields(der::Reader& info, Byte version, const Identified& algorithm)
{
    if (info.next_is(der::context_constructed(0)))
        (void)info.well_formed(der::context_constructed(0), "attributes");
    BytesIn<> public_key;
    const bool present = info.next_is(der::context_primitive(1));
    if (present) public_key = read_public_key_bits(info, der::context_primitive(1), "publicKey", algorithm);
    info.end();
    if (present && version != version_2)
        info.fail(Problem::version, "a public key is present, which version 0 does not allow");
    return public_key;
}

void append_choice(SecretBytes& out, const PrivateKey& key, PrivateForm form)
{
    if (form == PrivateForm::seed) return der::append(out, der::context_primitive(0), key.seed);
    if (form == PrivateForm::expanded) return der::append(out, der::octet_string, key.expanded);
    SecretBytes both;
    der::append(both, der::octet_string, key.seed);
    der::append(both, der::octet_string, key.expanded);
    der::append(out, der::sequence, both);
}

/// The content of privateKey.
Result<SecretBytes> encode_content(const PrivateKey& key, PrivateForm form, const Identified& algorithm)
{
    if (algorithm.layout != PrivateLayout::choice && form != PrivateForm::expanded)
        return Error{Problem::no_form,
                     "PEM and DER hold " + with_article(key.alg) + " private key in its expanded form only"};
    SecretBytes content;
    switch (algorithm.layout) {
        case PrivateLayout::choice:
            append_choice(content, key, form);
            break;
        case PrivateLayout::oqs_provider:
        case PrivateLayout::falcon:
            append_oqs_provider(content, key);
            break;
        case PrivateLayout::streamlined:
        case PrivateLayout::lprime:
            ntru_prime::append_parts(content, key, algorithm);
            break;
    }
    return content;
}

/// Whether the public key beside a private key, if any, belongs to it.
bool belongs(BytesIn<> public_key, const PrivateKey& key)
{
    declassify(public_key, "a public key, wherever it stands");
    return public_key.empty() || std::ranges::equal(public_key, key.public_key);
}

Error public_key_error()
{
    return {Problem::public_key_mismatch, "the public key beside the private key belongs to another key"};
}

}  // namespace

BytesIn<> read_private_part(der::Reader& reader, Byte tag, std::string_view field, std::size_t bytes)
{
    const BytesIn<> part = reader.element(tag, field);
    if (!reader.failed() && part.size() != bytes)
        reader.fail(Problem::private_key_length, std::string(field) + " has " + std::to_string(part.size()) +
                                                     " bytes, but should have " + std::to_string(bytes));
    return part;
}

Error library_error(int code) { return {Problem::library, girih_error_text(code)}; }

Result<PrivateKey> from_seed(const girih_alg* alg, BytesView seed)
{
    if (seed.size() != girih_seed_bytes(alg))
        return Error{Problem::private_key_length, "the seed has " + std::to_string(seed.size()) +
                                                      " bytes, but should have " +
                                                      std::to_string(girih_seed_bytes(alg))};
    PrivateKey key = zeroed_key(alg);
    key.seed.assign(seed.begin(), seed.end());
    const int code = girih_keygen_from_seed(alg, key.seed.data(), key.seed.size(), key.public_key.data(),
                                            key.public_key.size(), key.expanded.data(), key.expanded.size());
    if (code != GIRIH_OK) return library_error(code);
    return key;
}

Result<PrivateKey> generate(const girih_alg* alg)
{
    SecretBytes seed(girih_seed_bytes(alg));
    if (!os_random(seed)) return library_error(GIRIH_ERROR_RANDOM);
    return from_seed(alg, seed);
}

Result<PrivateKey> check_private_key(const girih_alg* alg, const PrivateParts& parts)
{
    auto key = parts.seed.empty() ? from_expanded(alg, parts.expanded) : from_seed(alg, parts.seed);
    if (!key) return key;
    if (!parts.seed.empty() && !parts.expanded.empty() && !same(key->expanded, parts.expanded))
        return halves_error(alg, key->expanded, parts.expanded);
    if (!belongs(parts.public_key, *key)) return public_key_error();
    return key;
}

Result<PrivateKey> read_pkcs8(BytesIn<> der, Found& found)
{
    std::optional<Error> error;
    der::Reader file(der, "the private key", error);
    der::Reader info = file.inside(der::sequence, "OneAsymmetricKey");
    file.end();
    const Byte version = read_version(info);
    const Identified algorithm = read_algorithm(info);
    if (error) return *error;

    der::Reader content = info.inside(der::octet_string, "privateKey");
    const PrivateParts parts = read_parts(content, algorithm);
    content.end();
    const BytesIn<> public_key = read_optional_fields(info, version, algorithm);
    if (error) return *error;

    found.for_hash_ml_dsa = algorithm.is_hash_ml_dsa;
    found.form = parts.seed.empty()       ? PrivateForm::expanded
                 : parts.expanded.empty() ? PrivateForm::seed
                                          : PrivateForm::both;
    auto key = check_private_key(algorithm.alg, parts);
    if (key && !belongs(public_key, *key)) return public_key_error();
    return key;
}

Result<SecretBytes> encode_pkcs8(const PrivateKey& key, PrivateForm form)
{
    const Identified algorithm = by_algorithm(key.alg, key.for_hash_ml_dsa);
    auto content = encode_content(key, form, algorithm);
    if (!content) return content;
    SecretBytes info;
    der::append(info, der::integer, BytesIn<>(&version_1, 1));
    append_algorithm(info, algorithm);
    der::append(info, der::octet_string, *content);
    return der::in_sequence(info);
}

}  // namespace girih::key_files
