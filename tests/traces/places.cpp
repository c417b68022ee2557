#include "places.hpp"

#include <dlfcn.h>
#include <girih/girih.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <regex>

#include "instruction.hpp"

namespace girih::traces {
namespace {

constexpr std::size_t together = 2000;  // addresses in one command line

std::map<std::uint64_t, Place> known;

/// The lines that a command prints.
class Lines {
  public:
    explicit Lines(const std::string& command) : pipe_(popen((command + " 2>/dev/null").c_str(), "r"), pclose) {}

    bool next(std::string& line)
    {
        line.clear();
        std::array<char, 4096> part;
        while (std::fgets(part.data(), part.size(), pipe_.get()) != nullptr) {
            line += part.data();
            if (line.back() != '\n') continue;
            line.pop_back();
            return true;
        }
        return !line.empty();
    }

  private:
    std::unique_ptr<FILE, int (*)(FILE*)> pipe_;
};

std::string hexadecimal(std::uint64_t value)
{
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "%#llx", static_cast<unsigned long long>(value));
    return text.data();
}

std::uint64_t base_of(const Dl_info& info) { return reinterpret_cast<std::uint64_t>(info.dli_fbase); }

/// Without the compiler's "(inlined by)" and the folders above src.
std::string tidied(std::string line)
{
    static const std::string inlined = " (inlined by) ";
    if (line.starts_with(inlined)) line.erase(0, inlined.size());
    const auto at = line.rfind(" at "), source = line.rfind("/src/");
    if (at != line.npos && source != line.npos && source > at) line.erase(at + 4, source + 1 - (at + 4));
    return line;
}

void look_up_in(const std::string& library, std::uint64_t base, const std::vector<std::uint64_t>& addresses)
{
    std::string command = "addr2line -a -C -f -i -p -e '" + library + "'";
    for (const std::uint64_t address : addresses) command += ' ' + hexadecimal(address - base);
    Lines lines{command};
    std::size_t count = 0;
    for (std::string line; lines.next(line);) {
        if (line.starts_with("0x")) {
            ++count;
            line.erase(0, line.find(": ") + 2);
        }
        if (count != 0 && count <= addresses.size()) known[addresses[count - 1]].functions.push_back(tidied(line));
    }
}

}  // namespace

std::vector<Range> functions_named(const std::string& pattern)
{
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&girih_engine), &info);
    const std::regex wanted{pattern};
    std::vector<Range> found;
    Lines lines{"nm -S -C --defined-only '" + std::string{info.dli_fname} + "'"};
    for (std::string line; lines.next(line);) {
        unsigned long long begin = 0, size = 0;
        int name = 0;
        if (std::sscanf(line.c_str(), "%llx %llx %*c %n", &begin, &size, &name) != 2 || name == 0) continue;
        if (std::regex_search(line.substr(static_cast<std::size_t>(name)), wanted))
            found.push_back({base_of(info) + begin, base_of(info) + begin + size});
    }
    return found;
}

std::string Place::lasting() const
{
    std::string text;
    for (const std::string& function : functions) text += function.substr(0, function.rfind(':')) + '\n';
    return text;
}

bool Place::is_of_girih() const { return lasting().find(" at src/") != std::string::npos; }

std::string Place::brief() const
{
    if (functions.empty()) return instruction;
    const std::string& inner = functions.front();
    std::string outer = functions.back().substr(0, functions.back().rfind(" at "));
    constexpr std::size_t longest = 100;
    if (outer.size() > longest) outer = outer.substr(0, longest) + "...";
    return instruction + inner.substr(std::min(inner.size(), inner.rfind(" at "))) + " in " + outer;
}

void look_up(const std::vector<std::uint64_t>& addresses)
{
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> libraries;
    for (const std::uint64_t address : addresses) {
        if (known.contains(address)) continue;
        Dl_info info{};
        Place& place = known[address];
        if (dladdr(reinterpret_cast<const void*>(address), &info) == 0 || info.dli_fname == nullptr) continue;
        const std::string file = info.dli_fname;
        place.instruction = file.substr(file.rfind('/') + 1) + '+' + hexadecimal(address - base_of(info)) + ": " +
                            disassembled(address);
        auto& list = libraries[{file, base_of(info)}];
        list.push_back(address);
        if (list.size() < together) continue;
        look_up_in(file, base_of(info), list);
        list.clear();
    }
    for (const auto& [library, list] : libraries)
        if (!list.empty()) look_up_in(library.first, library.second, list);
}

const Place& place_of(std::uint64_t address)
{
    look_up({address});
    return known[address];
}

}  // namespace girih::traces
