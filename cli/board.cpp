#include "cli/board/link.hpp"
#include "cli/board/open.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/keys.hpp"
#include "cli/progress.hpp"
#include "cli/subcommands.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace girih::cli {
namespace {

using board::ByteString;
using board::Info;
using board::Link;

struct Options {
    std::string port;
    std::string image;
    unsigned timeout_seconds = 120;

    std::string public_path;
    std::string sign_path;
    std::string verify_path;
    std::string made_signature_path;
    std::string signature_path;
    unsigned runs = 50;
    bool force = false;
    bool json = false;
};

using Step = void (*)(const Options&, Link&);

/// What the board calls itself, if girih knows it.
const girih_alg* algorithm_of(const Info& info) { return girih_algorithm(info.name.c_str()); }

const girih_alg* signature_scheme_of(const Info& info)
{
    const girih_alg* alg = algorithm_of(info);
    if (alg == nullptr || girih_signature_bytes(alg) == 0)
        throw Failure(exit_file, "the board has no signature scheme, but " + info.name);
    return alg;
}

ByteString public_key_of(Link& link)
{
    return link.bytes("asking for the public key (has it one? make one with keygen)", 'P');
}

void show_info(const Options&, Link& link)
{
    const Info info = link.info();
    print("algorithm             " + info.name + "\npublic key            " +
          std::to_string(info.public_key_bytes) + " bytes\nprivate key           " +
          std::to_string(info.private_key_bytes) + " bytes\nlongest message       " +
          std::to_string(info.max_message_bytes) + " bytes\n");
}

/// Time and stack of what the board did last.
std::string last_effort(Link& link)
{
    const std::uint64_t cycles = link.number("asking for cycles", 'N');
    const std::uint64_t stack = link.number("asking for the stack", 'X');
    return std::to_string(cycles) + " cycles, " + std::to_string(stack) + " bytes of stack";
}

void make_key(const Options& options, Link& link)
{
    NewFile file(options.public_path, Access::umask, options.force);
    const girih_alg* alg = algorithm_of(link.info());
    (void)link.demand("making a key pair", 'G', {}, 0);
    const std::string effort = last_effort(link);
    const ByteString key = public_key_of(link);
    if (alg == nullptr)
        file.write(key);
    else
        file.write(key_files::write_public_key({alg, {key.begin(), key.end()}}, key_files::Format::pem));
    file.commit();
    print("new key pair on the board: " + effort + "\n");
}

void check_on_host(const girih_alg* alg, const ByteString& key, std::span<const std::uint8_t> message,
                   const ByteString& signature)
{
    if (girih_verify(alg, key.data(), key.size(), message.data(), message.size(), nullptr, signature.data(),
                     signature.size()) != GIRIH_OK)
        throw Failure(exit_unverified, "the board's signature does not verify here");
}

key_files::SecretBytes read_message(const std::string& path, const Info& info)
{
    auto message = read_small(path, info.max_message_bytes);
    if (message.size() > info.max_message_bytes)
        throw Failure(exit_file, input_name(path) + ": more than the " +
                                     std::to_string(info.max_message_bytes) + " bytes that the board takes");
    return message;
}

void sign(const Options& options, Link& link)
{
    const Info info = link.info();
    const girih_alg* alg = signature_scheme_of(info);
    const auto message = read_message(options.sign_path, info);
    NewFile file(options.made_signature_path, Access::umask, options.force);
    const ByteString signature = link.bytes("signing (has it a key? make one with keygen)", 'S', message);
    const std::string effort = last_effort(link);
    check_on_host(alg, public_key_of(link), message, signature);
    file.write(signature);
    file.commit();
    print(input_name(options.sign_path) + ": signed on the board, and verified here: " + effort + "\n");
}

void verify(const Options& options, Link& link)
{
    const Info info = link.info();
    const girih_alg* alg = signature_scheme_of(info);
    const auto message = read_message(options.verify_path, info);
    const auto signature = read_small(options.signature_path, girih_signature_bytes(alg));
    (void)public_key_of(link);  // without one, the board says no to everything
    const auto answer = link.ask('V', board::signature_and_message(signature, message));
    if (answer.status == board::Status::overflow)
        throw Failure(exit_file, "signature and message are more bytes than the board takes");
    if (answer.status != board::Status::ok)
        throw Failure(exit_unverified, input_name(options.signature_path) + ": the board does not accept it");
    print(input_name(options.verify_path) + ": verified on the board: " + last_effort(link) + "\n");
}

/// What a benchmark's lines say: a run each.
struct Run {
    std::uint64_t milliseconds = 0;
    std::uint64_t cycles = 0;
    std::uint64_t stack_bytes = 0;
};

Run run_of(const std::string& line)
{
    Run run;
    if (std::sscanf(line.c_str(), "%" SCNu64 " %" SCNu64 " %" SCNu64, &run.milliseconds, &run.cycles,
                    &run.stack_bytes) != 3)
        throw Failure(exit_file, "the board's benchmark says something that is no measurement");
    return run;
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
    const auto answer = link.ask(letter, count, [&](const std::string& line) {
        runs.push_back(run_of(line));
        progress.add(1);
    });
    if (answer.status != board::Status::ok && !runs.empty())
        throw Failure(exit_file, std::string(name) + ": failed on the board after " +
                                     std::to_string(runs.size()) + " runs");
    if (runs.empty()) return {};
    return figures_of(name, std::move(runs));
}

nlohmann::json json_of(const Figures& figures)
{
    return {{"operation", figures.operation},           {"median_milliseconds", figures.median.milliseconds},
            {"median_cycles", figures.median.cycles},   {"mean_cycles", figures.mean_cycles},
            {"least_cycles", figures.least_cycles},     {"most_cycles", figures.most_cycles},
            {"stack_bytes", figures.median.stack_bytes}};
}

void benchmark(const Options& options, Link& link)
{
    const Info info = link.info();
    const girih_alg* alg = algorithm_of(info);
    const bool is_kem = alg != nullptr && girih_signature_bytes(alg) == 0;
    if (!options.json)
        print(info.name + ", " + std::to_string(options.runs) +
              " runs\n              median ms       cycles         mean         most    stack\n");
    nlohmann::json operations = nlohmann::json::array();
    std::size_t count = 0;
    for (const auto& [name, letter] :
         {std::pair{"keygen", 'R'}, std::pair{is_kem ? "encapsulate" : "sign", 'B'},
          std::pair{is_kem ? "decapsulate" : "verify", 'C'}}) {
        const auto figures = benchmark_one(options, link, name, letter);
        if (!figures) continue;
        ++count;
        if (options.json)
            operations.push_back(json_of(*figures));
        else
            print_figures(*figures);
    }
    if (count == 0)
        throw Failure(exit_file, "the board does nothing that can be timed without being given a key");
    if (options.json)
        print_json({{"algorithm", info.name}, {"runs", options.runs}, {"operations", operations}});
}

int run(const Options& options, const std::vector<Step>& steps)
{
    std::unique_ptr<board::Emulator> emulator;
    const Link::Seconds patience{options.timeout_seconds};
    if (!options.image.empty()) {
        emulator = std::make_unique<board::Emulator>(options.image);
        Link link(emulator->take_port(), "the emulator", patience);
        for (const std::string& line : link.wait_until_ready()) std::cerr << "girih: " << line << std::endl;
        for (const Step step : steps) step(options, link);
    } else {
        Link link(board::open_port(options.port), options.port, patience);
        link.synchronize();
        for (const Step step : steps) step(options, link);
    }
    return exit_good;
}

}  // namespace

void add_board(CLI::App& girih, Action& chosen)
{
    auto options = std::make_shared<Options>();
    auto steps = std::make_shared<std::vector<Step>>();
    CLI::App* sub = girih.add_subcommand("board", "work with a microcontroller that runs girih's firmware");
    auto* port = sub->add_option("--port", options->port, "its serial port, such as /dev/ttyACM0")
                     ->type_name("DEVICE");
    auto* image = sub->add_option("--emulate", options->image, "no board: an image in QEMU")
                      ->type_name("IMAGE")
                      ->excludes(port);
    sub->add_option("--timeout", options->timeout_seconds, "how many seconds a board may be silent")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 86400));
    sub->add_flag("--force", options->force, "replace files that exist");
    sub->footer("Several steps may follow each other: board --emulate IMAGE keygen ... sign ... verify ...");
    sub->require_subcommand(1, 0);

    const auto add_step = [&](const char* name, const char* what, Step step) {
        CLI::App* added = sub->add_subcommand(name, what);
        added->callback([steps, step] { steps->push_back(step); });
        return added;
    };
    add_step("info", "what the board has", show_info);
    add_step("keygen", "make a key pair on the board; the private key stays there", make_key)
        ->add_option("--public", options->public_path, "the public key's new file")
        ->type_name("FILE")
        ->required();
    CLI::App* signing = add_step("sign", "sign a file on the board, and verify the signature here", sign);
    signing->add_option("file", options->sign_path, "the message")->type_name("FILE")->required();
    signing->add_option("--signature", options->made_signature_path, "the signature's new file")
        ->type_name("FILE")
        ->required();
    CLI::App* verifying = add_step("verify", "verify a signature on the board, under its own key", verify);
    verifying->add_option("file", options->verify_path, "the message")->type_name("FILE")->required();
    verifying->add_option("--signature", options->signature_path, "the signature")
        ->type_name("FILE")
        ->required();
    CLI::App* timing =
        add_step("bench", "time the board's operations, under new keys: the one it has is lost", benchmark);
    timing->add_flag("--json", options->json, "the figures in JSON");
    timing->add_option("--runs", options->runs, "how often each")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 65535));

    sub->callback([&chosen, options, steps, port, image] {
        if (port->count() + image->count() == 0) throw CLI::RequiredError("--port or --emulate");
        chosen = [options, steps] { return run(*options, *steps); };
    });
}

}  // namespace girih::cli
