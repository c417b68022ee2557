#include "declassified.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace girih::traces {

Declassified::Declassified(const char* file)
{
    std::ifstream lines{file};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        std::istringstream fields{line};
        std::string name, what, place, why;
        std::getline(fields, name, '\t'), std::getline(fields, what, '\t'), std::getline(fields, place, '\t');
        const bool is_known = what == "cut" || what == "any" || what == "mask" || what == "operand";
        if (!std::getline(fields, why) || !is_known) {
            std::fprintf(stderr, "%s: not a line of the list: %s\n", file, line.c_str());
            std::exit(2);
        }
        entries_.push_back({line, what, place, why, std::regex{name}, std::regex{place}});
    }
    if (entries_.empty()) std::fprintf(stderr, "%s: no entries\n", file), std::exit(2);
}

void Declassified::cut_from(Trace& trace, const std::string& name)
{
    static std::map<std::string, std::vector<Range>> known;
    std::vector<Range> functions;
    for (const Entry& entry : entries_) {
        if (entry.what != "cut" || !std::regex_search(name, entry.name)) continue;
        const auto [found, is_new] = known.try_emplace(entry.place_text);
        if (is_new) found->second = functions_named(entry.place_text);
        functions.insert(functions.end(), found->second.begin(), found->second.end());
        if (!found->second.empty()) used_.insert(entry.line);
    }
    if (!functions.empty()) cut(trace, functions);
}

const std::string* Declassified::reason(const std::string& name, std::uint64_t at, Kind kind, std::uint64_t caller)
{
    std::string place = place_of(at).lasting();
    if (!place_of(at).is_of_girih() && caller != 0) place += place_of(caller).lasting();
    for (const Entry& entry : entries_) {
        const bool is_kind = entry.what == "any" || (entry.what == "mask" && kind == Kind::mask) ||
                             (entry.what == "operand" && kind == Kind::operand);
        if (!is_kind || !std::regex_search(name, entry.name) || !std::regex_search(place, entry.place)) continue;
        used_.insert(entry.line);
        return &entry.why;
    }
    return nullptr;
}

void Declassified::add_used_to(const char* file) const
{
    std::ofstream lines{file, std::ios::app};
    for (const std::string& line : used_) lines << line << '\n';
}

}  // namespace girih::traces
