#include "cli/system/board.hpp"
#include "cli/board/conversation.hpp"
#include "cli/board/link.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/files/message.hpp"
#include "cli/files/same_file.hpp"
#include "cli/output/json.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace girih::cli {
namespace {

using board::ByteString;
using board::Conversation;
using board::Info;
using board::Link;
using board::Run;

struct Options {
    std::string port;
    std::string image;
    unsigned timeout_seconds = 120;

    std::string public_path;
    std::string import_secret_path;
    std::string import_public_path;
    PassphraseSource import_passphrase;
    std::string expected_public_path;
    std::string sign_path;
    std::string verify_path;
    std::string made_signature_path;
    std::string signature_path;
    unsigned bench_runs = 50;
    unsigned report_runs = 50;
    bool force = false;
    bool json = false;
};

/// Where steps write. Files are made before there is a board, which may lose a key for them.
class Outputs {
  public:
    explicit Outputs(const Options& options)
        : standard_output_is_taken_(options.json || is_standard_output(options.public_path) ||
                                    is_standard_output(options.made_signature_path))
    {
        if (!options.public_path.empty())
            key.emplace(options.public_path, Access::umask, Content::text, options.force);
        if (!options.made_signature_path.empty())
            signature.emplace(options.made_signature_path, Access::umask, Content::binary, options.force);
        if (!standard_output_is_taken_) require_standard_output();
    }

    /// A line for people, made printable: on standard error, if standard output has a file or an
    /// object.
    void say(const std::string& line) const
    {
        if (standard_output_is_taken_)
            tell(line);
        else
            print(printable(line) + "\n");
    }

    std::optional<NewFile> key;
    std::optional<NewFile> signature;
    /// The figures of bench --json, printed when all steps are done.
    std::optional<JsonObject> figures;

  private:
    bool standard_output_is_taken_;
};

using Step = void (*)(const Options&, Conversation&, Outputs&);

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
    out.key->write(key_files::write_public_key(talk.public_key(), key_files::Format::pem));
    commit_all(std::array{&*out.key});
    out.say("new key pair on the board: " + effort);
}

/// Boards sign and verify only with ML-DSA itself.
void refuse_hash_ml_dsa(const std::string& path, bool is_for_it)
{
    if (is_for_it)
        throw Failure(exit_file, input_name(path) + ": is for HashML-DSA, which boards do not have");
}

/// Sends a key to the board: a private one to an image that signs, a public one to an image that
/// verifies.
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
    auto message = read_small(path, info.max_message_bytes);
    if (message.size() > info.max_message_bytes)
        throw Failure(exit_file, input_name(path) + ": more than the " +
                                     std::to_string(info.max_message_bytes) + " bytes that the board takes");
    return message;
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
    MessageInput().of(options.sign_path).refuse_mark(alg, message);
    const std::size_t max_bytes = girih_signature_bytes(alg);
    const std::size_t min_bytes = girih_has_mu(alg) == 1 ? max_bytes : 1;  // Falcon's differ in length
    const ByteString signature =
        talk.link().bytes("signing (has it a key? make one with keygen)", 'S', message, min_bytes, max_bytes);
    const std::string effort = talk.last_effort();
    if (!verifies_here(talk.public_key(), message, signature))
        throw Failure(exit_unverified, "the board's signature does not verify here");
    out.signature->write(signature);
    commit_all(std::array{&*out.signature});
    out.say(input_name(options.sign_path) + ": signed on the board, and verified here: " + effort);
}

void verify(const Options& options, Conversation& talk, Outputs& out)
{
    const girih_alg* alg = talk.signature_scheme();
    const auto message = read_message(options.verify_path, talk.info());
    MessageInput().of(options.verify_path).refuse_mark(alg, message);
    const auto signature = read_small(options.signature_path, girih_signature_bytes(alg));
    const key_files::PublicKey& key = talk.public_key();  // without a key, the board would refuse everything
    const ByteString argument = board::signature_and_message(signature, message);
    constexpr const char* too_long = "signature and message are more bytes than the board takes";
    if (argument.size() > board::max_bytes) throw Failure(exit_file, too_long);
    const auto answer = talk.link().ask('V', argument);
    if (answer.status == board::Status::overflow) throw Failure(exit_file, too_long);
    const bool is_good = verifies_here(key, message, signature);
    if (answer.status != board::Status::ok && is_good)
        throw Failure(exit_file, input_name(options.signature_path) +
                                     ": verifies here, but the board does not accept it (can it verify?)");
    if (answer.status != board::Status::ok)
        throw Failure(exit_unverified, input_name(options.signature_path) + ": the board does not accept it");
    if (!answer.lines.empty()) talk.link().fail("answers with more than was asked for");
    if (!is_good)
        throw Failure(exit_unverified, input_name(options.signature_path) +
                                           ": the board accepts it, but it does not verify here");
    out.say(input_name(options.verify_path) + ": verified on the board: " + talk.last_effort());
}

/// One operation's figures, over all runs.
struct Figures {
    std::string operation;
    Run median;  ///< the run with the median of cycles, and the largest stack of all
    std::uint64_t mean_cycles = 0;
    std::uint64_t min_cycles = 0;
    std::uint64_t max_cycles = 0;
};

Figures figures_of(const char* operation, std::vector<Run> runs)
{
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.cycles < b.cycles; });
    Figures figures{operation, runs[runs.size() / 2], 0, runs.front().cycles, runs.back().cycles};
    std::uint64_t sum = 0;
    for (const Run& run : runs) {
        sum += run.cycles;
        figures.median.stack_bytes = std::max(figures.median.stack_bytes, run.stack_bytes);
    }
    figures.mean_cycles = sum / runs.size();
    return figures;
}

std::string line_of(const Figures& figures)
{
    std::array<char, 160> line{};
    (void)std::snprintf(line.data(), line.size(),
                        "%-12s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %8" PRIu64,
                        figures.operation.c_str(), figures.median.milliseconds, figures.median.cycles,
                        figures.mean_cycles, figures.max_cycles, figures.median.stack_bytes);
    return line.data();
}

/// The figures of one operation; nothing if the image lacks it, or a key for it.
std::optional<Figures> benchmark_one(unsigned count, Link& link, const char* name, char letter)
{
    const ByteString argument{static_cast<std::uint8_t>(count >> 8), static_cast<std::uint8_t>(count)};
    Progress progress(count, Progress::Unit::runs);
    std::vector<Run> runs;
    const auto status = link.watch(letter, argument, count, [&](const std::string& line) {
        runs.push_back(board::parse_run(line));
        progress.add(1);
    });
    if (status != board::Status::ok && runs.empty()) return {};
    if (status != board::Status::ok || runs.size() != count)
        link.fail(std::string(name) + ": failed on the board after " + std::to_string(runs.size()) + " runs");
    return figures_of(name, std::move(runs));
}

JsonObject json_of(const Figures& figures)
{
    return {{"operation", figures.operation},           {"median_milliseconds", figures.median.milliseconds},
            {"median_cycles", figures.median.cycles},   {"mean_cycles", figures.mean_cycles},
            {"least_cycles", figures.min_cycles},       {"most_cycles", figures.max_cycles},
            {"stack_bytes", figures.median.stack_bytes}};
}

/// Measures each operation of the image, and passes its figures to `show` at once.
template <class Show>
void benchmark_each(unsigned runs, Conversation& talk, Show show)
{
    const girih_alg* alg = talk.algorithm();
    const bool is_kem = alg != nullptr && girih_is_kem(alg) == 1;
    talk.forget_public_key();  // each run makes another key
    std::size_t count = 0;
    for (const auto& [name, letter] :
         {std::pair{"keygen", 'R'}, std::pair{is_kem ? "encapsulate" : "sign", 'B'},
          std::pair{is_kem ? "decapsulate" : "verify", 'C'}}) {
        const auto figures = benchmark_one(runs, talk.link(), name, letter);
        if (!figures) continue;
        ++count;
        show(*figures);
    }
    if (count == 0)
        throw Failure(exit_file, "the board does nothing that can be timed without being given a key");
}

void benchmark(const Options& options, Conversation& talk, Outputs& out)
{
    const std::string& name = talk.info().name;
    const unsigned runs = options.bench_runs;
    if (options.json) {
        JsonArray operations;
        benchmark_each(runs, talk, [&](const Figures& figures) { operations.add(json_of(figures)); });
        out.figures.emplace(JsonObject{{"algorithm", name}, {"runs", runs}, {"operations", operations}});
        return;
    }
    out.say(name + ", " + std::to_string(runs) + " runs");
    out.say("              median ms       cycles         mean         most    stack");
    benchmark_each(runs, talk, [&](const Figures& figures) { out.say(line_of(figures)); });
}

/// Prints the figures as a self-contained table in Markdown.
void report(const Options& options, Conversation& talk, Outputs& out)
{
    const std::string where = options.image.empty()
                                  ? "on a board: cycles of the processor's counter"
                                  : "in an emulator: instructions, of which each takes 16 ns of its clock";
    out.say("girih " GIRIH_VERSION ", " + talk.info().name + ", " + std::to_string(options.report_runs) +
            " runs each, " + where + ". Stack in bytes, the maximum of all runs.");
    out.say("");
    out.say("| operation | ms, median | cycles, median | mean | most | stack |");
    out.say("|---|---:|---:|---:|---:|---:|");
    benchmark_each(options.report_runs, talk, [&](const Figures& figures) {
        std::string row = "| " + figures.operation + " |";
        for (const std::uint64_t value :
             {figures.median.milliseconds, figures.median.cycles, figures.mean_cycles, figures.max_cycles,
              figures.median.stack_bytes})
            row += " " + std::to_string(value) + " |";
        out.say(row);
    });
}

/// Refuses steps that read a file that another one writes, except that a new signature may be
/// verified.
void refuse_shared_files_of_steps(const Options& options)
{
    const auto given = [](std::initializer_list<FileOption> all) {
        std::vector<FileOption> some;
        std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                     [](const FileOption& file) { return !file.path.empty(); });
        return some;
    };
    const FileOption image{"--emulate", options.image};
    const FileOption to_sign{"the file to sign", options.sign_path};
    const FileOption to_verify{"the file to verify", options.verify_path};
    const FileOption secret{"import --secret", options.import_secret_path};
    const FileOption imported{"import --public", options.import_public_path};
    const FileOption expected{"sign --public", options.expected_public_path};
    const FileOption key{"keygen --public", options.public_path};
    const FileOption made{"sign --signature", options.made_signature_path};
    const FileOption checked{"verify --signature", options.signature_path};
    std::vector<FileOption> inputs = given({image, secret, imported, to_sign, to_verify});
    options.import_passphrase.append_to(inputs);
    const std::vector<FileOption> outputs = given({key, made});
    refuse_shared_files(inputs, outputs);
    refuse_shared_files(given({expected}), given({made}));
    refuse_shared_files(given({checked}), given({key}));
    for (const FileOption& file : given({expected, checked})) inputs.push_back(file);
    refuse_shared_files(inputs, {});  // only one may be standard input
    refuse_json_beside(options.json, outputs);
}

void talk(const Options& options, const std::vector<Step>& steps, Link& link, Outputs& out)
{
    Conversation conversation(link);
    for (const Step step : steps) step(options, conversation, out);
}

int run(const Options& options, const std::vector<Step>& steps)
{
    refuse_shared_files_of_steps(options);
    Outputs out(options);
    const Link::Seconds patience{options.timeout_seconds};
    if (!options.image.empty()) {
        board::Emulator emulator(options.image);
        Link link(emulator.take_port(), "the emulator", patience);
        for (const std::string& line : link.wait_until_ready()) tell(line);
        talk(options, steps, link, out);
    } else {
        Link link(board::open_port(options.port), options.port, patience);
        link.synchronize();
        talk(options, steps, link, out);
    }
    if (out.figures) print_good_json(*out.figures);
    return exit_good;
}

}  // namespace

void add_board(const Command& girih)
{
    auto options = std::make_shared<Options>();
    auto steps = std::make_shared<std::vector<Step>>();
    const Command sub = girih.subcommand("board", "work with a microcontroller that runs girih's firmware");
    const Option port =
        sub.option("--port", options->port, "its serial port, such as /dev/ttyACM0").type_name("DEVICE");
    const Option image = sub.option("--emulate", options->image, "instead of a board, run an image in QEMU")
                             .type_name("IMAGE")
                             .excludes(port);
    sub.option("--timeout", options->timeout_seconds, "how many seconds a board may be silent")
        .type_name("SECONDS")
        .between(1, 86400);
    sub.flag("--force", options->force, "replace files that exist");
    sub.footer(
        "Several steps may follow each other, each once: board --emulate IMAGE keygen ... sign ... verify "
        "...");
    sub.require_subcommands();

    const auto add_step = [&](const char* name, const char* what, Step step) {
        const Command added = sub.subcommand(name, what);
        added.when_given_once([steps, step] { steps->push_back(step); });
        return added;
    };
    add_step("info", "show the board's algorithm and sizes", show_info);
    add_step("keygen", "make a key pair on the board; the private key stays there", make_key)
        .option("--public", options->public_path, "the public key's new file")
        .type_name("FILE")
        .required();
    const Command importing = add_step(
        "import", "send the board a private key, or a public one if its image only verifies", import_key);
    const Option secret = importing.option("--secret", options->import_secret_path, "the private key")
                              .type_name("FILE")
                              .required();
    importing.option("--public", options->import_public_path, "the public key")
        .type_name("FILE")
        .replaces({secret});
    options->import_passphrase.add_options(importing, "the passphrase of an encrypted private key");
    const Command signing = add_step("sign", "sign a file on the board, and verify the signature here", sign);
    signing.option("file", options->sign_path, "the message").type_name("FILE").required();
    signing.option("--signature", options->made_signature_path, "the signature's new file")
        .type_name("FILE")
        .required();
    signing
        .option("--public", options->expected_public_path,
                "the key that the signature has to verify with, for an image that only signs")
        .type_name("FILE");
    const Command verifying =
        add_step("verify", "verify a signature on the board, under its own key", verify);
    verifying.option("file", options->verify_path, "the message").type_name("FILE").required();
    verifying.option("--signature", options->signature_path, "the signature").type_name("FILE").required();
    const Command timing =
        add_step("bench", "time the board's operations with new keys; its old key is lost", benchmark);
    timing.flag("--json", options->json, "the figures in JSON");
    const Command reporting = add_step("report", "like bench, as a table in Markdown", report);
    for (const auto& [step, runs] :
         {std::pair{timing, &options->bench_runs}, std::pair{reporting, &options->report_runs}})
        step.option("--runs", *runs, "how often each").type_name("COUNT").between(1, 65535);

    sub.action([options, steps] { return run(*options, *steps); }, {port, image}, "--port or --emulate");
}

}  // namespace girih::cli
