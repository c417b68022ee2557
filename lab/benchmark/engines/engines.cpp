#include "lab/benchmark/engines/engines.hpp"

#include <algorithm>
#include <vector>

namespace girih::lab {

namespace {

std::vector<EngineRows>& registered()
{
    static std::vector<EngineRows> all;
    return all;
}

}  // namespace

EngineRegistration::EngineRegistration(const EngineRows& engine) { registered().push_back(engine); }

std::span<const EngineRows> engines() { return registered(); }

const EngineRows* engine_of_name(std::string_view name)
{
    const auto all = engines();
    const auto found = std::ranges::find(all, name, &EngineRows::name);
    return found == all.end() ? nullptr : &*found;
}

std::string engine_names()
{
    std::string names;
    for (const EngineRows& engine : engines()) {
        if (!names.empty()) names += ", ";
        names += engine.name;
    }
    return names;
}

}  // namespace girih::lab
