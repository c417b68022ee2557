#include "key_files/foreign/layouts.hpp"

namespace girih::key_files {

std::optional<PrivateParts> read_foreign_choice(der::Reader& content, const girih_alg* alg)
{
    const std::size_t seed_bytes = girih_seed_bytes(alg);
    const std::size_t expanded_bytes = girih_secret_key_bytes(alg);
    const std::size_t public_bytes = girih_public_key_bytes(alg);
    constexpr std::size_t short_header = 2;  // a tag, and a length below 128
    PrivateParts parts;
    if (content.size() == seed_bytes) {
        parts.seed = content.everything();
    } else if (content.size() == expanded_bytes) {
        parts.expanded = content.everything();
    } else if (content.next_is(der::octet_string) && content.size() > expanded_bytes + public_bytes) {
        const BytesIn<> pair = read_private_part(content, der::octet_string, "the secret and the public key",
                                                 expanded_bytes + public_bytes);
        if (content.failed()) return parts;
        parts.expanded = pair.first(expanded_bytes);
        parts.public_key = pair.last(public_bytes);
    } else if (content.next_is(der::octet_string) && content.size() == seed_bytes + short_header) {
        parts.seed = read_private_part(content, der::octet_string, "seed", seed_bytes);
    } else {
        return std::nullopt;
    }
    return parts;
}

PrivateParts read_oqs_provider(der::Reader& content, const girih_alg* alg)
{
    const std::size_t secret_bytes = girih_secret_key_bytes(alg);
    const std::size_t public_bytes = girih_public_key_bytes(alg);
    const BytesIn<> all = content.element(der::octet_string, "the secret key");
    if (content.failed()) return {};
    if (all.size() == secret_bytes) return {.seed = {}, .expanded = all, .public_key = {}, .joined = {}};
    if (all.size() == secret_bytes + public_bytes)
        return {.seed = {},
                .expanded = all.first(secret_bytes),
                .public_key = all.last(public_bytes),
                .joined = {}};
    content.fail(Problem::private_key_length, "the secret key has " + std::to_string(all.size()) +
                                                  " bytes, but should have " + std::to_string(secret_bytes) +
                                                  ", or " + std::to_string(secret_bytes + public_bytes) +
                                                  " with the public key");
    return {};
}

void append_oqs_provider(SecretBytes& out, const PrivateKey& key)
{
    SecretBytes all = key.expanded;
    all.insert(all.end(), key.public_key.begin(), key.public_key.end());
    der::append(out, der::octet_string, all);
}

PrivateParts read_bouncy_castle_falcon(der::Reader& content, const girih_alg* alg)
{
    const bool is_1024 = girih_public_key_bytes(alg) == 1793;
    const std::size_t degree = is_1024 ? 1024 : 512;
    const std::size_t f_bytes = degree * (is_1024 ? 5 : 6) / 8;  // bits a coefficient
    PrivateParts read;
    read.joined.reserve(girih_secret_key_bytes(alg) + girih_public_key_bytes(alg));
    const Byte log_degree = is_1024 ? 10 : 9;
    const auto join = [&read](BytesIn<> part) {
        read.joined.insert(read.joined.end(), part.begin(), part.end());
    };
    der::Reader key = content.inside(der::sequence, "FalconPrivateKey");
    if (key.number("version") != 0) key.fail(Problem::version, "the version of FalconPrivateKey is not 0");
    read.joined.push_back(0x50 | log_degree);
    join(read_private_part(key, der::octet_string, "f", f_bytes));
    join(read_private_part(key, der::octet_string, "g", f_bytes));
    join(read_private_part(key, der::octet_string, "F", degree));
    const std::size_t secret_bytes = read.joined.size();
    if (key.next_is(der::sequence)) {
        der::Reader public_key = key.inside(der::sequence, "publicKey");
        read.joined.push_back(log_degree);
        join(read_private_part(public_key, der::octet_string, "h", girih_public_key_bytes(alg) - 1));
        public_key.end();
    }
    key.end();
    if (content.failed()) return {};
    read.expanded = BytesIn<>(read.joined).first(secret_bytes);
    read.public_key = BytesIn<>(read.joined).subspan(secret_bytes);
    return read;
}

}  // namespace girih::key_files
