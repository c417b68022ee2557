/// The steps of girih-board, which follow each other in one conversation with a board.
#pragma once

#include <string>

#include "cli/files/files.hpp"
#include "cli/files/passphrase.hpp"
#include "cli/output/json.hpp"
#include "cli/output/terminal.hpp"
#include "firmware/host/conversation.hpp"

namespace girih::cli::board {

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
            (void)key.add(options.public_path, Access::umask, Content::text, options.force);
        if (!options.made_signature_path.empty())
            (void)signature.add(options.made_signature_path, Access::umask, Content::binary, options.force);
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

    NewFiles key;
    NewFiles signature;
    /// The figures of bench --json, printed when all steps are done.
    Json figures;

  private:
    bool standard_output_is_taken_;
};

using Step = void (*)(const Options&, Conversation&, Outputs&);

void show_info(const Options& options, Conversation& talk, Outputs& out);
void make_key(const Options& options, Conversation& talk, Outputs& out);
/// Sends a key to the board: a private one to an image that signs, a public one to an image that
/// verifies.
void import_key(const Options& options, Conversation& talk, Outputs& out);
void sign(const Options& options, Conversation& talk, Outputs& out);
void verify(const Options& options, Conversation& talk, Outputs& out);
/// Measures each operation of the image.
void benchmark(const Options& options, Conversation& talk, Outputs& out);
/// Prints the figures as a self-contained table in Markdown.
void report(const Options& options, Conversation& talk, Outputs& out);

}  // namespace girih::cli::board
