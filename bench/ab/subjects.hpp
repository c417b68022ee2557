/// What is timed: operations of one build on the same inputs as in the other.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "bench/ab/functions.hpp"

namespace girih::ab {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t batch_size = 16;
constexpr std::size_t slow_keys = 2;  // Falcon's: a key takes milliseconds, and is made one at a time

/// Randomness that is the same in both builds, begins anew where it is told to, and costs next to
/// nothing (SplitMix64).
struct Repeated {
    std::uint64_t first;
    std::uint64_t state = first;
    girih_random source{fill, this, 0};

    explicit Repeated(std::uint64_t number) : first(number) {}
    Repeated(const Repeated&) = delete;
    Repeated& operator=(const Repeated&) = delete;

    void begin_anew() { state = first; }

    static int fill(void* repeated, std::uint8_t* out, std::size_t bytes)
    {
        std::uint64_t& state = static_cast<Repeated*>(repeated)->state;
        for (std::size_t i = 0; i < bytes; i += sizeof state) {
            std::uint64_t word = state += 0x9E3779B97F4A7C15;
            word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
            word = (word ^ word >> 27) * 0x94D049BB133111EB;
            word ^= word >> 31;
            std::memcpy(out + i, &word, std::min(sizeof word, bytes - i));
        }
        return 0;
    }
};

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

/// A key pair, a message and what is made of them, by one build.
struct Input {
    const Functions& girih;
    const girih_alg* alg;
    Repeated random;
    girih_options options;
    Bytes seed;
    Bytes message = Bytes(32);
    Bytes public_key, secret_key, signature, ciphertext, secret;
    Bytes other_public_key, other_secret_key, other_signature;
    std::size_t signature_size = 0, other_size = 0;
    std::vector<Line> signing_memory, verifying_memory;
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    std::vector<Line> encapsulation_memory, decapsulation_memory;
    girih_encapsulation_key* encapsulation = nullptr;
    girih_decapsulation_key* decapsulation = nullptr;

    Input(const Functions& functions, const girih_alg* algorithm, std::uint64_t number)
        : girih(functions),
          alg(algorithm),
          random(number),
          options{nullptr, 0, nullptr, 0, &random.source, 0, {}},
          seed(girih.seed_bytes(alg)),
          public_key(girih.public_key_bytes(alg)),
          secret_key(girih.secret_key_bytes(alg)),
          signature(girih.signature_bytes(alg)),
          ciphertext(girih.ciphertext_bytes(alg)),
          secret(girih.shared_secret_bytes(alg)),
          other_public_key(public_key),
          other_secret_key(secret_key),
          other_signature(signature),
          signing_memory(girih.signing_key_size(alg) / sizeof(Line)),
          verifying_memory(girih.verifying_key_size(alg) / sizeof(Line))
    {
        Repeated::fill(&random, seed.data(), seed.size());
        Repeated::fill(&random, message.data(), message.size());
        check(girih, keygen());
        if (girih.is_kem(alg) != 0) {
            check(girih, encapsulate());
            if (!girih.has_prepared_kem_keys(alg)) return;
            encapsulation_memory.resize(girih.encapsulation_key_size(alg) / sizeof(Line));
            decapsulation_memory.resize(girih.decapsulation_key_size(alg) / sizeof(Line));
            check(girih, prepare_encapsulation());
            check(girih, prepare_decapsulation());
            return;
        }
        check(girih, sign());
        signature = other_signature;
        signature_size = other_size;
        check(girih, prepare_signing());
        check(girih, prepare_verifying());
    }

    [[nodiscard]] const Functions& functions() const { return girih; }

    int keygen()
    {
        return girih.keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                      secret_key.data(), secret_key.size());
    }
    int derive_public_key()
    {
        return girih.public_key(alg, secret_key.data(), secret_key.size(), other_public_key.data(),
                                other_public_key.size());
    }
    int sign()
    {
        random.begin_anew();
        return girih.sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(), &options,
                          other_signature.data(), other_signature.size(), &other_size);
    }
    int verify()
    {
        return girih.verify(alg, public_key.data(), public_key.size(), message.data(), message.size(),
                            nullptr, signature.data(), signature_size);
    }
    int prepare_signing()
    {
        return girih.prepare_signing_key(alg, secret_key.data(), secret_key.size(), signing_memory.data(),
                                         signing_memory.size() * sizeof(Line), &signing);
    }
    int prepare_verifying()
    {
        return girih.prepare_verifying_key(alg, public_key.data(), public_key.size(), verifying_memory.data(),
                                           verifying_memory.size() * sizeof(Line), &verifying);
    }
    int sign_prepared()
    {
        random.begin_anew();
        return girih.sign_prepared(signing, message.data(), message.size(), &options, other_signature.data(),
                                   other_signature.size(), &other_size);
    }
    int verify_prepared()
    {
        return girih.verify_prepared(verifying, message.data(), message.size(), nullptr, signature.data(),
                                     signature_size);
    }
    int encapsulate()
    {
        random.begin_anew();
        return girih.encapsulate(alg, &random.source, public_key.data(), public_key.size(), ciphertext.data(),
                                 ciphertext.size(), secret.data(), secret.size());
    }
    int decapsulate()
    {
        return girih.decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(),
                                 ciphertext.size(), secret.data(), secret.size());
    }
    int prepare_encapsulation()
    {
        return girih.prepare_encapsulation_key(alg, public_key.data(), public_key.size(),
                                               encapsulation_memory.data(),
                                               encapsulation_memory.size() * sizeof(Line), &encapsulation);
    }
    int prepare_decapsulation()
    {
        return girih.prepare_decapsulation_key(alg, secret_key.data(), secret_key.size(),
                                               decapsulation_memory.data(),
                                               decapsulation_memory.size() * sizeof(Line), &decapsulation);
    }
    int encapsulate_prepared()
    {
        random.begin_anew();
        return girih.encapsulate_prepared(encapsulation, &random.source, ciphertext.data(), ciphertext.size(),
                                          secret.data(), secret.size());
    }
    int decapsulate_prepared()
    {
        return girih.decapsulate_prepared(decapsulation, ciphertext.data(), ciphertext.size(), secret.data(),
                                          secret.size());
    }
};

/// Several inputs as one batch.
class Batch {
  public:
    Batch(const Functions& functions, const girih_alg* alg, std::uint64_t number)
        : girih_(functions), alg_(alg)
    {
        for (std::size_t i = 0; i < batch_size; ++i) inputs_.emplace_back(functions, alg, number + i);
        for (Input& in : inputs_) {
            if (girih_.has_mu(alg) != 0 || girih_.is_kem(alg) != 0 || keygen_.size() < slow_keys)
                keygen_.push_back({in.seed.data(), in.seed.size(), nullptr, in.other_public_key.data(),
                                   in.public_key.size(), in.other_secret_key.data(), in.secret_key.size(),
                                   0});
            sign_.push_back({in.signing, nullptr, 0, in.message.data(), in.message.size(), &in.options,
                             in.other_signature.data(), in.other_signature.size(), 0, 0});
            verify_.push_back({nullptr, in.public_key.data(), in.public_key.size(), in.message.data(),
                               in.message.size(), nullptr, in.signature.data(), in.signature_size, 0});
            verify_prepared_.push_back(verify_.back());
            verify_prepared_.back().key = in.verifying;
            encapsulate_.push_back({nullptr, in.public_key.data(), in.public_key.size(), &in.random.source,
                                    in.ciphertext.data(), in.ciphertext.size(), in.secret.data(),
                                    in.secret.size(), 0});
            encapsulate_prepared_.push_back(encapsulate_.back());
            encapsulate_prepared_.back().key = in.encapsulation;
            decapsulate_.push_back({nullptr, in.secret_key.data(), in.secret_key.size(), in.ciphertext.data(),
                                    in.ciphertext.size(), in.secret.data(), in.secret.size(), 0});
            decapsulate_prepared_.push_back(decapsulate_.back());
            decapsulate_prepared_.back().key = in.decapsulation;
        }
    }

    [[nodiscard]] const Functions& functions() const { return girih_; }

    int keygen() { return girih_.keygen_many(alg_, keygen_.data(), keygen_.size()); }
    int sign()
    {
        for (Input& in : inputs_) in.random.begin_anew();
        return girih_.sign_many(alg_, sign_.data(), sign_.size());
    }
    int verify() { return girih_.verify_many(alg_, verify_.data(), verify_.size()); }
    int verify_prepared()
    {
        return girih_.verify_many(alg_, verify_prepared_.data(), verify_prepared_.size());
    }

    int encapsulate() { return encapsulate(encapsulate_); }
    int encapsulate_prepared() { return encapsulate(encapsulate_prepared_); }
    int decapsulate() { return girih_.decapsulate_many(alg_, decapsulate_.data(), decapsulate_.size()); }
    int decapsulate_prepared()
    {
        return girih_.decapsulate_many(alg_, decapsulate_prepared_.data(), decapsulate_prepared_.size());
    }

  private:
    int encapsulate(std::vector<girih_encapsulate_row>& rows)
    {
        for (Input& in : inputs_) in.random.begin_anew();
        return girih_.encapsulate_many(alg_, rows.data(), rows.size());
    }

    const Functions& girih_;
    const girih_alg* alg_;
    std::deque<Input> inputs_;
    std::vector<girih_keygen_row> keygen_;
    std::vector<girih_sign_row> sign_;
    std::vector<girih_verify_row> verify_, verify_prepared_;
    std::vector<girih_encapsulate_row> encapsulate_, encapsulate_prepared_;
    std::vector<girih_decapsulate_row> decapsulate_, decapsulate_prepared_;
};

}  // namespace girih::ab
