// Key files in C++: a key is written encrypted, and read again as a key of ml_dsa.hpp, which signs.
#include <girih/key_files.hpp>
#include <girih/ml_dsa.hpp>

#include <cstdio>
#include <string>

int main()
{
    namespace key_files = girih::key_files;
    const std::string words = "correct horse";

    const auto made = girih::ml_dsa_65::SigningKey::generate();  // and key_files::write does not encrypt
    const auto file = key_files::write_encrypted_private_key(
        key_files::private_key_of(made), key_files::PrivateForm::seed, key_files::Format::pem, words);
    if (!file) return 1;

    const auto key = key_files::read<girih::ml_dsa_65::SigningKey>(*file, {words});
    if (!key) {
        std::fprintf(stderr, "%s\n", key.error().message.c_str());
        return 1;
    }
    const auto signature = key->sign("a message");

    const key_files::Bytes pem = key_files::write(key->verifying_key(), key_files::Format::pem);
    std::fwrite(pem.data(), 1, pem.size(), stdout);
    const auto verifying = key_files::read<girih::ml_dsa_65::VerifyingKey>(pem).value();  // or throws
    return verifying.verify("a message", signature) ? 0 : 1;
}
