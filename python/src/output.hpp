/// The bytes of a column that a batch returns.
#pragma once

#include <girih/key_files.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "errors.hpp"

namespace girih::python {

/// Bytes that Python owns and a batch writes; secret ones are wiped unless they are returned.
class Output {
  public:
    Output(std::size_t rows, std::size_t width, bool secret = false)
        : width_(width),
          bytes_(rows * width),
          secret_(secret),
          object_(nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(rows * width))))
    {
        if (!object_.is_valid()) throw nb::python_error();
        data_ = reinterpret_cast<std::uint8_t*>(PyByteArray_AsString(object_.ptr()));
        std::memset(data_, 0, bytes_);
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output()
    {
        if (secret_ && !handed_over_) key_files::erase(data_, bytes_);
    }
    [[nodiscard]] std::span<std::uint8_t> row(std::size_t index) const noexcept
    {
        return {data_ + index * width_, width_};
    }
    [[nodiscard]] const nb::object& object() const noexcept { return object_; }
    /// Marks the object as returned.
    void hand_over() noexcept { handed_over_ = true; }

  private:
    std::size_t width_;
    std::size_t bytes_;
    bool secret_;
    bool handed_over_ = false;
    nb::object object_;
    std::uint8_t* data_;
};

}  // namespace girih::python
