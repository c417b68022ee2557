#include "cli/system/board.hpp"
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
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace girih::cli {
namespace {

using board::ByteString;
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
    unsigned runs = 50;
    bool force = false;
    bool json = false;
};

/// What a board has been found to be, as long as we talk to it.
class Conversation {
  public:
    explicit Conversation(Link& link)
        : link_(link), info_(link.info()), alg_(girih_algorithm(info_.name.c_str()))
    {
        if (alg_ != nullptr)
            check_algorithm();
        else if (info_.name != blank)
            link.fail("calls itself " + info_.name + ", which is no algorithm of girih's");
    }

    [[nodiscard]] Link& link() const noexcept { return link_; }
    [[nodiscard]] const Info& info() const noexcept { return info_; }
    /// Null of an image without one. Its lengths are those that the board says.
    [[nodiscard]] const girih_alg* algorithm() const noexcept { return alg_; }

    [[nodiscard]] const girih_alg* signature_scheme() const
    {
        if (alg_ == nullptr || girih_is_kem(alg_) == 1)
            throw Failure(exit_file, "the board has no signature scheme, but " + info_.name);
        return alg_;
    }

    /// The board's public key. It stays the same until the board is told to make or take another.
    /// An image that only signs does not have it: then the one that is expected, if one is.
    const key_files::PublicKey& public_key()
    {
        const std::size_t length = info_.public_key_bytes;
        if (is_expected_ && link_.ask('P').status == board::Status::error) return *key_;
        const ByteString bytes = link_.bytes("asking for the public key (has it one? make one with keygen)",
                                             'P', {}, length, length);
        if (is_expected_ && key_->bytes != bytes) link_.fail("has another public key than it should");
        if (key_ && key_->bytes != bytes) link_.fail("has another public key than a moment ago");
        if (!key_) {
            const auto checked = key_files::read_public_key(bytes, alg_);
            if (!checked || checked->bytes != bytes) link_.fail("its public key is none of " + info_.name);
            key_ = *checked;
        }
        return *key_;
    }

    void forget_public_key()
    {
        key_.reset();
        is_expected_ = false;
    }

    /// Whatever the board says, its public key has to be this one.
    void expect_public_key(key_files::PublicKey key)
    {
        key_ = std::move(key);
        is_expected_ = true;
    }

    /// Time and stack of what the board did last.
    [[nodiscard]] std::string last_effort() const
    {
        const std::uint64_t cycles = link_.number("asking for cycles", 'N', board::most_cycles);
        const std::uint64_t stack = link_.number("asking for the stack", 'X', board::most_stack_bytes);
        return std::to_string(cycles) + " cycles, " + std::to_string(stack) + " bytes of stack";
    }

  private:
    /// The image that measures what all others have in common.
    static constexpr std::string_view blank = "blank";

    void check_algorithm() const
    {
        const auto expect = [this](const char* what, std::size_t said, std::size_t right) {
            if (said != right)
                link_.fail("says that " + std::string(what) + " of " + info_.name + " has " +
                           std::to_string(said) + " bytes; it has " + std::to_string(right));
        };
        if (info_.name != girih_name(alg_))
            link_.fail("calls itself " + info_.name + ", and not " + girih_name(alg_));
        expect("a public key", info_.public_key_bytes, girih_public_key_bytes(alg_));
        expect("a private key", info_.private_key_bytes, girih_secret_key_bytes(alg_));
        if (girih_is_kem(alg_) == 1)
            expect("a ciphertext", info_.max_message_bytes, girih_ciphertext_bytes(alg_));
    }

    Link& link_;
    Info info_;
    const girih_alg* alg_;
    std::optional<key_files::PublicKey> key_;
    bool is_expected_ = false;
};

using Step = void (*)(const Options&, Conversation&);

void show_info(const Options&, Conversation& talk)
{
    const Info& info = talk.info();
    print("algorithm             " + info.name + "\npublic key            " +
          std::to_string(info.public_key_bytes) + " bytes\nprivate key           " +
          std::to_string(info.private_key_bytes) + " bytes\nlongest message       " +
          std::to_string(info.max_message_bytes) + " bytes\n");
}

void make_key(const Options& options, Conversation& talk)
{
    NewFile file(options.public_path, Access::umask, Content::text, options.force);
    if (talk.algorithm() == nullptr) talk.link().fail("makes no keys: it is " + talk.info().name);
    talk.forget_public_key();
    (void)talk.link().demand("making a key pair", 'G', {}, 0);
    const std::string effort = talk.last_effort();
    file.write(key_files::write_public_key(talk.public_key(), key_files::Format::pem));
    file.commit();
    print("new key pair on the board: " + effort + "\n");
}

/// Gives the board a key: a private one to an image that signs, a public one to an image that
/// verifies.
void import_key(const Options& options, Conversation& talk)
{
    const girih_alg* alg = talk.algorithm();
    if (alg == nullptr) talk.link().fail("takes no keys: it is " + talk.info().name);
    const Use use = girih_is_kem(alg) == 1 ? Use::key_encapsulation : Use::signatures;
    talk.forget_public_key();
    key_files::PublicKey key{alg, {}};
    if (!options.import_secret_path.empty()) {
        const auto secret = load_private_key(options.import_secret_path, alg, use, options.import_passphrase);
        (void)talk.link().demand("importing a private key (can it sign?)", 'M', secret.expanded, 0);
        key.bytes = secret.public_key;
    } else {
        const auto loaded = load_public_key_warning(options.import_public_path, alg, use);
        key = loaded.key;
        (void)talk.link().demand("importing a public key (can it verify?)", 'P', key.bytes, 0);
    }
    print("key on the board: its public key's fingerprint is " + fingerprint_of(key) + "\n");
    talk.expect_public_key(std::move(key));
}

/// Whether a signature is the message's, under the board's key: found out here,
/// whatever the board says.
bool verifies_here(const key_files::PublicKey& key, std::span<const std::uint8_t> message,
                   std::span<const std::uint8_t> signature)
{
    return girih_verify(key.alg, key.bytes.data(), key.bytes.size(), message.data(), message.size(), nullptr,
                        signature.data(), signature.size()) == GIRIH_OK;
}

/// The whole message, or a failure: a part of it is never signed.
key_files::SecretBytes read_message(const std::string& path, const Info& info)
{
    auto message = read_small(path, info.max_message_bytes);
    if (message.size() > info.max_message_bytes)
        throw Failure(exit_file, input_name(path) + ": more than the " +
                                     std::to_string(info.max_message_bytes) + " bytes that the board takes");
    return message;
}

void sign(const Options& options, Conversation& talk)
{
    const girih_alg* alg = talk.signature_scheme();
    if (!options.expected_public_path.empty()) {
        const auto expected = load_public_key_warning(options.expected_public_path, alg, Use::signatures);
        talk.expect_public_key(expected.key);
    }
    NewFile file(options.made_signature_path, Access::umask, Content::binary, options.force);
    const auto message = read_message(options.sign_path, talk.info());
    Message().of(options.sign_path).refuse_mark(alg, message);
    const std::size_t most = girih_signature_bytes(alg);
    const std::size_t least = girih_has_mu(alg) == 1 ? most : 1;  // Falcon's are as long as they are
    const ByteString signature =
        talk.link().bytes("signing (has it a key? make one with keygen)", 'S', message, least, most);
    const std::string effort = talk.last_effort();
    if (!verifies_here(talk.public_key(), message, signature))
        throw Failure(exit_unverified, "the board's signature does not verify here");
    file.write(signature);
    file.commit();
    print(printable(input_name(options.sign_path)) + ": signed on the board, and verified here: " + effort +
          "\n");
}

void verify(const Options& options, Conversation& talk)
{
    const girih_alg* alg = talk.signature_scheme();
    const auto message = read_message(options.verify_path, talk.info());
    Message().of(options.verify_path).refuse_mark(alg, message);
    const auto signature = read_small(options.signature_path, girih_signature_bytes(alg));
    const key_files::PublicKey& key = talk.public_key();  // without one, the board says no to everything
    const ByteString argument = board::signature_and_message(signature, message);
    constexpr const char* too_long = "signature and message are more bytes than the board takes";
    if (argument.size() > board::most_bytes) throw Failure(exit_file, too_long);
    const auto answer = talk.link().ask('V', argument);
    if (answer.status == board::Status::overflow) throw Failure(exit_file, too_long);
    if (answer.status != board::Status::ok)
        throw Failure(exit_unverified, input_name(options.signature_path) + ": the board does not accept it");
    if (!answer.lines.empty()) talk.link().fail("answers with more than was asked for");
    if (!verifies_here(key, message, signature))
        throw Failure(exit_unverified, input_name(options.signature_path) +
                                           ": the board accepts it, but it does not verify here");
    print(printable(input_name(options.verify_path)) + ": verified on the board: " + talk.last_effort() +
          "\n");
}

/// One operation's figures, over all runs.
struct Figures {
    std::string operation;
    Run median;  ///< the run of the median of cycles, with the most stack of all
    std::uint64_t mean_cycles = 0;
    std::uint64_t least_cycles = 0;
    std::uint64_t most_cycles = 0;
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

void print_figures(const Figures& figures)
{
    std::array<char, 160> line{};
    (void)std::snprintf(line.data(), line.size(),
                        "%-12s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %8" PRIu64 "\n",
                        figures.operation.c_str(), figures.median.milliseconds, figures.median.cycles,
                        figures.mean_cycles, figures.most_cycles, figures.median.stack_bytes);
    print(line.data());
}

/// Nothing if the image has no such operation, or no key for it.
std::optional<Figures> benchmark_one(const Options& options, Link& link, const char* name, char letter)
{
    const ByteString count{static_cast<std::uint8_t>(options.runs >> 8),
                           static_cast<std::uint8_t>(options.runs)};
    Progress progress(options.runs, Progress::Unit::runs);
    std::vector<Run> runs;
    const auto status = link.watch(letter, count, options.runs, [&](const std::string& line) {
        runs.push_back(board::parse_run(line));
        progress.add(1);
    });
    if (status != board::Status::ok && runs.empty()) return {};
    if (status != board::Status::ok || runs.size() != options.runs)
        link.fail(std::string(name) + ": failed on the board after " + std::to_string(runs.size()) + " runs");
    return figures_of(name, std::move(runs));
}

JsonObject json_of(const Figures& figures)
{
    return {{"operation", figures.operation},           {"median_milliseconds", figures.median.milliseconds},
            {"median_cycles", figures.median.cycles},   {"mean_cycles", figures.mean_cycles},
            {"least_cycles", figures.least_cycles},     {"most_cycles", figures.most_cycles},
            {"stack_bytes", figures.median.stack_bytes}};
}

/// The figures of each operation that the image can be asked for, each to `show` as it comes.
template <class Show>
void benchmark_each(const Options& options, Conversation& talk, Show show)
{
    const girih_alg* alg = talk.algorithm();
    const bool is_kem = alg != nullptr && girih_is_kem(alg) == 1;
    talk.forget_public_key();  // each run makes another
    std::size_t count = 0;
    for (const auto& [name, letter] :
         {std::pair{"keygen", 'R'}, std::pair{is_kem ? "encapsulate" : "sign", 'B'},
          std::pair{is_kem ? "decapsulate" : "verify", 'C'}}) {
        const auto figures = benchmark_one(options, talk.link(), name, letter);
        if (!figures) continue;
        ++count;
        show(*figures);
    }
    if (count == 0)
        throw Failure(exit_file, "the board does nothing that can be timed without being given a key");
}

void benchmark(const Options& options, Conversation& talk)
{
    const std::string& name = talk.info().name;
    if (options.json) {
        JsonArray operations;
        benchmark_each(options, talk, [&](const Figures& figures) { operations.add(json_of(figures)); });
        print_good_json({{"algorithm", name}, {"runs", options.runs}, {"operations", operations}});
        return;
    }
    print(name + ", " + std::to_string(options.runs) +
          " runs\n              median ms       cycles         mean         most    stack\n");
    benchmark_each(options, talk, print_figures);
}

/// The same as a table in Markdown, with what it needs to be read by itself.
void report(const Options& options, Conversation& talk)
{
    const std::string& name = talk.info().name;
    const std::string where = options.image.empty()
                                  ? "on a board: cycles of the processor's counter"
                                  : "in an emulator: instructions, of which each takes 16 ns of its clock";
    print("girih " GIRIH_VERSION ", " + name + ", " + std::to_string(options.runs) + " runs each, " + where +
          ". Stack in bytes, the most of all runs.\n\n"
          "| operation | ms, median | cycles, median | mean | most | stack |\n"
          "|---|---:|---:|---:|---:|---:|\n");
    benchmark_each(options, talk, [](const Figures& figures) {
        std::string row = "| " + figures.operation + " |";
        for (const std::uint64_t value :
             {figures.median.milliseconds, figures.median.cycles, figures.mean_cycles, figures.most_cycles,
              figures.median.stack_bytes})
            row += " " + std::to_string(value) + " |";
        print(row + "\n");
    });
}

/// Files that steps read and files that they write are different ones; only a signature that was
/// made may be verified.
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
    refuse_shared_files(inputs, given({key, made}));
    refuse_shared_files(given({expected}), given({made}));
    refuse_shared_files(given({checked}), given({key}));
}

void talk(const Options& options, const std::vector<Step>& steps, Link& link)
{
    Conversation conversation(link);
    for (const Step step : steps) step(options, conversation);
}

int run(const Options& options, const std::vector<Step>& steps)
{
    refuse_shared_files_of_steps(options);
    const Link::Seconds patience{options.timeout_seconds};
    if (!options.image.empty()) {
        board::Emulator emulator(options.image);
        Link link(emulator.take_port(), "the emulator", patience);
        for (const std::string& line : link.wait_until_ready()) tell(line);
        talk(options, steps, link);
    } else {
        Link link(board::open_port(options.port), options.port, patience);
        link.synchronize();
        talk(options, steps, link);
    }
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
    const Option image = sub.option("--emulate", options->image, "no board: an image in QEMU")
                             .type_name("IMAGE")
                             .excludes(port);
    sub.option("--timeout", options->timeout_seconds, "how many seconds a board may be silent")
        .type_name("SECONDS")
        .between(1, 86400);
    sub.flag("--force", options->force, "replace files that exist");
    sub.footer("Several steps may follow each other: board --emulate IMAGE keygen ... sign ... verify ...");
    sub.require_subcommands();

    const auto add_step = [&](const char* name, const char* what, Step step) {
        const Command added = sub.subcommand(name, what);
        added.when_given([steps, step] { steps->push_back(step); });
        return added;
    };
    add_step("info", "what the board has", show_info);
    add_step("keygen", "make a key pair on the board; the private key stays there", make_key)
        .option("--public", options->public_path, "the public key's new file")
        .type_name("FILE")
        .required();
    const Command importing =
        add_step("import", "give the board a key: a private one, or to an image that verifies, a public one",
                 import_key);
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
        add_step("bench", "time the board's operations, under new keys: the one it has is lost", benchmark);
    timing.flag("--json", options->json, "the figures in JSON");
    const Command reporting = add_step("report", "the same as a table in Markdown", report);
    for (const Command& step : {timing, reporting})
        step.option("--runs", options->runs, "how often each").type_name("COUNT").between(1, 65535);

    sub.action([options, steps] { return run(*options, *steps); }, {port, image}, "--port or --emulate");
}

}  // namespace girih::cli
