/// Replaces src/engines/selection.cpp: the linker takes no object from the library whose functions
/// are defined here.
#include "cross_isa/engine_in_use.hpp"

#include "engines/selection.hpp"

namespace girih {
namespace {

const engines::Engine* in_use = nullptr;  // portable, until a test says otherwise

}  // namespace

engines::Selection engines::selected() noexcept
{
    return {in_use != nullptr ? in_use : &test::engine_named("portable"), "the test names it"};
}

engines::Selection engines::select(std::string_view name) noexcept
{
    for (const engines::Candidate& candidate : engines::candidates())
        if (candidate.engine->name == name && candidate.runs_here()) return {candidate.engine, "it is named"};
    return {nullptr, "no engine of that name runs here"};
}

const engines::Engine& test::engine_named(std::string_view name)
{
    const engines::Candidate* candidate = engines::candidates().data();
    while (candidate->engine->name != name) ++candidate;
    return *candidate->engine;
}

void test::use(const engines::Engine& engine) { in_use = &engine; }

}  // namespace girih
