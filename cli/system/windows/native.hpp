/// Shared by the files of this folder: Windows's handles, names and errors.
#pragma once

#include <windows.h>

#include <optional>
#include <string>
#include <string_view>

#include "cli/system/descriptor.hpp"

namespace girih::cli::system {

/// ERROR_DIRECTORY_NOT_SUPPORTED, which MinGW-w64's headers lack.
constexpr DWORD error_is_folder = 336;

/// A handle, or none.
class Handle {
  public:
    explicit Handle(HANDLE handle) noexcept : handle_(handle) {}
    Handle(Handle&& other) noexcept : handle_(other.release()) {}
    Handle& operator=(Handle&&) = delete;
    ~Handle();
    [[nodiscard]] HANDLE get() const noexcept { return handle_; }
    [[nodiscard]] HANDLE release() noexcept;
    explicit operator bool() const noexcept { return handle_ != INVALID_HANDLE_VALUE; }

  private:
    HANDLE handle_;
};

/// Notes an error for reason(): by default Windows's last error.
void note_error() noexcept;
void note_error(DWORD error) noexcept;
[[nodiscard]] DWORD noted_error() noexcept;

/// The handle of a descriptor; INVALID_HANDLE_VALUE if it is not open.
[[nodiscard]] HANDLE handle_of(int number) noexcept;
/// A descriptor that owns the handle.
[[nodiscard]] Descriptor descriptor_of(Handle handle);

/// UTF-16 for Windows; nothing if the text is not UTF-8.
[[nodiscard]] std::optional<std::wstring> wide(std::string_view text);
/// UTF-8; invalid UTF-16 becomes U+FFFD.
[[nodiscard]] std::string utf8(std::wstring_view text);

/// A file's name for Windows, of any length; empty, with the error noted, if no file can have it.
[[nodiscard]] std::wstring native_path(std::string_view path);
/// The absolute name, without "." and "..".
[[nodiscard]] std::wstring full_path(const std::wstring& path);

/// Attributes of a new file or folder for the current user only: its own list, which inherits
/// nothing from its folder.
class PrivateToUser {
  public:
    PrivateToUser();
    PrivateToUser(const PrivateToUser&) = delete;
    PrivateToUser& operator=(const PrivateToUser&) = delete;
    ~PrivateToUser();
    /// Null, with the error noted, if the user is unknown.
    [[nodiscard]] SECURITY_ATTRIBUTES* get() const noexcept;

  private:
    mutable SECURITY_ATTRIBUTES attributes_{};
};

/// Removes a file if the command is ended from outside, until it is kept.
void remove_on_end(const std::wstring& path);
void keep(const std::wstring& path) noexcept;

/// Restores the mode of a console's input in that case.
void restore_on_end(HANDLE console, DWORD mode) noexcept;
void restored() noexcept;

}  // namespace girih::cli::system
