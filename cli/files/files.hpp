/// Files as the command uses them: "-" is standard input or output, nothing is left half-written,
/// and every failure names its file.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/system/files.hpp"

namespace girih::cli {

/// What to call an input in a message.
[[nodiscard]] std::string input_name(const std::string& path);

/// The number of the descriptor that a path such as /dev/stdout or /dev/fd/3 names, whatever the
/// system.
[[nodiscard]] std::optional<int> descriptor_named(std::string_view path) noexcept;

/// Whether a path of the command line is standard output: "-", or a name of its descriptor.
[[nodiscard]] bool is_standard_output(std::string_view path) noexcept;

/// A file that is read from the beginning; standard input from where it is.
class Input {
  public:
    explicit Input(const std::string& path);
    /// What is open already, from where it is.
    Input(std::string name, int descriptor);

    /// Reads up to room.size() bytes; fewer only at the end.
    [[nodiscard]] std::size_t read(std::span<std::uint8_t> room);

    /// How many bytes are to come, if that is known.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;

    /// Who else than its owner can use the file, as a warning says it; empty if nobody can.
    [[nodiscard]] std::string use_by_others() const;

    /// Goes back to where reading began, if that is possible.
    [[nodiscard]] bool rewind() noexcept;

  private:
    std::string name_;
    Descriptor owned_;  ///< a file that this has opened
    int descriptor_;
    std::optional<std::int64_t> start_;
};

/// The whole of a small file. One byte more than `most` is read of a longer one: enough to see that
/// it is too long. Memory is taken as the file needs it.
[[nodiscard]] key_files::SecretBytes read_small(const std::string& path, std::size_t most);
[[nodiscard]] key_files::SecretBytes read_small(Input& file, std::size_t most);

/// What a new file holds: a terminal shows text, and only `force` sends it anything else.
enum class Content { text, binary };

/// A file to be. That it can be written is found out when this is made, before anything is read. It
/// gets its name when it is complete; until then its bytes are under another name in the same
/// folder, which is removed if the command fails. Devices and pipes are written as they are.
class NewFile {
  public:
    /// Refuses a name that is taken, unless `force` is set.
    NewFile(std::string path, Access access, Content content, bool force);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Changes who may read it, until it is written.
    void give(Access access) noexcept { access_ = access; }
    /// Writes all of its content.
    void write(std::span<const std::uint8_t> bytes);

  private:
    friend void commit_all(std::span<NewFile* const>, const std::function<void()>&);

    /// Gives it its name. Does not replace a file that somebody else made in the meantime,
    /// unless `force` is set.
    void commit();
    /// Undoes it: what has been replaced is back, where the file system has links or exchanges
    /// names. (FAT does neither.)
    void withdraw() noexcept;

    /// How it is written.
    enum class Way {
        renamed,  ///< under another name first
        open,     ///< to a descriptor that is open: a device, standard output
        pipe,     ///< to a pipe, whose opening waits for its reader
    };

    [[noreturn]] void fail(const std::string& what) const;
    [[nodiscard]] Way open();
    [[nodiscard]] Descriptor make_temporary(Access access);
    void take_descriptor(int number);
    void refuse_terminal(Content content) const;
    void fill(Descriptor file, std::span<const std::uint8_t> bytes) const;

    std::string path_;
    Access access_;
    bool force_;
    int number_ = -1;  ///< of the open descriptor
    Descriptor device_;
    bool is_new_ = false;     ///< commit made it, and replaced nothing
    bool holds_old_ = false;  ///< `temporary_` is what commit has replaced
    std::string temporary_;
    Way way_;
};

/// Gives the files their names, and then calls `report`, which says so: all of it, or the files are
/// as they were before. A signal comes before the first name or after the last.
void commit_all(std::span<NewFile* const> files, const std::function<void()>& report = {});

/// Writes to standard output, all or a failure.
void print(std::span<const std::uint8_t> bytes);
void print(std::string_view text);

/// Closes standard output, if it is open: a file system may say only now that it has no room.
void close_standard_output();

/// Fails if standard output cannot be written: to be called before long work whose
/// result goes there.
void require_standard_output();

}  // namespace girih::cli
