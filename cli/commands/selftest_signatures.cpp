#include <array>

#include "cli/commands/selftest.hpp"

namespace girih::cli::selftest {
namespace {

/// The hashed results: public key, secret key, and the signature of `message` (deterministic or,
/// for Falcon, with salt and seed counting from 0). The ML-DSA keys are RFC 9881's examples.
constexpr std::array<KnownAnswer, 12> known_answers{{
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
}};
constexpr std::string_view message = "girih selftest";

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// One algorithm with a key pair.
class SignatureCheck {
  public:
    explicit SignatureCheck(const girih_alg* alg) : alg_(alg), keys_(counting_key_pair(alg))
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
        if (!keys_.good) return "no key from a seed";
        if (sign(bytes_of(message), signature_, repeatable_) != GIRIH_OK) return "no signature";
        if (digest_of({&keys_.public_key, &keys_.secret_key, &signature_}) != digest_for(alg_, known_answers))
            return "keys or signature are not the known answer";
        if (!secret_key_belongs(keys_)) return "the secret key does not give the public key";
        if (!verifies(keys_.public_key, bytes_of(message), signature_)) return "a signature does not verify";
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
        std::array<Bytes, 3> inputs{keys_.public_key, bytes_of(message), signature_};
        for (Bytes& input : inputs)
            if (!for_flipped_bits(input, [&] { return !verifies(inputs[0], inputs[1], inputs[2]); }))
                return false;
        return true;
    }

    [[nodiscard]] bool hedged_signatures_verify() const
    {
        const Bytes text = bytes_of(message);
        Bytes first, second;
        if (sign(text, first, {}) != GIRIH_OK || sign(text, second, {}) != GIRIH_OK) return false;
        return first != second && verifies(keys_.public_key, text, first) &&
               verifies(keys_.public_key, text, second);
    }

    /// Whether a signature with a context or a pre-hash verifies with it, and not without.
    [[nodiscard]] bool separates(const girih_options& options) const
    {
        const Bytes text = bytes_of(message);
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
    KeyPair keys_;  // not secret: the seed is in this program
    Bytes signature_;
    girih_options repeatable_{};
    girih_random counting_{count, nullptr, 0};  // for signatures that are never deterministic
};

}  // namespace

std::string fault_of_signatures(const girih_alg* alg) { return SignatureCheck(alg).fault(); }

}  // namespace girih::cli::selftest
