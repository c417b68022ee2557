/// Private keys with one thing wrong, each refused for its own reason.
#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

// ---- OneAsymmetricKey, whatever its content

TEST(MalformedPrivateKey, StructureIsRefusedForItsOwnReason)
{
    constexpr const char* alg = "ML-DSA-44";
    const Bytes seed = seed_choice(Bytes(32, 7));
    const Bytes good = pkcs8(alg, seed);
    const Bytes after_tag(good.begin() + 1, good.end());
    const Bytes version = integer(0), algorithm = algorithm_of(alg), key = octets(seed);
    const Bytes shown = key_of("ML-DSA-44").public_key;
    expect_refused(std::vector<Malformed>{
        {shorter(good), der_truncated, "byte 0 of the DER: the key has"},
        {{0x30}, der_truncated, "byte 1 of the DER: the length of"},
        {{0x30, 0x82, 0x0A}, der_truncated, "is cut short"},
        {join({{0x30, 0x80}, slice(good, 2, good.size() - 2), {0, 0}}), der_indefinite, "byte 1"},
        {join({{0x30, 0x81}, after_tag}), der_length_form, "fewest bytes"},
        {join({{0x30, 0x82, 0}, after_tag}), der_length_form, "fewest bytes"},
        {join({{0x30, 0x85, 0, 0, 0, 0}, after_tag}), der_length_form, "more than four"},
        {{0x30, 0}, der_truncated, "OneAsymmetricKey ends where version"},
        {{0x30, 2, 0x05, 0}, der_tag, "version (INTEGER) is expected"},
        {{0x30, 3, 0x30, 9, 0}, der_truncated, "9 bytes by its length, but 1 are there"},
        {longer(good), der_trailing, "1 byte too many after the private key"},
        {pkcs8(alg, seed, 0, {5, 0}), der_trailing, "2 bytes too many after OneAsymmetricKey"},
        {sequence({algorithm, key}), encryption, "the scheme 2.16.840"},
        {pkcs8(alg, seed, 2), Problem::version, "byte 2 of the DER: the version"},
        {sequence({element(0x02, {0, 0}), algorithm, key}), Problem::version, "byte 2"},
        {pkcs8(alg, seed, 0, public_field(bits(shown))), Problem::version, "version 0"},
        {pkcs8(alg, seed, 0, element(0xA0, {0x30, 1})), der_truncated, "SEQUENCE has 1 bytes by its length"},
        {sequence({version, key}), der_tag, "AlgorithmIdentifier (SEQUENCE) is expected, not OCTET STRING"},
        {sequence({version, sequence({}), key}), der_truncated, "AlgorithmIdentifier ends where algorithm"},
        {pkcs8("Ed25519", seed), unknown_algorithm, "1.3.101.112 (Ed25519)"},
        {pkcs8("2.999.3", seed), unknown_algorithm, "the algorithm 2.999.3, which"},
        {sequence({version, algorithm_of(alg, {5, 0}), key}), parameters, "ML-DSA-44"},
        {sequence({version, algorithm}), der_truncated, "OneAsymmetricKey ends where privateKey"},
        {pkcs8(alg, seed, 1, public_field({0, 1, 2})), public_key_length, "public key has 2 bytes"},
        {pkcs8(alg, seed, 1, public_field(join({{1}, shown}))), der_unused_bits, "publicKey"},
        {pkcs8(alg, seed, 1, public_field({})), der_unused_bits, "publicKey"},
    });
}

// ---- Seed, expanded key or both: ML-DSA and ML-KEM

std::string bytes_text(std::size_t bytes)
{
    return " has " + std::to_string(bytes) + " bytes, but should have ";
}

TEST(MalformedPrivateKey, ChoiceIsRefusedForItsOwnReason)
{
    for (const auto& [alg, rfc] :
         {std::pair{"ML-DSA-44", "both (RFC 9881)"}, {"ML-KEM-512", "both (RFC 9935)"}}) {
        const Bytes seed = seed_of(alg), expanded = secret_of(alg);
        const auto both = [&](const Bytes& s, const Bytes& e, const Bytes& rest = {}) {
            return pkcs8(alg, sequence({octets(s), octets(e), rest}));
        };
        const std::string short_seed = "seed" + bytes_text(seed.size() - 1);
        const std::string long_seed = "seed" + bytes_text(seed.size() + 1);
        const std::string short_key = "expandedKey" + bytes_text(expanded.size() - 1);
        const std::string long_key = "expandedKey" + bytes_text(expanded.size() + 1);
        const std::string_view halves = "the expanded key is not the one that the seed";
        expect_refused(std::vector<Malformed>{
            {pkcs8(alg, integer(1)), private_choice, rfc},
            {pkcs8(alg, longer(seed)), private_choice, "none of seed"},
            {pkcs8(alg, seed_choice(shorter(seed))), private_key_length, short_seed},
            {pkcs8(alg, seed_choice(longer(seed))), private_key_length, long_seed},
            {pkcs8(alg, octets(shorter(expanded))), private_key_length, short_key},
            {pkcs8(alg, octets(longer(expanded))), private_key_length, long_key},
            {both(shorter(seed), expanded), private_key_length, short_seed},
            {both(seed, shorter(expanded)), private_key_length, short_key},
            {pkcs8(alg, longer(seed_choice(seed))), der_trailing, "too many after privateKey"},
            {pkcs8(alg, longer(octets(expanded))), der_trailing, "too many after privateKey"},
            {both(seed, expanded, {0}), der_trailing, "too many after both"},
            {both(seed, secret_of(alg, 8)), halves_mismatch, halves},
        });
    }
}

/// tests/negative covers the keys that are out of range or contradict themselves; these tests cover
/// the reader's messages about them.
TEST(MalformedPrivateKey, OfMlDsaIsRefusedForItsOwnReason)
{
    constexpr std::size_t tr_at = 64, s1_at = 128;
    constexpr const char* alg = "ML-DSA-44";
    const Bytes seed = seed_of(alg), expanded = secret_of(alg);
    const Bytes last_changed = with_byte(expanded, expanded.size() - 1, 1);
    const auto file = [](const Bytes& content) { return pkcs8(alg, octets(content)); };
    expect_refused(std::vector<Malformed>{
        {pkcs8(alg, sequence({octets(seed), octets(last_changed)})), halves_mismatch,
         "is not the one that the seed"},
        {file(with_byte(expanded, s1_at, 0xFF)), secret_key_range, "out of range"},
        {file(with_byte(expanded, tr_at, 1)), secret_key_mismatch, "contradicts itself: its t0 or its tr"},
    });
}

TEST(MalformedPrivateKey, OfMlKemIsRefusedForItsOwnReason)
{
    // 768 bytes of s, 800 of the public key, 32 of its hash, 32 of z
    constexpr std::size_t shown_at = 768, hash_at = shown_at + 800, z_at = hash_at + 32;
    constexpr const char* alg = "ML-KEM-512";
    const Bytes seed = seed_of(alg), expanded = secret_of(alg);
    const Bytes s_of_another = with_bytes(expanded, 0, slice(secret_of(alg, 8), 0, shown_at));
    const auto file = [](const Bytes& content) { return pkcs8(alg, octets(content)); };
    const auto both = [&](std::size_t at, std::uint8_t flip) {
        return pkcs8(alg, sequence({octets(seed), octets(with_byte(expanded, at, flip))}));
    };
    const std::string_view wrong_hash = "its hash does not match the public key in it";
    const std::string_view wrong_s = "its s does not match the public key in it";
    const std::string_view wrong_z = "its z is not that of the seed";
    expect_refused(std::vector<Malformed>{
        {both(shown_at - 1, 1), halves_mismatch, "is not the one that the seed"},
        {both(z_at, 1), halves_mismatch, wrong_z},
        {both(expanded.size() - 1, 0x80), halves_mismatch, wrong_z},
        {file(with_bytes(expanded, 0, {0xFF, 0xFF})), secret_key_range, "a coefficient that is not below q"},
        {file(with_byte(expanded, hash_at, 1)), secret_key_mismatch, wrong_hash},
        {file(with_byte(expanded, z_at - 1, 0x80)), secret_key_mismatch, wrong_hash},
        {file(with_byte(expanded, 0, 1)), secret_key_mismatch, wrong_s},
        {file(s_of_another), secret_key_mismatch, wrong_s},
    });
}

// ---- The secret key and the public key in one OCTET STRING: Dilithium and Falcon

TEST(MalformedPrivateKey, OfDilithiumAndFalconIsRefusedForItsOwnReason)
{
    for (const char* alg : {"Dilithium2", "Falcon-512"}) {
        const Bytes secret = secret_of(alg), shown = key_of(alg).public_key;
        const Bytes others = key_of(alg, 8).public_key;
        const Bytes whole = octets(join({secret, shown}));
        const std::string lengths = bytes_text(secret.size() - 1) + std::to_string(secret.size()) + ", or " +
                                    std::to_string(secret.size() + shown.size()) + " with the public key";
        expect_refused(std::vector<Malformed>{
            {pkcs8(alg, seed_choice(seed_of(alg))), der_tag,
             "the secret key (OCTET STRING) is expected, not the tag 0x80"},
            {pkcs8(alg, join({secret, shown})), der_tag, "OCTET STRING"},
            {pkcs8(alg, octets(shorter(secret))), private_key_length, lengths},
            {pkcs8(alg, octets(join({secret, shown, {0}}))), private_key_length,
             std::to_string(secret.size() + shown.size() + 1) + " bytes"},
            {pkcs8(alg, longer(whole)), der_trailing, "privateKey"},
            {pkcs8(alg, octets(join({secret, others}))), public_key_mismatch, "another key"},
            {pkcs8(alg, whole, 1, public_field(bits(others))), public_key_mismatch, "another key"},
        });
    }
}

TEST(MalformedPrivateKey, OfFalconIsRefusedForItsOwnReason)
{
    constexpr std::size_t big_f = 1 + 2 * 384;  // f and g take six bits a coefficient, F eight
    const Bytes secret = secret_of("Falcon-512"), shown = key_of("Falcon-512").public_key;
    const auto file = [](const Bytes& content, const Bytes& bit_string) {
        return pkcs8("Falcon-512", octets(content), 1, public_field(bit_string));
    };
    expect_refused(std::vector<Malformed>{
        {file(with_byte(secret, 0, 1), bits(shown)), secret_key_range,
         "not a Falcon key: a wrong header, a coefficient out of range, or an f without reciprocal"},
        {file(with_bytes(secret, big_f, Bytes(512)), bits(shown)), secret_key_mismatch,
         "f G - g F is not q, or the basis is not short"},
        {file(secret, bits(with_byte(shown, 0, 0x10))), public_key_mismatch, "another key"},
    });
}

// ---- NTRU Prime's parts

TEST(MalformedPrivateKey, OfNtruPrimeHasItsStructureRefused)
{
    constexpr const char* alg = "sntrup761";
    const NtruPrimeParts p = parts_of("sntrup761");
    const Bytes content = p.content(), others = octets(key_of(alg, 8).public_key);
    const Bytes without_hash =
        sequence({octets(p.f), octets(p.g_reciprocal), octets(p.public_key), octets(p.rho)});
    expect_refused(std::vector<Malformed>{
        {pkcs8(alg, octets(secret_of(alg))), der_tag,
         "the secret key (SEQUENCE) is expected, not OCTET STRING"},
        {pkcs8(alg, seed_choice(seed_of(alg))), der_tag, "SEQUENCE"},
        {pkcs8(alg, longer(content)), der_trailing, "privateKey"},
        {pkcs8(alg, p.content({5, 0})), der_trailing, "2 bytes too many after the secret key"},
        {pkcs8(alg, without_hash), der_truncated, "the secret key ends where the hash of the public key"},
        {pkcs8(alg, sequence({element(0x02, p.f)})), der_tag, "f (OCTET STRING) is expected, not INTEGER"},
        {pkcs8(alg, parts_of("ntrulpr653").content()), private_key_length,
         "f has 164 bytes, but should have 191"},
        {pkcs8(alg, content, 1, public_field(bits(others))), public_key_mismatch, "another key"},
        {pkcs8(alg, content, 1, public_field(join({{0, 0}, p.public_key}))), der_tag,
         "the public key (OCTET STRING) is expected"},
    });
}

TEST(MalformedPrivateKey, OfNtruPrimeHasItsPartsRefused)
{
    using P = NtruPrimeParts;
    const P p = parts_of("sntrup761"), lpr = parts_of("ntrulpr653");
    expect_refused(std::vector<Row<P>>{
        {p.with(&P::f, shorter(p.f)), private_key_length, "f has 190 bytes, but should have 191"},
        {p.with(&P::f, longer(p.f)), private_key_length, "f has 192"},
        {p.with(&P::g_reciprocal, shorter(p.g_reciprocal)), private_key_length, "1/g has 190"},
        {p.with(&P::public_key, shorter(p.public_key)), private_key_length,
         "the public key beside it has 1157"},
        {p.with(&P::rho, shorter(p.rho)), private_key_length, "rho has 190"},
        {p.with(&P::hash, Bytes(64)), private_key_length,
         "the hash of the public key has 64 bytes, but should have 32"},
        {p.with(&P::f, with_bytes(p.f, 0, {0xFF})), secret_key_range,
         "f or 1/g is not a small polynomial, or f has a wrong weight"},
        {p.with(&P::hash, with_byte(p.hash, 31, 1)), secret_key_mismatch,
         "1/g, the public key or its hash does not match the rest"},

        {lpr.with(&P::f, shorter(lpr.f)), private_key_length, "a has 163 bytes, but should have 164"},
        {lpr.with(&P::rho, longer(lpr.rho)), private_key_length, "rho has 33 bytes, but should have 32"},
        {lpr.with(&P::g_reciprocal, lpr.f), private_key_length,
         "the public key beside it has 164 bytes, but should have 897"},
        {lpr.with(&P::f, with_bytes(lpr.f, 0, {0x03})), secret_key_range,
         "a is not a small polynomial, or has a wrong weight"},
        {lpr.with(&P::hash, with_byte(lpr.hash, 0, 1)), secret_key_mismatch,
         "contradicts itself: the public key or its hash does not match"},
    });
}

}  // namespace
}  // namespace girih::key_files
