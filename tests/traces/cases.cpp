#include "cases.hpp"

#include <girih/girih_key_files.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "support/every_operation.hpp"

namespace girih::traces {
namespace {

using test::ByteString;
using test::EveryOperation;
using test::Products;

constexpr std::size_t row_count = 9;  // of batches: more than an engine has lanes
constexpr std::size_t salt_bytes = 40, sampler_seed_bytes = 48;  // that Falcon draws

void add_hash(std::uint64_t& hash, BytesIn<> bytes)
{
    for (const Byte byte : bytes) hash = mixed(hash, byte);
}

/// Randomness that is known beforehand: some bytes, over and over.
struct Randomness {
    ByteString bytes = ByteString(4096);
    std::size_t drawn = 0;

    girih_random source() { return {fill, this, 0}; }
    void repeat(const ByteString& pattern)
    {
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern[i % pattern.size()];
        drawn = 0;
    }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t count)
    {
        auto& self = *static_cast<Randomness*>(state);
        if (self.drawn + count > self.bytes.size()) return 1;
        std::memcpy(out, self.bytes.data() + self.drawn, count);
        self.drawn += count;
        return 0;
    }
};

/// What a variant gives an operation; what is empty stays as it is.
struct Inputs {
    ByteString seed{};
    ByteString secret_key{};
    std::vector<ByteString> ciphertexts{};  ///< of a batch's rows, in turn
    ByteString random{};
};
using Variants = std::vector<Inputs>;

/// An algorithm with its keys and buffers.
class Subject {
    Randomness randomness_;
    girih_random source_ = randomness_.source();

  public:
    explicit Subject(const girih_alg* alg) : operations(alg, row_count, &source_)
    {
        operations.options.deterministic = 0;
        for (auto& row : operations.decapsulate_rows) {
            ciphertexts_.push_back(operations.given.ciphertext);
            row.ciphertext = ciphertexts_.back().data();
        }
    }

    EveryOperation operations;

    void put(const Inputs& inputs)
    {
        const auto copy_to = [](ByteString& to, const ByteString& from) { std::ranges::copy(from, to.begin()); };
        copy_to(operations.seed, inputs.seed);
        copy_to(operations.given.secret_key, inputs.secret_key);
        if (!inputs.ciphertexts.empty()) copy_to(operations.given.ciphertext, inputs.ciphertexts[0]);
        for (std::size_t i = 0; i < ciphertexts_.size() && !inputs.ciphertexts.empty(); ++i)
            copy_to(ciphertexts_[i], inputs.ciphertexts[i % inputs.ciphertexts.size()]);
        randomness_.repeat(inputs.random.empty() ? ByteString{0} : inputs.random);
        for (const auto& operation : operations.all)
            if (operation.name == "prepare_signing_key" || operation.name == "prepare_decapsulation_key")
                test::expect_good(operation.call());
    }

    [[nodiscard]] std::uint64_t hash_of_buffers() const
    {
        std::uint64_t hash = 0;
        add_hash(hash, operations.seed);
        add_hash(hash, randomness_.bytes);
        for (const ByteString& ciphertext : ciphertexts_) add_hash(hash, ciphertext);
        for (const Products* products : {&operations.given, &operations.made})
            for (const ByteString& bytes : {products->secret_key, products->public_key, products->ciphertext,
                                            products->shared_secret, products->signature})
                add_hash(hash, bytes);
        return hash;
    }

    /// Right ciphertexts, wrong ones, and other secrets: implicit rejection must not be seen. For
    /// ML-KEM, whose A and hashes are public, other secrets have the public key of the first.
    Variants received()
    {
        const Keys one = keys_of(1), two = keys_of(2);
        const ByteString right = sealed_to(one, 10);
        Variants all;
        for (const ByteString& ciphertext :
             {right, sealed_to(one, 11), test::flipped(right, 0),
              test::flipped(right, 4 * right.size()), test::flipped(right, 8 * right.size() - 1), bytes_of(right.size(), 12)})
            all.push_back({.secret_key = one.secret, .ciphertexts = {ciphertext}});
        all.push_back({.secret_key = other_secret_key(), .ciphertexts = {right}});
        if (!is_ml_kem()) all.push_back({.secret_key = two.secret, .ciphertexts = {sealed_to(two, 10)}});
        return all;
    }

    /// Prepared keys contain A, so that another key may be another altogether.
    Variants received_prepared()
    {
        Variants all = received();
        const Keys two = keys_of(2);
        all.push_back({.secret_key = two.secret, .ciphertexts = {sealed_to(two, 10)}});
        return all;
    }

    /// Also right and wrong ciphertexts in one batch.
    Variants received_many()
    {
        Variants all = received();
        all.push_back({.secret_key = all[0].secret_key,
                       .ciphertexts = {all[0].ciphertexts[0], all[2].ciphertexts[0], all[1].ciphertexts[0]}});
        return all;
    }

    Variants encapsulated()
    {
        Variants all;
        for (unsigned i = 0; i < 4; ++i) all.push_back({.random = bytes_of(64, 100 + i)});
        return all;
    }

    Variants seeds()
    {
        Variants all;
        for (unsigned i = 0; i < 4; ++i) all.push_back({.seed = seed_of(1 + i), .random = seed_of(20 + i)});
        return all;
    }

    /// ML-KEM's seeds of one d, from which the key comes, and different z.
    Variants seeds_of_one_d()
    {
        constexpr std::size_t d_bytes = 32;
        Variants all = seeds();
        for (Inputs& inputs : all)
            for (ByteString* seed : {&inputs.seed, &inputs.random})
                std::copy_n(all[0].seed.begin(), d_bytes, seed->begin());
        return all;
    }

    /// Falcon's seeds whose f and g are accepted soonest.
    Variants soonest_seeds()
    {
        return soonest("keygen_from_seed", 24, 3, [this](unsigned i) { return Inputs{.seed = seed_of(1 + i)}; });
    }

    Variants secret_keys()
    {
        return {{.secret_key = keys_of(1).secret}, {.secret_key = keys_of(2).secret}, {.secret_key = keys_of(3).secret}};
    }

    Variants secret_keys_of_one_matrix()
    {
        return {{.secret_key = keys_of(1).secret}, {.secret_key = other_secret_key()}};
    }

    /// Signatures of one attempt, by randomness that gives one, of two keys with one A.
    Variants signed_at_once()
    {
        Variants all;
        for (const ByteString& key : {keys_of(1).secret, other_secret_key()}) {
            const auto inputs = [&](unsigned i) { return Inputs{.secret_key = key, .random = bytes_of(32, 1000 + i)}; };
            for (const Inputs& one : soonest("sign_prepared", 40, 3, inputs)) all.push_back(one);
        }
        return all;
    }

    /// Signatures of one salt, which is public, by other points of the sampler and another key.
    Variants signed_with_one_salt()
    {
        Variants all;
        for (unsigned i = 0; i < 4; ++i) {
            ByteString random = bytes_of(salt_bytes, 7);
            const ByteString seed = bytes_of(sampler_seed_bytes, 50 + i);
            random.insert(random.end(), seed.begin(), seed.end());
            all.push_back({.secret_key = keys_of(i == 3 ? 2 : 1).secret, .random = random});
        }
        return all;
    }

  private:
    struct Keys {
        ByteString public_, secret;
    };

    [[nodiscard]] const girih_alg* alg() const { return operations.alg; }
    [[nodiscard]] bool is_ml_kem() const { return girih_decapsulation_key_size(alg()) != 0; }
    static ByteString bytes_of(std::size_t count, unsigned number) { return test::Numbers{number}.bytes(count); }
    [[nodiscard]] ByteString seed_of(unsigned number) const { return bytes_of(girih_seed_bytes(alg()), number); }

    [[nodiscard]] Keys keys_of(unsigned number) const
    {
        Keys keys{operations.given.public_key, operations.given.secret_key};
        test::expect_good(test::call(girih_keygen_from_seed, alg(), seed_of(number), keys.public_, keys.secret));
        return keys;
    }

    [[nodiscard]] ByteString sealed_to(const Keys& keys, unsigned number) const
    {
        ByteString ciphertext = operations.given.ciphertext, secret = operations.given.shared_secret;
        Randomness randomness;
        randomness.repeat(bytes_of(64, number));
        const girih_random source = randomness.source();
        test::expect_good(test::call(girih_encapsulate, alg(), &source, keys.public_, ciphertext, secret));
        return ciphertext;
    }

    /// Another key's secrets with the public parts of the first, as far as they decide on a course:
    /// dk = s | ek | H(ek) | z (FIPS 203), sk = rho | K | tr | s1 | s2 | t0 (FIPS 204).
    [[nodiscard]] ByteString other_secret_key() const
    {
        const Keys one = keys_of(1);
        ByteString other = keys_of(2).secret;
        const auto keep = [&](std::size_t begin, std::size_t end) {
            std::copy(one.secret.begin() + static_cast<std::ptrdiff_t>(begin),
                      one.secret.begin() + static_cast<std::ptrdiff_t>(end),
                      other.begin() + static_cast<std::ptrdiff_t>(begin));
        };
        if (is_ml_kem()) keep(other.size() - 64 - one.public_.size(), other.size() - 32);
        if (girih_has_mu(alg()) != 0) {
            keep(0, 32);
            keep(64, girih_has_context(alg()) != 0 ? 128 : 96);
        }
        return other;
    }

    /// Those candidates with which an operation runs the fewest blocks.
    template <class Candidate>
    Variants soonest(std::string_view name, unsigned tries, std::size_t wanted, Candidate candidate)
    {
        const SharedLog log = new_log();
        std::vector<std::pair<std::size_t, Inputs>> counted;
        for (unsigned i = 0; i < tries; ++i) {
            put(candidate(i));
            run_translated(operations.named(name).call, *log);
            counted.emplace_back(log->count, candidate(i));
        }
        std::ranges::sort(counted, {}, &std::pair<std::size_t, Inputs>::first);
        Variants chosen;
        for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(counted[i].second);
        return chosen;
    }

    std::deque<ByteString> ciphertexts_;  ///< of the rows of a batch
};

/// An operation of some algorithms, and how its variants are made.
struct Recipe {
    const char* algorithms;
    std::string_view operation;
    std::string_view label;
    Variants (Subject::*variants)();
};

constexpr auto kem = "KEM|sntrup|ntrulpr", ml_kem = "KEM", ntru = "sntrup|ntrulpr", ml_dsa = "ML-DSA|Dilithium",
               falcon = "Falcon", signatures = "ML-DSA|Dilithium|Falcon";
constexpr auto received = &Subject::received;
constexpr auto signed_at_once = &Subject::signed_at_once;
constexpr auto signed_with_one_salt = &Subject::signed_with_one_salt;

constexpr std::array recipes{
    Recipe{kem, "decapsulate", "", received},
    Recipe{kem, "decapsulate_many", "", &Subject::received_many},
    Recipe{ml_kem, "decapsulate_prepared", "", &Subject::received_prepared},
    Recipe{ml_kem, "prepare_decapsulation_key", "", &Subject::secret_keys_of_one_matrix},
    Recipe{kem, "encapsulate", "", &Subject::encapsulated},
    Recipe{kem, "encapsulate_many", "", &Subject::encapsulated},
    Recipe{ml_kem, "encapsulate_prepared", "", &Subject::encapsulated},
    Recipe{ntru, "keygen", "", &Subject::seeds},
    Recipe{ntru, "keygen_from_seed", "", &Subject::seeds},
    Recipe{ntru, "keygen_many", "", &Subject::seeds},
    Recipe{ntru, "public_key", "", &Subject::secret_keys},
    Recipe{ml_kem, "keygen_from_seed", " of one d", &Subject::seeds_of_one_d},
    Recipe{ml_kem, "keygen_many", " of one d", &Subject::seeds_of_one_d},
    Recipe{ml_kem, "keygen_from_seed", "", &Subject::seeds},
    Recipe{ml_kem, "public_key", "", &Subject::secret_keys},
    Recipe{ml_dsa, "keygen_from_seed", "", &Subject::seeds},
    Recipe{ml_dsa, "public_key", "", &Subject::secret_keys},
    Recipe{ml_dsa, "prepare_signing_key", "", &Subject::secret_keys_of_one_matrix},
    Recipe{ml_dsa, "sign", "", signed_at_once},
    Recipe{ml_dsa, "sign_prepared", "", signed_at_once},
    Recipe{ml_dsa, "sign_mu", "", signed_at_once},
    Recipe{ml_dsa, "sign_many", "", signed_at_once},
    Recipe{falcon, "keygen_from_seed", "", &Subject::soonest_seeds},
    Recipe{falcon, "public_key", "", &Subject::secret_keys},
    Recipe{falcon, "prepare_signing_key", "", &Subject::secret_keys},
    Recipe{falcon, "sign", "", signed_with_one_salt},
    Recipe{falcon, "sign_prepared", "", signed_with_one_salt},
    Recipe{falcon, "message_sign", "", signed_with_one_salt},
    Recipe{falcon, "sign_many", "", signed_with_one_salt},
};

/// A way of writing a private key.
struct Encoding {
    const char* name;
    girih_key_format format;
    bool is_encrypted;
    girih_key_kdf kdf = GIRIH_KEY_PBKDF2_SHA256;
};

constexpr std::array encodings{
    Encoding{"plain PEM", GIRIH_KEY_PEM, false},
    Encoding{"plain DER", GIRIH_KEY_DER, false},
    Encoding{"PBKDF2-SHA256 PEM", GIRIH_KEY_PEM, true},
    Encoding{"PBKDF2-SHA512 DER", GIRIH_KEY_DER, true, GIRIH_KEY_PBKDF2_SHA512},
    Encoding{"scrypt DER", GIRIH_KEY_DER, true, GIRIH_KEY_SCRYPT},
};

/// Key files of one algorithm in one encoding: of three seeds, under three passphrases.
class KeyFiles {
  public:
    static constexpr std::size_t variants = 3;

    KeyFiles(const girih_alg* alg, const Encoding& encoding) : alg_(alg)
    {
        const girih_passphrase passphrase{encoding.is_encrypted ? passphrase_.data() : nullptr,
                                          encoding.is_encrypted ? passphrase_.size() : 0};
        const bool is_scrypt = encoding.kdf == GIRIH_KEY_SCRYPT;
        const bool has_iterations = encoding.is_encrypted && !is_scrypt;
        encoding_ = {encoding.format, GIRIH_KEY_PREFERRED, passphrase, encoding.kdf, has_iterations ? 5U : 0U,
                     is_scrypt ? 16U : 0U, is_scrypt ? 8U : 0U, is_scrypt ? 1U : 0U};
    }

    void prepare_to_write(std::size_t variant)
    {
        constexpr std::array<const char*, variants> passphrases{"correct horse battery", "aaaaaaaaaaaaaaaaaaaaa",
                                                                "\xff\x80 zzzzzzzzz\x01 9!~~ }"};
        std::memcpy(passphrase_.data(), passphrases[variant], passphrase_.size());
        const ByteString seed = test::Numbers{1 + variant}.bytes(girih_seed_bytes(alg_));
        expect(girih_key_from_seed(alg_, seed.data(), seed.size(), &key_, &error_));
    }

    void prepare_to_read(std::size_t variant)
    {
        prepare_to_write(variant);
        expect(write());
    }

    int write() { return girih_key_write_private(key_, &encoding_, &file_, &file_bytes_, &error_); }
    int read() { return girih_key_read(file_, file_bytes_, nullptr, encoding_.passphrase, &key_, &error_); }

    [[nodiscard]] std::uint64_t hash_of_buffers() const
    {
        std::uint64_t hash = 0;
        add_hash(hash, {file_, file_bytes_});
        return hash;
    }

  private:
    void expect(int result) const
    {
        if (result != 0) throw std::runtime_error(error_.message);
    }

    const girih_alg* alg_;
    std::array<std::uint8_t, 21> passphrase_{};
    girih_key_encoding encoding_{};
    girih_key* key_ = nullptr;
    std::uint8_t* file_ = nullptr;
    std::size_t file_bytes_ = 0;
    girih_key_error error_{};
};

}  // namespace

std::vector<Case> cases_of(const char* algorithm, const std::regex& wanted)
{
    std::shared_ptr<Subject> subject;
    std::vector<Case> cases;
    for (const Recipe& recipe : recipes) {
        const std::string name = algorithm + (' ' + std::string{recipe.operation}) + std::string{recipe.label};
        if (!std::regex_search(algorithm, std::regex{recipe.algorithms}) || !std::regex_search(name, wanted)) continue;
        if (!subject) subject = std::make_shared<Subject>(girih_algorithm(algorithm));
        const auto variants = std::make_shared<Variants>(((*subject).*recipe.variants)());
        cases.push_back({name, variants->size(), [=](std::size_t i) { subject->put((*variants)[i]); },
                         subject->operations.named(recipe.operation).call,
                         [=] { return subject->hash_of_buffers(); }});
    }
    return cases;
}

std::vector<Case> key_file_cases_of(const char* algorithm, const std::regex& wanted)
{
    std::vector<Case> cases;
    for (const Encoding& encoding : encodings) {
        const auto files = std::make_shared<KeyFiles>(girih_algorithm(algorithm), encoding);
        const std::string name = algorithm + std::string{" key file, "};
        const auto buffers = [=] { return files->hash_of_buffers(); };
        const Case write{name + "write " + encoding.name, KeyFiles::variants,
                         [=](std::size_t i) { files->prepare_to_write(i); }, [=] { return files->write(); }, buffers};
        const Case read{name + "read " + encoding.name, KeyFiles::variants,
                        [=](std::size_t i) { files->prepare_to_read(i); }, [=] { return files->read(); }, buffers};
        for (const Case& one : {write, read})
            if (std::regex_search(one.name, wanted)) cases.push_back(one);
    }
    return cases;
}

}  // namespace girih::traces
