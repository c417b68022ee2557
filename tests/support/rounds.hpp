/// How many rounds a test with random numbers takes, and the environment variables that decide it.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace girih::test {

/// Gives a variable a value, whether or not it has one.
inline void set_variable(const char* name, const char* value)
{
#if defined(_WIN32)
    _putenv_s(name, value);
#else
    setenv(name, value, 1);
#endif
}

/// Whether tests may take any time.
inline bool are_exhaustive() { return std::getenv("GIRIH_EXHAUSTIVE") != nullptr; }

/// Whether the processor is emulated, which makes it fifty times as slow.
#if defined(GIRIH_TESTS_ARE_EMULATED)
inline constexpr bool are_emulated = true;
#else
inline constexpr bool are_emulated = false;
#endif

/// Whether that makes it slow, or a sanitizer.
#if defined(GIRIH_TESTS_ARE_SLOWED)
inline constexpr bool are_slowed = true;
#else
inline constexpr bool are_slowed = are_emulated;
#endif

/// As many rounds as every path needs; a tenth of that where it is slow, for work that processors
/// here do in full; or, with GIRIH_EXHAUSTIVE set, as many as certainty takes.
inline std::size_t rounds(std::size_t usual, std::size_t exhaustive)
{
    if (are_exhaustive()) return exhaustive;
    return are_slowed ? (usual + 9) / 10 : usual;
}

}  // namespace girih::test
