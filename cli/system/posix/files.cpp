#include "cli/system/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cli/system/posix/ending.hpp"

namespace girih::cli::system {

const char* const separator = "/";

namespace {

constexpr mode_t owner_mode = S_IRUSR | S_IWUSR;
constexpr mode_t anybody_mode = owner_mode | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

/// The process's umask, which can be read only by setting it.
mode_t umask_now()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

/// Whether an error of link(2) says that this file system has no links.
bool without_links(int error)
{
    return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK;
}

Kind kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
        case S_IFREG:
            return Kind::file;
        case S_IFDIR:
            return Kind::folder;
        case S_IFIFO:
            return Kind::pipe;
        case S_IFCHR:
            return Kind::characters;
        case S_IFBLK:
            return Kind::blocks;
        default:
            return Kind::other;
    }
}

Status as_status(const struct stat& status)
{
    // The types of the system differ: macOS numbers devices by an int.
    const FileId id{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
    return {kind_of(status.st_mode), id, static_cast<std::uint64_t>(status.st_size)};
}

}  // namespace

std::optional<Status> status_of(int number) noexcept
{
    struct stat status{};
    if (::fstat(number, &status) != 0) return {};
    return as_status(status);
}

std::optional<Status> status_of(const std::string& path)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return {};
    return as_status(status);
}

Name name_of(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return {slash == std::string::npos ? "." : path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::optional<Holder> holder_of(const std::string& path)
{
    if (const auto status = status_of(path)) return Holder{true, status->kind};
    if (errno != ENOENT || path.empty()) return {};
    struct stat status{};
    return Holder{::lstat(path.c_str(), &status) == 0, Kind::file};
}

Descriptor open_to_read(const std::string& path)
{
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

Descriptor open_to_write(const std::string& path)
{
    return Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
}

bool may_write(const std::string& path) { return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0; }

std::string use_by_others(int number, const std::string&)
{
    struct stat status{};
    if (::fstat(number, &status) != 0 || !S_ISREG(status.st_mode)) return "";
    const unsigned permissions = status.st_mode & (S_IRWXG | S_IRWXO);
    if (permissions == 0) return "";
    std::array<char, 16> mode{};
    (void)std::snprintf(mode.data(), mode.size(), "%03o", permissions);
    return "(permissions " + std::string(mode.data()) + "); chmod go= ends that";
}

Descriptor make_temporary(const std::string& path, Access access, std::string& name)
{
    std::string made = path.substr(0, path.find_last_of('/') + 1) + ".girih-XXXXXX";
    const SignalsWait wait;
    Descriptor file(::mkostemp(made.data(), O_CLOEXEC));  // O_EXCL, for the owner only
    if (file.number() < 0) return {};
    name = made;
    remove_on_end(made);
    if (access == Access::umask && ::fchmod(file.number(), anybody_mode & ~umask_now()) != 0) return {};
    return file;
}

bool remove(const std::string& path) noexcept
{
    const SignalsWait wait;
    const bool is_removed = ::unlink(path.c_str()) == 0;
    keep(path);
    return is_removed;
}

bool replace(const std::string& temporary, const std::string& path)
{
    const SignalsWait wait;
    if (::rename(temporary.c_str(), path.c_str()) != 0) return false;
    keep(temporary);
    return true;
}

bool exchange(const std::string& temporary, const std::string& path)
{
#if defined(RENAME_EXCHANGE)
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return true;
#elif defined(RENAME_SWAP)
    if (::renamex_np(temporary.c_str(), path.c_str(), RENAME_SWAP) == 0) return true;
#else
    errno = ENOSYS;
#endif
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
    // Network file systems have only links.
    const std::string aside = temporary + aside_suffix;
    if (::link(path.c_str(), aside.c_str()) != 0) return false;
    if (::rename(temporary.c_str(), path.c_str()) == 0)
        return ::rename(aside.c_str(), temporary.c_str()) == 0;
    ::unlink(aside.c_str());
    return false;
}

/// link(2) succeeds only if the name is free; rename(2) would replace a file.
Naming name_if_free(const std::string& temporary, const std::string& path)
{
    if (::link(temporary.c_str(), path.c_str()) == 0) {
        (void)remove(temporary);
        return Naming::done;
    }
    if (errno == EEXIST) return Naming::taken;
    if (!without_links(errno)) return Naming::failed;
    // Without links, an empty file reserves the name and is then replaced; signals are blocked
    // meanwhile.
    const SignalsWait wait;
    const Descriptor claim(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, owner_mode));
    if (claim.number() < 0) return errno == EEXIST ? Naming::taken : Naming::failed;
    if (replace(temporary, path)) return Naming::done;
    const int error = errno;
    ::unlink(path.c_str());
    errno = error;
    return Naming::failed;
}

bool sync_folder(const std::string& folder)
{
    const Descriptor names(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    if (names.number() < 0) {
        ::sync();  // a folder that may be written to but not read
        return true;
    }
    // EINVAL: the file system cannot do it.
    return sync(names.number()) || errno == EINVAL || errno == EOPNOTSUPP;
}

bool make_folder(const std::string& path) { return ::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST; }

}  // namespace girih::cli::system
