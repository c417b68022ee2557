#include "envelopes/envelopes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>

#include "cli/commands/subcommands.hpp"
#include "core/text_file.hpp"

namespace girih::cli {
namespace {

using envelopes::Form;
using key_files::Bytes;
using key_files::Problem;

/// Payloads inside envelopes, which are held in memory.
constexpr std::size_t max_payload_bytes = std::size_t{256} << 20;
/// Base64url and a header are longer than the payload.
constexpr std::size_t max_envelope_bytes = 2 * max_payload_bytes;
constexpr std::size_t piece_bytes = std::size_t{256} << 10;

/// In the order of Form.
constexpr std::array<std::string_view, 4> formats{"jws", "jws-json", "cose", "note"};

struct Options {
    std::string alg;
    std::optional<std::string> key_path;
    std::string format = "jws";
    std::string message_path;   ///< empty for a payload inside the envelope that is verified
    std::string envelope_path;  ///< empty: the message's with a suffix
    std::optional<std::string> payload_path;
    std::optional<std::string> kid;
    std::optional<std::uint64_t> time;
    std::optional<std::string> vkey_path;
    bool detached = false;
    bool deterministic = false;
    PassphraseSource passphrase;
    bool force = false;
    bool json = false;

    [[nodiscard]] Form form() const
    {
        return static_cast<Form>(std::ranges::find(formats, format) - formats.begin());
    }
    [[nodiscard]] Content content() const { return format == "cose" ? Content::binary : Content::text; }
    [[nodiscard]] envelopes::Options how() const
    {
        const auto kid_bytes = kid ? std::optional(Bytes(kid->begin(), kid->end())) : std::nullopt;
        const auto now = form() == Form::note ? static_cast<std::uint64_t>(std::time(nullptr)) : 0;
        return {form(), detached, kid_bytes, {}, deterministic, time.value_or(now)};
    }
};

void add_format_of_envelopes(CLI::App& sub, Options& options)
{
    add(sub, "--format FORMAT", options.format,
        "jws (compact), jws-json (flattened), cose, or note, a log's checkpoint; jws if not given")
        .one_of({formats.begin(), formats.end()});
}

/// A file as a payload. A file of unknown length is read first, since a COSE_Sign1 signs the length
/// before the payload.
envelopes::Payload file_payload(const std::string& path)
{
    const auto file = std::make_shared<Input>(path);
    if (const auto size = file->size())
        return {*size, [file, piece = std::vector<std::uint8_t>(piece_bytes)]() mutable {
                    return std::span<const std::uint8_t>(piece).first(file->read(piece));
                }};
    const auto whole = std::make_shared<key_files::SecretBytes>(
        read_whole(*file, max_payload_bytes, "too long for a payload from a pipe"));
    return {whole->size(), [whole, next = envelopes::payload_of(*whole).next] { return next(); }};
}

/// Fails for a key that signs no envelopes, or else a payload that cannot be read.
[[noreturn]] void fail(const key_files::Error& error, const std::string& key_path, const std::string& path)
{
    const bool is_key = error.problem == Problem::no_form;
    throw Failure(is_key ? exit_usage : exit_file,
                  input_name(is_key ? key_path : path) + ": " + error.message);
}

void sign_envelope(Options& options)
{
    if (options.time && options.form() != Form::note)
        throw Failure(exit_usage, "--time: only notes have it (--format note)");
    const std::string secret_path = secret_path_of(options.key_path, Use::signatures);
    if (options.envelope_path.empty())
        options.envelope_path =
            options.message_path + (options.message_path == "-" ? "" : "." + options.format);
    std::vector<FileOption> inputs{{"MESSAGE", options.message_path}, {"--secret", secret_path}};
    options.passphrase.append_to(inputs);
    const std::vector<FileOption> outputs{{"--output", options.envelope_path}};
    refuse_shared_files(inputs, outputs);
    refuse_json_beside(options.json, outputs);
    NewFiles files;
    NewFile& out = files.add(options.envelope_path, Access::umask, options.content(), options.force);
    const auto key =
        load_private_key(secret_path, algorithm_of(options.alg), Use::signatures, options.passphrase);
    const auto payload = file_payload(options.message_path);
    if (!options.detached && payload.bytes > max_payload_bytes)
        throw Failure(exit_file, input_name(options.message_path) +
                                     ": too long for a payload inside an envelope; --detached leaves it out");
    const auto envelope = envelopes::sign(key, payload, options.how());
    if (!envelope) fail(envelope.error(), secret_path, options.message_path);
    out.write(*envelope);
    files.commit(options.json, {{"algorithm", girih_name(key.alg)},
                                {"fingerprint", fingerprint_of(key)},
                                {"format", options.format},
                                {"message", options.message_path},
                                {"detached", options.detached},
                                {"envelope", options.envelope_path}});
}

envelopes::Envelope read_envelope(const Options& options, const key_files::PublicKey& key,
                                  const std::string& key_path)
{
    Input file(options.envelope_path);
    const auto bytes = read_whole(file, max_envelope_bytes, "too long for an envelope");
    auto envelope = envelopes::parse(bytes, options.how(), key);
    if (!envelope) fail(envelope.error(), key_path, options.envelope_path);
    if (options.message_path.empty() != envelope->payload.has_value())
        throw Failure(exit_usage,
                      (envelope->payload ? "MESSAGE: given, but " : "MESSAGE: not given, but ") +
                          input_name(options.envelope_path) +
                          (envelope->payload ? " has its payload inside" : " is detached from its payload"));
    return std::move(*envelope);
}

std::vector<std::string> lines_of(const Bytes& text)
{
    std::vector<std::string> lines;
    std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
    while (!rest.empty()) lines.emplace_back(take_line(rest));
    return lines;
}

/// Extension lines of a note, which the verdict does not cover.
std::string unsigned_text(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += "not signed: " + printable(line) + "\n";
    return text;
}

void verify_envelope(Options& options)
{
    if (options.vkey_path && options.form() != Form::note)
        throw Failure(exit_usage, "--vkey: only notes have verifier keys (--format note)");
    const std::string public_path =
        options.vkey_path ? *options.vkey_path : public_path_of(options.key_path, Use::signatures);
    std::vector<FileOption> inputs{{"ENVELOPE", options.envelope_path},
                                   {options.vkey_path ? "--vkey" : "--public", public_path}};
    if (!options.message_path.empty()) inputs.push_back({"MESSAGE", options.message_path});
    std::vector<FileOption> outputs;
    if (options.payload_path) outputs.push_back({"--payload", *options.payload_path});
    refuse_shared_files(inputs, outputs);
    refuse_json_beside(options.json, outputs);
    NewFiles files;
    for (const FileOption& output : outputs)
        files.add(output.path, Access::umask, Content::binary, options.force);
    const key_files::Result<key_files::PublicKey> found =
        options.vkey_path
            ? envelopes::read_verifier_key(read_small(public_path, key_files::max_file_bytes))
            : load_public_key_warning(public_path, algorithm_of(options.alg), Use::signatures).key;
    if (!found) fail(found.error(), public_path, public_path);
    const auto& key = *found;
    const auto envelope = read_envelope(options, key, public_path);
    const auto payload =
        envelope.payload ? envelopes::payload_of(*envelope.payload) : file_payload(options.message_path);
    const auto good = envelopes::verify(envelope, key, payload, options.how());
    Json members{{"verified", good && *good},
                 {"algorithm", girih_name(key.alg)},
                 {"fingerprint", fingerprint_of(key)},
                 {"format", options.format},
                 {"public", public_path},
                 {"envelope", options.envelope_path}};
    if (!good && good.error().problem != Problem::algorithm && good.error().problem != Problem::member)
        fail(good.error(), public_path, options.message_path);
    if (!good || !*good)
        fail_with({exit_unverified, input_name(options.envelope_path) + ": " +
                                        (good ? "the signature does not verify for " + input_name(public_path)
                                              : good.error().message)},
                  options.json, members);
    if (options.payload_path) {
        files[0].write(*envelope.payload);
        files.commit();
    }
    if (envelope.time) members["time"] = *envelope.time;
    const auto lines = lines_of(envelope.unsigned_lines);
    if (!lines.empty()) members["unsigned_lines"] = lines;
    if (options.json) return print_good_json(members);
    if (options.payload_path && is_standard_output(*options.payload_path)) return;
    print(printable(input_name(options.envelope_path)) + ": " + coloured(Colour::good, "good") + " " +
          girih_name(key.alg) + " signature by " + printable(input_name(public_path)) +
          (envelope.time ? ", time " + std::to_string(*envelope.time) : "") + "\n" + unsigned_text(lines));
}

}  // namespace

void add_sign_envelope(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "sign-envelope", "sign a JWS, COSE_Sign1 or note with ML-DSA");
    add(sub, "MESSAGE", options->message_path, "the payload; - is standard input").required();
    add_secret_option(sub, options->key_path, Use::signatures);
    add(sub, "-o,--output FILE", options->envelope_path,
        "the new envelope; - is standard output; if not given, MESSAGE with the format as its suffix");
    add_format_of_envelopes(sub, *options);
    add(sub, "--detached", options->detached, "leave the payload out of the envelope; it may have any size");
    add(sub, "--kid TEXT", options->kid,
        "the key's identifier, or its name in a note; if not given, the key's own, or its thumbprint");
    add(sub, "--time SECONDS", options->time,
        "the time of a note since 1970; 0 leaves it out; if not given, now");
    add(sub, "--deterministic", options->deterministic, "draw no randomness: the same signature every time");
    add_raw_algorithm_option(sub, options->alg);
    options->passphrase.add_options(sub, "the passphrase of an encrypted key");
    add(sub, "--force", options->force, "replace the file if it exists");
    add_json_option(sub, options->json);
    on_use(sub, [options] { return sign_envelope(*options); });
}

void add_verify_envelope(CLI::App& girih)
{
    auto options = std::make_shared<Options>();
    CLI::App& sub = add_subcommand(girih, "verify-envelope", "verify a JWS, COSE_Sign1 or note with ML-DSA");
    add(sub, "ENVELOPE", options->envelope_path, "the envelope; - is standard input").required();
    const Option message =
        add(sub, "MESSAGE", options->message_path, "the payload of a detached envelope; - is standard input");
    const Option key = add_public_option(sub, options->key_path, Use::signatures,
                                         "the public key, which determines the algorithm");
    const Option vkey = add(sub, "--vkey FILE", options->vkey_path,
                            "a note's verifier key, instead of --public, --kid and --alg");
    vkey.excludes(key);
    add_format_of_envelopes(sub, *options);
    add(sub, "--kid TEXT", options->kid, "the identifier that the envelope has to have").excludes(vkey);
    add(sub, "--payload FILE", options->payload_path, "write the payload here, once its signature is good")
        .excludes(message);
    add_raw_algorithm_option(sub, options->alg).excludes(vkey);
    add(sub, "--force", options->force, "replace the file of the payload if it exists");
    add(sub, "--json", options->json, "the verdict in JSON");
    on_use(sub, [options] { return verify_envelope(*options); });
}

}  // namespace girih::cli
