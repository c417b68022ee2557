#include "cli/system/descriptor.hpp"

#include <io.h>

#include <algorithm>

#include "cli/system/windows/native.hpp"

namespace girih::cli::system {
namespace {

/// The limit of one call: some devices refuse more.
constexpr std::size_t max_bytes = std::size_t{1} << 15;

DWORD piece(std::size_t bytes) { return static_cast<DWORD>(std::min(bytes, max_bytes)); }

/// The end of input typed on a console.
constexpr std::uint8_t control_z = 0x1A;

}  // namespace

std::optional<std::size_t> read(int number, std::span<std::uint8_t> buffer) noexcept
{
    const HANDLE file = handle_of(number);
    if (file == INVALID_HANDLE_VALUE) return {};
    DWORD got = 0;
    if (::ReadFile(file, buffer.data(), piece(buffer.size()), &got, nullptr) == 0) {
        note_error();
        const bool is_end = noted_error() == ERROR_BROKEN_PIPE || noted_error() == ERROR_HANDLE_EOF;
        return is_end ? std::optional<std::size_t>(0) : std::nullopt;
    }
    DWORD mode = 0;
    if (got > 0 && buffer[0] == control_z && ::GetConsoleMode(file, &mode) != 0) return 0;
    return got;
}

bool write(int number, std::span<const std::uint8_t> bytes) noexcept
{
    const HANDLE file = handle_of(number);
    if (file == INVALID_HANDLE_VALUE) return false;
    while (!bytes.empty()) {
        DWORD written = 0;
        if (::WriteFile(file, bytes.data(), piece(bytes.size()), &written, nullptr) == 0) {
            note_error();
            return false;
        }
        bytes = bytes.subspan(written);
    }
    return true;
}

bool close(int number) noexcept
{
    if (::_close(number) == 0) return true;
    note_error();
    return false;
}

bool is_open(int number) noexcept { return handle_of(number) != INVALID_HANDLE_VALUE; }

bool is_writable(int number) noexcept
{
    const HANDLE file = handle_of(number);
    if (file == INVALID_HANDLE_VALUE) return false;
    // Writing nothing would fail where writing does, but a pipe's reader could take it for the end.
    DWORD written = 0;
    if (::GetFileType(file) != FILE_TYPE_DISK || ::WriteFile(file, "", 0, &written, nullptr) != 0)
        return true;
    note_error(ERROR_INVALID_HANDLE);
    return false;
}

std::optional<std::int64_t> place_in(int number) noexcept
{
    const HANDLE file = handle_of(number);
    LARGE_INTEGER place{};
    if (file == INVALID_HANDLE_VALUE || ::GetFileType(file) != FILE_TYPE_DISK ||
        ::SetFilePointerEx(file, LARGE_INTEGER{}, &place, FILE_CURRENT) == 0)
        return {};
    return place.QuadPart;
}

bool go_to(int number, std::int64_t place) noexcept
{
    LARGE_INTEGER to{};
    to.QuadPart = place;
    return ::SetFilePointerEx(handle_of(number), to, nullptr, FILE_BEGIN) != 0;
}

bool sync(int number) noexcept
{
    if (::FlushFileBuffers(handle_of(number)) != 0) return true;
    note_error();
    return false;
}

/// Flushing a whole volume needs an administrator.
bool sync_file_system(int) noexcept { return false; }
bool syncs_file_system(int) noexcept { return false; }

}  // namespace girih::cli::system
