#include "firmware/host/steps.hpp"

#include <optional>
#include <utility>

#include "cli/files/keys.hpp"
#include "cli/signatures/message.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli::board {
namespace {

/// Boards sign and verify only with ML-DSA itself.
void refuse_hash_ml_dsa(const std::string& path, bool is_for_it)
{
    if (is_for_it)
        throw Failure(exit_file, input_name(path) + ": is for HashML-DSA, which boards do not have");
}

/// Whether a signature verifies under the board's key, checked here without trusting the board.
bool verifies_here(const key_files::PublicKey& key, std::span<const std::uint8_t> message,
                   std::span<const std::uint8_t> signature)
{
    return girih_verify(key.alg, key.bytes.data(), key.bytes.size(), message.data(), message.size(), nullptr,
                        signature.data(), signature.size()) == GIRIH_OK;
}

/// Reads the whole message or fails: a part of it is never signed.
key_files::SecretBytes read_message(const std::string& path, const Info& info)
{
    Input file(path);
    return read_whole(
        file, info.max_message_bytes,
        "more than the " + std::to_string(info.max_message_bytes) + " bytes that the board takes");
}

}  // namespace

void show_info(const Options&, Conversation& talk, Outputs& out)
{
    const Info& info = talk.info();
    out.say("algorithm             " + info.name);
    out.say("public key            " + std::to_string(info.public_key_bytes) + " bytes");
    out.say("private key           " + std::to_string(info.private_key_bytes) + " bytes");
    out.say("longest message       " + std::to_string(info.max_message_bytes) + " bytes");
}

void make_key(const Options&, Conversation& talk, Outputs& out)
{
    if (talk.algorithm() == nullptr) talk.link().fail("makes no keys: it is " + talk.info().name);
    talk.forget_public_key();
    (void)talk.link().demand("making a key pair", 'G', {}, 0);
    const std::string effort = talk.last_effort();
    out.key[0].write(key_files::write_public_key(talk.public_key(), key_files::Format::pem));
    out.key.commit();
    out.say("new key pair on the board: " + effort);
}

void import_key(const Options& options, Conversation& talk, Outputs& out)
{
    const girih_alg* alg = talk.algorithm();
    if (alg == nullptr) talk.link().fail("takes no keys: it is " + talk.info().name);
    const Use use = girih_is_kem(alg) == 1 ? Use::key_encapsulation : Use::signatures;
    talk.forget_public_key();
    key_files::PublicKey key{alg, {}};
    if (!options.import_secret_path.empty()) {
        const auto secret = load_private_key(options.import_secret_path, alg, use, options.import_passphrase);
        refuse_hash_ml_dsa(options.import_secret_path, secret.for_hash_ml_dsa);
        (void)talk.link().demand("importing a private key (can it sign?)", 'M', secret.expanded, 0);
        key.bytes = secret.public_key;
    } else {
        const auto loaded = load_public_key_warning(options.import_public_path, alg, use);
        key = loaded.key;
        refuse_hash_ml_dsa(options.import_public_path, key.for_hash_ml_dsa);
        (void)talk.link().demand("importing a public key (can it verify?)", 'P', key.bytes, 0);
    }
    out.say("key on the board: its public key's fingerprint is " + fingerprint_of(key));
    talk.expect_public_key(std::move(key));
}

void sign(const Options& options, Conversation& talk, Outputs& out)
{
    const girih_alg* alg = talk.signature_scheme();
    if (!options.expected_public_path.empty()) {
        const auto expected = load_public_key_warning(options.expected_public_path, alg, Use::signatures);
        refuse_hash_ml_dsa(options.expected_public_path, expected.key.for_hash_ml_dsa);
        talk.expect_public_key(expected.key);
    }
    const auto message = read_message(options.sign_path, talk.info());
    MessageInput().with_path(options.sign_path).refuse_mark(alg, message);
    const std::size_t longest = girih_signature_bytes(alg);
    const std::size_t shortest = girih_has_mu(alg) == 1 ? longest : 1;  // Falcon's differ in length
    const ByteString signature =
        talk.link().bytes("signing (has it a key? make one with keygen)", 'S', message, shortest, longest);
    const std::string effort = talk.last_effort();
    if (!verifies_here(talk.public_key(), message, signature))
        throw Failure(exit_unverified, "the board's signature does not verify here");
    out.signature[0].write(signature);
    out.signature.commit();
    out.say(input_name(options.sign_path) + ": signed on the board, and verified here: " + effort);
}

void verify(const Options& options, Conversation& talk, Outputs& out)
{
    const girih_alg* alg = talk.signature_scheme();
    const auto message = read_message(options.verify_path, talk.info());
    MessageInput().with_path(options.verify_path).refuse_mark(alg, message);
    const auto signature = read_small(options.signature_path, girih_signature_bytes(alg));
    const key_files::PublicKey& key = talk.public_key();  // without a key, the board would refuse everything
    const ByteString argument = signature_and_message(signature, message);
    constexpr const char* too_long = "signature and message are more bytes than the board takes";
    if (argument.size() > max_bytes) throw Failure(exit_file, too_long);
    const auto answer = talk.link().ask('V', argument);
    if (answer.status == Status::overflow) throw Failure(exit_file, too_long);
    const bool is_good = verifies_here(key, message, signature);
    if (answer.status != Status::ok && is_good)
        throw Failure(exit_file, input_name(options.signature_path) +
                                     ": verifies here, but the board does not accept it (can it verify?)");
    if (answer.status != Status::ok)
        throw Failure(exit_unverified, input_name(options.signature_path) + ": the board does not accept it");
    if (!answer.lines.empty()) talk.link().fail("answers with more than was asked for");
    if (!is_good)
        throw Failure(exit_unverified, input_name(options.signature_path) +
                                           ": the board accepts it, but it does not verify here");
    out.say(input_name(options.verify_path) + ": verified on the board: " + talk.last_effort());
}

}  // namespace girih::cli::board
