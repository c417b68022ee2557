#include "cli/files/message.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/files/keys.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"

namespace girih::cli {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;
constexpr std::size_t most_context_bytes = 255;  // FIPS 204, Algorithm 2, line 1

[[noreturn]] void fail_usage(const std::string& what) { throw Failure(exit_usage, what); }

}  // namespace

void expect_ok(int code)
{
    if (code != GIRIH_OK) throw Failure(exit_file, girih_error_text(code));
}

Option Message::add_path(const Command& subcommand)
{
    return subcommand.option("MESSAGE", path_, "the file that is signed; - is standard input")
        .required()
        .type_name("");
}

void Message::add_options(const Command& subcommand)
{
    const Option text =
        subcommand.option("--context", context_text_, "the context of the signature, at most 255 bytes");
    text.type_name("TEXT");
    subcommand.option("--context-hex", context_hex_, "the same in hexadecimal")
        .type_name("HEX")
        .excludes(text);
    subcommand.option("--pre-hash", pre_hash_, "HashML-DSA with this hash function; list shows them")
        .type_name("NAME");
}

void Message::add_mu_option(const Command& subcommand)
{
    subcommand.flag("--mu", is_mu_, "MESSAGE is a 64-byte mu, as the mu command writes it, not the message");
}

void Message::check()
{
    if (is_mu_ && (context_text_ || context_hex_))
        fail_usage("--mu: the context is inside mu; give it when mu is made");
    if (is_mu_ && !pre_hash_.empty()) fail_usage("--mu: the pre-hash is inside mu; give it when mu is made");
    if (!pre_hash_.empty()) pre_hash_ = pre_hash_of(pre_hash_);
    if (context_text_) context_.assign(context_text_->begin(), context_text_->end());
    if (context_hex_) {
        auto bytes = from_hex(*context_hex_);
        if (!bytes) fail_usage("--context-hex: not an even number of hexadecimal digits");
        context_ = std::move(*bytes);
    }
    if (context_.size() > most_context_bytes)
        fail_usage("the context has " + std::to_string(context_.size()) + " bytes; at most " +
                   std::to_string(most_context_bytes) + " are possible");
}

void Message::check_algorithm(const girih_alg* alg) const
{
    if (girih_has_context(alg) == 1) return;
    if (!context_.empty()) fail_usage(std::string(girih_name(alg)) + " has no contexts");
    if (!pre_hash_.empty()) fail_usage(std::string(girih_name(alg)) + " has no pre-hashes");
}

void Message::warn_of_weak_pre_hash(const girih_alg* alg) const
{
    // FIPS 204, Section 5.4: as many bits against collisions as the parameter set's
    // level (Table 1: lambda).
    constexpr std::array<std::pair<std::string_view, std::size_t>, 3> levels{
        {{"ML-DSA-44", 128}, {"ML-DSA-65", 192}, {"ML-DSA-87", 256}}};
    if (pre_hash_.empty()) return;
    const std::size_t strength = girih_pre_hash_strength(pre_hash_.c_str());
    for (const auto& [name, level] : levels)
        if (name == girih_name(alg) && strength < level)
            warn("--pre-hash: " + pre_hash_ + " has " + std::to_string(strength) +
                 " bits of strength against collisions; " + std::string(name) + " is meant to have " +
                 std::to_string(level) + " (FIPS 204, Section 5.4)");
}

Message Message::of(const std::string& path) const
{
    Message other = *this;
    other.path_ = path;
    return other;
}

girih_options Message::options_for(const girih_alg* alg) const
{
    check_algorithm(alg);
    girih_options options{};
    options.context = context_.data();
    options.context_bytes = context_.size();
    options.pre_hash = pre_hash_.empty() ? nullptr : pre_hash_.c_str();
    return options;
}

Mu Message::representative(const key_files::PublicKey& key) const
{
    return read(key.alg, [&key](girih_message& message, const girih_options& options) {
        return girih_message_begin(&message, key.alg, key.bytes.data(), key.bytes.size(), &options);
    });
}

Mu Message::representative(const key_files::PrivateKey& key) const
{
    return read(key.alg, [&key](girih_message& message, const girih_options& options) {
        return girih_message_begin_secret(&message, key.alg, key.expanded.data(), key.expanded.size(),
                                          &options);
    });
}

std::vector<std::uint8_t> Message::sign(const key_files::PrivateKey& key, bool deterministic) const
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
                       " has no deterministic signatures: they could give the key away");
        if (is_mu_) fail_usage(std::string(girih_name(key.alg)) + " has no mu");
        const girih_options options = options_for(key.alg);
        Input file(path_);
        girih_message message;
        expect_ok(girih_message_begin_signing(&message, key.alg, &options));
        absorb(file, message);
        expect_ok(girih_message_sign(&message, key.expanded.data(), key.expanded.size(), &options,
                                     signature.data(), signature.size(), &bytes));
    }
    signature.resize(bytes);
    return signature;
}

int Message::verify(const key_files::PublicKey& key, std::span<const std::uint8_t> signature) const
{
    if (girih_has_mu(key.alg) == 1) {
        const Mu mu = representative(key);
        return girih_verify_mu(key.alg, key.bytes.data(), key.bytes.size(), mu.data(), mu.size(),
                               signature.data(), signature.size());
    }
    if (is_mu_) fail_usage(std::string(girih_name(key.alg)) + " has no mu");
    const girih_options options = options_for(key.alg);
    Input file(path_);
    girih_message message;
    const int code =
        girih_message_begin_verifying(&message, key.alg, signature.data(), signature.size(), &options);
    if (code != GIRIH_OK) return code;
    absorb(file, message);
    return girih_message_verify(&message, key.bytes.data(), key.bytes.size(), signature.data(),
                                signature.size());
}

void Message::absorb(Input& file, girih_message& message)
{
    Progress progress(file.size());
    std::vector<std::uint8_t> piece(piece_bytes);
    while (const std::size_t got = file.read(piece)) {
        expect_ok(girih_message_update(&message, piece.data(), got));
        progress.add(got);
    }
}

Mu Message::read(const girih_alg* alg, const Begin& begin) const
{
    if (is_mu_) return read_mu();
    const girih_options options = options_for(alg);
    if (girih_has_mu(alg) == 0) fail_usage(std::string(girih_name(alg)) + " has no mu");
    Input file(path_);
    girih_message message;
    expect_ok(begin(message, options));
    absorb(file, message);
    Mu mu;
    expect_ok(girih_message_mu(&message, mu.data(), mu.size()));
    return mu;
}

Mu Message::read_mu() const
{
    const auto bytes = read_small(path_, GIRIH_MU_BYTES);
    if (bytes.size() != GIRIH_MU_BYTES)
        throw Failure(exit_file,
                      input_name(path_) + ": " +
                          (bytes.size() > GIRIH_MU_BYTES ? "more than 64" : std::to_string(bytes.size())) +
                          " bytes, where --mu needs 64");
    Mu mu;
    std::copy(bytes.begin(), bytes.end(), mu.begin());
    return mu;
}

}  // namespace girih::cli
