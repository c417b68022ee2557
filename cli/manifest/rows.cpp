#include "cli/manifest/rows.hpp"

#include <algorithm>
#include <vector>

#include "core/text_file.hpp"

namespace girih::cli {
namespace {

std::vector<std::string> fields_of(std::string_view line)
{
    const bool has_tabs = line.find('\t') != std::string_view::npos;
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(has_tabs ? '\t' : ' ', begin), line.size());
        if (end > begin || has_tabs) fields.emplace_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

/// Whether open(2) would read the whole name.
bool is_file(const std::string& field)
{
    return !field.empty() && field != "-" && field.find('\0') == std::string::npos;
}

}  // namespace

void ManifestRows::append(std::string_view bytes)
{
    bytes_.erase(0, begin_);
    begin_ = 0;
    bytes_.append(bytes);
}

std::optional<std::string_view> ManifestRows::next_line()
{
    const std::string_view rest = std::string_view(bytes_).substr(begin_);
    const std::size_t end = rest.find('\n');
    if (std::min(end, rest.size()) > longest_manifest_line)
        throw MalformedManifest(line_ + 1, "longer than " + std::to_string(longest_manifest_line) + " bytes");
    if (end == std::string_view::npos && (!is_ended_ || rest.empty())) return {};
    std::string_view line = rest.substr(0, end);
    begin_ += std::min(line.size() + 1, rest.size());
    if (++line_ == 1) line = text_of_file(line, [](const char* error) { throw MalformedManifest(1, error); });
    return without_carriage_return(line);
}

std::optional<ManifestRow> ManifestRows::next()
{
    while (const auto line = next_line()) {
        if (line->empty() || line->starts_with('#')) continue;
        auto fields = fields_of(*line);
        if (fields.size() != 3 || !std::all_of(fields.begin(), fields.end(), is_file))
            throw MalformedManifest(line_, "not the names of a public key, a signature and a message");
        return ManifestRow{line_, std::move(fields[0]), std::move(fields[1]), std::move(fields[2])};
    }
    return {};
}

}  // namespace girih::cli
