#include "dispatch/select.hpp"

#include <cstdlib>

namespace girih::dispatch {

Selection select(std::string_view name) noexcept
{
    if (name.empty()) return {&isa::portable::engine, "it runs on every processor"};
    if (name == isa::portable::engine.name) return {&isa::portable::engine, "GIRIH_ISA names it"};
    return {nullptr, "GIRIH_ISA names no engine that this build of girih has"};
}

const Selection& selected() noexcept
{
    static const Selection selection = [] {
        const char* name = std::getenv("GIRIH_ISA");
        return select(name == nullptr ? "" : name);
    }();
    return selection;
}

}  // namespace girih::dispatch
