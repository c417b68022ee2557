#include "cli/system/descriptor.hpp"

#include <fcntl.h>
#if defined(__linux__)
#    include <sys/utsname.h>
#    include <sys/vfs.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace girih::cli::system {
namespace {

std::array<bool, 3> was_closed{};  ///< 0, 1 and 2

}  // namespace

std::string reason() { return std::strerror(errno); }

std::optional<std::size_t> read(int number, std::span<std::uint8_t> buffer) noexcept
{
    for (;;) {
        const ssize_t got = ::read(number, buffer.data(), buffer.size());
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) return {};
    }
}

bool write(int number, std::span<const std::uint8_t> bytes) noexcept
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(number, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool close(int number) noexcept { return ::close(number) == 0; }

void take_standard_numbers() noexcept
{
    // open(2) returns the lowest free number. Read-only, so that writing to a closed output still
    // fails; is_open keeps closed inputs from being read.
    for (std::size_t number = 0; number < was_closed.size(); ++number) {
        was_closed[number] = !is_open(static_cast<int>(number));
        if (was_closed[number]) (void)!::open("/dev/null", O_RDONLY);
    }
}

bool is_open(int number) noexcept
{
    const auto i = static_cast<std::size_t>(number);
    if (i < was_closed.size() && was_closed[i]) {
        errno = EBADF;
        return false;
    }
    return ::fcntl(number, F_GETFD) != -1;
}

bool is_writable(int number) noexcept
{
    const int flags = ::fcntl(number, F_GETFL);
    if (flags == -1) return false;
    if ((flags & O_ACCMODE) == O_RDONLY) errno = EBADF;
    return (flags & O_ACCMODE) != O_RDONLY;
}

std::optional<std::int64_t> place_in(int number) noexcept
{
    const off_t place = ::lseek(number, 0, SEEK_CUR);
    if (place < 0) return {};
    return place;
}

bool go_to(int number, std::int64_t place) noexcept { return ::lseek(number, place, SEEK_SET) == place; }

bool sync(int number) noexcept { return ::fsync(number) == 0; }

#if defined(__linux__)
bool sync_file_system(int number) noexcept { return ::syncfs(number) == 0; }

bool syncs_file_system(int number) noexcept
{
    // Before Linux 5.18 syncfs(2) succeeds where the file system's own function fails. FUSE does
    // not pass it on, network file systems do not ask their servers, and overlays lose errors.
    constexpr std::array<unsigned, 5> known{0xEF53, 0x58465342, 0x9123683E, 0xF2F52010,
                                            0x01021994};  // ext2 to ext4, XFS, Btrfs, F2FS, tmpfs
    utsname system{};
    struct statfs status{};
    if (::uname(&system) != 0 || ::fstatfs(number, &status) != 0) return false;
    char* end = nullptr;
    const long major = std::strtol(system.release, &end, 10);
    const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
    return (major > 5 || (major == 5 && minor >= 18)) &&
           std::find(known.begin(), known.end(), static_cast<unsigned>(status.f_type)) != known.end();
}
#else
bool sync_file_system(int) noexcept { return false; }
bool syncs_file_system(int) noexcept { return false; }
#endif

}  // namespace girih::cli::system
