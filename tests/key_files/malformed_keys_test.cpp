/// Private and public keys with one thing wrong, each refused for its own reason.
#include <algorithm>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;
using enum Problem;

Bytes cut(const Bytes& file) { return slice(file, 0, file.size() - 1); }

// ---- OneAsymmetricKey, whatever is in it

TEST(MalformedPrivateKey, StructureIsRefusedForItsOwnReason)
{
    const std::string alg = "ML-DSA-44";
    const Bytes seed = seed_choice(Bytes(32, 7));
    const Bytes good = pkcs8(alg, seed);
    const Bytes after_tag(good.begin() + 1, good.end());
    const Bytes version = integer(0), algorithm = algorithm_of(alg), key = octets(seed);
    const Bytes shown = key_of("ML-DSA-44").public_key;
    expect_refused(std::vector<Malformed>{
        {"CutShort", cut(good), der_truncated, "byte 0"},
        {"TagOnly", {0x30}, der_truncated, "byte 1 of the DER: the length of"},
        {"LengthCutShort", {0x30, 0x82, 0x0A}, der_truncated, "is cut short"},
        {"IndefiniteLength", join({{0x30, 0x80}, slice(good, 2, good.size() - 2), {0, 0}}), der_indefinite,
         "byte 1"},
        {"LongFormOfAShortLength", join({{0x30, 0x81}, after_tag}), der_length_form, "fewest bytes"},
        {"ShortLengthWithALeadingZero", join({{0x30, 0x82, 0}, after_tag}), der_length_form, "fewest bytes"},
        {"LengthOfFiveBytes", join({{0x30, 0x85, 0, 0, 0, 0}, after_tag}), der_length_form, "more than four"},
        {"Empty", {0x30, 0}, der_truncated, "OneAsymmetricKey ends where version"},
        {"OfNull", {0x30, 2, 0x05, 0}, der_tag, "version (INTEGER) is expected"},
        {"LongerThanTheFile", {0x30, 3, 0x30, 9, 0}, der_truncated, "9 bytes by its length, and 1 are there"},
        {"BytesAfterTheFile", longer(good), der_trailing, "1 byte too many after the private key"},
        {"BytesAfterPrivateKey", pkcs8(alg, seed, 0, {5, 0}), der_trailing,
         "2 bytes too many after OneAsymmetricKey"},
        {"NoVersionLooksEncrypted", sequence({algorithm, key}), encryption, "the scheme 2.16.840"},
        {"VersionTwo", pkcs8(alg, seed, 2), Problem::version, "byte 2 of the DER: the version"},
        {"VersionOfTwoBytes", sequence({element(0x02, {0, 0}), algorithm, key}), Problem::version, "byte 2"},
        {"VersionZeroWithPublicKey", pkcs8(alg, seed, 0, public_field(bits(shown))), Problem::version,
         "version 0"},
        {"AttributesOfBrokenDer", pkcs8(alg, seed, 0, element(0xA0, {0x30, 1})), der_truncated,
         "SEQUENCE has 1 bytes by its length"},
        {"NoAlgorithm", sequence({version, key}), der_tag,
         "AlgorithmIdentifier (SEQUENCE) is expected, and not OCTET STRING"},
        {"NoIdentifier", sequence({version, sequence({}), key}), der_truncated,
         "AlgorithmIdentifier ends where algorithm"},
        {"ForeignAlgorithm", pkcs8("Ed25519", seed), unknown_algorithm, "1.3.101.112 (Ed25519)"},
        {"UnknownAlgorithm", pkcs8("2.999.3", seed), unknown_algorithm, "the algorithm 2.999.3, which"},
        {"Parameters", sequence({version, algorithm_of(alg, {5, 0}), key}), parameters, "ML-DSA-44"},
        {"NoPrivateKey", sequence({version, algorithm}), der_truncated,
         "OneAsymmetricKey ends where privateKey"},
        {"PublicKeyTooShort", pkcs8(alg, seed, 1, public_field({0, 1, 2})), public_key_length,
         "public key has 2 bytes"},
        {"PublicKeyWithUnusedBits", pkcs8(alg, seed, 1, public_field(join({{1}, shown}))), der_unused_bits,
         "publicKey"},
        {"PublicKeyEmpty", pkcs8(alg, seed, 1, public_field({})), der_unused_bits, "publicKey"},
    });
}

// ---- Seed, expanded key or both: ML-DSA and ML-KEM

std::string bytes_text(std::size_t bytes)
{
    return " has " + std::to_string(bytes) + " bytes, and should have ";
}

TEST(MalformedPrivateKey, ChoiceIsRefusedForItsOwnReason)
{
    for (const auto& [name, rfc] :
         {std::pair{"ML-DSA-44", "both (RFC 9881)"}, {"ML-KEM-512", "both (RFC 9935)"}}) {
        const std::string alg = name;
        const Bytes seed = bytes_of(key_of(name).seed), expanded = bytes_of(key_of(name).expanded);
        const auto both = [&](const Bytes& s, const Bytes& e, const Bytes& rest = {}) {
            return pkcs8(alg, sequence({octets(s), octets(e), rest}));
        };
        const std::string short_seed = "seed" + bytes_text(seed.size() - 1);
        const std::string long_seed = "seed" + bytes_text(seed.size() + 1);
        const std::string short_key = "expandedKey" + bytes_text(expanded.size() - 1);
        const std::string long_key = "expandedKey" + bytes_text(expanded.size() + 1);
        const std::string_view halves = "the expanded key is not the one that the seed";
        expect_refused(std::vector<Malformed>{
            {"NoChoice", pkcs8(alg, integer(1)), private_choice, rfc},
            {"SeedWithoutTagTooLong", pkcs8(alg, longer(seed)), private_choice, "none of seed"},
            {"SeedTooShort", pkcs8(alg, seed_choice(shorter(seed))), private_key_length, short_seed},
            {"SeedTooLong", pkcs8(alg, seed_choice(longer(seed))), private_key_length, long_seed},
            {"ExpandedTooShort", pkcs8(alg, octets(shorter(expanded))), private_key_length, short_key},
            {"ExpandedTooLong", pkcs8(alg, octets(longer(expanded))), private_key_length, long_key},
            {"SeedOfBothTooShort", both(shorter(seed), expanded), private_key_length, short_seed},
            {"ExpandedOfBothTooShort", both(seed, shorter(expanded)), private_key_length, short_key},
            {"BytesAfterSeed", pkcs8(alg, longer(seed_choice(seed))), der_trailing,
             "too many after privateKey"},
            {"BytesAfterExpanded", pkcs8(alg, longer(octets(expanded))), der_trailing,
             "too many after privateKey"},
            {"BytesAfterBoth", both(seed, expanded, {0}), der_trailing, "too many after both"},
            {"HalvesDisagree", both(seed, bytes_of(key_of(name, 8).expanded)), halves_mismatch, halves},
        });
    }
}

TEST(MalformedPrivateKey, OfMlDsaIsRefusedForItsOwnReason)
{
    constexpr std::size_t tr_at = 64, s1_at = 128;
    const std::string alg = "ML-DSA-44";
    const Bytes seed = bytes_of(key_of("ML-DSA-44").seed), expanded = bytes_of(key_of("ML-DSA-44").expanded);
    const Bytes last_changed = with_byte(expanded, expanded.size() - 1, 1);
    const auto file = [&](const Bytes& content) { return pkcs8(alg, octets(content)); };
    expect_refused(std::vector<Malformed>{
        {"LastByteOfHalves", pkcs8(alg, sequence({octets(seed), octets(last_changed)})), halves_mismatch,
         "seed"},
        {"CoefficientOutOfRange", file(with_byte(expanded, s1_at, 0xFF)), secret_key_range, "out of range"},
        {"WrongTr", file(with_byte(expanded, tr_at, 1)), secret_key_mismatch,
         "contradicts itself: its t0 or its tr"},
        {"WrongT0", file(last_changed), secret_key_mismatch, "contradicts itself: its t0 or its tr"},
    });
}

/// Sets coefficient `i` of a packed vector that begins at byte `from`: 12 bits, the lowest first.
Bytes with_12_bits(Bytes bytes, std::size_t i, unsigned value, std::size_t from = 0)
{
    for (std::size_t bit = 0; bit < 12; ++bit) {
        const std::size_t at = 8 * from + 12 * i + bit;
        const unsigned cleared = bytes[at / 8] & ~(1u << at % 8);
        bytes[at / 8] = static_cast<std::uint8_t>(cleared | (value >> bit & 1) << at % 8);
    }
    return bytes;
}

TEST(MalformedPrivateKey, OfMlKemIsRefusedForItsOwnReason)
{
    // 768 bytes of s, 800 of the public key, 32 of its hash, 32 of z
    constexpr std::size_t shown_at = 768, rho_at = shown_at + 768, hash_at = shown_at + 800,
                          z_at = hash_at + 32;
    constexpr unsigned q = 3329;
    const std::string alg = "ML-KEM-512";
    const Bytes seed = bytes_of(key_of("ML-KEM-512").seed),
                expanded = bytes_of(key_of("ML-KEM-512").expanded);
    const Bytes others = bytes_of(key_of("ML-KEM-512", 8).expanded);
    const auto file = [&alg](const Bytes& content) { return pkcs8(alg, octets(content)); };
    const auto both = [&](std::size_t at, std::uint8_t flip) {
        return pkcs8(alg, sequence({octets(seed), octets(with_byte(expanded, at, flip))}));
    };
    const auto joined = [](const Bytes& s, const Bytes& rest) {
        return join({slice(s, 0, shown_at), slice(rest, shown_at, 1632 - shown_at)});
    };
    const std::string_view wrong_hash = "its hash is not that of the public key in it";
    const std::string_view wrong_s = "its s is not that of the public key in it";
    const std::string_view not_below_q = "a coefficient that is not below q";
    const std::string_view wrong_z = "its z is not that of the seed";
    expect_refused(std::vector<Malformed>{
        {"LastByteOfSDisagrees", both(shown_at - 1, 1), halves_mismatch, "is not the one that the seed"},
        {"ZDisagrees", both(z_at, 1), halves_mismatch, wrong_z},
        {"LastByteOfZDisagrees", both(expanded.size() - 1, 0x80), halves_mismatch, wrong_z},
        {"SNotBelowQ", file(with_12_bits(expanded, 0, q)), secret_key_range, not_below_q},
        {"LastOfSNotBelowQ", file(with_12_bits(expanded, 511, 4095)), secret_key_range, not_below_q},
        {"TNotBelowQ", file(with_12_bits(expanded, 5, q, shown_at)), secret_key_range, not_below_q},
        {"WrongHash", file(with_byte(expanded, hash_at, 1)), secret_key_mismatch, wrong_hash},
        {"LastByteOfWrongHash", file(with_byte(expanded, z_at - 1, 0x80)), secret_key_mismatch, wrong_hash},
        {"WrongRho", file(with_byte(expanded, rho_at, 1)), secret_key_mismatch, wrong_hash},
        {"WrongS", file(with_byte(expanded, 0, 1)), secret_key_mismatch, wrong_s},
        {"SOfAnother", file(joined(others, expanded)), secret_key_mismatch, wrong_s},
        {"AllButSOfAnother", file(joined(expanded, others)), secret_key_mismatch, wrong_s},
    });
}

// ---- The secret key and the public key in one OCTET STRING: Dilithium and Falcon

TEST(MalformedPrivateKey, OfDilithiumAndFalconIsRefusedForItsOwnReason)
{
    for (const char* name : {"Dilithium2", "Falcon-512"}) {
        const std::string alg = name;
        const Bytes secret = bytes_of(key_of(name).expanded), shown = key_of(name).public_key;
        const Bytes others = key_of(name, 8).public_key;
        const Bytes whole = octets(join({secret, shown}));
        const std::string lengths = bytes_text(secret.size() - 1) + std::to_string(secret.size()) + ", or " +
                                    std::to_string(secret.size() + shown.size()) + " with the public key";
        expect_refused(std::vector<Malformed>{
            {"Seed", pkcs8(alg, seed_choice(bytes_of(key_of(name).seed))), der_tag,
             "the secret key (OCTET STRING) is expected, and not the tag 0x80"},
            {"WithoutInnerString", pkcs8(alg, join({secret, shown})), der_tag, "OCTET STRING"},
            {"TooShort", pkcs8(alg, octets(shorter(secret))), private_key_length, lengths},
            {"TooLong", pkcs8(alg, octets(join({secret, shown, {0}}))), private_key_length,
             std::to_string(secret.size() + shown.size() + 1) + " bytes"},
            {"TrailingBytes", pkcs8(alg, longer(whole)), der_trailing, "privateKey"},
            {"PublicKeyOfAnother", pkcs8(alg, octets(join({secret, others}))), public_key_mismatch,
             "another key"},
            {"SecondPublicKeyOfAnother", pkcs8(alg, whole, 1, public_field(bits(others))),
             public_key_mismatch, "another key"},
        });
    }
}

TEST(MalformedPrivateKey, OfFalconIsRefusedForItsOwnReason)
{
    constexpr std::size_t big_f = 1 + 2 * 384;  // f and g take six bits a coefficient, F eight
    const PrivateKey& key = key_of("Falcon-512");
    const Bytes secret = bytes_of(key.expanded), others = bytes_of(key_of("Falcon-512", 8).expanded);
    const auto file = [&](const Bytes& expanded) {
        return pkcs8("Falcon-512", octets(join({expanded, key.public_key})));
    };
    Bytes least = secret, least_of_big_f = secret, no_f = secret;
    least[1] = static_cast<std::uint8_t>((least[1] & 0x03) | 0x80);
    least_of_big_f[big_f] = 0x80;
    std::fill_n(no_f.begin() + 1, 384, std::uint8_t{0});
    const Bytes big_f_of_another = join({slice(secret, 0, big_f), slice(others, big_f, 1281 - big_f)});
    const Bytes other_header = public_field(bits(with_byte(key.public_key, 0, 0x10)));
    expect_refused(std::vector<Malformed>{
        {"Header", file(with_byte(secret, 0, 1)), secret_key_range, "another header"},
        {"LeastCoefficientOfF", file(least), secret_key_range, "out of range"},
        {"LeastCoefficientOfBigF", file(least_of_big_f), secret_key_range, "out of range"},
        {"FWithoutReciprocal", file(no_f), secret_key_range, "reciprocal"},
        {"BigFOfAnother", file(big_f_of_another), secret_key_range, "no Falcon key"},
        {"PublicKeyWithAnotherHeader", pkcs8("Falcon-512", octets(secret), 1, other_header),
         public_key_mismatch, "another key"},
    });
}

// ---- NTRU Prime's parts

/// The parts of a secret key, which a test may replace.
struct Parts {
    Bytes f;             ///< or a
    Bytes g_reciprocal;  ///< of Streamlined NTRU Prime only
    Bytes public_key;
    Bytes rho;
    Bytes hash;

    [[nodiscard]] Bytes content(const Bytes& rest = {}) const
    {
        return sequence({octets(f), g_reciprocal.empty() ? Bytes{} : octets(g_reciprocal), octets(public_key),
                         octets(rho), octets(hash), rest});
    }
};

Parts sntrup761_parts(std::uint8_t value = 7)
{
    const Bytes all = bytes_of(key_of("sntrup761", value).expanded);
    return {slice(all, 0, 191), slice(all, 191, 191), slice(all, 382, 1158), slice(all, 1540, 191),
            slice(all, 1731, 32)};
}

Parts ntrulpr653_parts(std::uint8_t value = 7)
{
    const Bytes all = bytes_of(key_of("ntrulpr653", value).expanded);
    return {slice(all, 0, 164), {}, slice(all, 164, 897), slice(all, 1061, 32), slice(all, 1093, 32)};
}

TEST(MalformedPrivateKey, OfNtruPrimeHasItsStructureRefused)
{
    const std::string alg = "sntrup761";
    const PrivateKey& key = key_of("sntrup761");
    const Parts parts = sntrup761_parts();
    const Bytes content = parts.content();
    const Bytes others = octets(key_of("sntrup761", 8).public_key);
    const Bytes without_hash =
        sequence({octets(parts.f), octets(parts.g_reciprocal), octets(parts.public_key), octets(parts.rho)});
    expect_refused(std::vector<Malformed>{
        {"WithoutSequence", pkcs8(alg, octets(bytes_of(key.expanded))), der_tag,
         "the secret key (SEQUENCE) is expected, and not OCTET STRING"},
        {"WithASeed", pkcs8(alg, seed_choice(bytes_of(key.seed))), der_tag, "SEQUENCE"},
        {"BytesAfterTheSequence", pkcs8(alg, longer(content)), der_trailing, "privateKey"},
        {"BytesAfterTheHash", pkcs8(alg, parts.content({5, 0})), der_trailing,
         "2 bytes too many after the secret key"},
        {"WithoutHash", pkcs8(alg, without_hash), der_truncated,
         "the secret key ends where the hash of the public key"},
        {"PartThatIsAnInteger", pkcs8(alg, sequence({element(0x02, parts.f)})), der_tag,
         "f (OCTET STRING) is expected, and not INTEGER"},
        {"PartsOfLprime", pkcs8(alg, ntrulpr653_parts().content()), private_key_length,
         "f has 164 bytes, and should have 191"},
        {"PublicKeyOfAnother", pkcs8(alg, content, 1, public_field(bits(others))), public_key_mismatch,
         "another key"},
        {"PublicKeyBesideItWithoutOctetString",
         pkcs8(alg, content, 1, public_field(join({{0, 0}, key.public_key}))), der_tag,
         "the public key (OCTET STRING) is expected"},
    });
}

/// What is done to the parts of a secret key, and what is said then.
struct Change {
    const char* name;
    void (*apply)(Parts& parts, const Parts& others);
    Problem problem;
    std::string_view says;
};

void expect_refused(const char* alg, const Parts& parts, const Parts& others,
                    const std::vector<Change>& changes)
{
    for (const auto& [name, apply, problem, says] : changes) {
        Parts changed = parts;
        apply(changed, others);
        samples::expect_refused({name, pkcs8(alg, changed.content()), problem, says});
    }
}

TEST(MalformedPrivateKey, OfStreamlinedNtruPrimeHasItsPartsRefused)
{
    const std::string_view small = "f or 1/g is no small polynomial, or f is of another weight";
    const std::string_view mismatch = "1/g, the public key or its hash is not that of the rest";
    using P = Parts;
    expect_refused(
        "sntrup761", sntrup761_parts(), sntrup761_parts(8),
        {{"FTooShort", [](P& p, const P&) { p.f.pop_back(); }, private_key_length,
          "f has 190 bytes, and should have 191"},
         {"FTooLong", [](P& p, const P&) { p.f.push_back(0); }, private_key_length, "f has 192"},
         {"GTooShort", [](P& p, const P&) { p.g_reciprocal.pop_back(); }, private_key_length, "1/g has 190"},
         {"PublicPartTooShort", [](P& p, const P&) { p.public_key.pop_back(); }, private_key_length,
          "the public key beside it has 1157"},
         {"RhoTooShort", [](P& p, const P&) { p.rho.pop_back(); }, private_key_length, "rho has 190"},
         {"HashTooLong", [](P& p, const P&) { p.hash.resize(64); }, private_key_length,
          "the hash of the public key has 64 bytes, and should have 32"},
         {"FNotSmall", [](P& p, const P&) { p.f[0] = 0xFF; }, secret_key_range, small},
         {"FOfAnotherWeight", [](P& p, const P&) { p.f[0] = p.f[1] = 0x55; }, secret_key_range, small},
         {"FWithBitsAfterTheLast", [](P& p, const P&) { p.f[190] |= 4; }, secret_key_range, small},
         {"GNotSmall", [](P& p, const P&) { p.g_reciprocal[5] = 0xC0; }, secret_key_range, small},
         {"FOfAnother", [](P& p, const P& o) { p.f = o.f; }, secret_key_mismatch, mismatch},
         {"GOfAnother", [](P& p, const P& o) { p.g_reciprocal = o.g_reciprocal; }, secret_key_mismatch,
          mismatch},
         {"PublicPartOfAnother", [](P& p, const P& o) { p.public_key = o.public_key, p.hash = o.hash; },
          secret_key_mismatch, mismatch},
         {"WrongHash", [](P& p, const P&) { p.hash[31] ^= 1; }, secret_key_mismatch, mismatch}});
}

TEST(MalformedPrivateKey, OfNtruLprimeHasItsPartsRefused)
{
    const std::string_view mismatch = "contradicts itself: the public key or its hash is not";
    using P = Parts;
    expect_refused(
        "ntrulpr653", ntrulpr653_parts(), ntrulpr653_parts(8),
        {{"ATooShort", [](P& p, const P&) { p.f.pop_back(); }, private_key_length,
          "a has 163 bytes, and should have 164"},
         {"RhoTooLong", [](P& p, const P&) { p.rho.push_back(0); }, private_key_length,
          "rho has 33 bytes, and should have 32"},
         {"WithReciprocal", [](P& p, const P&) { p.g_reciprocal = p.f; }, private_key_length,
          "the public key beside it has 164 bytes, and should have 897"},
         {"ANotSmall", [](P& p, const P&) { p.f[3] = 0x03; }, secret_key_range,
          "a is no small polynomial, or of another weight"},
         {"AOfAnother", [](P& p, const P& o) { p.f = o.f; }, secret_key_mismatch, mismatch},
         {"PublicPartOfAnother", [](P& p, const P& o) { p.public_key = o.public_key, p.hash = o.hash; },
          secret_key_mismatch, mismatch},
         {"WrongHash", [](P& p, const P&) { p.hash[0] ^= 1; }, secret_key_mismatch, mismatch}});
}

// ---- Public keys

TEST(MalformedPublicKey, IsRefusedForItsOwnReason)
{
    const std::string alg = "ML-DSA-87";
    const Bytes key = key_of("ML-DSA-87").public_key;
    const Bytes good = public_key_info(alg, bits(key)), algorithm = algorithm_of(alg),
                shown = element(0x03, bits(key));
    expect_refused(std::vector<Malformed>{
        {"CutShort", cut(good), der_truncated, "byte 0"},
        {"BytesAfterTheFile", longer(good), der_trailing, "1 byte too many after the public key"},
        {"BytesAfterTheKey", sequence({algorithm, shown, {5, 0}}), der_trailing,
         "2 bytes too many after SubjectPublicKeyInfo"},
        {"NoKey", sequence({algorithm}), der_truncated, "SubjectPublicKeyInfo ends where subjectPublicKey"},
        {"NoBitString", sequence({algorithm, {5, 0}}), der_tag, "subjectPublicKey (BIT STRING) is expected"},
        {"UnusedBits", public_key_info(alg, join({{4}, key})), der_unused_bits, "subjectPublicKey"},
        {"EmptyBitString", public_key_info(alg, {}), der_unused_bits, "subjectPublicKey"},
        {"TooShort", public_key_info(alg, bits(shorter(key))), public_key_length,
         "2591 bytes, and should have 2592"},
        {"TooLong", public_key_info(alg, bits(longer(key))), public_key_length, "2593 bytes"},
        {"OfAnotherLength", public_key_info("ML-DSA-44", bits(key)), public_key_length,
         "the ML-DSA-44 public key has 2592 bytes"},
        {"OctetString", public_key_info(alg, bits(octets(key))), public_key_length,
         "the ML-DSA-87 public key has 2596 bytes, and should have 2592"},
        {"ForeignAlgorithm", public_key_info("RSA", bits(key)), unknown_algorithm,
         "1.2.840.113549.1.1.1 (RSA)"},
        {"Parameters", sequence({algorithm_of(alg, {5, 0}), shown}), parameters, "ML-DSA-87"},
        {"LengthWithALeadingZero", join({{0x30, 0x83, 0}, Bytes(good.begin() + 2, good.end())}),
         der_length_form, "fewest bytes"},
        {"LongFormOfAShortLength",
         sequence({{0x30, 0x81}, Bytes(algorithm.begin() + 1, algorithm.end()), shown}), der_length_form,
         "byte 5 of the DER"},
    });
}

TEST(MalformedPublicKey, OfNtruPrimeIsRefusedForItsOwnReason)
{
    const std::string alg = "sntrup761";
    const Bytes key = key_of("sntrup761").public_key, good = bits(octets(key));
    const auto info = [&alg](const Bytes& bit_string) { return public_key_info(alg, bit_string); };
    expect_refused(std::vector<Malformed>{
        {"WithoutOctetString", info(join({{0, 0}, key})), der_tag,
         "the public key (OCTET STRING) is expected"},
        {"CutShort", info(cut(good)), der_truncated, "1157 are there"},
        {"BytesAfterIt", info(longer(good)), der_trailing, "1 byte too many after subjectPublicKey"},
        {"UnusedBits", info(with_byte(good, 0, 1)), der_unused_bits, "subjectPublicKey"},
        {"TooShort", info(bits(octets(shorter(key)))), public_key_length,
         "the sntrup761 public key has 1157 bytes, and should have 1158"},
        {"TooLong", info(bits(octets(longer(key)))), public_key_length, "1159 bytes"},
        {"OfAnotherSet", public_key_info("sntrup653", good), public_key_length,
         "the sntrup653 public key has 1158 bytes"},
    });
}

/// Sets coefficient `i` of Falcon's public key: 14 bits, the first one in the highest bits of the
/// byte after the header.
Bytes with_14_bits(Bytes key, std::size_t i, unsigned value)
{
    for (std::size_t bit = 0; bit < 14; ++bit) {
        const std::size_t at = 8 + 14 * i + bit;
        const unsigned cleared = key[at / 8] & ~(0x80u >> at % 8);
        key[at / 8] = static_cast<std::uint8_t>(cleared | ((value >> (13 - bit) & 1) << (7 - at % 8)));
    }
    return key;
}

/// A family whose public keys have coefficients below q (FIPS 203, Section 7.2).
struct Range {
    const char* family;
    unsigned q;
    unsigned bits;
    Bytes (*with)(Bytes key, std::size_t i, unsigned value);
    const char* says;
};

TEST(MalformedPublicKey, WithACoefficientOfQOrMoreIsRefused)
{
    const auto with_12 = [](Bytes key, std::size_t i, unsigned value) { return with_12_bits(key, i, value); };
    for (const auto& [family, q, width, with, says] :
         {Range{"ML-KEM", 3329, 12, with_12, "no ML-KEM key: a coefficient is not below q"},
          Range{"Falcon", 12289, 14, with_14_bits, "the public key is no Falcon key"}})
        for (const girih_alg* alg : algorithms(family)) {
            const Bytes& good = key_of(alg).public_key;
            const std::size_t last = (good.size() - (width == 12 ? 32 : 1)) * 8 / width - 1;
            for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
                for (const unsigned value : {q, q + 1, (1u << width) - 1})
                    for (const auto& [kind, file] : files_of(alg, with(good, i, value)))
                        samples::expect_refused({kind, file, public_key_range, says}, alg);
                EXPECT_TRUE(read(with(good, i, q - 1), alg)) << girih_name(alg);
            }
        }
}

TEST(MalformedPublicKey, OfFalconWithAnotherHeaderIsRefused)
{
    for (const girih_alg* alg : algorithms("Falcon"))
        for (unsigned bit = 0; bit < 8; ++bit)
            for (const auto& [kind, file] :
                 files_of(alg, with_byte(key_of(alg).public_key, 0, static_cast<std::uint8_t>(1u << bit))))
                samples::expect_refused({kind, file, public_key_range, "the public key is no Falcon key"},
                                        alg);
}

TEST(PublicKey, IsReadFromEveryKindOfFile)
{
    for (const girih_alg* alg : algorithms())
        for (const auto& [kind, file] : files_of(alg, key_of(alg).public_key)) {
            const auto back = read_public_key(file, kind == "raw" ? alg : needed_name(alg, Format::der));
            ASSERT_TRUE(back) << girih_name(alg) << ", " << kind << ": " << back.error().message;
            EXPECT_EQ(back->bytes, key_of(alg).public_key);
            EXPECT_EQ(back->alg, alg);
        }
}

/// So a reader has nothing to refuse.
TEST(PublicKey, OfAnythingButFalconAndMlKemIsEveryStringOfItsLength)
{
    for (const girih_alg* alg : algorithms()) {
        const std::string_view name = girih_name(alg);
        if (name.starts_with("Falcon") || name.starts_with("ML-KEM")) continue;
        for (const auto value : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
            const Bytes bytes(girih_public_key_bytes(alg), value);
            const auto key = read_public_key(write_public_key({alg, bytes}, Format::der));
            ASSERT_TRUE(key) << name << ": " << key.error().message;
            if (girih_is_kem(alg) == 1) {
                Bytes ciphertext(girih_ciphertext_bytes(alg)), secret(girih_shared_secret_bytes(alg));
                EXPECT_EQ(girih_encapsulate(alg, nullptr, bytes.data(), bytes.size(), ciphertext.data(),
                                            ciphertext.size(), secret.data(), secret.size()),
                          GIRIH_OK);
            } else {
                const Bytes signature(girih_signature_bytes(alg));
                EXPECT_EQ(girih_verify(alg, bytes.data(), bytes.size(), nullptr, 0, nullptr, signature.data(),
                                       signature.size()),
                          GIRIH_ERROR_SIGNATURE);
            }
        }
    }
}

}  // namespace
}  // namespace girih::key_files
