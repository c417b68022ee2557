/// Manifests: the rows and the error do not depend on the pieces in which the bytes come, and rows
/// that are written again are read again.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manifest/rows.hpp"
#include "fuzz/fuzz.hpp"

namespace girih::fuzz {
namespace {

using cli::ManifestRow;
using cli::ManifestRows;

/// The rows up to the first malformed line, and the error for that line.
struct Outcome {
    std::vector<ManifestRow> rows;
    std::string error;
};

bool is_same(const ManifestRow& a, const ManifestRow& b)
{
    return a.line == b.line && a.key == b.key && a.signature == b.signature && a.message == b.message;
}

constexpr std::array<std::size_t, 1> whole_input{0};

/// In pieces of these lengths, repeated; 0 means all of it.
Outcome in_pieces(std::string_view text, std::span<const std::size_t> lengths)
{
    Outcome out;
    ManifestRows parser;
    try {
        for (std::size_t i = 0;; ++i) {
            while (auto row = parser.next()) out.rows.push_back(std::move(*row));
            if (text.empty()) break;
            const std::size_t length = lengths[i % lengths.size()];
            const std::string_view piece = text.substr(0, length == 0 ? text.size() : length);
            parser.append(piece);
            text.remove_prefix(piece.size());
        }
        parser.end();
        while (auto row = parser.next()) out.rows.push_back(std::move(*row));
    } catch (const cli::MalformedManifest& malformed) {
        out.error = malformed.what();
    }
    return out;
}

/// Each row in the line that it was read from, with tabs. A byte order mark comes first, so that
/// the first name may itself begin like one.
std::string written(const std::vector<ManifestRow>& rows)
{
    std::string text = "\xef\xbb\xbf";
    std::size_t line = 1;
    for (const ManifestRow& row : rows) {
        for (; line < row.line; ++line) text += '\n';
        for (const std::string* field : {&row.key, &row.signature}) text.append(*field).push_back('\t');
        text.append(row.message).append("\r\n");
        ++line;
    }
    return text;
}

void check_rows(const std::vector<ManifestRow>& rows)
{
    for (const ManifestRow& row : rows)
        for (const std::string* field : {&row.key, &row.signature, &row.message})
            require(!field->empty() && *field != "-" && field->size() <= cli::longest_manifest_line &&
                        field->find_first_of(std::string_view("\t\n\0", 3)) == std::string::npos,
                    "a row has three names of files");
    // After a space, # may begin a name; at the beginning of a line it would begin a comment.
    if (std::ranges::any_of(rows, [](const ManifestRow& row) { return row.key.starts_with('#'); })) return;
    const bool fits = std::ranges::all_of(rows, [](const ManifestRow& row) {
        return row.key.size() + row.signature.size() + row.message.size() + 6 <= cli::longest_manifest_line;
    });
    if (!fits) return;
    const Outcome again = in_pieces(written(rows), whole_input);
    require(again.error.empty() && std::ranges::equal(again.rows, rows, is_same),
            "rows that are written are read");
}

}  // namespace

/// Two bytes say how the rest is cut.
void check_input(Input input)
{
    const std::size_t first = input.byte();
    const std::size_t second = input.byte();
    const ByteString bytes = input.rest();
    const std::string_view text = as_text(bytes);
    const Outcome whole = in_pieces(text, whole_input);
    const Outcome pieces = in_pieces(text, std::array<std::size_t, 2>{first + 1, 16 * second + 1});
    require(pieces.error == whole.error && std::ranges::equal(pieces.rows, whole.rows, is_same),
            "rows do not depend on the pieces that their bytes come in");
    check_rows(whole.rows);
}

}  // namespace girih::fuzz
