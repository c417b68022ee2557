#include "cli/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
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

/// Fails if a descriptor is closed, or open for reading alone.
void check_writable(int number, const std::string& name)
{
    const int flags = ::fcntl(number, F_GETFL);
    if (flags == -1) fail_file(name, std::strerror(errno));
    if ((flags & O_ACCMODE) == O_RDONLY) fail_file(name, std::strerror(EBADF));
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

std::optional<int> descriptor_named(std::string_view path) noexcept
{
    if (path == "/dev/stdin") return STDIN_FILENO;
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        int number = 0;
        const char* const end = path.data() + path.size();
        const auto [at, error] = std::from_chars(path.data() + folder.size(), end, number);
        if (error == std::errc{} && at == end && number >= 0) return number;
    }
    return {};
}

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

unsigned Input::permissions_of_others() const noexcept
{
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return status.st_mode & (S_IRWXG | S_IRWXO);
}

bool Input::rewind() noexcept { return ::lseek(descriptor_, 0, SEEK_SET) == 0; }

key_files::SecretBytes read_small(Input& file, std::size_t most)
{
    constexpr std::size_t first_piece = 4096;
    const std::size_t limit = most == SIZE_MAX ? most : most + 1;
    const std::uint64_t expected = std::max<std::uint64_t>(file.size().value_or(0), first_piece - 1) + 1;
    key_files::SecretBytes bytes;
    for (std::size_t filled = 0;;) {
        // One byte more than the file is said to have shows its end; what has more than it says is
        // read in growing pieces.
        const std::size_t room = filled == 0
                                     ? static_cast<std::size_t>(std::min<std::uint64_t>(expected, limit))
                                     : filled + std::min(filled, limit - filled);
        bytes.resize(room);
        filled += file.read(std::span(bytes).subspan(filled));
        if (filled < room || filled == limit) {
            bytes.resize(filled);
            return bytes;
        }
    }
}

key_files::SecretBytes read_small(const std::string& path, std::size_t most)
{
    Input file(path);
    return read_small(file, most);
}

NewFile::NewFile(std::string path, Access access, Content content, bool force)
    : path_(std::move(path)), access_(access), force_(force), way_(open())
{
    refuse_terminal(content);
}

NewFile::~NewFile()
{
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::fail(const std::string& what) const { fail_file(output_name(path_), what); }

NewFile::Way NewFile::open()
{
    if (const auto number = path_ == "-" ? STDOUT_FILENO : descriptor_named(path_)) {
        take_descriptor(*number);
        return Way::open;
    }
    struct stat status{};
    if (::stat(path_.c_str(), &status) == 0) return open_existing(status.st_mode);
    if (errno != ENOENT || path_.empty()) fail(std::strerror(errno));
    const bool is_dangling_link = ::lstat(path_.c_str(), &status) == 0;
    return open_existing(is_dangling_link ? S_IFREG : 0);
}

/// `mode` is that of the file that is there, 0 if there is none.
NewFile::Way NewFile::open_existing(unsigned mode)
{
    if (S_ISDIR(mode)) fail("is a directory");
    if (S_ISFIFO(mode)) {
        if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) fail(std::strerror(errno));
        return Way::pipe;
    }
    if (mode != 0 && !S_ISREG(mode)) {
        device_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
        number_ = device_.number();
        if (number_ < 0) fail(std::strerror(errno));
        return Way::open;
    }
    if (mode != 0 && !force_) fail("exists already; --force replaces it");
    // The file is not kept: a command that is killed while it reads leaves nothing behind.
    (void)make_temporary();
    ::unlink(std::exchange(temporary_, "").c_str());
    return Way::renamed;
}

void NewFile::take_descriptor(int number)
{
    check_writable(number, output_name(path_));
    number_ = number;
}

void NewFile::refuse_terminal(Content content) const
{
    if (content == Content::binary && !force_ && number_ >= 0 && ::isatty(number_) == 1)
        fail("is a terminal, and this is not text; --force writes it all the same");
}

void NewFile::fill(Descriptor file, std::span<const std::uint8_t> bytes) const
{
    if (!write_all(file.number(), bytes)) fail(std::strerror(errno));
    if (way_ == Way::renamed && ::fsync(file.number()) != 0) fail(std::strerror(errno));
    if (!file.close()) fail(std::strerror(errno));
}

void NewFile::write(std::span<const std::uint8_t> bytes)
{
    switch (way_) {
        case Way::renamed:
            return write_temporary(bytes);
        case Way::open:
            if (!write_all(number_, bytes)) fail(std::strerror(errno));
            if (!device_.close()) fail(std::strerror(errno));
            return;
        case Way::pipe: {
            Descriptor pipe(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
            if (pipe.number() < 0) fail(std::strerror(errno));
            return fill(std::move(pipe), bytes);
        }
    }
}

Descriptor NewFile::make_temporary()
{
    std::string name = path_.substr(0, path_.find_last_of('/') + 1) + ".girih-XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));  // O_EXCL, and for the owner alone
    if (file.number() < 0) fail(std::strerror(errno));
    temporary_ = name;
    return file;
}

void NewFile::write_temporary(std::span<const std::uint8_t> bytes)
{
    Descriptor file = make_temporary();
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

void commit_all(std::span<NewFile* const> files)
{
    std::size_t committed = 0;
    try {
        for (; committed < files.size(); ++committed) files[committed]->commit();
    } catch (...) {
        while (committed > 0) files[--committed]->withdraw();
        throw;
    }
}

void print(std::span<const std::uint8_t> bytes)
{
    if (!write_all(STDOUT_FILENO, bytes)) fail_file(output_name("-"), std::strerror(errno));
}

void print(std::string_view text) { print(std::vector<std::uint8_t>(text.begin(), text.end())); }

void require_standard_output() { check_writable(STDOUT_FILENO, output_name("-")); }

void occupy_standard_descriptors()
{
    // open(2) gives the lowest free number. Read-only, so that writing to a closed
    // output still fails.
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
        if (::fcntl(number, F_GETFD) == -1 && errno == EBADF) (void)!::open("/dev/null", O_RDONLY);
}

}  // namespace girih::cli
