#include "lab/race/invalid.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "falcon/params.hpp"
#include "ml_dsa/params.hpp"
#include "support/ml_dsa_signatures.hpp"

namespace girih::lab {

namespace {

Bytes with_bit(Bytes bytes, std::size_t place)
{
    bytes.at(place) ^= 1;
    return bytes;
}

/// Verdicts that every scheme shares. A bit is changed in each part of its signature.
std::vector<Verdict> changed(const Bytes& public_key, const Bytes& message, const Bytes& signature,
                             const std::vector<Change>& parts)
{
    Bytes short_one = signature;
    Bytes long_one = signature;
    short_one.pop_back();
    long_one.push_back(0);
    std::vector<Verdict> rows{
        {"as it was signed", {public_key, message, signature}, true},
        {"another message", {public_key, with_bit(message, 0), signature}},
        {"another public key", {with_bit(public_key, 5), message, signature}},
        {"a signature that is a byte short", {public_key, message, short_one}},
        {"a signature that is a byte long", {public_key, message, long_one}},
    };
    for (const auto& [what, place] : parts)
        rows.push_back({"a flipped bit in " + what, {public_key, message, with_bit(signature, place)}});
    return rows;
}

template <ml_dsa::Params P>
std::vector<Verdict> ml_dsa_verdicts(Random& random)
{
    using Isa = isa::portable::Isa;
    using Parts = test::MlDsaParts<P>;
    constexpr std::int32_t bound = P.gamma1 - P.beta();
    constexpr auto omega = std::size_t{P.omega};
    constexpr std::size_t hints_at = P.signature_bytes() - omega - P.k;

    const Bytes key = test::zero_public_key<P>();
    const Bytes message = random.bytes(32);
    // mu = H(H(pk, 64) || 0 || 0 || M, 64): FIPS 204, Algorithms 3 and 8.
    std::array<Byte, 64> tr, mu;
    keccak::Shake256<Isa>{}.absorb(key).squeeze(tr);
    keccak::Shake256<Isa>{}.absorb(tr).absorb(std::array<Byte, 2>{}).absorb(message).squeeze(mu);

    // z is not zero, so that w is like that of any signature. (Where w is zero, some peers' UseHint
    // differs from FIPS 204.)
    Parts plain;
    plain.z[0].c[0] = 1;
    const auto with_z = [&](std::int32_t value) {
        Parts parts = plain;
        parts.z[P.l - 1].c[ml_dsa::n - 1] = value;
        return test::make_ml_dsa_signature<P>(parts, mu);
    };
    const auto with_hints = [&](std::size_t polynomial, std::size_t count) {
        Parts parts = plain;
        std::fill_n(parts.h[polynomial].c.begin(), count, 1);
        return test::make_ml_dsa_signature<P>(parts, mu);
    };
    const auto set = [&](Bytes signature,
                         std::initializer_list<std::pair<std::size_t, std::size_t>> hint_bytes) {
        for (const auto& [place, byte] : hint_bytes) signature[hints_at + place] = static_cast<Byte>(byte);
        return signature;
    };
    const Bytes two = with_hints(0, 2);
    const Bytes most = with_hints(P.k - 1, omega);
    std::vector<Verdict> rows = changed(key, message, two,
                                        {{"c_tilde", 3},
                                         {"z", P.c_tilde_bytes + 8},
                                         {"the hints", hints_at},
                                         {"the ends of the hints", hints_at + omega}});
    const auto add = [&](const char* what, const Bytes& signature, bool is_valid = false) {
        rows.push_back({what, {key, message, signature}, is_valid});
    };
    add("a z one below its bound", with_z(bound - 1), true);
    add("a z at its bound", with_z(bound));
    add("a z at its negative bound", with_z(-bound));
    add("omega hints in the last polynomial", most, true);
    add("hints beyond omega", set(most, {{omega + P.k - 1, omega + 1}}));
    add("hints out of order", set(two, {{0, 1}, {1, 0}}));
    add("a hint twice", set(two, {{1, 0}}));
    add("an end of hints below the one before", set(two, {{omega + P.k - 1, 1}}));
    add("a byte behind the last hint", set(two, {{omega - 1, 1}}));
    return rows;
}

/// Padded signatures (Falcon, Section 3.11): a header, the salt, s2, and zeros.
std::vector<Verdict> falcon_verdicts(const Material& material, Random& random)
{
    const Bytes seed = random.bytes(32);
    const Bytes message = random.bytes(32);
    const auto [public_key, secret_key] = material.key(seed);
    const Bytes signature = material.made("sign", {secret_key, seed, message}).at(0);
    std::vector<Verdict> rows = changed(public_key, message, signature,
                                        {{"the header", 0},
                                         {"the salt", 1},
                                         {"s2", 1 + falcon::salt_bytes},
                                         {"the zeros behind s2", signature.size() - 1}});
    Bytes header = signature;
    header[0] ^= 0x10;
    rows.push_back({"the header of another format", {public_key, message, header}});
    return rows;
}

}  // namespace

std::vector<Verdict> verdicts_of(const Material& material)
{
    Random random{204};
    if (material.algorithm == "ML-DSA-44") return ml_dsa_verdicts<ml_dsa::ml_dsa_44>(random);
    if (material.algorithm == "ML-DSA-65") return ml_dsa_verdicts<ml_dsa::ml_dsa_65>(random);
    if (material.algorithm == "ML-DSA-87") return ml_dsa_verdicts<ml_dsa::ml_dsa_87>(random);
    return falcon_verdicts(material, random);
}

std::vector<Change> changes_of_ciphertexts(const std::string& algorithm, std::size_t bytes)
{
    if (algorithm.starts_with("ML-KEM")) return {{"u", 0}, {"v", bytes - 1}};
    return {{"the ciphertext of the core", 0}, {"the hash for confirmation", bytes - 1}};
}

Bytes with_coefficient_q(Bytes public_key)
{
    constexpr unsigned q = 3329;
    public_key[0] = q & 0xFF;
    public_key[1] = static_cast<Byte>((public_key[1] & 0xF0U) | q >> 8);
    return public_key;
}

}  // namespace girih::lab
