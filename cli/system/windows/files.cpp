#include "cli/system/files.hpp"

#include "cli/system/windows/native.hpp"

namespace girih::cli::system {

const char* const separator = "\\";

namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

Handle open(const std::wstring& path, DWORD access, DWORD flags = FILE_ATTRIBUTE_NORMAL)
{
    if (path.empty()) return Handle(INVALID_HANDLE_VALUE);  // native_path has noted the error
    Handle file(::CreateFileW(path.c_str(), access, share_all, nullptr, OPEN_EXISTING, flags, nullptr));
    if (!file) note_error();
    return file;
}

/// Opens any kind of file for inspection, even if others have it open.
Handle open_to_look(const std::wstring& path, DWORD flags = 0)
{
    return open(path, FILE_READ_ATTRIBUTES, FILE_FLAG_BACKUP_SEMANTICS | flags);
}

/// Named pipes must not be opened by accident: the server would take this process for its client.
bool is_named_pipe(const std::wstring& path)
{
    constexpr std::wstring_view folder = L"\\\\.\\pipe\\";
    return full_path(path).starts_with(folder);
}

std::optional<Status> status_of(HANDLE file) noexcept
{
    switch (::GetFileType(file)) {
        case FILE_TYPE_CHAR:
            return Status{Kind::characters, {}, 0};
        case FILE_TYPE_PIPE:
            return Status{Kind::pipe, {}, 0};
        case FILE_TYPE_DISK:
            break;
        default:
            note_error(ERROR_INVALID_HANDLE);
            return {};
    }
    BY_HANDLE_FILE_INFORMATION info{};
    if (::GetFileInformationByHandle(file, &info) == 0) {
        note_error();
        return {};
    }
    const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
    const bool is_folder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return Status{is_folder ? Kind::folder : Kind::file,
                  FileId{info.dwVolumeSerialNumber, joined(info.nFileIndexHigh, info.nFileIndexLow)},
                  joined(info.nFileSizeHigh, info.nFileSizeLow)};
}

/// Opens an existing file, with a separate error for folders.
Descriptor open_existing(const std::string& path, DWORD access)
{
    const std::wstring native = native_path(path);
    Handle file = open(native, access);
    if (!file && !native.empty()) {
        const DWORD attributes = ::GetFileAttributesW(native.c_str());
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            note_error(error_is_folder);
    }
    return descriptor_of(std::move(file));
}

/// Renames a file within its folder. If another program holds the name, Windows says only that
/// access is denied.
bool rename(const std::wstring& from, const std::wstring& to, DWORD flags)
{
    if (from.empty() || to.empty()) return false;
    if (::MoveFileExW(from.c_str(), to.c_str(), flags | MOVEFILE_WRITE_THROUGH) != 0) {
        keep(from);
        return true;
    }
    const DWORD error = ::GetLastError();
    note_error(error);
    if (error == ERROR_ACCESS_DENIED && !open(to, DELETE) && noted_error() != ERROR_SHARING_VIOLATION)
        note_error(error);
    return false;
}

/// Six letters and digits that differ each time; they need not be unpredictable.
std::wstring another_ending()
{
    LARGE_INTEGER ticks{};
    (void)::QueryPerformanceCounter(&ticks);
    auto number = static_cast<std::uint64_t>(ticks.QuadPart) * 0x9E3779B97F4A7C15 + ::GetCurrentProcessId();
    std::wstring ending;
    for (; ending.size() < 6; number /= 36) ending += L"abcdefghijklmnopqrstuvwxyz0123456789"[number % 36];
    return ending;
}

std::size_t length_of_folder(std::string_view path) { return path.find_last_of("/\\:") + 1; }

}  // namespace

std::optional<Status> status_of(int number) noexcept { return status_of(handle_of(number)); }

std::optional<Status> status_of(const std::string& path)
{
    const std::wstring native = native_path(path);
    if (is_named_pipe(native)) return Status{Kind::pipe, {}, 0};
    const Handle file = open_to_look(native);
    if (!file) return {};
    return status_of(file.get());
}

Name name_of(const std::string& path)
{
    // Windows drops dots and spaces at the end, and ignores case.
    std::wstring full = full_path(native_path(path));
    const std::size_t slash = full.find_last_of(L'\\');
    if (slash == std::wstring::npos) return {".", path};
    std::wstring name = full.substr(slash + 1);
    (void)::CharUpperBuffW(name.data(), static_cast<DWORD>(name.size()));
    return {utf8(full.substr(0, slash + 1)), utf8(name)};
}

std::optional<Holder> holder_of(const std::string& path)
{
    const std::wstring native = native_path(path);
    if (native.empty()) return {};
    if (const auto status = status_of(path)) return Holder{true, status->kind};
    const DWORD error = noted_error();
    // A dangling link exists itself.
    if (open_to_look(native, FILE_FLAG_OPEN_REPARSE_POINT)) return Holder{true, Kind::file};
    note_error(error);
    if (error == ERROR_FILE_NOT_FOUND) return Holder{false, Kind::file};
    return {};
}

Descriptor open_to_read(const std::string& path) { return open_existing(path, GENERIC_READ); }

Descriptor open_to_write(const std::string& path) { return open_existing(path, GENERIC_WRITE); }

/// Windows checks it when the pipe is opened.
bool may_write(const std::string&) { return true; }

Descriptor make_temporary(const std::string& path, Access access, std::string& name)
{
    const PrivateToUser for_owner;
    if (access == Access::owner && for_owner.get() == nullptr) return {};
    constexpr int max_attempts = 100;
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        const std::string made = path.substr(0, length_of_folder(path)) + ".girih-" + utf8(another_ending());
        const std::wstring native = native_path(made);
        if (native.empty()) return {};
        remove_on_end(native);
        Handle file(::CreateFileW(native.c_str(), GENERIC_WRITE, share_all,
                                  access == Access::owner ? for_owner.get() : nullptr, CREATE_NEW,
                                  FILE_ATTRIBUTE_NORMAL, nullptr));
        if (file) {
            name = made;
            return descriptor_of(std::move(file));
        }
        note_error();
        keep(native);
        if (noted_error() != ERROR_FILE_EXISTS) return {};
    }
    return {};
}

bool remove(const std::string& path) noexcept
{
    const std::wstring native = native_path(path);
    const bool is_removed = ::DeleteFileW(native.c_str()) != 0;
    if (!is_removed) note_error();
    keep(native);
    return is_removed;
}

bool replace(const std::string& temporary, const std::string& path)
{
    return rename(native_path(temporary), native_path(path), MOVEFILE_REPLACE_EXISTING);
}

bool exchange(const std::string& temporary, const std::string& path)
{
    const std::wstring ours = native_path(temporary);
    const std::wstring native = native_path(path);
    const DWORD attributes = ::GetFileAttributesW(native.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_READONLY) != 0) return false;
    if (!open(native, DELETE)) return false;  // a link to it could not be removed
    const std::wstring aside = native_path(temporary + aside_suffix);
    if (::CreateHardLinkW(aside.c_str(), native.c_str(), nullptr) == 0) return false;
    if (!rename(ours, native, MOVEFILE_REPLACE_EXISTING)) {
        (void)::DeleteFileW(aside.c_str());
        return false;
    }
    remove_on_end(ours);
    return ::MoveFileExW(aside.c_str(), ours.c_str(), MOVEFILE_WRITE_THROUGH) != 0;
}

Naming name_if_free(const std::string& temporary, const std::string& path)
{
    if (rename(native_path(temporary), native_path(path), 0)) return Naming::done;
    const DWORD error = noted_error();
    return error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS ? Naming::taken : Naming::failed;
}

/// Files are renamed with MOVEFILE_WRITE_THROUGH, which waits.
bool sync_folder(const std::string&) { return true; }

bool make_folder(const std::string& path)
{
    const std::wstring native = native_path(path);
    const PrivateToUser for_owner;
    if (native.empty() || for_owner.get() == nullptr) return false;
    if (::CreateDirectoryW(native.c_str(), for_owner.get()) != 0) return true;
    note_error();
    return noted_error() == ERROR_ALREADY_EXISTS;
}

}  // namespace girih::cli::system
