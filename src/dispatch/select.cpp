#include "dispatch/select.hpp"

#include <atomic>
#include <cstdlib>

#include "isa/engines.hpp"

namespace girih::dispatch {

Selection select(std::string_view name) noexcept
{
    for (const isa::Candidate& candidate : isa::candidates()) {
        if (name.empty()) {
            if (candidate.runs_here()) return {candidate.engine, candidate.reason};
        } else if (name == candidate.engine->name) {
            if (candidate.runs_here()) return {candidate.engine, "GIRIH_ISA names it"};
            return {nullptr, "GIRIH_ISA names an engine that this processor does not support"};
        }
    }
    return {nullptr, "GIRIH_ISA names no engine that this build of girih has"};
}

Selection selected() noexcept
{
    // Every thread that finds nothing computes the same, so the order of the stores does not matter. (A local static would
    // do, but needs the C++ runtime, which a C program that links the library does not have.)
    static constinit std::atomic<const Engine*> engine{nullptr};
    static constinit std::atomic<const char*> reason{nullptr};
    const char* known_reason = reason.load(std::memory_order_acquire);
    if (known_reason != nullptr) return {engine.load(std::memory_order_relaxed), known_reason};

    const char* name = std::getenv("GIRIH_ISA");
    const Selection selection = select(name == nullptr ? "" : name);
    engine.store(selection.engine, std::memory_order_relaxed);
    reason.store(selection.reason, std::memory_order_release);
    return selection;
}

}  // namespace girih::dispatch
