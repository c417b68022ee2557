/// Reads and writes private keys in files whose every byte is secret to the memory checker, in DER
/// and raw, and encrypted under a secret passphrase. The library declassifies the bytes that are
/// the same in all files of an algorithm.
///
///     valgrind --error-exitcode=99 girih_constant_time_key_files ML-DSA-65
///
/// PEM is not tested: white space, '-', ':' and '=' steer its reading, and the checker does not
/// know that no such character belongs to a key.
#include <girih/key_files.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "steps.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::test;

using key_files::Format;
using key_files::Kdf;
using key_files::PrivateForm;
using key_files::PrivateKey;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array forms{PrivateForm::seed, PrivateForm::expanded, PrivateForm::both};

/// Reports what went wrong with a file.
template <class Value>
void expect(Steps& steps, const char* step, const key_files::Result<Value>& result)
{
    if (!result) steps.expect(false, step, result.error().message.c_str());
}

/// The key comes out of the file as it was.
void read(const PrivateKey& key, std::span<const std::uint8_t> file, Steps& steps)
{
    mark_secret(file);
    auto back = key_files::read_private_key(file, key.alg);
    expect(steps, "read", back);
    if (!back) return;
    for (const PrivateForm form : forms) {
        if (form != PrivateForm::expanded && back->seed.empty()) continue;
        (void)key_files::write_private_key(*back, form, Format::pem);
    }
    mark_public(back->expanded);  // to compare
    steps.expect(back->expanded == key.expanded, "read", "another key");
}

/// A file with a changed byte near its end, within the key: it is refused, or is another key's.
void read_damaged(const PrivateKey& key, key_files::SecretBytes file)
{
    file[file.size() - 2] ^= 1;
    mark_secret(file);
    (void)key_files::read_private_key(file, key.alg);
}

void read_encrypted(const PrivateKey& key, PrivateForm form, Kdf kdf, Steps& steps)
{
    Bytes passphrase{'w', 'o', 'r', 'd', 's'};
    const auto file = key_files::write_encrypted_private_key(key, form, Format::der, passphrase, {kdf, 2});
    expect(steps, "encrypt", file);
    if (!file) return;
    mark_secret(passphrase);
    const auto back = key_files::read_private_key(*file, key.alg, key_files::Passphrase{passphrase});
    expect(steps, "decrypt", back);
    passphrase.back() ^= 1;
    steps.expect(!key_files::read_private_key(*file, key.alg, key_files::Passphrase{passphrase}), "decrypt",
                 "with a wrong passphrase");
}

/// The seed of ML-DSA-44 whose bytes are 7, encrypted by OpenSSL (pkcs8 -v2 des3).
constexpr std::string_view in_triple_des =
    "30818a304e06092a864886f70d01050d3041302906092a864886f70d01050c301c0408af06091375d76fd5020208"
    "00300c06082a864886f70d02090500301406082a864886f70d03070408b298942e9b19d35e0438fb0d850fb80ba9"
    "56578047b275a7beae8a1ee84cf3ce272df8a9df8e2bfb70739d52f5fa2dbeda487e77e5b466cd09dfaf5c7e9b9b"
    "66531c";

void read_triple_des(const girih_alg* alg, Steps& steps)
{
    const std::string_view words = "correct horse";
    const Bytes passphrase(words.begin(), words.end()), file = from_hex(in_triple_des);
    mark_secret(passphrase);
    expect(steps, "decrypt triple DES",
           key_files::read_private_key(file, alg, key_files::Passphrase{passphrase}));
}

void run(const girih_alg* alg, Steps& steps)
{
    const auto key = key_files::from_seed(alg, Bytes(girih_seed_bytes(alg), 7));
    expect(steps, "make", key);
    for (const Format format : {Format::der, Format::raw})
        for (const PrivateForm form : forms) {
            const auto file = key_files::write_private_key(*key, form, format);
            if (!file) continue;  // the format has no such form
            read(*key, *file, steps);
            mark_public(*file);
            read_damaged(*key, *file);
        }
    const PrivateForm form = key_files::preferred_form(*key, Format::der);
    for (const Kdf kdf : {Kdf::pbkdf2_sha256, Kdf::pbkdf2_sha512}) read_encrypted(*key, form, kdf, steps);
    if (alg == girih_algorithm("ML-DSA-44")) read_triple_des(alg, steps);
}

}  // namespace

int main(int count, char** names) { return run_each(count, names, run); }
