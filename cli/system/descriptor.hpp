/// Open files by descriptor; on Windows, the C runtime's.
///
/// The headers of this folder are the command's whole interface to the operating system; the build
/// compiles posix/ or windows/. Text and file names are UTF-8. If a function fails, reason() says
/// why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace girih::cli {

namespace system {

constexpr int standard_input = 0;
constexpr int standard_output = 1;
constexpr int standard_error = 2;

/// The reason of this thread's last failure, in words.
[[nodiscard]] std::string reason();

/// Reads the available bytes, up to buffer.size(); 0 at the end, nothing on failure.
[[nodiscard]] std::optional<std::size_t> read(int number, std::span<std::uint8_t> buffer) noexcept;
/// Writes all bytes.
[[nodiscard]] bool write(int number, std::span<const std::uint8_t> bytes) noexcept;
[[nodiscard]] bool close(int number) noexcept;

/// Occupies those of the descriptors 0, 1 and 2 that are closed, so that no other file gets one.
/// They still count as closed. (Windows's runtime occupies them itself.)
void take_standard_numbers() noexcept;

/// Whether it is open; is_writable, whether it is open for writing. If not, reason() says so.
[[nodiscard]] bool is_open(int number) noexcept;
[[nodiscard]] bool is_writable(int number) noexcept;

/// The position in a file, or nothing if it has none; go_to sets it.
[[nodiscard]] std::optional<std::int64_t> place_in(int number) noexcept;
[[nodiscard]] bool go_to(int number, std::int64_t place) noexcept;
/// Waits until written data is on the disk.
[[nodiscard]] bool sync(int number) noexcept;
/// Waits until all data and names of a file's file system are on the disk. Call it only if
/// syncs_file_system(number): elsewhere a failure may be lost.
[[nodiscard]] bool sync_file_system(int number) noexcept;
[[nodiscard]] bool syncs_file_system(int number) noexcept;

}  // namespace system

/// An open file descriptor, or none.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { (void)close(); }
    [[nodiscard]] int number() const noexcept { return number_; }
    /// Closes the descriptor; whether that succeeded.
    [[nodiscard]] bool close() noexcept
    {
        const int number = std::exchange(number_, -1);
        return number < 0 || system::close(number);
    }

  private:
    int number_ = -1;
};

}  // namespace girih::cli
