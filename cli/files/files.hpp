/// Files of the command: "-" is standard input or output, no file is left half-written, and every
/// failure names its file.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/json.hpp"
#include "cli/system/files.hpp"

namespace girih::cli {

/// The name of an input in messages.
[[nodiscard]] std::string input_name(const std::string& path);

/// The descriptor that a path such as /dev/stdout or /dev/fd/3 names, on every system.
[[nodiscard]] std::optional<int> descriptor_named(std::string_view path) noexcept;

/// Whether a path is standard output: "-", or a name of its descriptor.
[[nodiscard]] bool is_standard_output(std::string_view path) noexcept;

/// A file, read from the beginning; standard input, from its current position.
class Input {
  public:
    explicit Input(const std::string& path);
    /// An open descriptor, read from its current position.
    Input(std::string name, int descriptor);

    /// The name in messages.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Reads up to buffer.size() bytes; fewer only at the end.
    [[nodiscard]] std::size_t read(std::span<std::uint8_t> buffer);

    /// The number of remaining bytes, if known.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;

    /// A warning that names who besides the owner can use the file; empty if nobody can.
    [[nodiscard]] std::string use_by_others() const;

    /// Goes back to the start of reading, if possible.
    [[nodiscard]] bool rewind() noexcept;

  private:
    std::string name_;
    Descriptor owned_;  ///< a file opened by this object
    int descriptor_;
    std::optional<std::int64_t> start_;
};

/// Reads a whole small file. If it is longer than `max_bytes`, reads one byte more, which shows
/// that. Memory grows with the file.
[[nodiscard]] key_files::SecretBytes read_small(const std::string& path, std::size_t max_bytes);
[[nodiscard]] key_files::SecretBytes read_small(Input& file, std::size_t max_bytes);
/// Fails with the words `too_long` for a longer file.
[[nodiscard]] key_files::SecretBytes read_whole(Input& file, std::size_t max_bytes,
                                                const std::string& too_long);

/// The number of bytes of a file that read_small read: "12", or "more than 10".
[[nodiscard]] std::string count_of(std::span<const std::uint8_t> bytes, std::size_t max_bytes);

/// The kind of a new file's content. Binary content goes to a terminal only with `force`.
enum class Content { text, binary };

/// File systems on which many files are written: each is synchronized once, after the last.
class FileSystems {
  public:
    /// Whether the file system of a written file will be synchronized; keeps the first file open.
    [[nodiscard]] bool take(Descriptor& file, const std::string& path);
    /// Waits until all files taken, and their names, are on the disk.
    void sync() const;

  private:
    struct One {
        std::uint64_t device;
        Descriptor file;
        std::string path;  ///< for the message of a failure
    };
    std::vector<One> all_;
};

/// A new file. The constructor checks that it can be written, before anything is read. It gets its
/// name when it is complete; until then it is a temporary file in the same folder, which is removed
/// if the command fails. Devices and pipes are written directly.
class NewFile {
  public:
    /// Refuses an existing name unless `force` is set.
    NewFile(std::string path, Access access, Content content, bool force);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Sets the access rights; to be called before write().
    void set_access(Access access) noexcept { access_ = access; }
    /// Writes the whole content, and waits until it is on the disk, unless `later` takes the file.
    void write(std::span<const std::uint8_t> bytes, FileSystems* later = nullptr);

  private:
    friend class NewFiles;

    /// Gives the file its name. Does not replace a file that appeared in the meantime, unless
    /// `force` is set.
    void commit();
    /// Undoes commit(): restores a replaced file if the file system has links or exchanges names.
    /// (FAT has neither.)
    void withdraw() noexcept;

    /// The way of writing.
    enum class Way {
        renamed,  ///< to a temporary file, then renamed
        open,     ///< to an open descriptor: a device, standard output
        pipe,     ///< to a pipe; opening it waits for a reader
    };

    [[noreturn]] void fail(const std::string& what) const;
    [[nodiscard]] Way open();
    [[nodiscard]] Descriptor make_temporary(Access access);
    void write_to(int number, std::span<const std::uint8_t> bytes) const;

    std::string path_;
    Access access_;
    bool force_;
    int number_ = -1;  ///< the open descriptor
    Descriptor device_;
    bool is_later_ = false;   ///< `later` has taken it
    bool is_new_ = false;     ///< commit() made it and replaced nothing
    bool holds_old_ = false;  ///< `temporary_` is the file that commit() replaced
    std::string temporary_;
    Way way_;
};

/// New files that are all written, or none.
class NewFiles {
  public:
    NewFile& add(const std::string& path, Access access, Content content, bool force)
    {
        return files_.emplace_back(path, access, content, force);
    }
    /// Adds a file that is committed before all others.
    NewFile& add_first(const std::string& path, Access access, Content content, bool force)
    {
        return files_.emplace_front(path, access, content, force);
    }
    [[nodiscard]] NewFile& operator[](std::size_t i) { return files_[i]; }

    /// Writes all contents, in the order of the files.
    void write(std::span<const std::vector<std::uint8_t>> contents);

    /// Commits all files, waits until their names are on the disk, and calls `report`; if anything
    /// fails, all are withdrawn. Signals take effect before the first name or after the last.
    void commit(const std::function<void()>& report = {});
    /// Commits all files and, with `json`, prints what was done.
    void commit(bool json, const Json& members);

  private:
    void sync_names() const;

    std::deque<NewFile> files_;
    FileSystems later_;
};

}  // namespace girih::cli
