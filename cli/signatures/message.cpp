#include "cli/signatures/message.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments/command_line.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/files/keys.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"
#include "cli/signatures/text_signature.hpp"
#include "cli/system/failure.hpp"
#include "core/text.hpp"

namespace girih::cli {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;
constexpr std::size_t max_context_bytes = 255;  // FIPS 204, Algorithm 2, line 1

/// The value of --pre-hash for signing the message itself.
constexpr const char* no_pre_hash = "none";
/// The pre-hash of keys under HashML-DSA's identifiers (NIST's Computer Security Objects Register).
constexpr const char* pre_hash_of_hash_ml_dsa = "SHA2-512";

[[noreturn]] void fail_usage(const std::string& what) { throw Failure(exit_usage, what); }

std::span<const std::uint8_t> bytes_of(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void check_length_of_context(std::size_t bytes, std::size_t max_bytes)
{
    if (bytes > max_bytes)
        fail_usage("the context has " + std::to_string(bytes) + " bytes; at most " +
                   std::to_string(max_bytes) + " are allowed");
}

int begin_mu(girih_message& state, const key_files::PublicKey& key, const girih_options& options)
{
    return girih_message_begin(&state, key.alg, key.bytes.data(), key.bytes.size(), &options);
}

int begin_mu(girih_message& state, const key_files::PrivateKey& key, const girih_options& options)
{
    return girih_message_begin_secret(&state, key.alg, key.expanded.data(), key.expanded.size(), &options);
}

Mu mu_of(girih_message& state)
{
    Mu mu;
    expect_ok(girih_message_mu(&state, mu.data(), mu.size()));
    return mu;
}

}  // namespace

Option MessageInput::add_path(CLI::App& command)
{
    return add(command, "MESSAGE", path_, "the file that is signed; - is standard input").required();
}

void MessageInput::add_options(CLI::App& command)
{
    const Option text =
        add(command, "--context TEXT", context_text_, "the context of the signature, at most 255 bytes");
    const Option hex =
        add(command, "--context-hex HEX", context_hex_, "the same in hexadecimal").excludes(text);
    text.allow_empty();
    hex.allow_empty();
    add(command, "--pre-hash NAME", pre_hash_,
        "HashML-DSA with this hash function (list shows them), or none for ML-DSA itself;\n"
        "if not given, as the key's file says: SHA2-512 for a HashML-DSA key, none for others");
}

Option MessageInput::add_mu_option(CLI::App& command)
{
    return add(command, "--mu", is_mu_,
               "MESSAGE is a 64-byte mu, as the mu command writes it, not the message");
}

void MessageInput::check()
{
    if (is_mu_ && (context_text_ || context_hex_))
        fail_usage("--mu: the context is inside mu; give it when mu is made");
    if (is_mu_ && !pre_hash_.empty()) fail_usage("--mu: the pre-hash is inside mu; give it when mu is made");
    if (says_pre_hash()) pre_hash_ = same_name(pre_hash_, no_pre_hash) ? no_pre_hash : pre_hash_of(pre_hash_);
    if (context_text_) context_.assign(context_text_->begin(), context_text_->end());
    if (context_hex_) {
        auto bytes = from_hex(*context_hex_);
        if (!bytes) fail_usage("--context-hex: not an even number of hexadecimal digits");
        context_ = std::move(*bytes);
    }
    check_length_of_context(context_.size(), max_context_bytes);
    if (begins_with_mark(context_))
        fail_usage("the context begins with \"" + std::string(text_signature_mark) +
                   "\", which is kept for signatures in text");
}

void MessageInput::check_algorithm(const girih_alg* alg) const
{
    if (girih_has_context(alg) == 1) return;
    if (context_.size() > (header_.empty() ? 0 : text_signature_title.size()))
        fail_usage(std::string(girih_name(alg)) + " has no contexts");
    if (pre_hash_for(false) != nullptr) fail_usage(std::string(girih_name(alg)) + " has no pre-hashes");
}

const char* MessageInput::pre_hash_for(bool for_hash_ml_dsa) const
{
    if (is_mu_) return nullptr;
    if (!says_pre_hash()) return for_hash_ml_dsa ? pre_hash_of_hash_ml_dsa : nullptr;
    return pre_hash_ == no_pre_hash ? nullptr : pre_hash_.c_str();
}

void MessageInput::warn_of_weak_pre_hash(const girih_alg* alg) const
{
    // FIPS 204, Section 5.4: at least the collision strength of the parameter set's level (Table 1:
    // lambda).
    constexpr std::array<std::pair<std::string_view, std::size_t>, 3> levels{
        {{"ML-DSA-44", 128}, {"ML-DSA-65", 192}, {"ML-DSA-87", 256}}};
    if (pre_hash_for(false) == nullptr) return;
    const std::size_t strength = girih_pre_hash_strength(pre_hash_.c_str());
    for (const auto& [name, level] : levels)
        if (name == girih_name(alg) && strength < level)
            warn("--pre-hash: " + pre_hash_ + " has " + std::to_string(strength) +
                 " bits of strength against collisions; " + std::string(name) + " is meant to have " +
                 std::to_string(level) + " (FIPS 204, Section 5.4)");
}

MessageInput MessageInput::with_path(const std::string& path) const
{
    MessageInput other = *this;
    other.path_ = path;
    return other;
}

MessageInput MessageInput::with_content(const std::string& path, std::span<const std::uint8_t> content) const
{
    MessageInput other = with_path(path);
    other.content_ = content;
    return other;
}

MessageInput MessageInput::with_header(const std::string& header) const
{
    if (is_mu_) fail_usage("--mu: a signature in text is of a file, not of its mu");
    if (pre_hash_for(false) != nullptr) fail_usage("--pre-hash: a signature in text has none");
    check_length_of_context(context_.size(), max_context_bytes - text_signature_title.size());
    MessageInput other = *this;
    const auto title = bytes_of(text_signature_title);
    other.context_.insert(other.context_.begin(), title.begin(), title.end());
    other.header_ = header;
    return other;
}

void MessageInput::refuse_mark(const girih_alg* alg, std::span<const std::uint8_t> beginning) const
{
    if (header_.empty() && girih_has_context(alg) == 0 && begins_with_mark(beginning))
        throw Failure(exit_file, input_name(path_) + ": begins with \"" + std::string(text_signature_mark) +
                                     "\", like the content that a signature in text signs; " +
                                     girih_name(alg) + " has no contexts to tell the two apart");
}

girih_options MessageInput::options_for(const girih_alg* alg, bool for_hash_ml_dsa) const
{
    check_algorithm(alg);
    if (!header_.empty() && pre_hash_for(for_hash_ml_dsa) != nullptr)
        fail_usage(
            std::string("--pre-hash: a signature in text has none, and the key is for HashML-DSA with ") +
            pre_hash_of_hash_ml_dsa + "; \"--pre-hash none\" uses it for ML-DSA");
    girih_options options{};
    if (girih_has_context(alg) == 1) {
        options.context = context_.data();
        options.context_bytes = context_.size();
    }
    options.pre_hash = pre_hash_for(for_hash_ml_dsa);
    return options;
}

template <class Key>
Mu MessageInput::read(const Key& key) const
{
    if (is_mu_) return read_mu();
    const girih_options options = options_for(key);
    if (girih_has_mu(key.alg) == 0) fail_usage(std::string(girih_name(key.alg)) + " has no mu");
    auto file = open();
    Begun begun{key.alg, {}, GIRIH_OK};
    expect_ok(begin_mu(begun.state, key, options));
    absorb(file, {&begun, 1});
    return mu_of(begun.state);
}

Mu MessageInput::representative(const key_files::PublicKey& key) const { return read(key); }

Mu MessageInput::representative(const key_files::PrivateKey& key) const { return read(key); }

std::vector<std::uint8_t> MessageInput::sign(const key_files::PrivateKey& key, bool deterministic) const
{
    std::vector<std::uint8_t> signature(girih_signature_bytes(key.alg));
    std::size_t bytes = 0;
    if (girih_has_mu(key.alg) == 1) {
        const Mu mu = representative(key);
        girih_options how{};
        how.deterministic = deterministic ? 1 : 0;
        expect_ok(girih_sign_mu(key.alg, key.expanded.data(), key.expanded.size(), mu.data(), mu.size(), &how,
                                signature.data(), signature.size(), &bytes));
    } else {
        if (deterministic)
            fail_usage(std::string(girih_name(key.alg)) +
                       " has no deterministic signatures: they could reveal the key");
        if (is_mu_) fail_usage(std::string(girih_name(key.alg)) + " has no mu");
        const girih_options options = options_for(key);
        auto file = open();
        Begun begun{key.alg, {}, GIRIH_OK};
        expect_ok(girih_message_begin_signing(&begun.state, key.alg, &options));
        absorb(file, {&begun, 1});
        expect_ok(girih_message_sign(&begun.state, key.expanded.data(), key.expanded.size(), &options,
                                     signature.data(), signature.size(), &bytes));
    }
    signature.resize(bytes);
    return signature;
}

int MessageInput::verify(const key_files::PublicKey& key, std::span<const std::uint8_t> signature) const
{
    return verify({&key, 1}, signature).front();
}

std::vector<int> MessageInput::verify(std::span<const key_files::PublicKey> keys,
                                      std::span<const std::uint8_t> signature) const
{
    for (const key_files::PublicKey& key : keys)
        if (is_mu_ && girih_has_mu(key.alg) == 0) fail_usage(std::string(girih_name(key.alg)) + " has no mu");
    std::vector<Begun> all;
    std::optional<Mu> mu;
    if (is_mu_) {
        mu = read_mu();
    } else {
        for (const key_files::PublicKey& key : keys) all.push_back(begin_verifying(key, signature));
        auto file = open();
        absorb(file, all);
    }
    std::vector<int> codes;
    for (std::size_t i = 0; i < keys.size(); ++i)
        codes.push_back(mu ? verdict(keys[i], *mu, signature) : verdict(keys[i], all[i], signature));
    return codes;
}

MessageInput::Begun MessageInput::begin_verifying(const key_files::PublicKey& key,
                                                  std::span<const std::uint8_t> signature) const
{
    const girih_options options = options_for(key);
    Begun begun{key.alg, {}, GIRIH_OK};
    if (girih_has_mu(key.alg) == 1)
        expect_ok(begin_mu(begun.state, key, options));
    else
        begun.code = girih_message_begin_verifying(&begun.state, key.alg, signature.data(), signature.size(),
                                                   &options);
    return begun;
}

int MessageInput::verdict(const key_files::PublicKey& key, const Mu& mu,
                          std::span<const std::uint8_t> signature)
{
    return girih_verify_mu(key.alg, key.bytes.data(), key.bytes.size(), mu.data(), mu.size(),
                           signature.data(), signature.size());
}

int MessageInput::verdict(const key_files::PublicKey& key, Begun& begun,
                          std::span<const std::uint8_t> signature)
{
    if (begun.code != GIRIH_OK) return begun.code;
    if (girih_has_mu(key.alg) == 0)
        return girih_message_verify(&begun.state, key.bytes.data(), key.bytes.size(), signature.data(),
                                    signature.size());
    return verdict(key, mu_of(begun.state), signature);
}

std::optional<Input> MessageInput::open() const
{
    if (content_) return {};
    return std::optional<Input>(path_);
}

void MessageInput::absorb(std::optional<Input>& file, std::span<Begun> all) const
{
    const auto update = [all](std::span<const std::uint8_t> bytes) {
        for (Begun& begun : all)
            if (begun.code == GIRIH_OK)
                expect_ok(girih_message_update(&begun.state, bytes.data(), bytes.size()));
    };
    const auto begin = [&](std::span<const std::uint8_t> bytes) {
        for (const Begun& begun : all) refuse_mark(begun.alg, bytes);
    };
    update(bytes_of(header_));
    if (!file) {
        begin(*content_);
        return update(*content_);
    }
    Progress progress(file->size());
    std::vector<std::uint8_t> piece(piece_bytes);
    bool is_first = true;
    while (const std::size_t got = file->read(piece)) {
        const auto read = std::span<const std::uint8_t>(piece).first(got);
        if (std::exchange(is_first, false)) begin(read);
        update(read);
        progress.add(got);
    }
}

Mu MessageInput::read_mu() const
{
    const auto bytes = read_small(path_, GIRIH_MU_BYTES);
    if (bytes.size() != GIRIH_MU_BYTES)
        throw Failure(exit_file, input_name(path_) + ": " + count_of(bytes, GIRIH_MU_BYTES) +
                                     " bytes, where --mu needs 64");
    Mu mu;
    std::copy(bytes.begin(), bytes.end(), mu.begin());
    return mu;
}

}  // namespace girih::cli
