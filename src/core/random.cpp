#include "core/random.hpp"

#include <sys/random.h>
#include <cerrno>

#include "core/wipe.hpp"

namespace girih {

bool os_random(BytesOut<> out) noexcept
{
    for (BytesOut<> rest = out; !rest.empty();) {
        const ssize_t drawn = getrandom(rest.data(), rest.size(), 0);
        if (drawn > 0) {
            rest = rest.subspan(static_cast<std::size_t>(drawn));
        } else if (errno != EINTR) {
            wipe(out);
            return false;
        }
    }
    return true;
}

}  // namespace girih
