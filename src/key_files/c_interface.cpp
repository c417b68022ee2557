#include <girih/girih_key_files.h>
#include <girih/key_files.hpp>

#include <algorithm>
#include <new>
#include <optional>

using girih::key_files::Encryption;
using girih::key_files::Error;
using girih::key_files::Format;
using girih::key_files::Kdf;
using girih::key_files::KeyFile;
using girih::key_files::Kind;
using girih::key_files::Passphrase;
using girih::key_files::PrivateForm;
using girih::key_files::PrivateKey;
using girih::key_files::Problem;
using girih::key_files::PublicKey;

struct girih_key {
    KeyFile file;
};

namespace {

static_assert(GIRIH_KEY_NOWHERE == Error::nowhere);

girih_key_problem group_of(Problem problem)
{
    switch (problem) {
        case Problem::empty:
        case Problem::too_long:
        case Problem::unrecognised:
        case Problem::raw_length:
            return GIRIH_KEY_NOT_RECOGNISED;
        case Problem::raw_unnamed:
            return GIRIH_KEY_ALGORITHM_UNNAMED;
        case Problem::algorithm:
        case Problem::unknown_algorithm:
            return GIRIH_KEY_OTHER_ALGORITHM;
        case Problem::wrong_kind:
            return GIRIH_KEY_OTHER_KIND;
        case Problem::encrypted:
            return GIRIH_KEY_ENCRYPTED;
        case Problem::passphrase:
            return GIRIH_KEY_PASSPHRASE;
        case Problem::encryption:
        case Problem::encryption_parameters:
        case Problem::encryption_cost:
            return GIRIH_KEY_ENCRYPTION;
        case Problem::public_key_range:
        case Problem::secret_key_range:
        case Problem::secret_key_mismatch:
        case Problem::halves_mismatch:
        case Problem::public_key_mismatch:
            return GIRIH_KEY_INVALID;
        case Problem::no_passphrase:
        case Problem::no_seed:
        case Problem::no_form:
            return GIRIH_KEY_REQUEST;
        case Problem::library:
            return GIRIH_KEY_LIBRARY;
        default:
            return GIRIH_KEY_MALFORMED;
    }
}

int tell(girih_key_error* error, girih_key_problem problem, std::string_view message,
         std::size_t byte = Error::nowhere, std::size_t line = Error::nowhere)
{
    if (error != nullptr) {
        *error = {problem, byte, line, {}};
        std::copy_n(message.begin(), std::min(message.size(), sizeof error->message - 1), error->message);
    }
    return problem;
}

int tell(girih_key_error* error, const Error& cause)
{
    return tell(error, group_of(cause.problem), cause.message, cause.byte, cause.line);
}

int succeed(girih_key_error* error) { return tell(error, GIRIH_KEY_OK, ""); }

int refuse_argument(girih_key_error* error, std::string_view what)
{
    return tell(error, GIRIH_KEY_ARGUMENT, what);
}

/// Runs `work`, which throws nothing but std::bad_alloc, and reports that as an error.
template <class Work>
int guarded(girih_key_error* error, Work work) noexcept
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return tell(error, GIRIH_KEY_MEMORY, "there is too little memory");
    }
}

int set_key(KeyFile file, girih_key** key, girih_key_error* error)
{
    *key = new girih_key{std::move(file)};
    return succeed(error);
}

/// Returns a generated key pair.
int set_key(girih::key_files::Result<PrivateKey> made, girih_key** key, girih_key_error* error)
{
    if (!made) return tell(error, made.error());
    const PrivateForm form = preferred_form(*made, Format::pem);
    return set_key(KeyFile{Kind::private_key, Format::pem, form, std::move(*made)}, key, error);
}

int set_file(std::span<const std::uint8_t> bytes, std::uint8_t** file, std::size_t* file_bytes,
             girih_key_error* error)
{
    *file = new std::uint8_t[bytes.size()];
    std::ranges::copy(bytes, *file);
    *file_bytes = bytes.size();
    return succeed(error);
}

const PrivateKey* private_half(const girih_key* key)
{
    return key == nullptr ? nullptr : std::get_if<PrivateKey>(&key->file.key);
}

/// The enumerator of a number, if it is not above that of `last`.
template <class Enum>
std::optional<Enum> enumerator(int number, Enum last)
{
    if (number < 0 || number > static_cast<int>(last)) return {};
    return static_cast<Enum>(number);
}
// Both interfaces number them alike, except that C's first form is the preferred one.
static_assert(GIRIH_KEY_CERTIFICATE == static_cast<int>(Kind::certificate) &&
              GIRIH_KEY_PUBLIC == static_cast<int>(Kind::public_key));
static_assert(GIRIH_KEY_DER == static_cast<int>(Format::der) &&
              GIRIH_KEY_RAW == static_cast<int>(Format::raw) &&
              GIRIH_KEY_COSE == static_cast<int>(Format::cose_key));
static_assert(GIRIH_KEY_EXPANDED == static_cast<int>(PrivateForm::expanded) + 1 &&
              GIRIH_KEY_BOTH == static_cast<int>(PrivateForm::both) + 1);
static_assert(GIRIH_KEY_PBKDF2_SHA512 == static_cast<int>(Kdf::pbkdf2_sha512) &&
              GIRIH_KEY_SCRYPT == static_cast<int>(Kdf::scrypt));

int write_private(const PrivateKey& key, const girih_key_encoding& encoding, std::uint8_t** file,
                  std::size_t* file_bytes, girih_key_error* error)
{
    const auto format = enumerator(encoding.format, Format::cose_key);
    if (!format) return refuse_argument(error, "there is no such format");
    if (encoding.form < GIRIH_KEY_PREFERRED || encoding.form > GIRIH_KEY_BOTH)
        return refuse_argument(error, "there is no such form");
    const PrivateForm form = encoding.form == GIRIH_KEY_PREFERRED
                                 ? preferred_form(key, *format)
                                 : static_cast<PrivateForm>(encoding.form - 1);
    const auto kdf = enumerator(encoding.kdf, Kdf::scrypt);
    if (!kdf) return refuse_argument(error, "the key derivation is unknown");
    const Encryption how{*kdf, encoding.iterations, encoding.scrypt_n, encoding.scrypt_r, encoding.scrypt_p};
    const auto& [passphrase, count] = encoding.passphrase;
    const auto bytes = passphrase == nullptr
                           ? write_private_key(key, form, *format)
                           : write_encrypted_private_key(key, form, *format, {passphrase, count}, how);
    if (!bytes) return tell(error, bytes.error());
    return set_file(*bytes, file, file_bytes, error);
}

int write_public(const KeyFile& key, int format, std::uint8_t** file, std::size_t* file_bytes,
                 girih_key_error* error)
{
    const auto known = enumerator(format, Format::cose_key);
    if (!known) return refuse_argument(error, "there is no such format");
    const auto bytes = girih::key_files::write_public(key.public_part(), *known);
    if (!bytes) return tell(error, bytes.error());
    return set_file(*bytes, file, file_bytes, error);
}

/// Clears the outputs; false if one is null.
bool begin(std::uint8_t** file, std::size_t* file_bytes)
{
    if (file != nullptr) *file = nullptr;
    if (file_bytes != nullptr) *file_bytes = 0;
    return file != nullptr && file_bytes != nullptr;
}

bool begin(girih_key** key)
{
    if (key != nullptr) *key = nullptr;
    return key != nullptr;
}

}  // namespace

int girih_key_generate(const girih_alg* alg, girih_key** key, girih_key_error* error)
{
    if (!begin(key) || alg == nullptr) return refuse_argument(error, "alg or key is null");
    return guarded(error, [&] { return set_key(girih::key_files::generate(alg), key, error); });
}

int girih_key_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes, girih_key** key,
                        girih_key_error* error)
{
    if (!begin(key) || alg == nullptr || seed == nullptr)
        return refuse_argument(error, "alg, seed or key is null");
    return guarded(error,
                   [&] { return set_key(girih::key_files::from_seed(alg, {seed, seed_bytes}), key, error); });
}

int girih_key_read(const uint8_t* file, size_t file_bytes, const girih_alg* alg, girih_passphrase passphrase,
                   girih_key** key, girih_key_error* error)
{
    if (!begin(key) || (file == nullptr && file_bytes != 0))
        return refuse_argument(error, "file or key is null");
    return guarded(error, [&] {
        auto found = passphrase.bytes == nullptr
                         ? girih::key_files::read({file, file_bytes}, alg)
                         : girih::key_files::read({file, file_bytes}, alg,
                                                  Passphrase{{passphrase.bytes, passphrase.count}});
        return found ? set_key(std::move(*found), key, error) : tell(error, found.error());
    });
}

void girih_key_free(girih_key* key) { delete key; }

const girih_alg* girih_key_algorithm(const girih_key* key)
{
    return key == nullptr ? nullptr : key->file.alg();
}

girih_key_kind girih_key_kind_of(const girih_key* key)
{
    return key == nullptr ? GIRIH_KEY_PUBLIC : static_cast<girih_key_kind>(key->file.kind);
}

girih_key_format girih_key_format_of(const girih_key* key)
{
    return key == nullptr ? GIRIH_KEY_PEM : static_cast<girih_key_format>(key->file.format);
}

girih_key_form girih_key_form_of(const girih_key* key)
{
    if (private_half(key) == nullptr) return GIRIH_KEY_PREFERRED;
    return static_cast<girih_key_form>(static_cast<int>(key->file.form) + 1);
}

int girih_key_is_encrypted(const girih_key* key) { return key != nullptr && key->file.encryption ? 1 : 0; }

int girih_key_is_for_hash_ml_dsa(const girih_key* key)
{
    return key != nullptr && key->file.for_hash_ml_dsa() ? 1 : 0;
}

const uint8_t* girih_key_public_key(const girih_key* key)
{
    return key == nullptr ? nullptr : key->file.public_key().data();
}

const uint8_t* girih_key_secret_key(const girih_key* key)
{
    const PrivateKey* secret = private_half(key);
    return secret == nullptr ? nullptr : secret->expanded.data();
}

const uint8_t* girih_key_seed(const girih_key* key)
{
    const PrivateKey* secret = private_half(key);
    return secret == nullptr || secret->seed.empty() ? nullptr : secret->seed.data();
}

int girih_key_fingerprint(const girih_key* key, uint8_t fingerprint[32])
{
    if (fingerprint != nullptr) std::fill_n(fingerprint, 32, std::uint8_t{0});
    if (key == nullptr || fingerprint == nullptr) return GIRIH_KEY_ARGUMENT;
    return guarded(nullptr, [&] {
        const auto digest = girih::key_files::fingerprint(PublicKey{key->file.alg(), key->file.public_key()});
        std::ranges::copy(digest, fingerprint);
        return GIRIH_KEY_OK;
    });
}

int girih_key_write_private(const girih_key* key, const girih_key_encoding* encoding, uint8_t** file,
                            size_t* file_bytes, girih_key_error* error)
{
    if (!begin(file, file_bytes) || key == nullptr || encoding == nullptr)
        return refuse_argument(error, "key, encoding, file or file_bytes is null");
    const PrivateKey* secret = private_half(key);
    if (secret == nullptr) return tell(error, GIRIH_KEY_OTHER_KIND, "is a public key, not a private key");
    return guarded(error, [&] { return write_private(*secret, *encoding, file, file_bytes, error); });
}

int girih_key_write_public(const girih_key* key, int format, uint8_t** file, size_t* file_bytes,
                           girih_key_error* error)
{
    if (!begin(file, file_bytes) || key == nullptr)
        return refuse_argument(error, "key, file or file_bytes is null");
    return guarded(error, [&] { return write_public(key->file, format, file, file_bytes, error); });
}

int girih_key_convert(const uint8_t* file, size_t file_bytes, const girih_alg* alg,
                      girih_passphrase passphrase, const girih_key_encoding* encoding, uint8_t** converted,
                      size_t* converted_bytes, girih_key_error* error)
{
    if (!begin(converted, converted_bytes) || encoding == nullptr)
        return refuse_argument(error, "encoding, converted or converted_bytes is null");
    girih_key* key = nullptr;
    const int read = girih_key_read(file, file_bytes, alg, passphrase, &key, error);
    if (read != GIRIH_KEY_OK) return read;
    const int written =
        private_half(key) != nullptr
            ? girih_key_write_private(key, encoding, converted, converted_bytes, error)
            : girih_key_write_public(key, encoding->format, converted, converted_bytes, error);
    girih_key_free(key);
    return written;
}

void girih_key_file_free(uint8_t* file, size_t file_bytes)
{
    if (file != nullptr) girih::key_files::erase(file, file_bytes);
    delete[] file;
}
