/// Bytes between Python and girih: buffers read in place, and secrets that can be wiped.
#pragma once

#include <girih/core.hpp>
#include <girih/key_files.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "errors.hpp"

namespace girih::python {

using SecretVector = key_files::SecretBytes;
using BytesIn = std::span<const std::uint8_t>;

/// Whether an object is a NumPy masked array.
[[nodiscard]] bool has_mask(nb::handle object);

/// The name of an object's type.
[[nodiscard]] std::string name_of_type(nb::handle object);
/// True or False; throws TypeError, with the argument's name, for anything else.
[[nodiscard]] bool flag_of(nb::handle object, const char* name);
/// The format of a buffer's items (as in Python's struct), without its byte order.
[[nodiscard]] std::string_view format_of(const Py_buffer& view) noexcept;
/// Whether a buffer's items are single bytes. Wider numbers are refused: otherwise a mistake would
/// be signed, or look like a forgery.
[[nodiscard]] bool has_bytes(const Py_buffer& view) noexcept;
/// Whether a buffer's items are of NumPy's void type: unstructured bytes.
[[nodiscard]] bool is_void(const Py_buffer& view) noexcept;

/// Throws a Failure, which names the argument, unless it has `wanted` bytes.
void demand_size(std::size_t size, const char* name, const girih_alg* alg, std::size_t wanted);

/// The bytes of a one-dimensional bytes-like object, without a copy, until destruction. Made and
/// destroyed with the interpreter's lock held, read without it.
class Buffer {
  public:
    /// If `optional`, None gives no bytes. Throws TypeError with the argument's name.
    Buffer(nb::handle object, const char* name, bool optional = false);
    /// Requires `wanted` bytes; throws a Failure otherwise.
    Buffer(nb::handle object, const char* name, const girih_alg* alg, std::size_t wanted);
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer()
    {
        if (held_) PyBuffer_Release(&view_);
    }

    [[nodiscard]] BytesIn bytes() const noexcept { return bytes_; }
    [[nodiscard]] const std::uint8_t* data() const noexcept { return bytes_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

  private:
    BytesIn bytes_;
    Py_buffer view_{};
    bool held_ = false;
};

/// A value that can be wiped while others use it: users keep it alive, and its destructor wipes it
/// after the last of them.
template <class Value>
class Wipeable {
  public:
    explicit Wipeable(std::shared_ptr<const Value> value) noexcept : value_(std::move(value)) {}

    /// The value, or null after wipe().
    [[nodiscard]] std::shared_ptr<const Value> get_if() const noexcept
    {
        const std::scoped_lock lock{mutex_};
        return value_;
    }
    /// The value; throws a Failure after wipe().
    [[nodiscard]] std::shared_ptr<const Value> get() const
    {
        auto value = get_if();
        if (!value) fail(GIRIH_ERROR_ARGUMENT, "key", "it was wiped");
        return value;
    }
    void wipe() noexcept
    {
        std::shared_ptr<const Value> last;  // destroyed after the lock is released
        const std::scoped_lock lock{mutex_};
        last.swap(value_);
    }
    [[nodiscard]] bool wiped() const noexcept { return !get_if(); }

  private:
    mutable std::mutex mutex_;
    std::shared_ptr<const Value> value_;
};

/// Secret bytes that Python reads through the buffer protocol: the base of girih.SecretBytes.
class Secret {
  public:
    explicit Secret(SecretVector bytes) : bytes_(std::move(bytes)) {}

    /// Calls use() with a lock against wipe().
    template <class Use>
    auto use(Use&& work) const
    {
        const std::scoped_lock lock{mutex_};
        if (wiped_) fail(GIRIH_ERROR_ARGUMENT, "secret", "it was wiped");
        return work(BytesIn{bytes_});
    }
    /// Throws BufferError while a view of the bytes exists.
    void wipe();
    [[nodiscard]] bool wiped() const
    {
        const std::scoped_lock lock{mutex_};
        return wiped_;
    }

    int export_to(Py_buffer* view, PyObject* self, int flags);
    void release() noexcept;

  private:
    mutable std::mutex mutex_;
    SecretVector bytes_;
    std::size_t exports_ = 0;
    bool wiped_ = false;
};

[[nodiscard]] inline nb::bytes to_bytes(BytesIn bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// Constant time for equal lengths.
[[nodiscard]] bool equal(BytesIn a, BytesIn b) noexcept;

/// A girih.SecretBytes with these bytes.
[[nodiscard]] nb::object to_secret(SecretVector bytes);

void define_buffers(nb::module_& module);

}  // namespace girih::python
