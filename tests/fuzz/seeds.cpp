/// The inputs that fuzzing begins with, made from the library itself: girih_fuzz_seeds FOLDER
/// writes FOLDER/TARGET/....
#include <girih/key_files.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/manifest/rows.hpp"
#include "cli/signatures/text_signature.hpp"
#include "envelopes/envelopes.hpp"
#include "firmware/host/answers.hpp"
#include "fuzz/honest.hpp"
#include "key_files/encoding/json.hpp"
#include "link/shell.hpp"

namespace {

using namespace girih;
using namespace girih::fuzz;
using key_files::Format;
using key_files::PrivateForm;

class Folder {
  public:
    Folder(const std::filesystem::path& parent, const std::string& target) : path_(parent / target)
    {
        std::filesystem::create_directories(path_);
    }
    void add(const std::string& text) { add(ByteString(text.begin(), text.end())); }
    void add(const ByteString& bytes)
    {
        std::ofstream file(path_ / ("seed-" + std::to_string(count_++)), std::ios::binary);
        file << as_text(bytes);
        require(static_cast<bool>(file.flush()), "a seed can be written");
    }

  private:
    std::filesystem::path path_;
    int count_ = 0;
};

ByteString join(std::initializer_list<ByteString> parts)
{
    ByteString all;
    for (const ByteString& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// An honest object as it is, with a byte changed, and as a whole.
void add_object(Folder& folder, std::size_t number, Byte mode, const ByteString& object)
{
    const auto first = static_cast<Byte>(number);
    folder.add(ByteString{first, mode});
    folder.add(ByteString{first, mode, 0, 1, 1});
    folder.add(ByteString{first, mode, static_cast<Byte>((object.size() - 1) >> 8),
                          static_cast<Byte>(object.size() - 1), 1});
    folder.add(join({{first, static_cast<Byte>(mode | is_whole)}, object}));
}

ByteString element(Byte tag, const ByteString& content)
{
    const auto low = static_cast<Byte>(content.size()), high = static_cast<Byte>(content.size() >> 8);
    const bool is_long = content.size() >= 0x80;
    return join({{tag}, is_long ? ByteString{0x82, high, low} : ByteString{low}, content});
}

/// A certificate around a SubjectPublicKeyInfo, with an example of every field that it may have.
ByteString certificate(const ByteString& public_key_info)
{
    const ByteString algorithm = element(0x30, element(0x06, {0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x11}));
    const ByteString name = element(
        0x30, element(0x31, element(0x30, join({element(0x06, {0x55, 4, 3}), element(0x0C, {'n'})}))));
    const ByteString time = element(0x17, {'2', '5', '0', '1', '0', '1', '0', '0', '0', '0', '0', '0', 'Z'});
    const ByteString extension = element(0x30, join({element(0x06, {0x55, 0x1D, 0x13}), element(0x01, {0xFF}),
                                                     element(0x04, element(0x30, {}))}));
    const ByteString tbs = join({element(0xA0, element(0x02, {2})), element(0x02, {1}), algorithm, name,
                                 element(0x30, join({time, time})), name, public_key_info,
                                 element(0xA3, element(0x30, extension))});
    return element(0x30, join({element(0x30, tbs), algorithm, element(0x03, {0, 1, 2, 3})}));
}

/// The files that other programs made, whose forms girih does not write.
void add_files_of_programs(Folder& folder)
{
    for (const auto& entry : std::filesystem::directory_iterator(GIRIH_KEY_FILES)) {
        std::ifstream file(entry.path(), std::ios::binary);
        ByteString bytes{0};
        bytes.insert(bytes.end(), std::istreambuf_iterator<char>(file), {});
        folder.add(bytes);
    }
}

void write_key_files(const std::filesystem::path& parent)
{
    Folder folder(parent, "key_files");
    add_files_of_programs(folder);
    for (std::size_t i = 0; i < algorithms; ++i) {
        const girih_alg* const alg = girih_algorithm_at(i);
        const auto asked_for = static_cast<Byte>(i + 1);
        const auto key = key_files::from_seed(alg, ByteString(girih_seed_bytes(alg), 7));
        require(static_cast<bool>(key), "a seed makes a key pair");
        for (const Format format : {Format::pem, Format::der, Format::raw, Format::jwk, Format::cose_key}) {
            for (const PrivateForm form : {PrivateForm::seed, PrivateForm::expanded, PrivateForm::both}) {
                const auto file = key_files::write_private_key(*key, form, format);
                if (file) folder.add(join({{asked_for}, ByteString(file->begin(), file->end())}));
            }
            const auto encrypted = key_files::write_encrypted_private_key(
                *key, preferred_form(*key, format), format, ByteString{'w', 'o', 'r', 'd', 's'},
                {static_cast<key_files::Kdf>(i % 3), 2, 4, 1, 1});
            if (encrypted) folder.add(join({{0}, ByteString(encrypted->begin(), encrypted->end())}));
            folder.add(join({{asked_for}, key_files::write_public_key({alg, key->public_key}, format)}));
        }
        folder.add(
            join({{0}, certificate(key_files::write_public_key({alg, key->public_key}, Format::der))}));
    }
}

void write_envelopes(const std::filesystem::path& parent)
{
    Folder folder(parent, "envelopes");
    for (const char* const name : {"ML-DSA-44", "ML-DSA-65"}) {
        const auto key = key_files::from_seed(girih_algorithm(name), ByteString(32, 7)).value();
        for (Byte form = 0; form < 3; ++form) {
            for (const bool detached : {false, true}) {
                const auto made = envelopes::sign(key, envelopes::payload_of(message),
                                                  {static_cast<envelopes::Form>(form), detached});
                folder.add(join({{form}, made.value()}));
            }
        }
    }
    const std::string checkpoint = "log\n1\n" + std::string(43, 'A') + "=\n";
    const auto key = key_files::from_seed(girih_algorithm("ML-DSA-44"), ByteString(32, 7)).value();
    const auto note = envelopes::sign(key, envelopes::payload_of(key_files::json::bytes_of(checkpoint)),
                                      {envelopes::Form::note});
    folder.add(join({ByteString{3}, note.value()}));
    std::string extended(key_files::json::text_of(note.value()));
    extended.insert(checkpoint.size(), "an extension line\n");
    folder.add(join({ByteString{3}, ByteString(extended.begin(), extended.end())}));
}

void write_schemes(const std::filesystem::path& parent)
{
    Folder verify(parent, "verify");
    Folder prepare(parent, "prepare");
    for (std::size_t i = 0; i < signers; ++i) {
        const Honest& key = honest(i, is_signer);
        add_object(verify, i, 0, key.signature);
        add_object(verify, i, other, key.public_key);
        add_object(prepare, i, 0, key.secret_key);
        add_object(prepare, i, other, key.public_key);
    }
    Folder open(parent, "open");
    for (std::size_t i = 0; i < framers; ++i) {
        add_object(open, i, 0, honest(i, has_crypto_sign).signed_message);
        add_object(open, i, other, honest(i, has_crypto_sign).public_key);
    }
    Folder public_key(parent, "public_key");
    for (std::size_t i = 0; i < algorithms; ++i) add_object(public_key, i, 0, honest(i, any).secret_key);
    Folder decapsulate(parent, "decapsulate");
    for (std::size_t i = 0; i < kems; ++i) {
        add_object(decapsulate, i, 0, honest(i, is_kem).ciphertext);
        add_object(decapsulate, i, other, honest(i, is_kem).public_key);
    }
}

void write_shell(const std::filesystem::path& parent)
{
    Folder folder(parent, "shell");
    for (const std::string& line : std::vector<std::string>{
             "AT", "at\r", "", "AT+I", "at+k\r", "AT+S 00", "AT+V 0123456789abcdefABCDEF\r", "AT+O",
             "AT+E 00", "AT+S 0", "AT+S ", "AT+", "AT+1", "ATT", "A\rT", "AT\r\r"}) {
        folder.add(line + "\n");
        folder.add(line + "\nAT+S 1234\r\n");
    }
    for (const std::size_t bytes : {firmware::Shell::buffer_bytes, firmware::Shell::buffer_bytes + 1})
        folder.add("AT+S " + std::string(2 * bytes, 'a') + "\r\nAT\r\n");
}

void write_board(const std::filesystem::path& parent)
{
    Folder folder(parent, "board");
    const std::string four_lines(
        {31, 1, 0x10, 0});  // of any lengths, in pieces of two bytes, and numbers up to 4096
    for (const std::string& lines : std::vector<std::string>{
             "", "ML-DSA-44\r\n1312\r\n2560\r\n10238\r\n", "0\r\n", "4096\n4097\n", "00010203abCDEF\r\n",
             "12 345678 91011\r\n", "281474976710656\r\n", "18446744073709551616\r\n", "01\r\n", "-1\r\n"})
        for (const std::string& end : std::vector<std::string>{"OK\r\n", "ERROR\n", "OVERFLOW\r\n", "OK"})
            folder.add(four_lines + lines + end);
    for (const std::size_t more : std::vector<std::size_t>{0, 1, 2})
        folder.add(four_lines + std::string(cli::board::longest_line + more, 'a') + "\r\nOK\r\n");
}

void write_manifest(const std::filesystem::path& parent)
{
    Folder folder(parent, "manifest");
    for (const std::string& pieces : std::vector<std::string>{std::string(2, '\0'), "\x03\x01"}) {
        for (const std::string& text :
             std::vector<std::string>{"key\tsignature\tmessage\n", "k s m", " k  s\tm \r\nk\ts \tm\r\n",
                                      "# remark\n\n\r\nk s m\n", "k s\n", "k\t\tm\n", "- s m\n"})
            folder.add(pieces + text);
        folder.add(pieces + "k\ts\t" + std::string(cli::longest_manifest_line - 4, 'm') + "\nk s m\n");
        folder.add(pieces + "k\ts\t" + std::string(cli::longest_manifest_line - 3, 'm') + "\n");
    }
}

void write_text_signatures(const std::filesystem::path& parent)
{
    Folder folder(parent, "text_signature");
    for (const std::size_t bytes : std::initializer_list<std::size_t>{1, 2, 47, 48, 49, 666})
        for (const std::string& comment :
             {std::string(), std::string("of a release"), std::string(cli::longest_comment, 'c')})
            folder.add(cli::write_text_signature(
                {"ML-DSA-65", std::string(64, 'a'), comment, ByteString(bytes, Byte{7})}));
    for (std::size_t i = 0; i < signers; ++i)
        folder.add(cli::write_text_signature({girih_name(honest(i, is_signer).alg), std::string(64, '0'), "",
                                              honest(i, is_signer).signature}));
}

/// Every function with every algorithm of calls.cpp, as it is meant: no moves and nothing spoilt.
void write_calls(const std::filesystem::path& parent)
{
    Folder folder(parent, "calls");
    for (Byte function = 0; function < 64; ++function) {
        ByteString calls;
        for (Byte subject = 0; subject < 9; ++subject)
            for (const Byte byte : {function, subject, Byte{0}, Byte{0}}) calls.push_back(byte);
        folder.add(calls);
    }
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 2) return 2;
    for (const auto write : {write_key_files, write_envelopes, write_schemes, write_shell, write_board,
                             write_manifest, write_text_signatures, write_calls})
        write(arguments[1]);
    return 0;
}
