/// Open files by their descriptors: on Windows those of the C runtime.
///
/// The headers of this folder are all that the command needs of an operating system; the build
/// takes posix/ or windows/. Text is UTF-8, names of files included; where a function fails,
/// reason() says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace girih::cli {

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

namespace system {

constexpr int standard_input = 0;
constexpr int standard_output = 1;
constexpr int standard_error = 2;

/// Why the last function that failed in this thread did so, in words.
[[nodiscard]] std::string reason();

/// Reads what there is, up to room.size() bytes; 0 at the end; nothing, if it fails.
[[nodiscard]] std::optional<std::size_t> read(int number, std::span<std::uint8_t> room) noexcept;
/// Writes all.
[[nodiscard]] bool write(int number, std::span<const std::uint8_t> bytes) noexcept;
[[nodiscard]] bool close(int number) noexcept;

/// Takes those of the numbers 0, 1 and 2 that are not open, so that no file of ours gets one. They
/// count as closed.
void take_standard_numbers() noexcept;

/// Whether it is open, and whether it is open for writing; reason() says that it is not.
[[nodiscard]] bool is_open(int number) noexcept;
[[nodiscard]] bool is_writable(int number) noexcept;

/// Where in a file reading goes on; nothing, where there are no places. And goes on there.
[[nodiscard]] std::optional<std::int64_t> place_in(int number) noexcept;
[[nodiscard]] bool go_to(int number, std::int64_t place) noexcept;
/// Returns when what was written to a file is on its disk.
[[nodiscard]] bool sync(int number) noexcept;

}  // namespace system
}  // namespace girih::cli
