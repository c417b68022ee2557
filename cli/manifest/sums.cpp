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
constexpr std::size_t sha256_digits = 64;
constexpr std::size_t sha512_digits = 128;

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

bool is_digest(std::string_view text)
{
    return (text.size() == sha256_digits || text.size() == sha512_digits) &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// A line's digest and name, as they are written: "DIGEST  NAME", or "SHA256 (NAME) = DIGEST".
Sum parts_of(std::size_t number, std::string_view line)
{
    const std::size_t space = line.find(' ');
    const std::string_view first = line.substr(0, space);
    const std::string_view rest = space == std::string_view::npos ? "" : line.substr(space + 1);
    if (is_digest(first) && rest.size() > 1 && (rest[0] == ' ' || rest[0] == '*'))
        return {std::string(first), std::string(rest.substr(1))};
    const std::size_t digits = first == "SHA256" ? sha256_digits : first == "SHA512" ? sha512_digits : 0;
    constexpr std::string_view between = ") = ";
    const std::size_t end = rest.rfind(between);  // of the name; no digest has a bracket
    if (rest.starts_with('(') && end != std::string_view::npos && end > 1) {
        const std::string_view digest = rest.substr(end + between.size());
        if (digest.size() == digits && is_digest(digest))
            return {std::string(digest), std::string(rest.substr(1, end - 1))};
    }
    throw MalformedManifest(
        number, "neither a sum in 64 or 128 digits, two spaces and a name, nor SHA256 (NAME) = SUM");
}

Sum parse_line(std::size_t number, std::string_view line)
{
    const bool is_escaped = line.starts_with('\\');
    if (is_escaped) line.remove_prefix(1);
    Sum sum = parts_of(number, line);
    for (char& c : sum.digest) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (is_escaped) sum.name = unescaped(number, sum.name);
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

template <class Hash>
std::string digest_of(const std::string& path)
{
    Input file(path);
    Progress progress(file.size());
    Hash hash;
    std::vector<std::uint8_t> piece(piece_bytes);
    while (const std::size_t got = file.read(piece)) {
        hash.update(std::span<const std::uint8_t>(piece).first(got));
        progress.add(got);
    }
    return to_hex(hash.digest());
}

}  // namespace

std::string sha256_of(const std::string& path) { return digest_of<sha2::Sha256>(path); }

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
            const bool is_sha256 = sum.digest.size() == sha256_digits;
            const std::string digest = is_sha256 ? sha256_of(sum.name) : digest_of<sha2::Sha512>(sum.name);
            const bool is_same = digest == sum.digest;
            const char* const reason = is_sha256 ? "has another SHA-256" : "has another SHA-512";
            add(sum.name, is_same ? Verdict::good : Verdict::bad, is_same ? "" : reason);
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
