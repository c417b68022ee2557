/// Files as the command uses them: "-" is standard input or output, nothing is left half-written, and every
/// failure names its file.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace girih::cli {

/// What to call an input in a message.
[[nodiscard]] std::string input_name(const std::string& path);

/// An open file descriptor, or none.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();
    [[nodiscard]] int number() const noexcept { return number_; }
    /// Closes it, and says whether that went well.
    [[nodiscard]] bool close() noexcept;

  private:
    int number_ = -1;
};

/// A file that is read once, from the beginning.
class Input {
  public:
    explicit Input(const std::string& path);

    /// Reads up to room.size() bytes; fewer only at the end.
    [[nodiscard]] std::size_t read(std::span<std::uint8_t> room);

    /// How many bytes are to come, if that is known.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;

  private:
    std::string name_;
    Descriptor owned_;
    int descriptor_ = 0;  ///< standard input, unless a file is owned
};

/// The whole of a small file. One byte more than `most` is read of a longer one: enough to see that it is too
/// long.
[[nodiscard]] key_files::SecretBytes read_small(const std::string& path, std::size_t most);

/// Who may read a new file: its owner alone, or whomever the umask lets.
enum class Access { owner, umask };

/// A file to be. It gets its name when it is complete; until then its bytes are under another name in the
/// same folder, which is removed if the command fails. Devices and pipes are written as they are.
class NewFile {
  public:
    /// Refuses a name that is taken, unless `force` is set.
    NewFile(std::string path, Access access, bool force);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Writes all of its content.
    void write(std::span<const std::uint8_t> bytes);
    /// Gives it its name. Does not replace a file that somebody else made in the meantime, unless `force` is
    /// set.
    void commit();
    /// Removes it again, if commit made it and replaced nothing.
    void withdraw() noexcept;

  private:
    [[noreturn]] void fail(const std::string& what) const;
    void fill(Descriptor file, std::span<const std::uint8_t> bytes) const;
    void write_temporary(std::span<const std::uint8_t> bytes);
    void link_temporary();

    std::string path_;
    Access access_;
    bool force_;
    bool in_place_ = false;  ///< a device or a pipe
    bool linked_ = false;
    std::string temporary_;
};

/// Commits both or neither.
void commit_both(NewFile& first, NewFile& second);

/// Writes to standard output, all or a failure.
void print(std::span<const std::uint8_t> bytes);
void print(std::string_view text);

/// Refuses a command line that gives standard input, "-", to more than one of its inputs.
void refuse_shared_standard_input(std::initializer_list<std::string_view> paths);

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file of ours gets one of these numbers.
void occupy_standard_descriptors();

}  // namespace girih::cli
