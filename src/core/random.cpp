#include "core/random.hpp"

#if defined(GIRIH_NO_SYSTEM_RANDOMNESS)
#elif defined(__linux__)
#    include <fcntl.h>
#    include <poll.h>
#    include <sys/random.h>
#    include <sys/stat.h>
#    include <unistd.h>
#    include <atomic>
#    include <cerrno>
#elif defined(_WIN32)
// As <bcrypt.h> has it, whose <windows.h> has macros of many names.
extern "C"
    __declspec(dllimport) long __stdcall BCryptGenRandom(void*, unsigned char*, unsigned long, unsigned long);
#else
#    include <cstddef>
// As <unistd.h> or <sys/random.h> has it, but some hide it from strict C++.
extern "C" [[gnu::visibility("default")]] int getentropy(void*, std::size_t);
#endif

#include <algorithm>

#include "core/wipe.hpp"

namespace girih {
namespace {

#if !defined(GIRIH_NO_SYSTEM_RANDOMNESS) && defined(__linux__)

/// A device that is open for reading while this lives.
class Device {
  public:
    /// The object holds nothing, and errno says why, if there is no such device.
    explicit Device(const char* path) noexcept
    {
        do descriptor_ = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (descriptor_ < 0 && errno == EINTR);
        if (descriptor_ < 0) return;
        struct stat status{};
        if (::fstat(descriptor_, &status) != 0)
            close(errno);
        else if (!S_ISCHR(status.st_mode))
            close(ENODEV);
    }
    ~Device() { close(errno); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  private:
    /// Leaves this error in errno.
    void close(int error) noexcept
    {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
        errno = error;
    }

    int descriptor_ = -1;
};

/// Waits until the system has gathered its first entropy, as getrandom does: /dev/random can be
/// read from then on, /dev/urandom always. Once is enough: later /dev/random of old kernels may
/// have to wait again for no reason.
bool wait_for_entropy() noexcept
{
    static constinit std::atomic<bool> gathered{false};
    if (gathered.load(std::memory_order_relaxed)) return true;
    const Device random{"/dev/random"};
    if (random.descriptor() < 0) return false;
    pollfd readable{random.descriptor(), POLLIN, 0};
    int ready = 0;
    do ready = ::poll(&readable, 1, -1);
    while (ready < 0 && (errno == EINTR || errno == EAGAIN));
    if (ready != 1) return false;
    gathered.store(true, std::memory_order_relaxed);
    return true;
}

std::size_t draw_from_device(BytesOut<> out) noexcept
{
    if (!wait_for_entropy()) return 0;
    const Device urandom{"/dev/urandom"};
    if (urandom.descriptor() < 0) return 0;
    ssize_t drawn = 0;
    do drawn = ::read(urandom.descriptor(), out.data(), out.size());
    while (drawn < 0 && errno == EINTR);
    if (drawn == 0) errno = EIO;  // no generator ends
    return drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
}

#endif

/// Fills the front of `out`, which is not empty, and tells how much of it: nothing if the system
/// has nothing to give.
std::size_t draw([[maybe_unused]] BytesOut<> out) noexcept
{
#if defined(GIRIH_NO_SYSTEM_RANDOMNESS)
    return 0;
#elif defined(__linux__)
    ssize_t drawn = 0;
    do drawn = getrandom(out.data(), out.size(), 0);
    while (drawn < 0 && errno == EINTR);
    return drawn > 0 ? static_cast<std::size_t>(drawn) : draw_from_device(out);
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
