#include "cli/files/passphrase.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/arguments/command_line.hpp"
#include "cli/files/files.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"
#include "cli/system/terminal.hpp"
#include "core/text_file.hpp"

namespace girih::cli {
namespace {

using key_files::Cipher;
using key_files::Kdf;
using key_files::SecretBytes;

constexpr std::size_t longest_passphrase = 1024;

constexpr std::array<std::pair<const char*, Kdf>, 3> kdfs{
    {{"pbkdf2-sha256", Kdf::pbkdf2_sha256}, {"pbkdf2-sha512", Kdf::pbkdf2_sha512}, {"scrypt", Kdf::scrypt}}};

/// Long enough to detect one excess byte, also with a byte order mark and a carriage return.
constexpr std::size_t longest_line = longest_passphrase + 5;

/// The passphrase in a line, without a leading byte order mark and a trailing carriage return.
SecretBytes passphrase_of(const SecretBytes& line, const std::string& name)
{
    const std::string_view text(reinterpret_cast<const char*>(line.data()), line.size());
    // A passphrase may be any bytes, but UTF-16 text has a zero at its line's end at the latest.
    if (begins_as_utf16(text) && text.find('\0') != std::string_view::npos)
        throw Failure(exit_file, name + ": " + utf16_error);
    const std::string_view passphrase = without_carriage_return(without_byte_order_mark(text));
    if (passphrase.size() > longest_passphrase)
        throw Failure(exit_file, name + ": the passphrase has more than " +
                                     std::to_string(longest_passphrase) + " bytes");
    return {passphrase.begin(), passphrase.end()};
}

/// Reads the first line only: the rest may be for another reader.
SecretBytes read_line(Input file, const std::string& name)
{
    SecretBytes line(longest_line);
    std::size_t bytes = 0;
    while (bytes < line.size() && file.read(std::span(line).subspan(bytes, 1)) == 1 && line[bytes] != '\n')
        ++bytes;
    line.resize(bytes);
    return passphrase_of(line, name);
}

std::string descriptor_name(unsigned number) { return "file descriptor " + std::to_string(number); }

/// Asks on the terminal; nothing if there is none.
std::optional<SecretBytes> ask(const std::string& question)
{
    auto line = system::ask_hidden(printable(question) + ": ", longest_line);
    if (!line) return {};
    return passphrase_of(*line, "the terminal");
}

}  // namespace

void PassphraseSource::add_options(CLI::App& command, const std::string& what, const std::string& prefix)
{
    file_option_ = "--" + prefix + "passphrase-file";
    descriptor_option_ = "--" + prefix + "passphrase-fd";
    const Option file = add(command, file_option_ + " FILE", path_,
                            "a file whose first line is " + what + "; asked for if not given");
    add(command, descriptor_option_ + " NUMBER", descriptor_,
        "an open file descriptor to read that line from")
        .between(0, 65535)
        .excludes(file);
}

bool PassphraseSource::is_given() const noexcept { return path_ || descriptor_ != none; }

void PassphraseSource::append_to(std::vector<FileOption>& inputs) const
{
    if (path_) inputs.push_back({file_option_, *path_});
    if (descriptor_ == none) return;
    // Checked now, because a file that girih opens later may get the number.
    if (!system::is_open(static_cast<int>(descriptor_)))
        throw Failure(exit_file, descriptor_name(descriptor_) + ": " + system::reason());
    inputs.push_back({descriptor_option_, "/dev/fd/" + std::to_string(descriptor_)});
}

std::optional<SecretBytes> PassphraseSource::read_given() const
{
    if (descriptor_ == none) return read_line(Input(*path_), input_name(*path_));
    const std::string name = descriptor_name(descriptor_);
    return read_line(Input(name, static_cast<int>(descriptor_)), name);
}

void PassphraseSource::fail_without_terminal(const std::string& what) const
{
    throw Failure(exit_file, what + ", but there is no terminal to ask for it on (" + file_option_ + ", " +
                                 descriptor_option_ + ")");
}

const SecretBytes& PassphraseSource::get(const std::string& name) const
{
    if (passphrase_) return *passphrase_;
    passphrase_ = is_given() ? read_given() : ask("passphrase of " + name);
    if (!passphrase_)
        fail_without_terminal(name + ": is an encrypted private key, which needs its passphrase");
    return *passphrase_;
}

const SecretBytes& PassphraseSource::get_new(const std::string& name) const
{
    if (!passphrase_ && !is_given()) {
        passphrase_ = ask("new passphrase for " + name);
        if (!passphrase_) fail_without_terminal(name + ": is to be encrypted with a passphrase");
        if (ask("the same again") != passphrase_)
            throw Failure(exit_file, name + ": the two passphrases that were typed differ");
    }
    if (get(name).empty()) throw Failure(exit_file, name + ": the passphrase to encrypt with is empty");
    return *passphrase_;
}

void add_kdf_option(CLI::App& command, std::string& name)
{
    add(command, "--kdf NAME", name,
        "how the passphrase becomes a key: pbkdf2-sha256, pbkdf2-sha512 or scrypt; "
        "pbkdf2-sha256 if not given")
        .one_of({kdfs[0].first, kdfs[1].first, kdfs[2].first});
}

key_files::Encryption encryption_of(const std::string& kdf)
{
    key_files::Encryption how;
    for (const auto& [name, value] : kdfs)
        if (kdf == name) how.kdf = value;
    return how;
}

std::string encryption_in_words(const key_files::Encryption& encryption)
{
    constexpr std::array<std::pair<Kdf, const char*>, 7> hashes{{{Kdf::pbkdf2_sha1, "SHA-1"},
                                                                 {Kdf::pbkdf2_sha224, "SHA-224"},
                                                                 {Kdf::pbkdf2_sha256, "SHA-256"},
                                                                 {Kdf::pbkdf2_sha384, "SHA-384"},
                                                                 {Kdf::pbkdf2_sha512, "SHA-512"},
                                                                 {Kdf::pbkdf2_sha512_224, "SHA-512/224"},
                                                                 {Kdf::pbkdf2_sha512_256, "SHA-512/256"}}};
    const std::string cipher = encryption.cipher == Cipher::aes128   ? "AES-128-CBC"
                               : encryption.cipher == Cipher::aes192 ? "AES-192-CBC"
                               : encryption.cipher == Cipher::aes256 ? "AES-256-CBC"
                                                                     : "DES-EDE3-CBC";
    if (encryption.kdf == Kdf::scrypt)
        return "scrypt with N = " + std::to_string(encryption.scrypt_n) +
               ", r = " + std::to_string(encryption.scrypt_r) +
               " and p = " + std::to_string(encryption.scrypt_p) + ", and " + cipher;
    const auto* hash = std::ranges::find(hashes, encryption.kdf, &std::pair<Kdf, const char*>::first);
    return std::string("PBKDF2 with HMAC-") + hash->second + ", " + std::to_string(encryption.iterations) +
           " iterations, and " + cipher;
}

}  // namespace girih::cli
