#include "cli/files/files.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "cli/system/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/system/terminal.hpp"

namespace girih::cli {
namespace {

using system::Kind;

/// Up to this many files are synchronized one by one, which does not wait for data of other
/// programs.
constexpr std::size_t few_files = 16;

constexpr const char* taken = "exists already; --force replaces it";

std::string output_name(const std::string& path) { return path == "-" ? "standard output" : path; }

[[noreturn]] void fail_file(const std::string& name, const std::string& what)
{
    throw Failure(exit_file, name + ": " + what);
}

}  // namespace

std::optional<int> descriptor_named(std::string_view path) noexcept
{
    if (path == "/dev/stdin") return system::standard_input;
    if (path == "/dev/stdout") return system::standard_output;
    if (path == "/dev/stderr") return system::standard_error;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        int number = 0;
        const char* const end = path.data() + path.size();
        const auto [at, error] = std::from_chars(path.data() + folder.size(), end, number);
        if (error == std::errc{} && at == end && number >= 0) return number;
    }
    return {};
}

bool is_standard_output(std::string_view path) noexcept
{
    return path == "-" || descriptor_named(path) == system::standard_output;
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Input::Input(const std::string& path) : name_(input_name(path)), descriptor_(system::standard_input)
{
    const auto number = path == "-" ? system::standard_input : descriptor_named(path);
    if (number && !system::is_open(*number)) fail_file(name_, system::reason());
    if (path != "-") {
        owned_ = system::open_to_read(path);
        descriptor_ = owned_.number();
        if (descriptor_ < 0) fail_file(name_, system::reason());
    }
    start_ = system::place_in(descriptor_);
}

Input::Input(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor), start_(system::place_in(descriptor))
{
}

std::size_t Input::read(std::span<std::uint8_t> buffer)
{
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const auto got = system::read(descriptor_, buffer.subspan(filled));
        if (!got) fail_file(name_, system::reason());
        if (*got == 0) break;
        filled += *got;
    }
    return filled;
}

std::optional<std::uint64_t> Input::size() const noexcept
{
    const auto status = system::status_of(descriptor_);
    if (!status || status->kind != Kind::file) return {};
    return status->bytes;
}

std::string Input::use_by_others() const { return system::use_by_others(descriptor_, name_); }

bool Input::rewind() noexcept { return start_ && system::go_to(descriptor_, *start_); }

key_files::SecretBytes read_small(Input& file, std::size_t max_bytes)
{
    constexpr std::size_t first_piece = 4096;
    const std::size_t limit = max_bytes == SIZE_MAX ? max_bytes : max_bytes + 1;
    const std::uint64_t expected = std::max<std::uint64_t>(file.size().value_or(0), first_piece - 1) + 1;
    key_files::SecretBytes bytes;
    for (std::size_t filled = 0;;) {
        // One byte more than the reported size shows the end; a file that is longer than reported
        // is read in growing pieces.
        const std::size_t target = filled == 0
                                       ? static_cast<std::size_t>(std::min<std::uint64_t>(expected, limit))
                                       : filled + std::min(filled, limit - filled);
        bytes.resize(target);
        filled += file.read(std::span(bytes).subspan(filled));
        if (filled < target || filled == limit) {
            bytes.resize(filled);
            return bytes;
        }
    }
}

key_files::SecretBytes read_small(const std::string& path, std::size_t max_bytes)
{
    Input file(path);
    return read_small(file, max_bytes);
}

key_files::SecretBytes read_whole(Input& file, std::size_t max_bytes, const std::string& too_long)
{
    auto bytes = read_small(file, max_bytes);
    if (bytes.size() > max_bytes) fail_file(file.name(), too_long);
    return bytes;
}

std::string count_of(std::span<const std::uint8_t> bytes, std::size_t max_bytes)
{
    return bytes.size() > max_bytes ? "more than " + std::to_string(max_bytes) : std::to_string(bytes.size());
}

bool FileSystems::take(Descriptor& file, const std::string& path)
{
    const auto status = system::status_of(file.number());
    if (!status || !status->id || !system::syncs_file_system(file.number())) return false;
    const std::uint64_t device = status->id->device;
    if (std::none_of(all_.begin(), all_.end(), [&](const One& one) { return one.device == device; }))
        all_.push_back({device, std::move(file), path});
    return true;
}

void FileSystems::sync() const
{
    for (const One& one : all_)
        if (!system::sync_file_system(one.file.number()))
            fail_file(one.path, "its file system cannot be synchronized: " + system::reason());
}

NewFile::NewFile(std::string path, Access access, Content content, bool force)
    : path_(std::move(path)), access_(access), force_(force), way_(open())
{
    if (content == Content::binary && !force_ && number_ >= 0 && system::is_terminal(number_))
        fail("is a terminal, but this is not text; --force writes it anyway");
}

NewFile::~NewFile()
{
    if (!temporary_.empty()) (void)system::remove(temporary_);
}

void NewFile::fail(const std::string& what) const { fail_file(output_name(path_), what); }

NewFile::Way NewFile::open()
{
    if (const auto number = path_ == "-" ? system::standard_output : descriptor_named(path_)) {
        if (!system::is_writable(*number)) fail(system::reason());
        number_ = *number;
        return Way::open;
    }
    const auto holder = system::holder_of(path_);
    if (!holder) fail(system::reason());
    if (holder->is_there) {
        if (holder->kind == Kind::folder) fail("is a directory");
        if (holder->kind == Kind::pipe) {
            if (!system::may_write(path_)) fail(system::reason());
            return Way::pipe;
        }
        if (holder->kind != Kind::file) {
            device_ = system::open_to_write(path_);
            number_ = device_.number();
            if (number_ < 0) fail(system::reason());
            return Way::open;
        }
        if (!force_) fail(taken);
    }
    // Only a test, removed at once: a command that is killed while it reads leaves nothing behind.
    (void)make_temporary(Access::owner);
    (void)system::remove(std::exchange(temporary_, ""));
    return Way::renamed;
}

void NewFile::write_to(int number, std::span<const std::uint8_t> bytes) const
{
    if (number < 0 || !system::write(number, bytes)) fail(system::reason());
}

void NewFile::write(std::span<const std::uint8_t> bytes, FileSystems* later)
{
    Descriptor file;
    switch (way_) {
        case Way::renamed:
            file = make_temporary(access_);
            write_to(file.number(), bytes);
            is_later_ = later != nullptr && later->take(file, path_);
            if (!is_later_ && !system::sync(file.number())) fail(system::reason());
            break;
        case Way::open:
            write_to(number_, bytes);
            file = std::move(device_);
            break;
        case Way::pipe:
            file = system::open_to_write(path_);
            write_to(file.number(), bytes);
    }
    if (!file.close()) fail(system::reason());
}

Descriptor NewFile::make_temporary(Access access)
{
    Descriptor file = system::make_temporary(path_, access, temporary_);
    if (file.number() < 0) fail(system::reason());
    return file;
}

void NewFile::commit()
{
    if (temporary_.empty()) return;
    if (force_ && system::exchange(temporary_, path_)) {
        holds_old_ = true;  // it is removed with this object
        return;
    }
    const system::Naming naming = system::name_if_free(temporary_, path_);
    if (naming == system::Naming::taken && force_) {
        if (!system::replace(temporary_, path_)) fail(system::reason());
    } else {
        if (naming != system::Naming::done) fail(naming == system::Naming::taken ? taken : system::reason());
        is_new_ = true;
    }
    temporary_.clear();
}

void NewFile::withdraw() noexcept
{
    if (is_new_) (void)system::remove(path_);
    if (holds_old_) (void)system::exchange(temporary_, path_);
    is_new_ = holds_old_ = false;
}

void NewFiles::write(std::span<const std::vector<std::uint8_t>> contents)
{
    for (std::size_t i = 0; i < contents.size(); ++i)
        files_[i].write(contents[i], contents.size() > few_files ? &later_ : nullptr);
}

void NewFiles::sync_names() const
{
    later_.sync();
    std::set<std::string> folders;
    for (const NewFile& file : files_)
        if (file.way_ == NewFile::Way::renamed && !file.is_later_) {
            const std::string folder = system::name_of(file.path_).folder;
            if (folders.insert(folder).second && !system::sync_folder(folder))
                file.fail("its folder cannot be synchronized: " + system::reason());
        }
}

void NewFiles::commit(const std::function<void()>& report)
{
    later_.sync();  // no name before its content
    std::size_t committed = 0;
    const auto withdraw = [&] {
        while (committed > 0) files_[--committed].withdraw();
    };
    system::uninterrupted([&] {
        try {
            for (; committed < files_.size(); ++committed) files_[committed].commit();
        } catch (...) {
            withdraw();
            throw;
        }
    });
    try {
        sync_names();
        if (report) report();
    } catch (...) {
        system::uninterrupted(withdraw);
        throw;
    }
}

void NewFiles::commit(bool json, const Json& members)
{
    commit([&] {
        if (json) print_good_json(members);
    });
}

}  // namespace girih::cli
