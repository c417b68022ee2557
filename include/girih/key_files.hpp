/// Key files: PEM (RFC 7468) and DER of PKCS#8 private keys, SubjectPublicKeyInfo public keys and
/// X.509 certificates, and raw keys.
///
/// ML-DSA is encoded as in RFC 9881 and ML-KEM as in RFC 9935. No standard encodes Dilithium (round
/// 3.1); its encoding is oqs-provider's: object identifiers 1.3.6.1.4.1.2.267.7.{4.4, 6.5, 8.7},
/// and a private key that is an OCTET STRING of the secret key followed by the public key.
///
/// No standard encodes NTRU Prime (round 3) either; its encoding is Bouncy Castle's: object
/// identifiers 1.3.6.1.4.1.22554.5.7.1.{1 ... 6} of ntrulpr653 ... ntrulpr1277 and
/// 1.3.6.1.4.1.22554.5.7.2.{1 ... 6} of sntrup653 ... sntrup1277; a public key in an OCTET STRING
/// within subjectPublicKey; a private key that is a SEQUENCE of OCTET STRINGs, one for each part of
/// the secret key: f, 1/g, the public key, rho and the hash of the public key, or a, the public
/// key, rho and the hash. NTRU Prime's specification has no seeds: only a raw file holds one, and
/// only on request.
///
/// ML-DSA keys under HashML-DSA's identifiers (with SHA-512) are read, and keep them when written.
///
/// Three more encodings of private keys are read but never written: OpenSSL's output formats
/// bare-seed, bare-priv and oqskeypair of ML-DSA and ML-KEM; Bouncy Castle 1.79's, with the seed in
/// an OCTET STRING; and Bouncy Castle's of Falcon, with f, g, F and the public key in a SEQUENCE.
///
/// ML-DSA keys are also read and written as JWK and COSE_Key (RFC 9964; kty AKP): the public key,
/// the seed of a private key, and the identifier, kid.
///
/// Private keys are encrypted as by OpenSSL: PBES2 with AES-256-CBC, under PBKDF2 or scrypt.
/// AES-128-CBC, AES-192-CBC, DES-EDE3-CBC and all of RFC 8018's HMACs are read as well. Passphrases
/// are handled in constant time except for their lengths, and except in scrypt, whose memory
/// accesses depend on the passphrase.
///
/// Reading is strict: a key that was read has passed every check that its encoding allows and needs
/// no other. (For ML-DSA, Dilithium and NTRU Prime, every string of the right length is a public
/// key; ML-KEM's have coefficients below q, Falcon's a header as well.) Time is linear in the
/// file's length. Nothing but std::bad_alloc is thrown, except by value(). Every function may run
/// on any thread. Private bytes are wiped when their owner is destroyed. Base64 and comparisons of
/// private bytes take constant time: branches depend only on lengths, on whether a check passed and
/// on where a bad character is.
#pragma once

#include <girih/girih.h>
#include <girih/detail/bytes.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace girih::key_files {

/// Overwrites bytes with zero in a way that no optimiser removes.
void erase(void* bytes, std::size_t count) noexcept;

/// An allocator for containers of secrets: wipes memory before freeing it, also when a container
/// grows.
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

/// The longest file that is read. (The longest private key that is written has 10 KB; a certificate
/// with the longest of the standard signatures, 70 KB.)
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

using Bytes = std::vector<std::uint8_t>;
using SecretBytes = std::vector<std::uint8_t, ErasingAllocator<std::uint8_t>>;

enum class Kind { private_key, public_key, certificate };
enum class Format { pem, der, raw, jwk, cose_key };

/// The contents of a private key's file (RFC 9881 and RFC 9935, Section 6): the seed (32 bytes for
/// ML-DSA, d and z for ML-KEM), the secret key that FIPS 204 or FIPS 203 expands from it, or both.
enum class PrivateForm { seed, expanded, both };

/// The problems of files and requests: one for each check of the decoders.
enum class Problem {
    // recognition
    empty,         ///< no bytes at all
    too_long,      ///< more than max_file_bytes
    unrecognised,  ///< none of the formats, nor the length of a raw key
    raw_unnamed,   ///< possibly a raw key: its algorithm has to be named
    raw_length,    ///< a raw key of the named algorithm has another length
    algorithm,     ///< not the algorithm that was asked for
    wrong_kind,    ///< a private key where a public one is needed, or vice versa
    encrypted,     ///< an encrypted private key, which needs its passphrase
    // PEM
    pem_boundary,     ///< a BEGIN or END line that is cut short, misspelt or out of place
    pem_no_end,       ///< BEGIN without END
    pem_label,        ///< no block of a label that girih reads
    pem_end_label,    ///< the labels of BEGIN and END differ
    pem_several,      ///< more than one private key
    pem_header,       ///< a header such as Proc-Type, which RFC 7468 does not have
    pem_character,    ///< a character outside base64
    pem_padding,      ///< the number of characters or of '=' is impossible
    pem_unused_bits,  ///< the last character has bits that belong to no byte
    // DER
    der_truncated,    ///< an element is longer than what holds it
    der_tag,          ///< another element was expected
    der_indefinite,   ///< an indefinite length
    der_length_form,  ///< a length not written in the fewest bytes, or in more than four
    der_trailing,     ///< bytes after the last element
    der_unused_bits,  ///< a BIT STRING that is not whole bytes
    der_value,        ///< a value that is not in DER's form, such as an INTEGER with a byte too many
    der_nesting,      ///< elements nested deeper than in any certificate
    // JSON and CBOR
    json,    ///< breaks RFC 8259, or has a member twice
    cbor,    ///< breaks RFC 8949, has a longer form than needed, or a label twice
    member,  ///< a member or label that is missing, or whose type or value is not allowed
    // keys
    version,              ///< PKCS#8's or the certificate's is unknown, or does not fit its content
    certificate,          ///< its two signature algorithms differ
    unknown_algorithm,    ///< an object identifier that girih does not know
    parameters,           ///< algorithm parameters where there must be none
    private_choice,       ///< none of seed, expandedKey and both
    private_key_length,   ///< of the seed or the expanded key
    public_key_length,    ///< of the public key
    public_key_range,     ///< a wrong header of a Falcon public key, or a coefficient that is not below q
    secret_key_range,     ///< a coefficient of s1 or s2 outside [-eta, eta], of f, 1/g or a outside [-1, 1],
                          ///< of ML-KEM's s or t not below q, or the weight of f or a
    secret_key_mismatch,  ///< t0, tr, s, 1/g, the public key or its hash contradicts the rest of the key
    halves_mismatch,      ///< the expanded key is not the one that the seed expands to
    public_key_mismatch,  ///< the public key beside a private key belongs to another
    // encryption
    encryption,             ///< an unsupported scheme, function or cipher
    encryption_parameters,  ///< a number or a length that the scheme does not allow
    encryption_cost,        ///< more iterations or memory than Limits allow
    passphrase,             ///< wrong, or the encrypted data was changed
    // requests
    no_passphrase,  ///< an empty one for encryption
    no_seed,        ///< the seed was asked for, but the key was read without one
    no_form,        ///< the format has no such form
    library         ///< the library reported an error: the engine, or the source of randomness
};

struct Error {
    /// The `byte` or `line` of an error that has none.
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    Problem problem;
    std::string message;  ///< one line: the field, byte or line, and what is wrong; without the file's name
    std::size_t byte = nowhere;  ///< of the DER (in PEM: of the decoded base64), from 0
    std::size_t line = nowhere;  ///< of the PEM file, from 1
};

/// A value or an error.
template <class Value>
class [[nodiscard]] Result {
  public:
    Result(Value value) : outcome_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : outcome_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return outcome_.index() == 0; }
#if defined(__cpp_exceptions)
    /// The value. Throws std::runtime_error with the error's message if there is none.
    [[nodiscard]] const Value& value() const&
    {
        if (!*this) throw std::runtime_error(error().message);
        return **this;
    }
    [[nodiscard]] Value value() &&
    {
        (void)std::as_const(*this).value();
        return std::move(**this);
    }
#endif
    /// Call these only if there is a value.
    [[nodiscard]] Value& operator*() noexcept { return *expected<0>(*this); }
    [[nodiscard]] const Value& operator*() const noexcept { return *expected<0>(*this); }
    [[nodiscard]] Value* operator->() noexcept { return expected<0>(*this); }
    [[nodiscard]] const Value* operator->() const noexcept { return expected<0>(*this); }
    /// Call this only if there is no value.
    [[nodiscard]] const Error& error() const noexcept { return *expected<1>(*this); }

  private:
    template <std::size_t index>
    static auto* expected(auto& result) noexcept
    {
        assert(result.outcome_.index() == index && "whether there is a value was not asked first");
        return std::get_if<index>(&result.outcome_);
    }

    std::variant<Value, Error> outcome_;
};

struct PublicKey {
    const girih_alg* alg;
    Bytes bytes;  ///< girih_public_key_bytes(alg)

    /// Whether the file's identifier is HashML-DSA's with SHA-512 instead of ML-DSA's. The bytes
    /// are those of an ML-DSA key; sign and verify with Options::pre_hash "SHA2-512". PEM and DER
    /// keep the identifier.
    bool for_hash_ml_dsa = false;

    Bytes kid = {};  ///< the identifier that a JWK or COSE_Key gives the key; empty if it has none
};

struct PrivateKey {
    const girih_alg* alg;
    SecretBytes seed;      ///< girih_seed_bytes(alg), or empty if the key came without
    SecretBytes expanded;  ///< girih_secret_key_bytes(alg): what girih_sign or girih_decapsulate takes
    Bytes public_key;      ///< girih_public_key_bytes(alg)

    bool for_hash_ml_dsa = false;  ///< as in PublicKey
    Bytes kid = {};
};

/// The function that derives the encryption key from a passphrase: PBKDF2 (RFC 8018) with
/// HMAC-SHA-256 or HMAC-SHA-512, or scrypt (RFC 7914). The other variants of PBKDF2 are read but
/// not written.
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

/// The cipher, in CBC mode. The shorter keys and triple DES are read but not written.
enum class Cipher { aes256, aes128, aes192, triple_des };

/// How a private key is encrypted: PBES2 (RFC 8018), a cipher in CBC mode under a key from a
/// passphrase and a salt. A 0 means the default named beside it.
struct Encryption {
    Kdf kdf = Kdf::pbkdf2_sha256;
    std::uint32_t iterations = 0;  ///< of PBKDF2; 600,000 with SHA-256 and 210,000 with SHA-512
    std::uint64_t scrypt_n = 0;    ///< a power of two; 2^14, the largest that OpenSSL reads with r = 8
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

/// The work and memory that a file may ask for before its passphrase is known to be right.
struct Limits {
    std::uint32_t iterations = 10'000'000;                  ///< of PBKDF2: about ten seconds
    std::uint64_t scrypt_bytes = std::uint64_t{256} << 20;  ///< of memory
    /// Bounds 128 N r p, and 4 r p (128 + bytes of salt) for the SHA-256 before it: seconds.
    std::uint64_t scrypt_mixed_bytes = std::uint64_t{1} << 30;
};

/// A passphrase to decrypt with. Its bytes are used unchanged; RFC 8018 recommends UTF-8.
struct Passphrase {
    BytesView bytes;
    Limits limits = {};
};

/// The contents of a file.
struct KeyFile {
    Kind kind;
    Format format;
    PrivateForm form;                           ///< of a private key
    std::variant<PrivateKey, PublicKey> key;    ///< PublicKey for public keys and certificates
    std::optional<Encryption> encryption = {};  ///< of an encrypted private key

    /// The algorithm of the key.
    [[nodiscard]] const girih_alg* alg() const noexcept;
    /// The public key, or the public half of the private key.
    [[nodiscard]] const Bytes& public_key() const noexcept;
    /// Whether the key is for HashML-DSA.
    [[nodiscard]] bool for_hash_ml_dsa() const noexcept;
    /// The public key or half, with its other members.
    [[nodiscard]] PublicKey public_part() const;
};

/// A new key pair, from the operating system's randomness.
Result<PrivateKey> generate(const girih_alg* alg);

/// The key pair of a seed of girih_seed_bytes(alg) bytes.
Result<PrivateKey> from_seed(const girih_alg* alg, BytesView seed);

/// Reads a private key, a public key, or the public key of a certificate, and recognises the
/// format: PEM by a -----BEGIN line, raw by its length if `alg` is given, the others by the first
/// byte.
///
/// `alg` may be null; if not, keys of other algorithms are refused. An algorithm that only verifies
/// (girih_ml_dsa_65_verifying) means the full algorithm, which the key then has. A
/// certificate's structure is checked (whole elements, numbers and other simple values in DER's
/// form, version, the two signature algorithms); its signature, dates, names and extensions are
/// not. The file has at most max_file_bytes.
///
/// Text around the blocks of a PEM file, and blocks of other kinds, are skipped. If there are
/// several keys, the private one is read (two are refused), else the first public key or
/// certificate.
Result<KeyFile> read(BytesView file, const girih_alg* alg = nullptr);

/// Reads a file that may be encrypted. Without a passphrase, an encrypted private key that girih
/// can decrypt is Problem::encrypted. Any failure after decryption has begun is
/// Problem::passphrase, with the same message. PBES2 has no checksum: a damaged seed decrypts to
/// the valid seed of another key.
Result<KeyFile> read(BytesView file, const girih_alg* alg, const Passphrase& passphrase);

/// Reads a file that has to hold a private key.
Result<PrivateKey> read_private_key(BytesView file, const girih_alg* alg = nullptr);
Result<PrivateKey> read_private_key(BytesView file, const girih_alg* alg, const Passphrase& passphrase);

/// Reads the first public key or certificate of a file; private keys in a PEM file are skipped.
Result<KeyFile> read_public(BytesView file, const girih_alg* alg = nullptr);
Result<PublicKey> read_public_key(BytesView file, const girih_alg* alg = nullptr);

/// A type of private keys of the C++ headers: SigningKey or DecapsulationKey of an algorithm.
template <class Key>
concept TypedPrivateKey = requires(const Key& key) { key.verifying_key(); } ||
                          requires(const Key& key) { key.encapsulation_key(); };

namespace detail {
template <class Key, class Found, class Bytes>
Result<Key> typed(const Result<Found>& found, Bytes Found::* bytes)
{
    if (!found) return found.error();
    if (found->for_hash_ml_dsa) return Error{Problem::algorithm, "the key is for HashML-DSA, not for ML-DSA"};
    std::optional<Key> key;
    if constexpr (TypedPrivateKey<Key>)
        if (!found->seed.empty()) key = Key::try_from_seed(found->seed);
    if (!key) key = Key::from_bytes((*found).*bytes);
    if (!key) return Error{Problem::library, girih_error_text(GIRIH_ERROR_ENGINE)};
    return *key;
}
}  // namespace detail

/// Reads a key of the C++ headers, as in read<girih::ml_dsa_65::SigningKey>(file): a SigningKey or
/// DecapsulationKey as read_private_key does, a VerifyingKey or EncapsulationKey as read_public_key
/// does. Refuses keys for HashML-DSA, which these types do not distinguish: Problem::algorithm.
template <class Key>
Result<Key> read(BytesView file)
{
    if constexpr (TypedPrivateKey<Key>)
        return detail::typed<Key>(read_private_key(file, Key::algorithm()), &PrivateKey::expanded);
    else
        return detail::typed<Key>(read_public_key(file, Key::algorithm()), &PublicKey::bytes);
}
template <TypedPrivateKey Key>
Result<Key> read(BytesView file, const Passphrase& passphrase)
{
    return detail::typed<Key>(read_private_key(file, Key::algorithm(), passphrase), &PrivateKey::expanded);
}

/// The recommended form: the seed (RFC 9881 and RFC 9935), unless the key has none or the format
/// cannot hold it, as for Dilithium in PEM and DER; always the expanded key for NTRU Prime.
[[nodiscard]] PrivateForm preferred_form(const PrivateKey& key, Format format) noexcept;

/// Writes PKCS#8 (RFC 5958, version 1, without attributes or the public key), the raw seed or
/// expanded key, or a JWK or COSE_Key of the seed.
Result<SecretBytes> write_private_key(const PrivateKey& key, PrivateForm form, Format format);

/// Writes an encrypted private key (RFC 5958, Section 3) in PEM or DER, with a fresh salt from the
/// operating system's randomness. Refuses a cost above the default Limits, and variants that are
/// only read.
Result<SecretBytes> write_encrypted_private_key(const PrivateKey& key, PrivateForm form, Format format,
                                                BytesView passphrase, const Encryption& how = {});

/// Writes SubjectPublicKeyInfo (RFC 5280), the raw public key, or a JWK or COSE_Key. A key without
/// kid is given its thumbprint. The only error is Problem::no_form: a JWK or COSE_Key holds ML-DSA
/// keys only.
Result<Bytes> write_public(const PublicKey& key, Format format);
/// Writes a key as PEM, DER or raw, which hold every key; empty where write_public has an error.
[[nodiscard]] Bytes write_public_key(const PublicKey& key, Format format);

/// The thumbprint that identifies a key, as its kid: of a JWK (RFC 7638), 43 characters of
/// base64url; of a COSE_Key (RFC 9679), 32 bytes; empty for keys and formats that have none. Both
/// are SHA-256.
[[nodiscard]] Bytes thumbprint(const PublicKey& key, Format format);

namespace detail {
template <class Bytes, class Array>
Bytes copied(const Array& bytes)
{
    return {bytes.begin(), bytes.end()};
}
}  // namespace detail

/// A private key of the C++ headers for the functions above, with its seed if it has one. Throws
/// girih::Exception (Error::argument) if it was moved from.
template <TypedPrivateKey Key>
[[nodiscard]] PrivateKey private_key_of(const Key& key)
{
    PrivateKey made{Key::algorithm(),
                    detail::copied<SecretBytes>(key.seed()),
                    detail::copied<SecretBytes>(key.bytes_to_use()),
                    {}};
    if constexpr (requires { key.verifying_key(); })
        made.public_key = detail::copied<Bytes>(key.verifying_key().bytes());
    else
        made.public_key = detail::copied<Bytes>(key.encapsulation_key().bytes());
    return made;
}

/// Writes a key of the C++ headers, not encrypted: a private key in its preferred form, so a raw
/// file of an ML-DSA key has its 32-byte seed if the key has one; key.bytes() are the secret key
/// that girih_sign takes. Throws as private_key_of does.
template <TypedPrivateKey Key>
Result<SecretBytes> write(const Key& key, Format format)
{
    const PrivateKey made = private_key_of(key);
    return write_private_key(made, preferred_form(made, format), format);
}
template <class Key>
    requires(!TypedPrivateKey<Key>)
[[nodiscard]] Bytes write(const Key& key, Format format)
{
    return write_public_key({Key::algorithm(), detail::copied<Bytes>(key.bytes())}, format);
}

/// The fingerprint that people compare instead of whole keys: SHA-256 of write_public_key(key,
/// Format::der). A HashML-DSA key has the fingerprint of the ML-DSA key with the same bytes.
[[nodiscard]] std::array<std::uint8_t, 32> fingerprint(const PublicKey& key);

}  // namespace girih::key_files
