#include "lab/measure/machine.hpp"

#include <fstream>
#include <string_view>

namespace girih::lab {

namespace {

/// The value of the first line "key : value" of a file; empty if there is none.
std::string value_of(const char* path, std::string_view key)
{
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t value = line.find_first_not_of(" \t:", key.size());
        if (value != std::string::npos) return line.substr(value);
    }
    return {};
}

}  // namespace

std::string processor()
{
    for (const char* key : {"model name", "Model", "CPU part"}) {
        std::string name = value_of("/proc/cpuinfo", key);
        if (!name.empty()) return name;
    }
    return "unknown";
}

std::string compiler()
{
#if defined(__clang__)
    return std::string{"clang++ "} + __clang_version__;
#elif defined(__GNUC__)
    return std::string{"g++ "} + __VERSION__;
#else
    return "unknown";
#endif
}

std::string compiler_flags() { return GIRIH_COMPILER_FLAGS; }

}  // namespace girih::lab
