#include "cli/manifest/sums.hpp"

#include <algorithm>
#include <cctype>

#include "cli/byte_order_mark.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"
#include "cli/files/hex.hpp"
#include "cli/manifest/rows.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/terminal.hpp"
#include "sha2/sha2.hpp"

namespace girih::cli {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;
constexpr std::size_t digest_digits = 64;

constexpr std::string_view good = "good";
constexpr std::string_view bad = "bad";
constexpr std::string_view error = "error";

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
            throw MalformedManifest(line, "a backslash in the name that stands for nothing");
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

std::vector<Sum> parse_sums(std::string_view text)
{
    if (begins_as_utf16(text)) throw MalformedManifest(1, utf16_error);
    text = without_byte_order_mark(text);
    std::vector<Sum> sums;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        sums.push_back(parse_line(number, line));
    }
    return sums;
}

SumsReport::SumsReport(const std::vector<Sum>& sums)
{
    for (const Sum& sum : sums) {
        try {
            const bool is_same = sha256_of(sum.name) == sum.digest;
            rows_.push_back(
                {sum.name, std::string(is_same ? good : bad), is_same ? "" : "has another SHA-256"});
        } catch (const Failure& failure) {
            rows_.push_back({sum.name, std::string(error), failure.what()});
        }
    }
}

std::size_t SumsReport::count(std::string_view verdict) const
{
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.verdict == verdict; }));
}

std::string SumsReport::summary() const
{
    std::string text = std::to_string(rows_.size()) + " files:";
    for (const std::string_view verdict : {good, bad, error})
        text += (verdict == good ? " " : ", ") + std::to_string(count(verdict)) + " " + std::string(verdict);
    return text;
}

std::string SumsReport::text() const
{
    std::string text;
    for (const Row& row : rows_) {
        text += coloured(row.verdict == good ? Colour::good : Colour::bad, row.verdict) +
                std::string(6 - row.verdict.size(), ' ') + printable(row.name) +
                (row.reason.empty() ? "" : ": " + printable(row.reason)) + "\n";
    }
    return text + summary() + "\n";
}

JsonObject SumsReport::json() const
{
    JsonArray rows;
    for (const Row& row : rows_)
        rows.add(JsonObject{{"file", row.name}, {"result", row.verdict}, {"reason", row.reason}});
    return {{"files", rows}, {"summary", summary()}};
}

void SumsReport::demand_good(const std::string& path) const
{
    if (rows_.empty()) throw Failure(exit_file, input_name(path) + ": names no files");
    if (count(good) == rows_.size()) return;
    throw Failure(count(error) != 0 ? exit_file : exit_unverified, input_name(path) + ": " + summary());
}

}  // namespace girih::cli
