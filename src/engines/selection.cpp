#include "engines/selection.hpp"

#include <atomic>
#include <cstdlib>

#if !defined(__linux__) && __has_include(<unistd.h>)
#    include <unistd.h>
#endif

#include "engines/list.hpp"

namespace girih::engines {
namespace {

/// GIRIH_ISA, or null. Always null in a process with more rights than the user who set its
/// environment.
const char* named_engine() noexcept
{
#if defined(__linux__)
    return ::secure_getenv("GIRIH_ISA");
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
    return ::issetugid() != 0 ? nullptr : std::getenv("GIRIH_ISA");
#else
    return std::getenv("GIRIH_ISA");
#endif
}

}  // namespace

Selection select(std::string_view name) noexcept
{
    for (const engines::Candidate& candidate : engines::candidates()) {
        if (name.empty()) {
            if (candidate.runs_here() && candidate.is_fast()) return {candidate.engine, candidate.reason};
        } else if (name == candidate.engine->name) {
            if (candidate.runs_here()) return {candidate.engine, "GIRIH_ISA names it"};
            return {nullptr, "GIRIH_ISA names an engine that this processor does not support"};
        }
    }
    return {nullptr, "GIRIH_ISA names no engine that this build of girih has"};
}

Selection selected() noexcept
{
    // Threads that find it null compute the same value, so the order of their stores does not
    // matter. (A local static needs the C++ runtime, which a C program that links the library
    // lacks.)
    static constinit std::atomic<const Engine*> engine{nullptr};
    static constinit std::atomic<const char*> reason{nullptr};
    const char* known_reason = reason.load(std::memory_order_acquire);
    if (known_reason != nullptr) return {engine.load(std::memory_order_relaxed), known_reason};

    const char* name = named_engine();
    const Selection selection = select(name == nullptr ? "" : name);
    engine.store(selection.engine, std::memory_order_relaxed);
    reason.store(selection.reason, std::memory_order_release);
    return selection;
}

}  // namespace girih::engines
