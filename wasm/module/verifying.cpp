// The parts of a module that every module has: its memory for arguments, its algorithms; and
// functions that the C++ library calls.
#include <cstdlib>
#include <variant>

#include "exports.hpp"

namespace {

constexpr const girih_alg* (*algorithms[])(void) = {GIRIH_WASM_ALGORITHMS};
constexpr std::size_t algorithm_count = sizeof algorithms / sizeof *algorithms;

/// The arguments and results of a call. The host wipes it afterwards.
alignas(GIRIH_PREPARED_ALIGNMENT) std::uint8_t arena[1 << 16];

}  // namespace

GIRIH_EXPORT(wasm_arena) std::uint8_t* wasm_arena() { return arena; }
GIRIH_EXPORT(wasm_arena_bytes) std::size_t wasm_arena_bytes() { return sizeof arena; }

GIRIH_EXPORT(wasm_algorithm_at) const girih_alg* wasm_algorithm_at(std::size_t index)
{
    return index < algorithm_count ? algorithms[index]() : nullptr;
}

// The module has one engine, and no environment that would choose another.
char* getenv(const char*) { return nullptr; }

// libc++ calls this where std::variant would throw.
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
