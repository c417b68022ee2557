#include "cli/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "cli/failure.hpp"

namespace girih::cli {
namespace {

constexpr mode_t owner_mode = S_IRUSR | S_IWUSR;
constexpr mode_t anybody_mode = owner_mode | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

std::string output_name(const std::string& path) { return path == "-" ? "standard output" : path; }

[[noreturn]] void fail_file(const std::string& name, const std::string& what)
{
    throw Failure(exit_file, name + ": " + what);
}

/// Writes all bytes; false leaves the reason in errno.
bool write_all(int descriptor, std::span<const std::uint8_t> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// The process's umask, which can only be read by setting it.
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

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() { (void)close(); }

bool Descriptor::close() noexcept
{
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
}

Input::Input(const std::string& path) : name_(input_name(path))
{
    if (path == "-") return;
    owned_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    descriptor_ = owned_.number();
    if (descriptor_ < 0) fail_file(name_, std::strerror(errno));
}

std::size_t Input::read(std::span<std::uint8_t> room)
{
    std::size_t filled = 0;
    while (filled < room.size()) {
        const ssize_t got = ::read(descriptor_, room.data() + filled, room.size() - filled);
        if (got < 0 && errno != EINTR) fail_file(name_, std::strerror(errno));
        if (got == 0) break;
        if (got > 0) filled += static_cast<std::size_t>(got);
    }
    return filled;
}

std::optional<std::uint64_t> Input::size() const noexcept
{
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return static_cast<std::uint64_t>(status.st_size);
}

key_files::SecretBytes read_small(const std::string& path, std::size_t most)
{
    Input file(path);
    key_files::SecretBytes bytes(most + 1);
    bytes.resize(file.read(bytes));
    return bytes;
}

NewFile::NewFile(std::string path, Access access, bool force)
    : path_(std::move(path)), access_(access), force_(force)
{
    if (path_ == "-") return;
    struct stat status{};
    if (::stat(path_.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) fail("is a directory");
        in_place_ = !S_ISREG(status.st_mode);
    } else if (::lstat(path_.c_str(), &status) != 0) {
        return;
    }
    if (!in_place_ && !force_) fail("exists already; --force replaces it");
}

NewFile::~NewFile()
{
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::fail(const std::string& what) const { fail_file(output_name(path_), what); }

void NewFile::fill(Descriptor file, std::span<const std::uint8_t> bytes) const
{
    if (!write_all(file.number(), bytes)) fail(std::strerror(errno));
    if (!in_place_ && ::fsync(file.number()) != 0) fail(std::strerror(errno));
    if (!file.close()) fail(std::strerror(errno));
}

void NewFile::write(std::span<const std::uint8_t> bytes)
{
    if (path_ == "-") return print(bytes);
    if (!in_place_) return write_temporary(bytes);
    Descriptor device(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (device.number() < 0) fail(std::strerror(errno));
    fill(std::move(device), bytes);
}

void NewFile::write_temporary(std::span<const std::uint8_t> bytes)
{
    std::string name = path_.substr(0, path_.find_last_of('/') + 1) + ".girih-XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));  // O_EXCL, and for the owner alone
    if (file.number() < 0) fail(std::strerror(errno));
    temporary_ = name;
    if (access_ == Access::umask && ::fchmod(file.number(), anybody_mode & ~umask_now()) != 0)
        fail(std::strerror(errno));
    fill(std::move(file), bytes);
}

/// link(2) takes a name only if it is free, where rename(2) would replace what has it.
void NewFile::link_temporary()
{
    if (::link(temporary_.c_str(), path_.c_str()) != 0) {
        if (errno == EEXIST) fail("exists already; --force replaces it");
        if (!without_links(errno)) fail(std::strerror(errno));
        // Without links, an empty file takes the name, and is replaced.
        const Descriptor claim(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, owner_mode));
        if (claim.number() < 0) fail(std::strerror(errno));
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
            const int error = errno;
            ::unlink(path_.c_str());
            fail(std::strerror(error));
        }
        temporary_.clear();
    }
    linked_ = true;
}

void NewFile::commit()
{
    if (temporary_.empty()) return;
    if (!force_) return link_temporary();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
    temporary_.clear();
}

void NewFile::withdraw() noexcept
{
    if (linked_) ::unlink(path_.c_str());
    linked_ = false;
}

void commit_both(NewFile& first, NewFile& second)
{
    first.commit();
    try {
        second.commit();
    } catch (...) {
        first.withdraw();
        throw;
    }
}

void print(std::span<const std::uint8_t> bytes)
{
    if (!write_all(STDOUT_FILENO, bytes)) fail_file(output_name("-"), std::strerror(errno));
}

void print(std::string_view text) { print(std::vector<std::uint8_t>(text.begin(), text.end())); }

void refuse_shared_standard_input(std::initializer_list<std::string_view> paths)
{
    if (std::count(paths.begin(), paths.end(), "-") > 1)
        throw Failure(exit_usage, "standard input (-) can be only one of the files that are read");
}

void occupy_standard_descriptors()
{
    // open(2) gives the lowest free number. Read-only, so that writing to a closed output still fails.
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
        if (::fcntl(number, F_GETFD) == -1 && errno == EBADF) (void)!::open("/dev/null", O_RDONLY);
}

}  // namespace girih::cli
