// Key files in C++: a key is written encrypted, read again, and its public half written.
#include <girih/key_files.hpp>

#include <cstdio>
#include <string_view>

int main()
{
    namespace key_files = girih::key_files;
    using namespace std::string_view_literals;
    constexpr std::string_view words = "correct horse"sv;
    const key_files::Bytes passphrase(words.begin(), words.end());

    const auto key = key_files::generate(girih_ml_dsa_65());
    if (!key) return 1;
    const auto file = key_files::write_encrypted_private_key(*key, key_files::PrivateForm::seed,
                                                             key_files::Format::pem, passphrase);
    if (!file) return 1;

    const auto again = key_files::read_private_key(*file, nullptr, {passphrase});
    if (!again) {
        std::fprintf(stderr, "%s\n", again.error().message.c_str());
        return 1;
    }
    const key_files::Bytes text = write_public_key({again->alg, again->public_key}, key_files::Format::pem);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return again->expanded == key->expanded ? 0 : 1;
}
