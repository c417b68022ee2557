/// Operations whose course depends on no secret, in variants of their inputs that differ in nothing
/// public, between marks for courses.c. Prints the name of each comparison, in order.
///
/// The first argument `planted` adds a branch and an index that depend on a secret: to be found.
#include <girih/girih.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/emulated/mark.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

enum class Mark : long { end = 0, keep = 1, compare = 2 };
void mark(Mark mark) { syscall(girih_mark, static_cast<long>(mark)); }

void need(bool good, const std::string& what)
{
    if (good) return;
    std::fprintf(stderr, "%s failed\n", what.c_str());
    std::exit(1);
}

/// Bytes that look random, by a number.
Bytes data(std::size_t size, std::uint64_t number)
{
    Bytes bytes(size);
    std::uint64_t state = number * 0x9E3779B97F4A7C15U + 1;
    for (std::uint8_t& byte : bytes) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        byte = static_cast<std::uint8_t>(state >> 56);
    }
    return bytes;
}

Bytes flipped(Bytes bytes, std::size_t place)
{
    bytes[place] ^= 1;
    return bytes;
}

// The inputs of the operation that runs, at addresses that stay.
alignas(64) std::array<std::uint8_t, 8192> public_key, secret_key, ciphertext, made_public_key,
    made_secret_key;
alignas(64) std::array<std::uint8_t, 256> seed, randomness, shared_secret;

int fill(void*, std::uint8_t* out, std::size_t bytes)
{
    std::copy_n(randomness.begin(), bytes, out);
    return 0;
}
constexpr girih_random laid_out{fill, nullptr, 0};

/// Bytes that a variant puts in a place.
struct Input {
    std::uint8_t* place;
    Bytes bytes;
};
using Variant = std::vector<Input>;

/// The call between marks, at one place whatever the mark.
[[gnu::noinline]] int marked(Mark begin, const std::function<int()>& call)
{
    mark(begin);
    const int result = call();
    mark(Mark::end);
    return result;
}

/// Compares an operation's courses on its variants with that on the first.
void compare(const std::string& name, const std::vector<Variant>& variants, const std::function<int()>& call)
{
    const auto put = [](const Variant& variant) {
        for (const Input& input : variant) std::ranges::copy(input.bytes, input.place);
    };
    put(variants[0]);
    need(marked(Mark::end, call) == GIRIH_OK, name);  // brings out what happens once
    for (std::size_t i = 0; i < variants.size(); ++i) {
        put(variants[i]);
        need(marked(i == 0 ? Mark::keep : Mark::compare, call) == GIRIH_OK, name);
        if (i > 0) std::printf("%s %zu\n", name.c_str(), i);
    }
}

/// Memory in `bytes` for a key that takes 64 bytes less.
void* aligned(Bytes& bytes)
{
    void* place = bytes.data();
    std::size_t left = bytes.size();
    return std::align(64, bytes.size() - 64, place, left);
}

struct KeyPair {
    Bytes public_key, secret_key;
};

class Subject {
  public:
    explicit Subject(const girih_alg* alg) : alg_(alg), name_(girih_name(alg)) {}

    void compare_all()
    {
        if (girih_is_kem(alg_) != 0) {
            compare_decapsulation();
            compare_encapsulation();
        }
        if (is_ml_kem()) {
            compare_keygen_of_one_d();
            compare_prepared_decapsulation();
        }
        if (girih_has_mu(alg_) != 0) compare_preparation();
    }

  private:
    [[nodiscard]] bool is_ml_kem() const { return name_.starts_with("ML-KEM"); }
    [[nodiscard]] std::size_t public_bytes() const { return girih_public_key_bytes(alg_); }
    [[nodiscard]] std::size_t secret_bytes() const { return girih_secret_key_bytes(alg_); }
    [[nodiscard]] std::size_t ciphertext_bytes() const { return girih_ciphertext_bytes(alg_); }

    [[nodiscard]] KeyPair keys(std::uint64_t number) const
    {
        KeyPair pair{Bytes(public_bytes()), Bytes(secret_bytes())};
        const Bytes from = data(girih_seed_bytes(alg_), number);
        need(girih_keygen_from_seed(alg_, from.data(), from.size(), pair.public_key.data(), public_bytes(),
                                    pair.secret_key.data(), secret_bytes()) == GIRIH_OK,
             name_ + " keygen");
        return pair;
    }
    [[nodiscard]] Bytes sealed(const Bytes& key, std::uint64_t number) const
    {
        Bytes made(ciphertext_bytes());
        std::ranges::copy(data(64, number), randomness.begin());
        need(girih_encapsulate(alg_, &laid_out, key.data(), key.size(), made.data(), made.size(),
                               shared_secret.data(), girih_shared_secret_bytes(alg_)) == GIRIH_OK,
             name_ + " encapsulate");
        return made;
    }
    /// Another key's secrets with the public parts of the first, which decide on the course: dk = s
    /// | ek | H(ek) | z (FIPS 203), sk = rho | K | tr | s1 | s2 | t0 (FIPS 204).
    [[nodiscard]] Bytes other_secret_key() const
    {
        const Bytes one = keys(1).secret_key;
        Bytes other = keys(2).secret_key;
        const auto keep = [&](std::size_t begin, std::size_t end) {
            std::copy(&one[begin], &one[0] + end, &other[begin]);
        };
        if (is_ml_kem()) {
            keep(one.size() - 64 - public_bytes(), one.size() - 32);
        } else if (girih_has_mu(alg_) != 0) {
            keep(0, 32);
            keep(64, girih_has_context(alg_) != 0 ? 128 : 96);
        }
        return other;
    }

    /// Valid ciphertexts, invalid ones, and other secrets: implicit rejection must not be seen.
    void compare_decapsulation()
    {
        const KeyPair pair = keys(1);
        const Bytes right = sealed(pair.public_key, 10);
        std::vector<Variant> variants;
        for (const Bytes& one :
             {right, sealed(pair.public_key, 11), flipped(right, 0), flipped(right, right.size() / 2),
              flipped(right, right.size() - 1), data(right.size(), 12)})
            variants.push_back({{secret_key.data(), pair.secret_key}, {ciphertext.data(), one}});
        variants.push_back({{secret_key.data(), other_secret_key()}, {ciphertext.data(), right}});
        compare(name_ + " decapsulate", variants, [&] {
            return girih_decapsulate(alg_, secret_key.data(), secret_bytes(), ciphertext.data(),
                                     ciphertext_bytes(), shared_secret.data(),
                                     girih_shared_secret_bytes(alg_));
        });
    }

    /// By a key that is prepared once.
    void compare_prepared_decapsulation()
    {
        const KeyPair pair = keys(1);
        const Bytes right = sealed(pair.public_key, 10);
        std::vector<Variant> variants;
        for (const Bytes& one :
             {right, sealed(pair.public_key, 11), flipped(right, 0), data(right.size(), 12)})
            variants.push_back({{ciphertext.data(), one}});
        Bytes memory(girih_decapsulation_key_size(alg_) + 64);
        girih_decapsulation_key* key = nullptr;
        need(girih_prepare_decapsulation_key(alg_, pair.secret_key.data(), secret_bytes(), aligned(memory),
                                             memory.size() - 64, &key) == GIRIH_OK,
             name_ + " prepare_decapsulation_key");
        compare(name_ + " decapsulate_prepared", variants, [&] {
            return girih_decapsulate_prepared(key, ciphertext.data(), ciphertext_bytes(),
                                              shared_secret.data(), girih_shared_secret_bytes(alg_));
        });
    }

    void compare_encapsulation()
    {
        const KeyPair pair = keys(1);
        std::vector<Variant> variants;
        for (std::uint64_t i = 0; i < 4; ++i)
            variants.push_back(
                {{public_key.data(), pair.public_key}, {randomness.data(), data(64, 100 + i)}});
        compare(name_ + " encapsulate", variants, [&] {
            return girih_encapsulate(alg_, &laid_out, public_key.data(), public_bytes(), ciphertext.data(),
                                     ciphertext_bytes(), shared_secret.data(),
                                     girih_shared_secret_bytes(alg_));
        });
    }

    /// Seeds have one d, from which the key comes, and different z.
    void compare_keygen_of_one_d()
    {
        std::vector<Variant> variants;
        for (std::uint64_t i = 0; i < 3; ++i) {
            Bytes d_and_z = data(64, 1);
            std::ranges::copy(data(32, 20 + i), d_and_z.begin() + 32);
            variants.push_back({{seed.data(), d_and_z}});
        }
        compare(name_ + " keygen_from_seed", variants, [&] {
            return girih_keygen_from_seed(alg_, seed.data(), 64, made_public_key.data(), public_bytes(),
                                          made_secret_key.data(), secret_bytes());
        });
    }

    void compare_preparation()
    {
        const std::vector<Variant> variants{{{secret_key.data(), keys(1).secret_key}},
                                            {{secret_key.data(), other_secret_key()}}};
        Bytes memory(girih_signing_key_size(alg_) + 64);
        compare(name_ + " prepare_signing_key", variants, [&] {
            girih_signing_key* key = nullptr;
            return girih_prepare_signing_key(alg_, secret_key.data(), secret_bytes(), aligned(memory),
                                             girih_signing_key_size(alg_), &key);
        });
    }

    const girih_alg* alg_;
    std::string name_;
};

/// A branch and an index that depend on a secret.
void compare_planted()
{
    static const std::array<std::uint8_t, 256> table = [] {
        std::array<std::uint8_t, 256> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i * 7);
        return all;
    }();
    const std::vector<Variant> variants{{{seed.data(), data(32, 1)}}, {{seed.data(), data(32, 2)}}};
    static volatile std::uint32_t sum;
    compare("planted branch", variants, [] {
        for (int i = 0; i < 32; ++i)
            if (const std::uint8_t byte = seed[static_cast<std::size_t>(i)]; (byte & 1) != 0)
                sum = sum + byte;
        return 0;
    });
    compare("planted index", variants, [] {
        for (int i = 0; i < 32; ++i) sum = sum + table[seed[static_cast<std::size_t>(i)]];
        return 0;
    });
}

}  // namespace

int main(int count, char** arguments)
{
    if (count > 1 && std::strcmp(arguments[1], "planted") == 0) {
        compare_planted();
        return 0;
    }
    need(girih_engine() != nullptr, girih_engine_reason());
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) Subject{alg}.compare_all();
    return 0;
}
