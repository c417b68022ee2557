/// Planted leaks, each of which the memory checker has to report: girih_planted_leak NAME. A
/// checker that misses one of these proves nothing about the library.
#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/portable/engine.hpp"
#include "ml_dsa/standard/key_check.hpp"
#include "steps.hpp"
#include "support/c_call.hpp"

namespace {

using namespace girih;
using namespace girih::test;
using Isa = isa::portable::Isa;
constexpr ml_dsa::Params parameters = ml_dsa::ml_dsa_65;
constexpr ml_dsa::Shape shape = parameters.shape();

volatile std::uint32_t observed;

/// A branch on `value` that every compiler has to make, since it may not write where the source
/// does not.
void branch_on(bool value)
{
    if (value) observed = 1;
}

template <std::size_t n>
std::array<Byte, n> secret_bytes(Byte value)
{
    std::array<Byte, n> bytes;
    bytes.fill(value);
    mark_secret(bytes);
    return bytes;
}

struct Keys {
    std::array<Byte, parameters.public_key_bytes()> public_key{};
    std::array<Byte, parameters.secret_key_bytes()> secret_key{};
};

/// The library's own keys, of a secret seed.
Keys keys_of(Byte seed_byte)
{
    const auto seed = secret_bytes<ml_dsa::seed_bytes>(seed_byte);
    Keys keys;
    (void)call(girih_keygen_from_seed, girih_ml_dsa_65(), seed, keys.public_key, keys.secret_key);
    return keys;
}

void nothing()
{
    const auto keys = keys_of(1);
    branch_on(keys.public_key[40] != 0);
}

void branch()
{
    const auto secret = secret_bytes<1>(1);
    branch_on((secret[0] & 1) != 0);
}

void index()
{
    static const std::array<std::uint32_t, 256> table{3, 1, 4, 1, 5, 9, 2, 6};
    const auto secret = secret_bytes<1>(1);
    observed = table[secret[0]];
}

BytesIn<> k_of(const Keys& keys)
{
    return BytesIn<>{keys.secret_key}.subspan(ml_dsa::rho_bytes, ml_dsa::key_bytes);
}

/// K of two keys compared, with a branch on the result.
void compare_keys()
{
    const Keys a = keys_of(1);
    const Keys b = keys_of(2);
    branch_on(std::ranges::equal(k_of(a), k_of(b)));
}

/// Compares keys that are made side by side, as many as lanes of Keccak: their outputs are as
/// secret as their inputs, on every engine.
template <std::size_t count>
void compare_keys_of_batch()
{
    std::array<Keys, count> keys;
    const auto seeds = secret_bytes<count * ml_dsa::seed_bytes>(1);
    std::vector<girih_keygen_row> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back(
            row_of<girih_keygen_row>(BytesIn<>{seeds}.subspan(i * ml_dsa::seed_bytes, ml_dsa::seed_bytes),
                                     nullptr, keys[i].public_key, keys[i].secret_key));
    (void)call(girih_keygen_many, girih_ml_dsa_65(), rows);
    branch_on(std::ranges::equal(k_of(keys[0]), k_of(keys[count - 1])));
}

/// A check of a secret polynomial's range that stops at the first coefficient outside.
void check_secret_polynomial()
{
    const auto rho_prime = secret_bytes<ml_dsa::rho_prime_bytes>(7);
    ml_dsa::SecretVectors<shape> s;
    ml_dsa::expand_s<shape, Isa>(rho_prime, s);
    branch_on(module_lattice::keeps_bound(s.s1[0]));
}

/// A matrix expanded from rho before rho is declassified: RejNTTPoly branches on what it rejects.
void expand_secret_matrix()
{
    const auto rho = secret_bytes<ml_dsa::rho_bytes>(9);
    static ml_dsa::Matrix<shape> a_hat;
    ml_dsa::expand_a<shape, Isa>(rho, a_hat);
    observed = static_cast<std::uint32_t>(a_hat[0][0].c[0]);
}

/// A signature that is verified while it is still a secret.
void verify_secret_signature()
{
    const Keys keys = keys_of(1);
    constexpr std::array<Byte, 1> message{'m'};
    std::array<Byte, parameters.signature_bytes()> signature{};
    std::size_t bytes = 0;
    (void)call(girih_sign, girih_ml_dsa_65(), keys.secret_key, message, nullptr, signature, &bytes);
    mark_secret(signature);
    branch_on(call(girih_verify, girih_ml_dsa_65(), keys.public_key, message, nullptr, signature) ==
              GIRIH_OK);
}

constexpr std::array<std::pair<std::string_view, void (*)()>, 9> leaks{{
    {"nothing", nothing},
    {"branch", branch},
    {"index", index},
    {"compare_keys", compare_keys},
    {"compare_four_keys", compare_keys_of_batch<4>},
    {"compare_eight_keys", compare_keys_of_batch<8>},
    {"check_secret_polynomial", check_secret_polynomial},
    {"expand_secret_matrix", expand_secret_matrix},
    {"verify_secret_signature", verify_secret_signature},
}};

}  // namespace

int main(int count, char** arguments)
{
    need_checker();
    need_engine();
    for (const auto& [name, leak] : leaks)
        if (count == 2 && name == arguments[1]) {
            leak();
            return 0;
        }
    std::fputs("usage: girih_planted_leak NAME\n", stderr);
    return 2;
}
