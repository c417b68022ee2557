/// The stack that each operation needs, as a Markdown table: girih_stack_peak
#include <girih/girih.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "painted_stack.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

constexpr std::size_t batch_size = 16;

void check(int result)
{
    if (result != GIRIH_OK) throw std::runtime_error(girih_error_text(result));
}

/// The peak of a call that has to succeed.
template <class Function>
std::size_t peak(Function function)
{
    int result = GIRIH_OK;
    const std::size_t bytes = girih::stack::stack_bytes_of([&] { result = function(); });
    check(result);
    return bytes;
}

/// A batch, enough for every lane.
std::size_t peak_of_keygen_many(const girih_alg* alg)
{
    const Bytes seed(girih_seed_bytes(alg), 1);
    std::vector<Bytes> public_keys(batch_size, Bytes(girih_public_key_bytes(alg)));
    std::vector<Bytes> secret_keys(batch_size, Bytes(girih_secret_key_bytes(alg)));
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < batch_size; ++i)
        rows.push_back({seed.data(), seed.size(), nullptr, public_keys[i].data(), public_keys[i].size(),
                        secret_keys[i].data(), secret_keys[i].size(), GIRIH_OK});
    return peak([&] { return girih_keygen_many(alg, rows.data(), rows.size()); });
}

void print_kem_row(const girih_alg* alg)
{
    const Bytes seed(girih_seed_bytes(alg), 1);
    Bytes public_key(girih_public_key_bytes(alg));
    Bytes secret_key(girih_secret_key_bytes(alg));
    Bytes ciphertext(girih_ciphertext_bytes(alg));
    Bytes shared_secret(girih_shared_secret_bytes(alg));
    const std::size_t keygen = peak([&] {
        return girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                      secret_key.data(), secret_key.size());
    });
    const std::size_t import = peak([&] {
        return girih_public_key(alg, secret_key.data(), secret_key.size(), public_key.data(),
                                public_key.size());
    });
    const std::size_t encapsulate = peak([&] {
        return girih_encapsulate(alg, nullptr, public_key.data(), public_key.size(), ciphertext.data(),
                                 ciphertext.size(), shared_secret.data(), shared_secret.size());
    });
    const std::size_t decapsulate = peak([&] {
        return girih_decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(),
                                 ciphertext.size(), shared_secret.data(), shared_secret.size());
    });
    std::printf("| %s | %zu | %zu | %zu | %zu | %zu |\n", girih_name(alg), keygen, import, encapsulate,
                decapsulate, peak_of_keygen_many(alg));
}

void print_row(const girih_alg* alg)
{
    const std::array<std::uint8_t, 32> message{'m'};
    const Bytes seed(girih_seed_bytes(alg), 1);
    Bytes public_key(girih_public_key_bytes(alg));
    Bytes secret_key(girih_secret_key_bytes(alg));
    Bytes signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    const std::size_t keygen = peak([&] {
        return girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                      secret_key.data(), secret_key.size());
    });
    const std::size_t import = peak([&] {
        return girih_public_key(alg, secret_key.data(), secret_key.size(), public_key.data(),
                                public_key.size());
    });
    const std::size_t sign = peak([&] {
        return girih_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(), nullptr,
                          signature.data(), signature.size(), &bytes);
    });
    const std::size_t verify = peak([&] {
        return girih_verify(alg, public_key.data(), public_key.size(), message.data(), message.size(),
                            nullptr, signature.data(), bytes);
    });
    std::vector<Line> signing_memory(girih_signing_key_size(alg) / sizeof(Line));
    std::vector<Line> verifying_memory(girih_verifying_key_size(alg) / sizeof(Line));
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    const std::size_t prepare_size = signing_memory.size() * sizeof(Line);
    const std::size_t verifying_size = verifying_memory.size() * sizeof(Line);
    check(girih_prepare_signing_key(alg, secret_key.data(), secret_key.size(), signing_memory.data(),
                                    prepare_size, &signing));
    check(girih_prepare_verifying_key(alg, public_key.data(), public_key.size(), verifying_memory.data(),
                                      verifying_size, &verifying));
    std::vector<Bytes> signatures(batch_size, signature);
    std::vector<girih_sign_row> sign_rows;
    std::vector<girih_verify_row> verify_rows;
    for (Bytes& own : signatures) {
        sign_rows.push_back({signing, nullptr, 0, message.data(), message.size(), nullptr, own.data(),
                             own.size(), 0, GIRIH_OK});
        verify_rows.push_back({nullptr, public_key.data(), public_key.size(), message.data(), message.size(),
                               nullptr, signature.data(), bytes, GIRIH_OK});
    }
    const std::size_t keygen_many = peak_of_keygen_many(alg);
    const std::size_t sign_many =
        peak([&] { return girih_sign_many(alg, sign_rows.data(), sign_rows.size()); });
    const std::size_t verify_many =
        peak([&] { return girih_verify_many(alg, verify_rows.data(), verify_rows.size()); });
    std::printf("| %s | %zu | %zu | %zu | %zu | %zu | %zu | %zu | %zu | %zu |\n", girih_name(alg), keygen,
                import, sign, verify, keygen_many, sign_many, verify_many, prepare_size, verifying_size);
}

}  // namespace

int main()
{
    std::printf("Peak stack in bytes, engine %s:\n\n", girih_engine());
    std::puts(
        "| algorithm | keygen | public key of a secret key | sign | verify | keygen_many | sign_many | "
        "verify_many "
        "| a prepared signing key itself | a prepared verifying key itself |");
    std::puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (girih_is_kem(alg) == 0) print_row(alg);
    std::puts(
        "\n| algorithm | keygen | public key of a secret key | encapsulate | decapsulate | keygen_many |");
    std::puts("|---|---:|---:|---:|---:|---:|");
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (girih_is_kem(alg) != 0) print_kem_row(alg);
    return 0;
}
