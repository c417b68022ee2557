#include "engines.hpp"

#include <algorithm>
#include <array>

namespace girih::bench {

std::span<const EngineRows> engines()
{
    static const std::array all{
        portable_rows,
    };
    return all;
}

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

}  // namespace girih::bench
