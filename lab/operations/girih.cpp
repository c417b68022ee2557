/// girih's operations through its C interface, of any build.
#include <girih/girih.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "lab/operations/contender.hpp"

namespace girih::lab {

namespace {

/// Randomness that is the same in every build, restarts with each operation, and costs next to
/// nothing (Steele, Lea and Flood's SplitMix64).
struct Repeated {
    std::uint64_t first;
    std::uint64_t state = first;

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

/// The random source of an encapsulation: a seed.
int fill_from_seed(void* seed, std::uint8_t* out, std::size_t bytes)
{
    const Bytes& source = *static_cast<const Bytes*>(seed);
    if (bytes > source.size()) return -1;
    std::copy_n(source.begin(), bytes, out);
    return 0;
}

/// A prepared key, or the memory for one.
struct PreparedKey {
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes;
    };
    std::vector<Line> memory;
    void* key = nullptr;

    explicit PreparedKey(std::size_t size) : memory((size + sizeof(Line) - 1) / sizeof(Line)) {}
};

/// The seed of a key pair, of the algorithm's length, from one of 32 bytes: for ML-KEM, d is the
/// seed and z the seed reversed; for Falcon, zeros follow.
Bytes longer(const Bytes& seed, std::size_t bytes)
{
    Bytes all = seed;
    if (bytes == 2 * seed.size()) all.insert(all.end(), seed.rbegin(), seed.rend());
    all.resize(bytes);
    return all;
}

/// An operation in its parts: "verify_many prepared".
struct Name {
    std::string base;
    bool is_many, is_prepared;

    explicit Name(const std::string& name)
        : base(name.substr(0, std::min(name.find("_many"), name.find(" prepared")))),
          is_many(name.find("_many") != std::string::npos),
          is_prepared(name.ends_with(" prepared"))
    {
    }
};

class GirihJob final : public Job {
  public:
    GirihJob(const Functions& functions, const girih_alg* algorithm, Name name, Strings inputs)
        : girih_(functions), alg_(algorithm), name_(std::move(name)), inputs_(std::move(inputs))
    {
    }

    /// False if the operation is not offered, or a key is malformed.
    bool make()
    {
        if (inputs_.empty()) return false;
        const bool is_kem = girih_.is_kem(alg_) != 0;
        const std::string& base = name_.base;
        if (base == "keygen" || base == "reference keygen") return make_keygen();
        if (base == "public key" || base.starts_with("prepare ")) return make_of_keys(is_kem);
        if (is_kem && name_.is_many && girih_.encapsulate_many == nullptr) return false;
        if (base == "sign" && !is_kem) return make_sign();
        if (base == "verify" && !is_kem) return make_verify();
        if (base == "encapsulate" && is_kem) return make_encapsulate();
        return base == "decapsulate" && is_kem && make_decapsulate();
    }

    bool run(std::size_t first, std::size_t end) override
    {
        end = std::min(end, count_);
        if (name_.is_many) return (this->*many_)(first, end - first) == GIRIH_OK;
        bool succeeded = true;
        for (std::size_t i = first; i < end; ++i) succeeded &= (this->*one_)(i) == GIRIH_OK;
        return succeeded;
    }

    [[nodiscard]] Strings outputs() const override
    {
        Strings written = outputs_;
        for (std::size_t i = 0; i < sign_.size(); ++i) written[i].resize(sign_[i].signature_bytes);
        return written;
    }

  private:
    using One = int (GirihJob::*)(std::size_t);
    using Many = int (GirihJob::*)(std::size_t, std::size_t);

    /// Sets up `count` operations, each with outputs of these sizes.
    bool offer(std::size_t count, const std::vector<std::size_t>& sizes, One one, Many many = nullptr)
    {
        count_ = count;
        one_ = one;
        many_ = many;
        for (std::size_t i = 0; i < count; ++i)
            for (const std::size_t size : sizes) outputs_.emplace_back(size);
        return !name_.is_many || many != nullptr;
    }

    /// Sets the key that these bytes are prepared to, the last one again if they are the same; null
    /// for operations on bytes. False if they are no key, or the algorithm has no such keys.
    template <class Key, class Prepare>
    bool set_key(const Key*& key, const Bytes& bytes, std::size_t (*size)(const girih_alg*), Prepare prepare)
    {
        key = nullptr;
        if (!name_.is_prepared) return true;
        if (keys_.empty() || bytes != last_key_) {
            if (prepare == nullptr || size(alg_) == 0) return false;
            PreparedKey& made = keys_.emplace_back(size(alg_));
            last_key_ = bytes;
            if (prepare_in(made, bytes, prepare) != GIRIH_OK) made.key = nullptr;
        }
        key = static_cast<const Key*>(keys_.back().key);
        return key != nullptr;
    }
    template <class Key>
    int prepare_in(PreparedKey& made, const Bytes& bytes,
                   int (*prepare)(const girih_alg*, const std::uint8_t*, std::size_t, void*, std::size_t,
                                  Key**))
    {
        Key* key = nullptr;
        const int error = prepare(alg_, bytes.data(), bytes.size(), made.memory.data(),
                                  made.memory.size() * sizeof(PreparedKey::Line), &key);
        made.key = key;
        return error;
    }

    /// One call for rows of a batch.
    template <auto function, auto rows>
    int call_many(std::size_t first, std::size_t count)
    {
        return (girih_.*function)(alg_, &(this->*rows)[first], count);
    }

    // ---- Keys.

    bool make_keygen()
    {
        const std::size_t bytes = girih_.seed_bytes(alg_);
        for (Bytes& seed : inputs_) seed = longer(seed, bytes);
        offer(inputs_.size(), {girih_.public_key_bytes(alg_), girih_.secret_key_bytes(alg_)},
              &GirihJob::keygen, &GirihJob::call_many<&Functions::keygen_many, &GirihJob::keygen_>);
        if (name_.base != "keygen") one_ = &GirihJob::reference_keygen;
        for (std::size_t i = 0; i < count_; ++i) {
            Bytes& pk = outputs_[2 * i];
            Bytes& sk = outputs_[2 * i + 1];
            keygen_.push_back(
                {inputs_[i].data(), bytes, nullptr, pk.data(), pk.size(), sk.data(), sk.size(), 0});
        }
        return name_.base == "keygen" || girih_.falcon_reference_keygen != nullptr;
    }
    int keygen(std::size_t i) { return keygen_by(girih_.keygen_from_seed, keygen_[i]); }
    int reference_keygen(std::size_t i) { return keygen_by(girih_.falcon_reference_keygen, keygen_[i]); }
    int keygen_by(decltype(&girih_keygen_from_seed) generate, const girih_keygen_row& row)
    {
        return generate(alg_, row.seed, row.seed_bytes, row.public_key, row.public_key_bytes, row.secret_key,
                        row.secret_key_bytes);
    }

    /// The operations on keys, each on one key.
    bool make_of_keys(bool is_kem)
    {
        if (name_.base == "public key")
            return offer(inputs_.size(), {girih_.public_key_bytes(alg_)}, &GirihJob::derive_public_key);
        using F = Functions;
        if (name_.base == "prepare secret key")
            return is_kem ? make_prepare<&F::decapsulation_key_size, &F::prepare_decapsulation_key>()
                          : make_prepare<&F::signing_key_size, &F::prepare_signing_key>();
        return is_kem ? make_prepare<&F::encapsulation_key_size, &F::prepare_encapsulation_key>()
                      : make_prepare<&F::verifying_key_size, &F::prepare_verifying_key>();
    }
    template <auto size, auto prepare>
    bool make_prepare()
    {
        if (girih_.*size == nullptr || (girih_.*size)(alg_) == 0) return false;
        for (std::size_t i = 0; i < inputs_.size(); ++i) keys_.emplace_back((girih_.*size)(alg_));
        return offer(inputs_.size(), {}, &GirihJob::prepare_key<prepare>);
    }
    int derive_public_key(std::size_t i)
    {
        return girih_.public_key(alg_, inputs_[i].data(), inputs_[i].size(), outputs_[i].data(),
                                 outputs_[i].size());
    }
    template <auto prepare>
    int prepare_key(std::size_t i)
    {
        return prepare_in(keys_[i], inputs_[i], girih_.*prepare);
    }

    // ---- Signatures. Everybody signs deterministically; with Falcon, from the same numbers.

    bool make_sign()
    {
        if (inputs_.size() < 3) return false;
        offer(inputs_.size() - 2, {girih_.signature_bytes(alg_)}, &GirihJob::sign, &GirihJob::sign_many);
        const girih_signing_key* key;
        if (!set_key(key, inputs_[0], girih_.signing_key_size, girih_.prepare_signing_key)) return false;
        const int deterministic = girih_.has_mu(alg_);
        for (std::size_t i = 0; i < count_; ++i) numbers_.push_back({i});
        for (Repeated& numbers : numbers_) sources_.push_back({Repeated::fill, &numbers, 0});
        for (const girih_random& source : sources_)
            options_.push_back(
                {nullptr, 0, nullptr, deterministic, deterministic ? nullptr : &source, 0, {}});
        for (std::size_t i = 0; i < count_; ++i) {
            const Bytes& message = inputs_[i + 2];
            Bytes& signature = outputs_[i];
            sign_.push_back({key, inputs_[0].data(), inputs_[0].size(), message.data(), message.size(),
                             &options_[i], signature.data(), signature.size(), 0, 0});
        }
        return true;
    }
    int sign(std::size_t i)
    {
        girih_sign_row& row = sign_[i];
        numbers_[i].state = i;
        return row.key != nullptr
                   ? girih_.sign_prepared(row.key, row.message, row.message_bytes, row.options, row.signature,
                                          row.signature_capacity, &row.signature_bytes)
                   : girih_.sign(alg_, row.secret_key, row.secret_key_bytes, row.message, row.message_bytes,
                                 row.options, row.signature, row.signature_capacity, &row.signature_bytes);
    }
    int sign_many(std::size_t first, std::size_t count)
    {
        for (std::size_t i = first; i < first + count; ++i) numbers_[i].state = i;
        return girih_.sign_many(alg_, &sign_[first], count);
    }

    bool make_verify()
    {
        if (inputs_.size() % 3 != 0) return false;
        offer(inputs_.size() / 3, {}, &GirihJob::verify,
              &GirihJob::call_many<&Functions::verify_many, &GirihJob::verify_>);
        for (std::size_t i = 0; i < inputs_.size(); i += 3) {
            const Bytes& public_key = inputs_[i];
            const girih_verifying_key* key;
            if (!set_key(key, public_key, girih_.verifying_key_size, girih_.prepare_verifying_key))
                return false;
            verify_.push_back({key, public_key.data(), public_key.size(), inputs_[i + 1].data(),
                               inputs_[i + 1].size(), nullptr, inputs_[i + 2].data(), inputs_[i + 2].size(),
                               0});
        }
        return true;
    }
    int verify(std::size_t i)
    {
        const girih_verify_row& row = verify_[i];
        return row.key != nullptr
                   ? girih_.verify_prepared(row.key, row.message, row.message_bytes, nullptr, row.signature,
                                            row.signature_bytes)
                   : girih_.verify(alg_, row.public_key, row.public_key_bytes, row.message, row.message_bytes,
                                   nullptr, row.signature, row.signature_bytes);
    }

    // ---- Key encapsulation.

    bool make_encapsulate()
    {
        if (inputs_.size() % 2 != 0) return false;
        offer(inputs_.size() / 2, {girih_.ciphertext_bytes(alg_), girih_.shared_secret_bytes(alg_)},
              &GirihJob::encapsulate,
              &GirihJob::call_many<&Functions::encapsulate_many, &GirihJob::encapsulate_>);
        for (std::size_t i = 0; i < count_; ++i) sources_.push_back({fill_from_seed, &inputs_[2 * i + 1], 0});
        for (std::size_t i = 0; i < count_; ++i) {
            const Bytes& public_key = inputs_[2 * i];
            Bytes& ciphertext = outputs_[2 * i];
            Bytes& secret = outputs_[2 * i + 1];
            const girih_encapsulation_key* key;
            if (!set_key(key, public_key, girih_.encapsulation_key_size, girih_.prepare_encapsulation_key))
                return false;
            encapsulate_.push_back({key, public_key.data(), public_key.size(), &sources_[i],
                                    ciphertext.data(), ciphertext.size(), secret.data(), secret.size(), 0});
        }
        return true;
    }
    int encapsulate(std::size_t i)
    {
        const girih_encapsulate_row& row = encapsulate_[i];
        return row.key != nullptr
                   ? girih_.encapsulate_prepared(row.key, row.random, row.ciphertext, row.ciphertext_bytes,
                                                 row.shared_secret, row.shared_secret_bytes)
                   : girih_.encapsulate(alg_, row.random, row.public_key, row.public_key_bytes,
                                        row.ciphertext, row.ciphertext_bytes, row.shared_secret,
                                        row.shared_secret_bytes);
    }

    bool make_decapsulate()
    {
        if (inputs_.size() % 2 != 0) return false;
        offer(inputs_.size() / 2, {girih_.shared_secret_bytes(alg_)}, &GirihJob::decapsulate,
              &GirihJob::call_many<&Functions::decapsulate_many, &GirihJob::decapsulate_>);
        for (std::size_t i = 0; i < count_; ++i) {
            const Bytes& secret_key = inputs_[2 * i];
            const Bytes& ciphertext = inputs_[2 * i + 1];
            const girih_decapsulation_key* key;
            if (!set_key(key, secret_key, girih_.decapsulation_key_size, girih_.prepare_decapsulation_key))
                return false;
            decapsulate_.push_back({key, secret_key.data(), secret_key.size(), ciphertext.data(),
                                    ciphertext.size(), outputs_[i].data(), outputs_[i].size(), 0});
        }
        return true;
    }
    int decapsulate(std::size_t i)
    {
        const girih_decapsulate_row& row = decapsulate_[i];
        return row.key != nullptr
                   ? girih_.decapsulate_prepared(row.key, row.ciphertext, row.ciphertext_bytes,
                                                 row.shared_secret, row.shared_secret_bytes)
                   : girih_.decapsulate(alg_, row.secret_key, row.secret_key_bytes, row.ciphertext,
                                        row.ciphertext_bytes, row.shared_secret, row.shared_secret_bytes);
    }

    const Functions girih_;  // a copy: the job may outlive its contender
    const girih_alg* alg_;
    const Name name_;
    Strings inputs_, outputs_;
    std::size_t count_ = 0;
    One one_ = nullptr;
    Many many_ = nullptr;
    std::vector<PreparedKey> keys_;
    Bytes last_key_;
    std::vector<Repeated> numbers_;
    std::vector<girih_random> sources_;
    std::vector<girih_options> options_;
    std::vector<girih_keygen_row> keygen_;
    std::vector<girih_sign_row> sign_;
    std::vector<girih_verify_row> verify_;
    std::vector<girih_encapsulate_row> encapsulate_;
    std::vector<girih_decapsulate_row> decapsulate_;
};

}  // namespace

std::unique_ptr<Job> girih_job(const Functions& girih, const girih_alg* alg, const std::string& operation,
                               const Strings& inputs)
{
    if (alg == nullptr) return nullptr;
    auto job = std::make_unique<GirihJob>(girih, alg, Name{operation}, inputs);
    if (!job->make()) return nullptr;
    return job;
}

std::optional<Strings> Contender::outputs(const std::string& algorithm, const std::string& operation,
                                          const Strings& inputs) const
{
    const auto made = job(algorithm, operation, inputs);
    if (made == nullptr || !made->run()) return std::nullopt;
    return made->outputs();
}

Contender girih_contender(std::string name, const Functions& functions)
{
    Contender girih{std::move(name)};
    girih.is_girih = true;
    girih.job = [functions](const std::string& algorithm, const std::string& operation,
                            const Strings& inputs) {
        return girih_job(functions, functions.algorithm(algorithm.c_str()), operation, inputs);
    };
    return girih;
}

}  // namespace girih::lab
