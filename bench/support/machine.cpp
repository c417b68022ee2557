#include "bench/support/machine.hpp"

#include <fstream>
#include <string_view>

#if defined(__linux__)
#    include <sched.h>
#endif

namespace girih::bench {

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

std::optional<int> pin_to_one_core()
{
#if defined(__linux__)
    const int core = sched_getcpu();
    if (core < 0) return std::nullopt;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(core), &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return core;
#endif
    return std::nullopt;
}

}  // namespace girih::bench
