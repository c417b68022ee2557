/// In programs that tools/mutate builds: whether a mutant is alive. Every mutant of a file is in
/// one program, behind a switch, and each run of the program turns one of them on
/// (GIRIH_MUTANT=number).
#pragma once

#include <type_traits>

namespace girih_mutation {

inline constexpr int most = 1 << 15;
extern int alive;                 ///< 0: none
extern unsigned char seen[most];  ///< by number: whether the program asked for it

inline bool ask(int number) noexcept
{
    seen[number] = 1;
    return alive == number;
}

/// Whether a mutant is alive; never at compile time.
constexpr bool is(int number) noexcept { return !std::is_constant_evaluated() && ask(number); }

}  // namespace girih_mutation
