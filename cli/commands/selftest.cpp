/// girih selftest: every algorithm on this machine, against known answers on every engine that runs
/// here, and with random bytes and changed inputs on the engine in use.
#include <array>
#include <string_view>

#include "cli/commands/subcommands.hpp"

namespace girih::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

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

/// A new key pair.
struct KeyPair {
    explicit KeyPair(const girih_alg* of)
        : alg(of),
          public_key(girih_public_key_bytes(of)),
          secret_key(girih_secret_key_bytes(of)),
          is_made(girih_keygen(of, nullptr, public_key.data(), public_key.size(), secret_key.data(),
                               secret_key.size()) == GIRIH_OK)
    {
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
    bool is_made;
};

constexpr std::string_view signed_message = "girih selftest";

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// A signature scheme with a key pair.
class SignatureCheck {
  public:
    explicit SignatureCheck(const girih_alg* alg) : alg_(alg), keys_(alg) {}

    /// The first check that fails; empty if there is none.
    [[nodiscard]] std::string fault()
    {
        if (!keys_.is_made) return "no key";
        if (sign(bytes_of(signed_message), signature_, {}) != GIRIH_OK) return "no signature";
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
};

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
        if (!keys_.is_made) return "no key";
        if (!keys_.belongs_together()) return "the secret key does not give the public key";
        if (!random_secrets_agree()) return "encapsulation with random bytes fails";
        if (!flips_are_rejected(encapsulate())) return "a flipped bit is not noticed";
        return {};
    }

  private:
    /// Empty if there is an error.
    [[nodiscard]] Encapsulation encapsulate() const
    {
        Encapsulation made{Bytes(girih_ciphertext_bytes(alg_)), Bytes(girih_shared_secret_bytes(alg_))};
        if (girih_encapsulate(alg_, nullptr, keys_.public_key.data(), keys_.public_key.size(),
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
        const Encapsulation first = encapsulate();
        const Encapsulation second = encapsulate();
        return !first.shared_secret.empty() && first.shared_secret != second.shared_secret &&
               decapsulate(first.ciphertext) == first.shared_secret &&
               decapsulate(second.ciphertext) == second.shared_secret;
    }

    const girih_alg* alg_;
    KeyPair keys_;
};

/// The engines of the library that run here. Without one in use, none.
std::vector<const char*> running_engines()
{
    std::vector<const char*> running;
    for (std::size_t i = 0; const char* engine = girih_engine_at(i); ++i)
        if (girih_selftest(girih_algorithm_at(0), engine) != GIRIH_ERROR_ENGINE) running.push_back(engine);
    return running;
}

/// The first check of an algorithm that fails; empty if there is none.
std::string fault_of(const girih_alg* alg, const std::vector<const char*>& engines)
{
    for (const char* engine : engines)
        if (girih_selftest(alg, engine) != GIRIH_OK)
            return std::string("a result is not the known answer on engine ") + engine;
    return girih_is_kem(alg) == 1 ? KemCheck(alg).fault() : SignatureCheck(alg).fault();
}

void run_selftest(bool json)
{
    const std::vector<const char*> engines = running_engines();
    Json results = Json::array();
    std::string text = std::string("engine ") + girih_engine() + " (" + girih_engine_reason() + ")\n";
    text += "known answers on";
    for (const char* engine : engines) text += std::string(" ") + engine;
    text += "\n";
    std::string faults;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) {
        const std::string fault = fault_of(alg, engines);
        Json result{{"algorithm", girih_name(alg)}, {"passed", fault.empty()}};
        if (!fault.empty()) result["fault"] = fault;
        results.push_back(result);
        text += std::string(girih_name(alg)) + ": " + (fault.empty() ? "good" : fault) + "\n";
        if (!fault.empty())
            faults += (faults.empty() ? "" : "; ") + std::string(girih_name(alg)) + ": " + fault;
    }
    const Json members{{"engine", girih_engine()},
                       {"engine_reason", girih_engine_reason()},
                       {"engines", engines},
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
