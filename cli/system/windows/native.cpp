#include "cli/system/windows/native.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace girih::cli::system {
namespace {

thread_local DWORD noted = ERROR_SUCCESS;

/// Common file errors, in the words of other systems.
struct Words {
    DWORD error;
    const char* words;
};
constexpr Words known[] = {
    {ERROR_ACCESS_DENIED, "Permission denied"},
    {ERROR_ALREADY_EXISTS, "File exists"},
    {ERROR_BAD_NETPATH, "No such file or directory"},
    {ERROR_BAD_PATHNAME, "No such file or directory"},
    {ERROR_BROKEN_PIPE, "Broken pipe"},
    {ERROR_CANT_RESOLVE_FILENAME, "Too many levels of symbolic links"},
    {ERROR_DIRECTORY, "Not a directory"},
    {error_is_folder, "Is a directory"},
    {ERROR_DISK_FULL, "No space left on device"},
    {ERROR_FILE_EXISTS, "File exists"},
    {ERROR_FILE_NOT_FOUND, "No such file or directory"},
    {ERROR_FILENAME_EXCED_RANGE, "File name too long"},
    {ERROR_HANDLE_DISK_FULL, "No space left on device"},
    {ERROR_INVALID_DRIVE, "No such file or directory"},
    {ERROR_INVALID_HANDLE, "Bad file descriptor"},
    {ERROR_INVALID_NAME, "No such file or directory"},
    {ERROR_LOCK_VIOLATION, "is in use by another program"},
    {ERROR_NO_DATA, "Broken pipe"},
    {ERROR_NO_UNICODE_TRANSLATION, "the name is not UTF-8"},
    {ERROR_NOT_READY, "the device is not ready"},
    {ERROR_PATH_NOT_FOUND, "No such file or directory"},
    {ERROR_SHARING_VIOLATION, "is in use by another program"},
    {ERROR_WRITE_PROTECT, "Read-only file system"},
};

/// Windows's text for an error, without the full stop and the end of the line.
std::string in_windows_words(DWORD error)
{
    std::array<wchar_t, 512> text{};
    const DWORD length = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr,
                                          error, 0, text.data(), static_cast<DWORD>(text.size()), nullptr);
    std::string words = utf8({text.data(), length});
    while (!words.empty() && std::string_view("\r\n .").find(words.back()) != std::string_view::npos)
        words.pop_back();
    const std::string number = "error " + std::to_string(error) + " of Windows";
    return words.empty() ? number : words + " (" + number + ")";
}

constexpr std::wstring_view verbatim = L"\\\\?\\";  // a verbatim path follows, of up to 32767 characters

}  // namespace

Handle::~Handle()
{
    if (*this) (void)::CloseHandle(handle_);
}

HANDLE Handle::release() noexcept { return std::exchange(handle_, INVALID_HANDLE_VALUE); }

void note_error() noexcept { noted = ::GetLastError(); }

void note_error(DWORD error) noexcept { noted = error; }

DWORD noted_error() noexcept { return noted; }

std::string reason()
{
    const auto* const found =
        std::find_if(std::begin(known), std::end(known), [](const Words& w) { return w.error == noted; });
    return found != std::end(known) ? found->words : in_windows_words(noted);
}

HANDLE handle_of(int number) noexcept
{
    // The runtime returns -2 for a standard stream that the process was started without.
    const std::intptr_t handle = ::_get_osfhandle(number);
    if (handle == -1 || handle == -2) {
        note_error(ERROR_INVALID_HANDLE);
        return INVALID_HANDLE_VALUE;
    }
    return reinterpret_cast<HANDLE>(handle);
}

Descriptor descriptor_of(Handle handle)
{
    if (!handle) return {};
    const int number =
        ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()), _O_BINARY | _O_NOINHERIT);
    if (number < 0) {
        note_error(ERROR_TOO_MANY_OPEN_FILES);
        return {};
    }
    (void)handle.release();
    return Descriptor(number);
}

std::optional<std::wstring> wide(std::string_view text)
{
    if (text.empty()) return std::wstring();
    const int bytes = static_cast<int>(text.size());
    const int length = ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
    if (length == 0) return {};
    std::wstring converted(static_cast<std::size_t>(length), L'\0');
    (void)::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, converted.data(), length);
    return converted;
}

std::string utf8(std::wstring_view text)
{
    if (text.empty()) return "";
    const int length = static_cast<int>(text.size());
    const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
    std::string converted(static_cast<std::size_t>(bytes), '\0');
    (void)::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, converted.data(), bytes, nullptr, nullptr);
    return converted;
}

std::wstring full_path(const std::wstring& path)
{
    const DWORD capacity = ::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
    std::wstring full(capacity, L'\0');
    const DWORD length = ::GetFullPathNameW(path.c_str(), capacity, full.data(), nullptr);
    if (length >= capacity) return path;
    full.resize(length);
    return full;
}

std::wstring native_path(std::string_view path)
{
    const auto converted = wide(path);
    if (!converted) {
        note_error(ERROR_NO_UNICODE_TRANSLATION);
        return {};
    }
    if (converted->empty() || converted->find(L'\0') != std::wstring::npos) {
        note_error(ERROR_INVALID_NAME);
        return {};
    }
    // A folder's name must leave 12 characters for a file's (8.3).
    if (converted->size() + 12 < MAX_PATH || converted->starts_with(verbatim)) return *converted;
    const std::wstring full = full_path(*converted);
    if (full.starts_with(L"\\\\")) return std::wstring(verbatim) + L"UNC" + full.substr(1);
    return std::wstring(verbatim) + full;
}

}  // namespace girih::cli::system
