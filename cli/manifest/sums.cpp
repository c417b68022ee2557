#include "cli/manifest/sums.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/manifest/rows.hpp"
#include "cli/manifest/verdict.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"
#include "core/text_file.hpp"
#include "sha2/sha2.hpp"

namespace girih::cli {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;
constexpr std::size_t digest_digits = 64;

/// The escape letter of a character that would break a line; 0 for any other.
char escape_of(char c) { return c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\0'; }

std::string escaped(const std::string& name)
{
    std::string text;
    for (const char c : name) {
        const char escape = escape_of(c);
        if (escape != '\0') text += '\\';
        text += escape != '\0' ? escape : c;
    }
    return text;
}

std::string unescaped(std::size_t line, std::string_view text)
{
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            name += text[i];
            continue;
        }
        const char escape = ++i < text.size() ? text[i] : '\0';
        if (escape != '\\' && escape != 'n' && escape != 'r')
            throw MalformedManifest(line, "a backslash in the name without a meaning");
        name += escape == 'n' ? '\n' : escape == 'r' ? '\r' : '\\';
    }
    return name;
}

Sum parse_line(std::size_t number, std::string_view line)
{
    const bool is_escaped = line.starts_with('\\');
    if (is_escaped) line.remove_prefix(1);
    std::string digest(line.substr(0, digest_digits));
    const bool is_sum =
        std::all_of(digest.begin(), digest.end(), [](unsigned char c) { return std::isxdigit(c) != 0; }) &&
        line.size() > digest_digits + 2 && line[digest_digits] == ' ' &&
        (line[digest_digits + 1] == ' ' || line[digest_digits + 1] == '*');
    if (!is_sum) throw MalformedManifest(number, "not a SHA-256 sum in 64 digits, two spaces and a name");
    for (char& c : digest) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::string_view rest = line.substr(digest_digits + 2);
    Sum sum{digest, is_escaped ? unescaped(number, rest) : std::string(rest)};
    if (sum.name == "-" || sum.name.find('\0') != std::string::npos)
        throw MalformedManifest(number, "not the name of a file");
    return sum;
}

std::vector<Sum> parse_sums(std::string_view text)
{
    text = text_of_file(text, [](const char* error) { throw MalformedManifest(1, error); });
    std::vector<Sum> sums;
    for (std::size_t number = 1; !text.empty(); ++number) sums.push_back(parse_line(number, take_line(text)));
    return sums;
}

}  // namespace

std::string sha256_of(const std::string& path)
{
    Input file(path);
    Progress progress(file.size());
    sha2::Sha256 hash;
    std::vector<std::uint8_t> piece(piece_bytes);
    while (const std::size_t got = file.read(piece)) {
        hash.update(std::span<const std::uint8_t>(piece).first(got));
        progress.add(got);
    }
    return to_hex(hash.digest());
}

std::string line_of(const Sum& sum)
{
    const std::string name = escaped(sum.name);
    return (name == sum.name ? "" : "\\") + sum.digest + "  " + name + "\n";
}

void verify_sums(const std::string& path, std::string_view text, Json members, bool json)
try {
    Json rows = Json::array();
    Tally tally("files");
    std::string lines;
    const auto add = [&](const std::string& name, Verdict verdict, const std::string& reason) {
        tally.add(verdict, name, reason);
        rows.push_back({{"file", name}, {"result", name_of(verdict)}, {"reason", reason}});
        lines += line_of(verdict, name, reason);
    };
    for (const Sum& sum : parse_sums(text)) {
        try {
            const bool is_same = sha256_of(sum.name) == sum.digest;
            add(sum.name, is_same ? Verdict::good : Verdict::bad, is_same ? "" : "has another SHA-256");
        } catch (const Failure& failure) {
            add(sum.name, Verdict::error, reason_of(failure, sum.name));
        }
    }
    members["rows"] = rows;
    members["summary"] = tally.summary();
    if (!json) print(lines + tally.summary() + "\n");
    if (const auto failure = tally.failure(input_name(path))) fail_with(*failure, json, members);
    if (json) print_good_json(members);
} catch (const MalformedManifest& malformed) {
    throw Failure(exit_file, input_name(path) + ": " + malformed.what());
}

}  // namespace girih::cli
