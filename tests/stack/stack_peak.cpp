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

/// The peak of a call that has to succeed.
template <class Function>
std::size_t peak(Function function)
{
    int result = GIRIH_OK;
    const std::size_t bytes = girih::stack::stack_bytes_of([&] { result = function(); });
    if (result != GIRIH_OK) throw std::runtime_error(girih_error_text(result));
    return bytes;
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
    std::printf("| %s | %zu | %zu | %zu | %zu |\n", girih_name(alg), keygen, import, sign, verify);
}

}  // namespace

int main()
{
    std::printf("Peak stack in bytes, engine %s:\n\n", girih_engine());
    std::puts("| algorithm | keygen | public key of a secret key | sign | verify |");
    std::puts("|---|---:|---:|---:|---:|");
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) print_row(alg);
    return 0;
}
