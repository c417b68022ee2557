/// girih selftest: every algorithm on this machine, against known answers.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "cli/commands/subcommands.hpp"
#include "cli/files/hex.hpp"
#include "sha2/sha2.hpp"

namespace girih::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The SHA-256 of an algorithm's results: public key, secret key, and the signature of
/// signed_message (deterministic or, for Falcon, with salt and seed counting from 0), or ciphertext
/// and shared secret from the random bytes 20 21 ... 3f. The keys of ML-DSA and ML-KEM are the
/// examples of RFC 9881 and RFC 9935.
struct KnownAnswer {
    std::string_view alg;
    std::string_view digest;
};
constexpr std::array<KnownAnswer, 27> known_answers{{
    {"ML-DSA-44", "3112e6bfdf559447dc718599d3fc22e9419ff4871014a0ac6d493fc2ad0c06d2"},
    {"ML-DSA-65", "8c60b651215eada3456f77ff71aa5839174256fc48d8aaffb01a24f67d0d6eed"},
    {"ML-DSA-87", "5ca24093fd441c840de3edd0810f1a2ae90dfe8ad3f44864db83528d368c5988"},
    {"Dilithium2", "6120c497e78c0decf708e41d17c7733d5512021dad81bba44887eb5d51c90d6b"},
    {"Dilithium3", "2c29566fe973c8fc221527a14d97fe5778d805b8e73539de6f2cf6f9373eccd9"},
    {"Dilithium5", "668d6a21dc427ed722087359e2562e9ee12b0e886ee0fb5ff84d3e2f20791a49"},
    {"Falcon-512", "8d92ea91b3a227931eb02f7e3ce59ab524e43932c21a62b4c2f8845def3a3a74"},
    {"Falcon-1024", "ba0d90558e289c80b275c08dd91b02fd9d7c1a0e9feae3657a535034bd40de9c"},
    {"Falcon-padded-512", "e262b417c6a3c50826fff101582932f407b6ecdc1d703efe4b1362628f65d48b"},
    {"Falcon-padded-1024", "7f684ad70a50df48b5adc6d1df3a83704ee71c801e26e43e102806c3fd942b7b"},
    {"Falcon-CT-512", "f9958dbf82e4c87b59bee46f9059a5c65089a298692b40549b860c6afe707476"},
    {"Falcon-CT-1024", "c42fc70d650edeb9fe71befebb8965303c2f26d051b327801e2919eeff34dd7f"},
    {"ML-KEM-512", "14b6b6a420032f3a4fd7c8e9e4ce6f8284c3547a1092e6ae8b9976afde4bfab0"},
    {"ML-KEM-768", "1ef303825b31a54085997139751362cc35632177e3a499517db6eb9c71e15a90"},
    {"ML-KEM-1024", "77dd5ade5652084a7b69a5c9bd449194674e48d402787665a93ca5c292bfc752"},
    {"sntrup653", "a1cb96144128a986d3f8ffc0e13b0cb2ae259fb477330f8c61ded0e706ff0c35"},
    {"sntrup761", "0074c06412cab26da8eac42db6df2cc5c1ef4ddfac835de1436f4a4509b7678c"},
    {"sntrup857", "ed2aebb7d921dcfc98cd5c223be810d33db567b7bf18e1317b4713e06b3196b3"},
    {"sntrup953", "dd79d440a6e9645b566de8c985df3ae6a7d790ca5ff983c38ad523dc8a99f9c4"},
    {"sntrup1013", "447253815eb2f5f0464e5df9be990e6c9210838881dc08a16bb9945ddec9d828"},
    {"sntrup1277", "c93ad318c51183b93b4a59712ca4c1fa7d278f1d8ba47fc8ea58c3207d8dbe68"},
    {"ntrulpr653", "cf4558cfd05e1903d412c194104099a5aab01684c1e749a7738a54643bcff710"},
    {"ntrulpr761", "a9a85c2e870d79ae0b6811195c46e57f6cc2b021161a750c02aff2ef40859f86"},
    {"ntrulpr857", "355201f6eded6361854ffef400e7ac965e1a7b854fabd44f17f0ebb0d5f4ff42"},
    {"ntrulpr953", "e240b72c632d2f2629882ceb98fcb7d88ed76bc5c1d368f1862f06340af2ab10"},
    {"ntrulpr1013", "ef65833e96bbbc0fbc118c4dcacf78f9a1cef8a028c6d1a6061844e8ae6297d6"},
    {"ntrulpr1277", "3940648e94b94dae8d36d60213bf25754f2d0a40a6fb0c0760c42826a5bb4210"},
}};

std::string_view known_answer(const girih_alg* alg)
{
    const auto* known =
        std::ranges::find(known_answers, std::string_view(girih_name(alg)), &KnownAnswer::alg);
    return known == known_answers.end() ? "" : known->digest;
}

std::string digest_of(std::initializer_list<const Bytes*> parts)
{
    sha2::Sha256 hash;
    for (const Bytes* part : parts) hash.update(*part);
    return to_hex(hash.digest());
}

/// Whether f is true of `bytes` with one bit changed in every 61st byte, and in the last.
template <class F>
[[nodiscard]] bool for_flipped_bits(Bytes& bytes, F f)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const auto bit = static_cast<std::uint8_t>(1u << (i % 8));
        bytes[i] ^= bit;
        if (!f()) return false;
        bytes[i] ^= bit;
        const bool last = i + 1 == bytes.size();
        i = !last && i + 61 >= bytes.size() ? bytes.size() - 1 : i + 61;
    }
    return true;
}

/// The key pair of the seed 00 01 ... 1f, or 2f where a seed has 48 bytes, and 3f where it has 64.
/// It is not secret.
struct KeyPair {
    explicit KeyPair(const girih_alg* of)
        : alg(of), public_key(girih_public_key_bytes(of)), secret_key(girih_secret_key_bytes(of))
    {
        Bytes seed(girih_seed_bytes(alg));
        for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
        is_made = girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                         secret_key.data(), secret_key.size()) == GIRIH_OK;
    }

    [[nodiscard]] bool belongs_together() const
    {
        Bytes computed(public_key.size());
        return girih_public_key(alg, secret_key.data(), secret_key.size(), computed.data(),
                                computed.size()) == GIRIH_OK &&
               computed == public_key;
    }

    const girih_alg* alg;
    Bytes public_key;
    Bytes secret_key;
    bool is_made = false;
};

constexpr std::string_view signed_message = "girih selftest";

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// A signature scheme with a key pair.
class SignatureCheck {
  public:
    explicit SignatureCheck(const girih_alg* alg) : alg_(alg), keys_(alg)
    {
        if (girih_has_mu(alg) == 1) {
            repeatable_.deterministic = 1;
        } else {
            repeatable_.random = &counting_;
        }
    }
    SignatureCheck(const SignatureCheck&) = delete;
    SignatureCheck& operator=(const SignatureCheck&) = delete;

    /// The first check that fails; empty if there is none.
    [[nodiscard]] std::string fault()
    {
        if (!keys_.is_made) return "no key from a seed";
        if (sign(bytes_of(signed_message), signature_, repeatable_) != GIRIH_OK) return "no signature";
        if (digest_of({&keys_.public_key, &keys_.secret_key, &signature_}) != known_answer(alg_))
            return "keys or signature are not the known answer";
        if (!keys_.belongs_together()) return "the secret key does not give the public key";
        if (!verifies(keys_.public_key, bytes_of(signed_message), signature_))
            return "a signature does not verify";
        if (!flips_are_refused()) return "a flipped bit is not noticed";
        if (!hedged_signatures_verify()) return "hedged signing fails";
        if (girih_has_context(alg_) == 1 && !contexts_and_pre_hashes_separate())
            return "contexts or pre-hashes are not kept apart";
        return {};
    }

  private:
    static int count(void*, std::uint8_t* out, std::size_t bytes)
    {
        for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(i);
        return 0;
    }

    int sign(const Bytes& text, Bytes& signature, const girih_options& options) const
    {
        signature.resize(girih_signature_bytes(alg_));
        std::size_t bytes = 0;
        const int code = girih_sign(alg_, keys_.secret_key.data(), keys_.secret_key.size(), text.data(),
                                    text.size(), &options, signature.data(), signature.size(), &bytes);
        signature.resize(bytes);
        return code;
    }

    [[nodiscard]] bool verifies(const Bytes& public_key, const Bytes& text, const Bytes& signature,
                                const girih_options& options = {}) const
    {
        return girih_verify(alg_, public_key.data(), public_key.size(), text.data(), text.size(), &options,
                            signature.data(), signature.size()) == GIRIH_OK;
    }

    [[nodiscard]] bool flips_are_refused() const
    {
        std::array<Bytes, 3> inputs{keys_.public_key, bytes_of(signed_message), signature_};
        for (Bytes& input : inputs)
            if (!for_flipped_bits(input, [&] { return !verifies(inputs[0], inputs[1], inputs[2]); }))
                return false;
        return true;
    }

    [[nodiscard]] bool hedged_signatures_verify() const
    {
        const Bytes text = bytes_of(signed_message);
        Bytes first, second;
        if (sign(text, first, {}) != GIRIH_OK || sign(text, second, {}) != GIRIH_OK) return false;
        return first != second && verifies(keys_.public_key, text, first) &&
               verifies(keys_.public_key, text, second);
    }

    /// Whether a signature with a context or a pre-hash verifies with it, and not without.
    [[nodiscard]] bool separates(const girih_options& options) const
    {
        const Bytes text = bytes_of(signed_message);
        Bytes signature;
        return sign(text, signature, options) == GIRIH_OK &&
               verifies(keys_.public_key, text, signature, options) &&
               !verifies(keys_.public_key, text, signature);
    }

    [[nodiscard]] bool contexts_and_pre_hashes_separate() const
    {
        const Bytes context = bytes_of("context");
        girih_options options{};
        options.context = context.data();
        options.context_bytes = context.size();
        bool good = separates(options);
        for (std::size_t i = 0; const char* name = girih_pre_hash_at(i); ++i) {
            girih_options hashed{};
            hashed.pre_hash = name;
            good = separates(hashed) && good;
        }
        return good;
    }

    const girih_alg* alg_;
    KeyPair keys_;
    Bytes signature_;
    girih_options repeatable_{};
    girih_random counting_{count, nullptr, 0};  // for signatures that are never deterministic
};

int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(0x20 + i);
    return 0;
}
constexpr girih_random counting{fill_counting, nullptr, 0};

struct Encapsulation {
    Bytes ciphertext;
    Bytes shared_secret;
};

/// A key encapsulation mechanism with a key pair.
class KemCheck {
  public:
    explicit KemCheck(const girih_alg* alg) : alg_(alg), keys_(alg) {}

    /// The first check that fails; empty if there is none.
    [[nodiscard]] std::string fault() const
    {
        if (!keys_.is_made) return "no key from a seed";
        const Encapsulation known = encapsulate(&counting);
        if (known.shared_secret.empty()) return "no encapsulation";
        if (digest_of({&keys_.public_key, &keys_.secret_key, &known.ciphertext, &known.shared_secret}) !=
            known_answer(alg_))
            return "keys, ciphertext or shared secret are not the known answer";
        if (!keys_.belongs_together()) return "the secret key does not give the public key";
        if (decapsulate(known.ciphertext) != known.shared_secret)
            return "a ciphertext does not give its shared secret";
        if (!flips_are_rejected(known)) return "a flipped bit is not noticed";
        if (!random_secrets_agree()) return "encapsulation with random bytes fails";
        return {};
    }

  private:
    /// Empty if there is an error.
    [[nodiscard]] Encapsulation encapsulate(const girih_random* random) const
    {
        Encapsulation made{Bytes(girih_ciphertext_bytes(alg_)), Bytes(girih_shared_secret_bytes(alg_))};
        if (girih_encapsulate(alg_, random, keys_.public_key.data(), keys_.public_key.size(),
                              made.ciphertext.data(), made.ciphertext.size(), made.shared_secret.data(),
                              made.shared_secret.size()) != GIRIH_OK)
            return {};
        return made;
    }

    /// Empty if there is an error.
    [[nodiscard]] Bytes decapsulate(const Bytes& ciphertext) const
    {
        Bytes shared_secret(girih_shared_secret_bytes(alg_));
        if (girih_decapsulate(alg_, keys_.secret_key.data(), keys_.secret_key.size(), ciphertext.data(),
                              ciphertext.size(), shared_secret.data(), shared_secret.size()) != GIRIH_OK)
            return {};
        return shared_secret;
    }

    /// A changed ciphertext gives another secret, and the same one every time.
    [[nodiscard]] bool flips_are_rejected(Encapsulation known) const
    {
        return for_flipped_bits(known.ciphertext, [&] {
            const Bytes rejection = decapsulate(known.ciphertext);
            return !rejection.empty() && rejection != known.shared_secret &&
                   rejection == decapsulate(known.ciphertext);
        });
    }

    [[nodiscard]] bool random_secrets_agree() const
    {
        const Encapsulation first = encapsulate(nullptr);
        const Encapsulation second = encapsulate(nullptr);
        return !first.shared_secret.empty() && first.shared_secret != second.shared_secret &&
               decapsulate(first.ciphertext) == first.shared_secret &&
               decapsulate(second.ciphertext) == second.shared_secret;
    }

    const girih_alg* alg_;
    KeyPair keys_;
};

void run_selftest(bool json)
{
    Json results = Json::array();
    std::string text = std::string("engine ") + girih_engine() + " (" + girih_engine_reason() + ")\n";
    std::string faults;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) {
        const std::string fault =
            girih_is_kem(alg) == 1 ? KemCheck(alg).fault() : SignatureCheck(alg).fault();
        Json result{{"algorithm", girih_name(alg)}, {"passed", fault.empty()}};
        if (!fault.empty()) result["fault"] = fault;
        results.push_back(result);
        text += std::string(girih_name(alg)) + ": " + (fault.empty() ? "good" : fault) + "\n";
        if (!fault.empty())
            faults += (faults.empty() ? "" : "; ") + std::string(girih_name(alg)) + ": " + fault;
    }
    const Json members{{"engine", girih_engine()},
                       {"engine_reason", girih_engine_reason()},
                       {"passed", faults.empty()},
                       {"results", results}};
    if (!json) print(text);
    if (!faults.empty()) fail_with({exit_unverified, "selftest: " + faults}, json, members);
    if (json) print_good_json(members);
}

}  // namespace

void add_selftest(CLI::App& girih)
{
    auto json = std::make_shared<bool>(false);
    CLI::App& sub = add_subcommand(girih, "selftest",
                                   "check that every algorithm works on this machine, against known answers");
    add(sub, "--json", *json, "in JSON");
    on_use(sub, [json] { run_selftest(*json); });
}

}  // namespace girih::cli
