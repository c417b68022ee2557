/// Files by their names, through every link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/system/descriptor.hpp"

namespace girih::cli {

/// Who may read a new file: its owner alone, or whomever the system lets if nothing is said (by the
/// umask; on Windows by the folder's list).
enum class Access { owner, umask };

namespace system {

/// What is added to a temporary file's name while a file is exchanged by links.
inline constexpr const char* aside_suffix = "-old";

enum class Kind { file, folder, pipe, characters, blocks, other };

/// What makes a file the same as another, whatever its names: its device and inode, or its volume's
/// serial number and its index there.
struct FileId {
    std::uint64_t device;
    std::uint64_t number;
    bool operator==(const FileId&) const = default;
};

struct Status {
    Kind kind;
    std::optional<FileId> id;  ///< none of what the system gives none, such as a device of Windows
    std::uint64_t bytes;       ///< of a file
};

[[nodiscard]] std::optional<Status> status_of(int number) noexcept;
[[nodiscard]] std::optional<Status> status_of(const std::string& path);

/// What stands between a folder's name and a file's.
extern const char* const separator;

/// A name, as it would be taken in a folder.
struct Name {
    std::string folder;
    std::string name;  ///< the same for all spellings that the system takes for one
};
[[nodiscard]] Name name_of(const std::string& path);

/// What has a name.
struct Holder {
    bool is_there;  ///< something, and be it a link that leads nowhere
    Kind kind;      ///< of such a link: file
};
/// Nothing, if it cannot be found out, or the name can be no file's.
[[nodiscard]] std::optional<Holder> holder_of(const std::string& path);

/// A file that exists. A device or a pipe is written as it is, and the opening of a pipe waits for
/// its reader.
[[nodiscard]] Descriptor open_to_read(const std::string& path);
[[nodiscard]] Descriptor open_to_write(const std::string& path);
/// Whether a pipe may be opened to write, as far as its permissions say.
[[nodiscard]] bool may_write(const std::string& path);

/// Who else than its owner can use a file and how that ends, as a warning says it; empty, if nobody
/// can, and of what is no file.
[[nodiscard]] std::string use_by_others(int number, const std::string& name);

/// Makes a file with a name of its own beside `path`, which goes into `name` once it is there.
[[nodiscard]] Descriptor make_temporary(const std::string& path, Access access, std::string& name);
[[nodiscard]] bool remove(const std::string& path) noexcept;

/// Gives such a file another name in its folder, in place of what has it.
[[nodiscard]] bool replace(const std::string& temporary, const std::string& path);
/// The same, if the name is free.
enum class Naming { done, taken, failed };
[[nodiscard]] Naming name_if_free(const std::string& temporary, const std::string& path);
/// Gives each the name of the other; `path` is that of a file at every moment. False if there is no
/// other, or where the system neither exchanges names nor has links. To be called uninterrupted.
[[nodiscard]] bool exchange(const std::string& temporary, const std::string& path);

/// Makes a folder for its owner alone, if there is none of the name.
[[nodiscard]] bool make_folder(const std::string& path);

}  // namespace system
}  // namespace girih::cli
