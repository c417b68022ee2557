#include "key_files/ntru_prime.hpp"

#include <vector>

namespace girih::key_files::ntru_prime {
namespace {

constexpr std::size_t hash_bytes = 32;  // the first half of SHA-512
constexpr std::size_t seed_bytes =
    32;  // the length of rho in NTRU LPRime, whose encapsulation input is 256 bits

struct Part {
    std::string_view name;
    std::size_t bytes;
};

bool is_streamlined(const Identified& algorithm) { return algorithm.layout == PrivateLayout::streamlined; }

/// The parts in the order of the secret key. f, 1/g and a are small polynomials, and so is rho in
/// Streamlined NTRU Prime, where it replaces the input of an encapsulation; all have the same
/// length.
std::vector<Part> parts_of(const Identified& algorithm)
{
    const std::size_t public_bytes = girih_public_key_bytes(algorithm.alg);
    const std::size_t rest = girih_secret_key_bytes(algorithm.alg) - public_bytes - hash_bytes;
    const Part public_key{"the public key beside it", public_bytes};
    const Part hash{"the hash of the public key", hash_bytes};
    if (!is_streamlined(algorithm)) return {{"a", rest - seed_bytes}, public_key, {"rho", seed_bytes}, hash};
    return {{"f", rest / 3}, {"1/g", rest / 3}, public_key, {"rho", rest / 3}, hash};
}

}  // namespace

PrivateParts read_parts(der::Reader& content, const Identified& algorithm)
{
    PrivateParts read;
    read.joined.reserve(girih_secret_key_bytes(algorithm.alg));
    der::Reader sequence = content.inside(der::sequence, "the secret key");
    for (const Part& part : parts_of(algorithm)) {
        const BytesIn<> bytes = read_private_part(sequence, der::octet_string, part.name, part.bytes);
        read.joined.insert(read.joined.end(), bytes.begin(), bytes.end());
    }
    sequence.end();
    read.expanded = read.joined;
    return read;
}

void append_parts(SecretBytes& out, const PrivateKey& key, const Identified& algorithm)
{
    SecretBytes sequence;
    BytesIn<> rest = key.expanded;
    for (const Part& part : parts_of(algorithm)) {
        der::append(sequence, der::octet_string, rest.first(part.bytes));
        rest = rest.subspan(part.bytes);
    }
    der::append(out, der::sequence, sequence);
}

Error malformed_error(const Identified& algorithm)
{
    return {Problem::secret_key_range,
            is_streamlined(algorithm)
                ? "the secret key is malformed: f or 1/g is not a small polynomial, or f has a wrong weight"
                : "the secret key is malformed: a is not a small polynomial, or has a wrong weight"};
}

Error mismatch_error(const Identified& algorithm)
{
    const std::string parts = is_streamlined(algorithm) ? "1/g, the public key" : "the public key";
    return {Problem::secret_key_mismatch,
            "the secret key contradicts itself: " + parts + " or its hash does not match the rest"};
}

}  // namespace girih::key_files::ntru_prime
