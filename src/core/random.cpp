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
// Declared as in <bcrypt.h>, which needs <windows.h> and its macros.
extern "C"
    __declspec(dllimport) long __stdcall BCryptGenRandom(void*, unsigned char*, unsigned long, unsigned long);
#else
#    include <cstddef>
// Declared as in <unistd.h> or <sys/random.h>, which hide it from strict C++ on some systems.
extern "C" [[gnu::visibility("default")]] int getentropy(void*, std::size_t);
#endif

#include <algorithm>

#include "core/wipe.hpp"

namespace girih {
namespace {

#if !defined(GIRIH_NO_SYSTEM_RANDOMNESS) && defined(__linux__)

/// A device opened for reading, closed on destruction.
class Device {
  public:
    /// If the device cannot be opened, the object is empty and errno says why.
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
    /// Leaves `error` in errno.
    void close(int error) noexcept
    {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
        errno = error;
    }

    int descriptor_ = -1;
};

/// Waits until the system has gathered its first entropy, as getrandom does: from then on
/// /dev/random can be read, whereas /dev/urandom always can. Waits once only: /dev/random of old
/// kernels may block again later, for no reason.
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
    if (drawn == 0) errno = EIO;  // a generator has no end of file
    return drawn < 0 ? 0 : static_cast<std::size_t>(drawn);
}

#endif

/// Fills the front of `out`, which is not empty. Returns the number of bytes written, 0 on failure.
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
    constexpr std::size_t max_bytes = 256;  // getentropy's limit for one call
    const std::size_t bytes = std::min(out.size(), max_bytes);
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
