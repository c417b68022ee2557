/// Steps of a run on poisoned secrets. The checker that watches it is memcheck, or MemorySanitizer
/// in a build with it.
#pragma once

#include <girih/girih.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "core/secret.hpp"

#if !defined(GIRIH_CHECK_CONSTANT_TIME)
#    error "the memory checker is told of secrets only with GIRIH_CHECK_CONSTANT_TIME"
#endif

namespace girih::test {

inline void mark_secret(std::span<const std::uint8_t> bytes)
{
    secret_checker::mark_secret(bytes.data(), bytes.size());
}

inline void mark_public(std::span<const std::uint8_t> bytes)
{
    secret_checker::mark_public(bytes.data(), bytes.size());
}

/// Whether a checker watches this process. Without one every run succeeds, and proves nothing.
inline bool is_watched()
{
#if defined(GIRIH_MEMORY_SANITIZER)
    return true;
#else
    return RUNNING_ON_VALGRIND != 0;
#endif
}

/// A source of bytes that differ from call to call, all of them secret.
class SecretRandom {
  public:
    [[nodiscard]] girih_random source() { return {fill, this, 0}; }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        auto& counter = static_cast<SecretRandom*>(state)->counter_;
        for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(counter++ * 167 >> 3);
        mark_secret({out, bytes});
        return 0;
    }

    std::uint32_t counter_ = 1;
};

/// Reports each step that failed, and remembers whether one did.
class Steps {
  public:
    void expect(std::string_view step, int result, int expected = GIRIH_OK)
    {
        expect(result == expected, step, girih_error_text(result));
    }
    void expect(bool good, std::string_view step, const char* what)
    {
        if (good) return;
        std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(step.size()), step.data(), what);
        all_good_ = false;
    }
    [[nodiscard]] bool all_good() const { return all_good_; }

  private:
    bool all_good_ = true;
};

inline void need_checker()
{
    if (is_watched()) return;
    std::fputs("no memory checker watches: run this under valgrind\n", stderr);
    std::exit(2);
}

/// Exits with 77 (skipped) if no engine runs here.
inline void need_engine()
{
    constexpr int skipped = 77;
    if (girih_engine() != nullptr) return;
    std::fprintf(stderr, "skipped: %s\n", girih_engine_reason());
    std::exit(skipped);
}

/// Calls run(alg, steps) for each of the named algorithms, and returns main's exit status.
template <class Run>
int run_each(int count, char** names, Run run)
{
    need_checker();
    need_engine();
    Steps steps;
    steps.expect(count > 1, "usage", "an algorithm's name, or several");
    for (const char* name : std::span(names, static_cast<std::size_t>(count)).subspan(1)) {
        const girih_alg* alg = girih_algorithm(name);
        steps.expect(alg != nullptr, name, "there is no such algorithm");
        if (alg == nullptr) continue;
        std::fprintf(stderr, "%s\n", name);
        run(alg, steps);
    }
    return steps.all_good() ? 0 : 1;
}

}  // namespace girih::test
