#include "key_files/encryption/pbes2.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "aes/cbc.hpp"
#include "core/random.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "des/triple_des.hpp"
#include "key_files/algorithms.hpp"
#include "key_files/encoding/character_range.hpp"
#include "key_files/encoding/der.hpp"
#include "key_files/encryption/pbkdf2.hpp"
#include "key_files/encryption/scrypt.hpp"
#include "key_files/encryption/sha1.hpp"
#include "key_files/structures.hpp"

namespace girih::key_files::pbes2 {
namespace {

constexpr EncodedIdentifier pbes2_identifier = encode_identifier({1, 2, 840, 113549, 1, 5, 13});
constexpr EncodedIdentifier pbkdf2_identifier = encode_identifier({1, 2, 840, 113549, 1, 5, 12});
constexpr EncodedIdentifier scrypt_identifier = encode_identifier({1, 3, 6, 1, 4, 1, 11591, 4, 11});

/// RFC 8018, Appendix B.1.2.
struct Prf {
    EncodedIdentifier identifier;
    Kdf kdf;
    void (*derive)(BytesIn<> passphrase, BytesIn<> salt, std::uint32_t iterations, BytesOut<> key);
};
constexpr std::array<Prf, 7> prfs{{
    {encode_identifier({1, 2, 840, 113549, 2, 7}), Kdf::pbkdf2_sha1,
     pbkdf2<sha2::HmacOf<Sha1, Sha1::block_bytes>>},
    {encode_identifier({1, 2, 840, 113549, 2, 8}), Kdf::pbkdf2_sha224, pbkdf2<sha2::sha224>},
    {encode_identifier({1, 2, 840, 113549, 2, 9}), Kdf::pbkdf2_sha256, pbkdf2<sha2::sha256>},
    {encode_identifier({1, 2, 840, 113549, 2, 10}), Kdf::pbkdf2_sha384, pbkdf2<sha2::sha384>},
    {encode_identifier({1, 2, 840, 113549, 2, 11}), Kdf::pbkdf2_sha512, pbkdf2<sha2::sha512>},
    {encode_identifier({1, 2, 840, 113549, 2, 12}), Kdf::pbkdf2_sha512_224, pbkdf2<sha2::sha512_224>},
    {encode_identifier({1, 2, 840, 113549, 2, 13}), Kdf::pbkdf2_sha512_256, pbkdf2<sha2::sha512_256>},
}};

/// RFC 8018, Appendix B.2.2 and B.2.5.
struct CbcCipher {
    EncodedIdentifier identifier;
    Cipher cipher;
    std::size_t key_bytes;
    std::size_t block_bytes;
    void (*decrypt)(BytesIn<> key, BytesIn<> iv, BytesOut<> blocks);
};

template <std::size_t key_bytes>
void decrypt_aes(BytesIn<> key, BytesIn<> iv, BytesOut<> blocks)
{
    aes::decrypt_cbc<key_bytes>(key.first<key_bytes>(), iv.first<aes::block_bytes>(), blocks);
}

void decrypt_triple_des(BytesIn<> key, BytesIn<> iv, BytesOut<> blocks)
{
    des::decrypt_cbc(key.first<des::key_bytes>(), iv.first<des::block_bytes>(), blocks);
}

constexpr std::array<CbcCipher, 4> ciphers{{
    {encode_identifier({2, 16, 840, 1, 101, 3, 4, 1, 42}), Cipher::aes256, 32, aes::block_bytes,
     decrypt_aes<32>},
    {encode_identifier({2, 16, 840, 1, 101, 3, 4, 1, 2}), Cipher::aes128, 16, aes::block_bytes,
     decrypt_aes<16>},
    {encode_identifier({2, 16, 840, 1, 101, 3, 4, 1, 22}), Cipher::aes192, 24, aes::block_bytes,
     decrypt_aes<24>},
    {encode_identifier({1, 2, 840, 113549, 3, 7}), Cipher::triple_des, des::key_bytes, des::block_bytes,
     decrypt_triple_des},
}};

const CbcCipher& row_of(Cipher cipher) { return *std::ranges::find(ciphers, cipher, &CbcCipher::cipher); }

constexpr std::size_t max_salt_bytes = 1024;
constexpr std::size_t written_salt_bytes = 16;
/// Limits for each of scrypt's numbers, so that products fit 64 bits: 128 * 2^20 * 2^33 = 2^60.
constexpr std::uint64_t max_scrypt_n = std::uint64_t{1} << 32;
constexpr std::uint64_t max_scrypt_r_or_p = std::uint64_t{1} << 20;

bool is(BytesIn<> identifier, const EncodedIdentifier& known)
{
    return std::ranges::equal(identifier, known.view());
}

/// Refuses an identifier that girih cannot decrypt.
void refuse(der::Reader& reader, BytesIn<> identifier, const std::string& what)
{
    reader.fail(Problem::encryption,
                "the private key is encrypted with " + what + " " + describe_identifier(identifier) +
                    ", which girih does not decrypt; \"openssl pkcs8 -topk8 -provider legacy -provider "
                    "default\" encrypts it with AES, if OpenSSL reads it");
}

/// The error of parameters that are invalid or cost too much, if any.
std::optional<Error> objection(const Encryption& how, std::size_t salt_bytes, const Limits& limits)
{
    if (how.kdf != Kdf::scrypt) {
        if (how.iterations == 0)
            return Error{Problem::encryption_parameters, "the iterations of PBKDF2 are 0"};
        if (how.iterations > limits.iterations || how.iterations == UINT32_MAX)
            return Error{Problem::encryption_cost, std::to_string(how.iterations) +
                                                       (how.iterations == UINT32_MAX ? " or more" : "") +
                                                       " iterations of PBKDF2, more than the limit of " +
                                                       std::to_string(limits.iterations)};
        return {};
    }
    if (how.scrypt_n < 2 || !std::has_single_bit(how.scrypt_n) || how.scrypt_r == 0 || how.scrypt_p == 0)
        return Error{Problem::encryption_parameters,
                     "scrypt: N must be a power of two greater than 1, and r and p must not be zero"};
    const bool fits = how.scrypt_n <= max_scrypt_n && how.scrypt_r <= max_scrypt_r_or_p &&
                      how.scrypt_p <= max_scrypt_r_or_p;
    const ScryptCost cost{how.scrypt_n, how.scrypt_r, how.scrypt_p};
    // A container has at most PTRDIFF_MAX bytes, whatever the limits are.
    const std::uint64_t max_bytes = std::min<std::uint64_t>(limits.scrypt_bytes, PTRDIFF_MAX);
    // Products are evaluated only if the numbers keep them within 64 bits.
    if (!fits || cost.bytes() > max_bytes || cost.hashed_bytes(salt_bytes) > limits.scrypt_mixed_bytes ||
        128 * cost.n * cost.r > limits.scrypt_mixed_bytes / cost.p)
        return Error{Problem::encryption_cost, "scrypt with N = " + std::to_string(how.scrypt_n) +
                                                   ", r = " + std::to_string(how.scrypt_r) +
                                                   " and p = " + std::to_string(how.scrypt_p) +
                                                   ", which takes more memory or time than the limits allow"};
    return {};
}

/// A number that has to fit 32 bits; larger ones become the maximum, which is refused later.
std::uint32_t read_number(der::Reader& reader, std::string_view field)
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(reader.number(field), UINT32_MAX));
}

BytesIn<> read_salt(der::Reader& parameters)
{
    const BytesIn<> salt = parameters.element(der::octet_string, "salt");
    if (salt.size() > max_salt_bytes)
        parameters.fail(Problem::encryption_parameters, "the salt has more than 1024 bytes");
    return salt;
}

std::optional<std::uint64_t> read_key_length(der::Reader& parameters)
{
    if (!parameters.next_is(der::integer)) return {};
    return parameters.number("keyLength");
}

/// prf of PBKDF2-params (RFC 8018, Appendix A.2), HMAC-SHA-1 if absent.
Kdf read_prf(der::Reader& parameters)
{
    if (parameters.at_end()) return Kdf::pbkdf2_sha1;
    der::Reader prf = parameters.inside(der::sequence, "prf");
    const BytesIn<> identifier = prf.element(der::object_identifier, "prf's algorithm");
    if (prf.failed()) return {};
    const auto* known =
        std::ranges::find_if(prfs, [&](const Prf& p) { return is(identifier, p.identifier); });
    if (known == prfs.end()) {
        refuse(prf, identifier, "PBKDF2 and");
        return {};
    }
    if (!prf.at_end()) (void)prf.well_formed(der::null, "prf's parameters");  // some writers leave them out
    prf.end();
    return known->kdf;
}

/// Returns the length of the key, if the file has it.
std::optional<std::uint64_t> read_pbkdf2(der::Reader& parameters, Locked& locked)
{
    locked.salt = read_salt(parameters);
    locked.how.iterations = read_number(parameters, "iterationCount");
    const auto key_length = read_key_length(parameters);
    locked.how.kdf = read_prf(parameters);
    return key_length;
}

/// scrypt-params (RFC 7914, Section 7.1).
std::optional<std::uint64_t> read_scrypt(der::Reader& parameters, Locked& locked)
{
    locked.how.kdf = Kdf::scrypt;
    locked.salt = read_salt(parameters);
    locked.how.scrypt_n = parameters.number("costParameter");
    locked.how.scrypt_r = read_number(parameters, "blockSize");
    locked.how.scrypt_p = read_number(parameters, "parallelizationParameter");
    return read_key_length(parameters);
}

/// keyDerivationFunc of PBES2-params (RFC 8018, Appendix A.4), and a check of its cost. Returns the
/// length of the key, if the file has it.
std::optional<std::uint64_t> read_kdf(der::Reader& pbes2, Locked& locked, const Limits& limits)
{
    der::Reader kdf = pbes2.inside(der::sequence, "keyDerivationFunc");
    const BytesIn<> identifier = kdf.element(der::object_identifier, "keyDerivationFunc's algorithm");
    if (kdf.failed()) return {};
    const bool is_scrypt = is(identifier, scrypt_identifier);
    if (!is_scrypt && !is(identifier, pbkdf2_identifier)) {
        refuse(kdf, identifier, "the key derivation function");
        return {};
    }
    der::Reader parameters =
        kdf.inside(der::sequence, is_scrypt ? std::string_view("scrypt-params") : "PBKDF2-params");
    const auto key_length = is_scrypt ? read_scrypt(parameters, locked) : read_pbkdf2(parameters, locked);
    parameters.end();
    kdf.end();
    if (kdf.failed()) return {};
    if (const auto error = objection(locked.how, locked.salt.size(), limits))
        kdf.fail(error->problem, error->message);
    return key_length;
}

void read_cipher(der::Reader& pbes2, Locked& locked, std::optional<std::uint64_t> key_length)
{
    der::Reader cipher = pbes2.inside(der::sequence, "encryptionScheme");
    const BytesIn<> identifier = cipher.element(der::object_identifier, "encryptionScheme's algorithm");
    if (cipher.failed()) return;
    const auto* known =
        std::ranges::find_if(ciphers, [&](const CbcCipher& c) { return is(identifier, c.identifier); });
    if (known == ciphers.end()) return refuse(cipher, identifier, "the cipher");
    locked.how.cipher = known->cipher;
    if (key_length.value_or(known->key_bytes) != known->key_bytes)
        return cipher.fail(Problem::encryption_parameters,
                           "keyLength is not the cipher's, " + std::to_string(known->key_bytes));
    locked.iv = cipher.element(der::octet_string, "the initialization vector");
    if (!cipher.failed() && locked.iv.size() != known->block_bytes)
        cipher.fail(Problem::encryption_parameters, "the initialization vector does not have " +
                                                        std::to_string(known->block_bytes) + " bytes");
    cipher.end();
}

/// Derives a key of any length.
void derive_key(const Locked& locked, BytesIn<> passphrase, BytesOut<> key)
{
    const Encryption& how = locked.how;
    if (how.kdf == Kdf::scrypt)
        scrypt(passphrase, locked.salt, {how.scrypt_n, how.scrypt_r, how.scrypt_p}, key);
    else
        std::ranges::find(prfs, how.kdf, &Prf::kdf)->derive(passphrase, locked.salt, how.iterations, key);
}

/// The number of padding bytes, 1 to those of a block (RFC 8018, Section 6.1.1, step 4); 0 if
/// invalid. Constant time.
std::uint32_t padding_of(BytesIn<> last_block)
{
    const std::uint32_t count = last_block.back();
    const auto block_bytes = static_cast<std::uint32_t>(last_block.size());
    std::uint32_t right = between(count, 1, block_bytes);
    for (std::uint32_t i = 1; i <= block_bytes; ++i) {  // from the end
        const std::uint32_t byte = last_block[block_bytes - i];
        right &= ~between(i, 1, count) | between(byte, count, count);
    }
    return count & right;
}

Encryption with_defaults(Encryption how)
{
    if (how.kdf == Kdf::scrypt) {
        if (how.scrypt_n == 0) how.scrypt_n = std::uint64_t{1} << 14;
        if (how.scrypt_r == 0) how.scrypt_r = 8;
        if (how.scrypt_p == 0) how.scrypt_p = 5;
    } else if (how.iterations == 0) {
        how.iterations = how.kdf == Kdf::pbkdf2_sha512 ? 210'000 : 600'000;
    }
    return how;
}

void append_identifier(SecretBytes& out, const EncodedIdentifier& identifier)
{
    der::append(out, der::object_identifier, identifier.view());
}

SecretBytes encode_kdf(const Locked& locked)
{
    const Encryption& how = locked.how;
    SecretBytes parameters;
    der::append(parameters, der::octet_string, locked.salt);
    if (how.kdf == Kdf::scrypt) {
        der::append_number(parameters, how.scrypt_n);
        der::append_number(parameters, how.scrypt_r);
        der::append_number(parameters, how.scrypt_p);
    } else {
        der::append_number(parameters, how.iterations);
        SecretBytes prf;
        append_identifier(prf, std::ranges::find(prfs, how.kdf, &Prf::kdf)->identifier);
        der::append(prf, der::null, {});
        der::append(parameters, der::sequence, prf);
    }
    SecretBytes kdf;
    append_identifier(kdf, how.kdf == Kdf::scrypt ? scrypt_identifier : pbkdf2_identifier);
    der::append(kdf, der::sequence, parameters);
    return der::in_sequence(kdf);
}

SecretBytes encode(const Locked& locked)
{
    SecretBytes cipher;
    append_identifier(cipher, row_of(locked.how.cipher).identifier);
    der::append(cipher, der::octet_string, locked.iv);
    SecretBytes parameters = encode_kdf(locked);
    der::append(parameters, der::sequence, cipher);
    SecretBytes algorithm;
    append_identifier(algorithm, pbes2_identifier);
    der::append(algorithm, der::sequence, parameters);
    SecretBytes info = der::in_sequence(algorithm);
    der::append(info, der::octet_string, locked.content);
    return der::in_sequence(info);
}

}  // namespace

Result<Locked> parse(BytesIn<> der, const Limits& limits)
{
    std::optional<Error> error;
    der::Reader file(der, "the encrypted private key", error);
    der::Reader info = file.inside(der::sequence, "EncryptedPrivateKeyInfo");
    file.end();
    der::Reader algorithm = info.inside(der::sequence, "encryptionAlgorithm");
    const BytesIn<> identifier = algorithm.element(der::object_identifier, "encryptionAlgorithm's algorithm");
    if (error) return *error;
    if (!is(identifier, pbes2_identifier)) refuse(algorithm, identifier, "the scheme");

    Locked locked{};
    der::Reader parameters = algorithm.inside(der::sequence, "PBES2-params");
    const auto key_length = read_kdf(parameters, locked, limits);
    read_cipher(parameters, locked, key_length);
    parameters.end();
    algorithm.end();
    locked.content = info.element(der::octet_string, "encryptedData");
    const std::size_t block_bytes = row_of(locked.how.cipher).block_bytes;
    if (!error && (locked.content.empty() || locked.content.size() % block_bytes != 0))
        info.fail(Problem::encryption_parameters, "encryptedData is not a number of whole blocks of " +
                                                      std::to_string(block_bytes) + " bytes");
    info.end();
    if (error) return *error;
    return locked;
}

Unlocked unlock(const Locked& locked, BytesIn<> passphrase)
{
    SecretBytes content(locked.content.begin(), locked.content.end());
    const CbcCipher& cipher = row_of(locked.how.cipher);
    SecretBytes key(cipher.key_bytes);
    derive_key(locked, passphrase, key);
    cipher.decrypt(key, locked.iv, content);
    const std::uint32_t padding =
        declassify(Secret(padding_of(BytesIn<>(content).last(cipher.block_bytes))),
                   "the length of the key in a file, or that the passphrase is wrong");
    content.resize(content.size() - padding);
    return {std::move(content), padding != 0};
}

Result<SecretBytes> lock(BytesIn<> der, BytesIn<> passphrase, Encryption how)
{
    if (passphrase.empty()) return Error{Problem::no_passphrase, "the passphrase to encrypt with is empty"};
    if (!how.is_written())
        return Error{
            Problem::encryption,
            "girih encrypts with AES-256, under PBKDF2 with HMAC-SHA-256 or HMAC-SHA-512, or scrypt"};
    how = with_defaults(how);
    if (auto error = objection(how, written_salt_bytes, {})) return std::move(*error);
    std::array<Byte, written_salt_bytes> salt{};
    std::array<Byte, aes::block_bytes> iv{};
    if (!os_random(salt) || !os_random(iv)) return library_error(GIRIH_ERROR_RANDOM);

    SecretBytes content(der.begin(), der.end());
    const std::size_t padding = aes::block_bytes - der.size() % aes::block_bytes;
    content.resize(der.size() + padding, static_cast<Byte>(padding));
    const Locked locked{how, salt, iv, content};
    Wiped<std::array<Byte, aes::key_bytes>> key;
    derive_key(locked, passphrase, *key);
    aes::encrypt_cbc(*key, iv, content);
    return encode(locked);
}

}  // namespace girih::key_files::pbes2
