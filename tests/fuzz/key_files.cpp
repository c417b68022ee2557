/// Key files: what is read is written and reads again the same, in all forms; what is not read is
/// refused in a line.
#include <girih/key_files.hpp>

#include <algorithm>

#include "fuzz/honest.hpp"

namespace girih::fuzz {
namespace {

using namespace key_files;

constexpr std::array formats{Format::pem, Format::der, Format::raw, Format::jwk, Format::cose_key};
constexpr std::array forms{PrivateForm::seed, PrivateForm::expanded, PrivateForm::both};

const ByteString passphrase{'w', 'o', 'r', 'd', 's'};
/// The costs that an encrypted file may ask for here, where thousands are read in a second.
const Passphrase quick{passphrase,
                       {.iterations = 16, .scrypt_bytes = 1 << 16, .scrypt_mixed_bytes = 1 << 17}};

void check_error(const Error& error)
{
    require(!error.message.empty() && error.message.size() < 1000, "a message is a line");
    require(std::ranges::all_of(error.message, [](char c) { return c >= ' ' && c <= '~'; }),
            "a message can be shown");
}

/// A private key in every form that it has.
void check_private(const PrivateKey& key, const KeyFile& file)
{
    Bytes public_key(girih_public_key_bytes(key.alg));
    require(
        call(girih_public_key, key.alg, key.expanded, public_key) == GIRIH_OK && public_key == key.public_key,
        "a private key that was read is one");
    for (const Format format : formats) {
        for (const PrivateForm form : forms) {
            const auto written = write_private_key(key, form, format);
            if (!written) {
                check_error(written.error());
                require(form != file.form || format != file.format, "what was read can be written");
                continue;
            }
            const auto again = read(*written, key.alg);
            require(static_cast<bool>(again), "what is written is read");
            require(again->kind == Kind::private_key && again->format == format && again->form == form,
                    "what is written is read in its form");
            const auto& same = std::get<PrivateKey>(again->key);
            require(same.alg == key.alg && same.expanded == key.expanded && same.public_key == key.public_key,
                    "what is written is read as the same key");
            require(same.seed == (form == PrivateForm::expanded ? SecretBytes{} : key.seed),
                    "a seed that is written is read");
        }
    }
}

void check_public(const PublicKey& key)
{
    const std::string_view text(reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size());
    for (const Format format : formats) {
        // No raw file can contain this: it is read as PEM.
        if (format == Format::raw && text.find("-----BEGIN") != std::string_view::npos) continue;
        const auto written = write_public(key, format);
        if (!written) {
            check_error(written.error());
            continue;
        }
        const auto again = read(*written, key.alg);
        require(again && again->kind == Kind::public_key && again->format == format &&
                    again->alg() == key.alg && again->public_key() == key.bytes,
                "what is written is read as the same key");
        require(fingerprint({again->alg(), again->public_key()}) == fingerprint(key),
                "a key has one fingerprint");
    }
}

/// The key can be used: no operation refuses it.
void check_use(const PublicKey& key)
{
    if (girih_is_kem(key.alg) == 1) return;
    const ByteString signature(1);
    require(call(girih_verify, key.alg, key.bytes, message, nullptr, signature) == GIRIH_ERROR_SIGNATURE,
            "a public key that was read is one");
}

/// An encrypted key is read as what it was before, and with another passphrase it is not.
void check_encrypted(const PrivateKey& key)
{
    for (const Kdf kdf : {Kdf::pbkdf2_sha256, Kdf::pbkdf2_sha512, Kdf::scrypt}) {
        const Encryption how{kdf, 2, 4, 1, 1};
        const auto written =
            write_encrypted_private_key(key, PrivateForm::expanded, Format::der, passphrase, how);
        require(static_cast<bool>(written), "a key can be encrypted");
        const auto again = read(*written, key.alg, quick);
        require(again && again->encryption && std::get<PrivateKey>(again->key).expanded == key.expanded,
                "what is encrypted is read as the same key");
        const auto other = read(*written, key.alg, Passphrase{BytesIn<>(passphrase).first(4)});
        require(!other && other.error().problem == Problem::passphrase, "another passphrase reads nothing");
    }
}

}  // namespace

/// A first byte for the algorithm that is asked for, from 1, then the file.
void check_input(Input input)
{
    const std::size_t number = input.byte() % (algorithms + 1);
    const girih_alg* const alg = number == 0 ? nullptr : girih_algorithm_at(number - 1);
    const ByteString bytes = input.rest();
    const auto without = read(bytes, alg);
    const auto file = read(bytes, alg, quick);
    if (!file) {
        require(!without, "a passphrase keeps nothing from being read");
        check_error(without.error());
        return check_error(file.error());
    }
    require(static_cast<bool>(without) != file->encryption.has_value(),
            "what is encrypted needs its passphrase");
    require(alg == nullptr || file->alg() == alg, "the key is of the algorithm that was asked for");
    require(file->public_key().size() == girih_public_key_bytes(file->alg()), "a public key has one length");
    if (const auto* key = std::get_if<PrivateKey>(&file->key)) {
        check_private(*key, *file);
        check_encrypted(*key);
    }
    check_public({file->alg(), file->public_key()});
    check_use({file->alg(), file->public_key()});
}

}  // namespace girih::fuzz
