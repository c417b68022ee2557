#include "core/random.hpp"

#if defined(__linux__)
#    include <sys/random.h>
#    include <cerrno>
#elif defined(_WIN32)
// As <bcrypt.h> has it, whose <windows.h> has macros of many names.
extern "C"
    __declspec(dllimport) long __stdcall BCryptGenRandom(void*, unsigned char*, unsigned long, unsigned long);
#else
#    include <unistd.h>
#    if __has_include(<sys/random.h>)
#        include <sys/random.h>
#    endif
#endif

#include <algorithm>

#include "core/wipe.hpp"

namespace girih {
namespace {

/// Fills the front of `out`, which is not empty, and tells how much of it: nothing if the system
/// has nothing to give.
std::size_t draw(BytesOut<> out) noexcept
{
#if defined(__linux__)
    ssize_t drawn = 0;
    do drawn = getrandom(out.data(), out.size(), 0);
    while (drawn < 0 && errno == EINTR);
    return drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
#elif defined(_WIN32)
    constexpr unsigned long system_preferred = 2;
    const std::size_t bytes = std::min<std::size_t>(out.size(), 1 << 30);
    const bool good =
        BCryptGenRandom(nullptr, out.data(), static_cast<unsigned long>(bytes), system_preferred) >= 0;
    return good ? bytes : 0;
#else
    constexpr std::size_t most = 256;  // that getentropy gives at once
    const std::size_t bytes = std::min(out.size(), most);
    return getentropy(out.data(), bytes) == 0 ? bytes : 0;
#endif
}

}  // namespace

bool os_random(BytesOut<> out) noexcept
{
    for (BytesOut<> rest = out; !rest.empty();) {
        const std::size_t drawn = draw(rest);
        if (drawn == 0) {
            wipe(out);
            return false;
        }
        rest = rest.subspan(drawn);
    }
    return true;
}

}  // namespace girih
