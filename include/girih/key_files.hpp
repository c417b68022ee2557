/// Key files: PEM (RFC 7468) and DER of PKCS#8 private keys, SubjectPublicKeyInfo public keys and
/// X.509 certificates, and raw keys.
///
/// ML-DSA is encoded as RFC 9881 has it, ML-KEM as RFC 9935 does. Dilithium (round 3.1), which no
/// standard encodes, is encoded as oqs-provider did: its object identifiers
/// 1.3.6.1.4.1.2.267.7.{4.4, 6.5, 8.7}, and a private key that is an OCTET STRING of the secret key
/// followed by the public key.
///
/// NTRU Prime (round 3), which no standard encodes either, is encoded as Bouncy Castle does: its
/// object identifiers 1.3.6.1.4.1.22554.5.7.1.{1 ... 6} of ntrulpr653 ... ntrulpr1277 and
/// 1.3.6.1.4.1.22554.5.7.2.{1 ... 6} of sntrup653 ... sntrup1277; a public key in an OCTET
/// STRING within subjectPublicKey; a private key that is a SEQUENCE of OCTET STRINGs, one for
/// each part of the secret key: f, 1/g, the public key, rho and the hash of the public key, or
/// a, the public key, rho and the hash. Seeds are none of NTRU Prime's: only a raw file holds
/// one, and only if asked to.
///
/// ML-DSA keys under HashML-DSA's identifiers (with SHA-512) are read, and written so again.
///
/// Three more encodings of private keys are read, and never written: ML-DSA and ML-KEM with the
/// seed, the expanded key, or the expanded key and the public key as OpenSSL's output formats
/// bare-seed, bare-priv and oqskeypair have them; the same with the seed in an OCTET STRING, as
/// Bouncy Castle 1.79 has it; and Falcon's f, g, F and public key in a SEQUENCE, as Bouncy Castle
/// has them.
///
/// Encrypted private keys are PBES2 with AES-256-CBC, under PBKDF2 or scrypt, as OpenSSL makes
/// them; AES-128-CBC, AES-192-CBC and all of RFC 8018's HMACs are read. (scrypt reads memory in an
/// order that depends on the passphrase. All else about passphrases takes constant time, but for
/// their lengths.)
///
/// Reading is strict: every key that comes out has passed all checks that its encoding allows, so
/// it can be used as it is. (Every string of its length is a public key of ML-DSA, Dilithium and
/// NTRU Prime; one of ML-KEM has coefficients below q, one of Falcon a header as well.) Its time is
/// linear in the file's length. Nothing throws but std::bad_alloc. Every function may run on any
/// thread. Private bytes are wiped when their owner ends; base64 and the comparison of private
/// bytes take constant time, and only lengths, whether a check passed and where a bad character
/// stands steer branches.
#pragma once

#include <girih/girih.h>
#include <girih/detail/cpp20.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace girih::key_files {

/// Overwrites bytes with zero in a way that no optimiser removes.
void erase(void* bytes, std::size_t count) noexcept;

/// The allocator of containers of secrets: wipes what it takes back, which growth of the
/// container includes.
template <class T>
struct ErasingAllocator {
    using value_type = T;

    ErasingAllocator() noexcept = default;
    template <class Other>
    explicit ErasingAllocator(const ErasingAllocator<Other>&) noexcept
    {
    }

    [[nodiscard]] T* allocate(std::size_t count) { return std::allocator<T>{}.allocate(count); }
    void deallocate(T* objects, std::size_t count) noexcept
    {
        erase(objects, count * sizeof(T));
        std::allocator<T>{}.deallocate(objects, count);
    }
    friend bool operator==(const ErasingAllocator&, const ErasingAllocator&) noexcept { return true; }
};

/// The longest file that is read: many times what any key or certificate takes, with its
/// explanatory text. (The longest private key that is written has 10 KB; a certificate with the
/// longest of the standard signatures, 70 KB.)
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

using Bytes = std::vector<std::uint8_t>;
using SecretBytes = std::vector<std::uint8_t, ErasingAllocator<std::uint8_t>>;

enum class Kind { private_key, public_key, certificate };
enum class Format { pem, der, raw };

/// What a private key's file holds (RFC 9881 and RFC 9935, Section 6): the seed (32 bytes of
/// ML-DSA, d and z of ML-KEM), the secret key that FIPS 204 or FIPS 203 expands from it, or both.
enum class PrivateForm { seed, expanded, both };

/// What is wrong with a file or a request. Each check of the decoders has its own.
enum class Problem {
    // recognition
    empty,         ///< no bytes at all
    too_long,      ///< more than max_file_bytes
    unrecognised,  ///< neither PEM nor DER, nor of a length that raw keys have
    raw_unnamed,   ///< it may be a raw key, whose algorithm has to be named
    raw_length,    ///< a raw key of the named algorithm has another length
    algorithm,     ///< the file's algorithm is not the one that was asked for
    wrong_kind,    ///< a private key where a public one is needed, or the other way round
    encrypted,     ///< an encrypted private key, which needs its passphrase
    // PEM
    pem_boundary,     ///< a BEGIN or END line that is cut short, misspelt or out of place
    pem_no_end,       ///< BEGIN without END
    pem_label,        ///< no block of a label that girih reads
    pem_end_label,    ///< END names another label than BEGIN
    pem_several,      ///< more than one private key
    pem_header,       ///< a header such as Proc-Type, which RFC 7468 does not have
    pem_character,    ///< a character outside base64
    pem_padding,      ///< the number of characters or of '=' is impossible
    pem_unused_bits,  ///< the last character has bits that belong to no byte
    // DER
    der_truncated,    ///< an element is longer than what holds it
    der_tag,          ///< another element was expected
    der_indefinite,   ///< an indefinite length
    der_length_form,  ///< a length that is not written in the fewest bytes, or in more than four
    der_trailing,     ///< bytes after the last element
    der_unused_bits,  ///< a BIT STRING that is not whole bytes
    der_value,        ///< a value that is not written as DER has it: an INTEGER with a byte too many, ...
    der_nesting,      ///< elements within elements, deeper than any certificate has them
    // keys
    version,              ///< of the PKCS#8 structure or the certificate, or it does not fit its content
    certificate,          ///< its two signature algorithms differ
    unknown_algorithm,    ///< an object identifier that is none of girih's
    parameters,           ///< algorithm parameters where they have to be absent
    private_choice,       ///< none of seed, expandedKey and both
    private_key_length,   ///< of the seed or the expanded key
    public_key_length,    ///< of the public key
    public_key_range,     ///< another header of a Falcon public key, or a coefficient that is not below q
    secret_key_range,     ///< a coefficient of s1 or s2 outside [-eta, eta], of f, 1/g or a outside [-1, 1],
                          ///< of ML-KEM's s or t not below q, or the weight of f or a
    secret_key_mismatch,  ///< t0, tr, s, 1/g, the public key or its hash contradicts the rest of the key
    halves_mismatch,      ///< the expanded key is not the one that the seed expands to
    public_key_mismatch,  ///< the public key beside a private key belongs to another
    // encryption
    encryption,             ///< a scheme, a function or a cipher that girih does not decrypt
    encryption_parameters,  ///< a number or a length that the scheme does not have
    encryption_cost,        ///< more iterations or memory than Limits allow
    passphrase,             ///< the wrong one, or what is encrypted was changed
    // requests
    no_passphrase,  ///< an empty one, to encrypt with
    no_seed,        ///< a seed was asked of a key that came without
    no_form,        ///< the format has no such form
    library         ///< the library reported an error: the engine, or the source of randomness
};

struct Error {
    /// Of an error that is at no place.
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    Problem problem;
    std::string message;  ///< one line: the field, byte or line, and what is wrong; without the file's name
    std::size_t byte = nowhere;  ///< of the DER (in PEM: of what its base64 stands for), from 0
    std::size_t line = nowhere;  ///< of the PEM file, from 1
};

/// A value, or why there is none.
template <class Value>
class [[nodiscard]] Result {
  public:
    Result(Value value) : outcome_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : outcome_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return outcome_.index() == 0; }
    /// Only if there is a value.
    [[nodiscard]] Value& operator*() noexcept { return *std::get_if<0>(&outcome_); }
    [[nodiscard]] const Value& operator*() const noexcept { return *std::get_if<0>(&outcome_); }
    [[nodiscard]] Value* operator->() noexcept { return std::get_if<0>(&outcome_); }
    [[nodiscard]] const Value* operator->() const noexcept { return std::get_if<0>(&outcome_); }
    /// Only if there is none.
    [[nodiscard]] const Error& error() const noexcept { return *std::get_if<1>(&outcome_); }

  private:
    std::variant<Value, Error> outcome_;
};

struct PublicKey {
    const girih_alg* alg;
    Bytes bytes;  ///< girih_public_key_bytes(alg)

    /// The key is for HashML-DSA with SHA-512 by the identifier in its file, and for ML-DSA if not.
    /// Its bytes are those of an ML-DSA key; what it signs or verifies takes Options::pre_hash
    /// "SHA2-512". Written with the same identifier, except raw.
    bool for_hash_ml_dsa = false;
};

struct PrivateKey {
    const girih_alg* alg;
    SecretBytes seed;      ///< girih_seed_bytes(alg), or empty if the key came without
    SecretBytes expanded;  ///< girih_secret_key_bytes(alg): what girih_sign or girih_decapsulate takes
    Bytes public_key;      ///< girih_public_key_bytes(alg)

    bool for_hash_ml_dsa = false;  ///< as in PublicKey
};

/// How a passphrase becomes the key that a private key is encrypted with: PBKDF2 (RFC 8018) with
/// HMAC-SHA-256 or HMAC-SHA-512, or scrypt (RFC 7914). PBKDF2 with the others is read, and not
/// written.
enum class Kdf {
    pbkdf2_sha256,
    pbkdf2_sha512,
    scrypt,
    pbkdf2_sha1,
    pbkdf2_sha224,
    pbkdf2_sha384,
    pbkdf2_sha512_224,
    pbkdf2_sha512_256
};

/// What a private key is encrypted with, in CBC mode. The shorter keys are read, and not written.
enum class Cipher { aes256, aes128, aes192 };

/// How a private key is encrypted: AES in CBC mode under a key from a passphrase, salted (PBES2,
/// RFC 8018). What is 0 is chosen by girih when it writes.
struct Encryption {
    Kdf kdf = Kdf::pbkdf2_sha256;
    std::uint32_t iterations = 0;  ///< of PBKDF2; 600,000 with SHA-256 and 210,000 with SHA-512
    std::uint64_t scrypt_n = 0;    ///< a power of two; 2^14, the most that OpenSSL reads with r = 8
    std::uint32_t scrypt_r = 0;    ///< in 128 bytes; 8
    std::uint32_t scrypt_p = 0;    ///< 5
    Cipher cipher = Cipher::aes256;

    /// Whether girih writes it.
    [[nodiscard]] bool is_written() const noexcept
    {
        return cipher == Cipher::aes256 &&
               (kdf == Kdf::pbkdf2_sha256 || kdf == Kdf::pbkdf2_sha512 || kdf == Kdf::scrypt);
    }
};

/// How much work and memory a file may ask for before its passphrase is known to be right.
struct Limits {
    std::uint32_t iterations = 10'000'000;                  ///< of PBKDF2: ten seconds or so
    std::uint64_t scrypt_bytes = std::uint64_t{256} << 20;  ///< of memory
    /// 128 N r p, and as much for the SHA-256 before it, 4 r p (128 + bytes of salt): seconds.
    std::uint64_t scrypt_mixed_bytes = std::uint64_t{1} << 30;
};

/// What decrypts a private key. The bytes are taken as they are; RFC 8018 recommends UTF-8.
struct Passphrase {
    std::span<const std::uint8_t> bytes;
    Limits limits = {};
};

/// What a file was found to hold.
struct KeyFile {
    Kind kind;
    Format format;
    PrivateForm form;                           ///< of a private key
    std::variant<PrivateKey, PublicKey> key;    ///< PublicKey for public keys and certificates
    std::optional<Encryption> encryption = {};  ///< of an encrypted private key

    /// The algorithm of either.
    [[nodiscard]] const girih_alg* alg() const noexcept;
    /// The public key, or the public half of the private key.
    [[nodiscard]] const Bytes& public_key() const noexcept;
    /// Whether either is for HashML-DSA.
    [[nodiscard]] bool for_hash_ml_dsa() const noexcept;
};

/// A new key pair, from the operating system's randomness.
Result<PrivateKey> generate(const girih_alg* alg);

/// The key pair of a seed of girih_seed_bytes(alg) bytes.
Result<PrivateKey> from_seed(const girih_alg* alg, std::span<const std::uint8_t> seed);

/// Reads a private key, a public key, or the public key of a certificate, and recognises the
/// format: PEM by a -----BEGIN line, raw by its length if `alg` is given, DER by its first byte.
///
/// `alg` may be null; otherwise keys of other algorithms are refused. One that only verifies
/// (girih_ml_dsa_65_verifying) asks for the keys of the whole one, and gets that with them. Of a
/// certificate, the structure is checked (whole elements, numbers and other simple values as DER
/// writes them, version, the two signature algorithms), and its signature, dates, names and
/// extensions are not. The file has at most max_file_bytes.
///
/// A PEM file may have text around its blocks, and blocks of other kinds, which are passed over. Of
/// several keys, the private one is read (two are refused), or, where there is none, the first
/// public key or certificate.
Result<KeyFile> read(std::span<const std::uint8_t> file, const girih_alg* alg = nullptr);

/// The same, and decrypts. Without a passphrase, an encrypted private key that girih can decrypt is
/// refused with Problem::encrypted. Whatever goes wrong once decryption has begun is one error,
/// Problem::passphrase, in the same words. (A damaged file mostly, not always: PBES2 has no
/// checksum, and where a seed was hit, it is a seed as before, of another key.)
Result<KeyFile> read(std::span<const std::uint8_t> file, const girih_alg* alg, const Passphrase& passphrase);

/// The same where only a private key will do.
Result<PrivateKey> read_private_key(std::span<const std::uint8_t> file, const girih_alg* alg = nullptr);
Result<PrivateKey> read_private_key(std::span<const std::uint8_t> file, const girih_alg* alg,
                                    const Passphrase& passphrase);

/// The same where only a public key or a certificate will do: the first one of a PEM file, whatever
/// private keys are in it.
Result<KeyFile> read_public(std::span<const std::uint8_t> file, const girih_alg* alg = nullptr);
Result<PublicKey> read_public_key(std::span<const std::uint8_t> file, const girih_alg* alg = nullptr);

/// The form in which a key is best kept: the seed (RFC 9881 and RFC 9935 recommend it), unless the
/// key has none or the format cannot hold it, as for Dilithium in PEM and DER; of NTRU Prime
/// always the expanded key.
[[nodiscard]] PrivateForm preferred_form(const PrivateKey& key, Format format) noexcept;

/// PKCS#8 (RFC 5958, version 1, without attributes or the public key), or the raw
/// seed or expanded key.
Result<SecretBytes> write_private_key(const PrivateKey& key, PrivateForm form, Format format);

/// The same, encrypted (RFC 5958, Section 3): in PEM or DER, with a fresh salt from the operating
/// system's randomness. Refuses what the default Limits would refuse to read, and what is not
/// written.
Result<SecretBytes> write_encrypted_private_key(const PrivateKey& key, PrivateForm form, Format format,
                                                std::span<const std::uint8_t> passphrase,
                                                const Encryption& how = {});

/// SubjectPublicKeyInfo (RFC 5280), or the raw public key.
[[nodiscard]] Bytes write_public_key(const PublicKey& key, Format format);

/// What people compare instead of whole keys: the SHA-256 of write_public_key(key, Format::der); of
/// a key for HashML-DSA, that of the ML-DSA key with the same bytes.
[[nodiscard]] std::array<std::uint8_t, 32> fingerprint(const PublicKey& key);

}  // namespace girih::key_files
