/// Files by their names, through every link.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/system/descriptor.hpp"

namespace girih::cli {

/// The access to a new file: its owner only, or the system's default (by the umask; on Windows by
/// the folder's access control list).
enum class Access { owner, umask };

namespace system {

/// The suffix of a temporary file's name during an exchange by links.
inline constexpr const char* aside_suffix = "-old";

enum class Kind { file, folder, pipe, characters, blocks, other };

/// The identity of a file under any name: its device and inode, or its volume's serial number and
/// its index there.
struct FileId {
    std::uint64_t device;
    std::uint64_t number;
    auto operator<=>(const FileId&) const = default;
};

struct Status {
    Kind kind;
    std::optional<FileId> id;  ///< none if the system has none, as for devices on Windows
    std::uint64_t bytes;       ///< of a file
};

[[nodiscard]] std::optional<Status> status_of(int number) noexcept;
[[nodiscard]] std::optional<Status> status_of(const std::string& path);

/// The separator between folder and file names.
extern const char* const separator;

/// A name in a folder.
struct Name {
    std::string folder;
    std::string name;  ///< the same for all spellings that the system treats as equal
};
[[nodiscard]] Name name_of(const std::string& path);

/// The holder of a name.
struct Holder {
    bool is_there;  ///< anything, even a dangling link
    Kind kind;      ///< `file` for a dangling link
};
/// Nothing if unknown, or if no file can have the name.
[[nodiscard]] std::optional<Holder> holder_of(const std::string& path);

/// Opens an existing file; open_to_write, an existing device or pipe, which waits for a pipe's
/// reader.
[[nodiscard]] Descriptor open_to_read(const std::string& path);
[[nodiscard]] Descriptor open_to_write(const std::string& path);
/// Whether the permissions of a pipe allow writing.
[[nodiscard]] bool may_write(const std::string& path);

/// A warning that names who besides its owner can use a file, and the remedy; empty if nobody can,
/// or if it is not a file.
[[nodiscard]] std::string use_by_others(int number, const std::string& name);

/// Makes a file with a unique name beside `path`, and sets `name` to it.
[[nodiscard]] Descriptor make_temporary(const std::string& path, Access access, std::string& name);
[[nodiscard]] bool remove(const std::string& path) noexcept;

/// Renames such a file within its folder, replacing any file of that name.
[[nodiscard]] bool replace(const std::string& temporary, const std::string& path);
/// The result of renaming only if the name is free.
enum class Naming { done, taken, failed };
[[nodiscard]] Naming name_if_free(const std::string& temporary, const std::string& path);
/// Exchanges the names of two files; `path` exists at every moment. False if one does not exist, or
/// if the file system has neither exchanges nor links. Call it within uninterrupted().
[[nodiscard]] bool exchange(const std::string& temporary, const std::string& path);

/// Waits until the names in a folder are on the disk.
[[nodiscard]] bool sync_folder(const std::string& folder);
/// Makes a folder if there is none, for its owner only.
[[nodiscard]] bool make_folder(const std::string& path);

}  // namespace system
}  // namespace girih::cli
