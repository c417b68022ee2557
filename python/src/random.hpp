/// A Python callable as a source of randomness.
#pragma once

#include <girih/girih.h>

#include <mutex>

#include "errors.hpp"

namespace girih::python {

/// Made and destroyed with the interpreter's lock held; the library calls it without the lock.
class RandomSource {
  public:
    /// A callable that takes a number of bytes and returns as many, or None for the operating
    /// system. For a true attribute `piecewise`, see girih_random.
    explicit RandomSource(nb::handle callable);
    RandomSource(const RandomSource&) = delete;
    RandomSource& operator=(const RandomSource&) = delete;
    ~RandomSource() = default;

    [[nodiscard]] const girih_random* c_random() const noexcept { return present_ ? &random_ : nullptr; }

    /// Throws a Failure unless the code is GIRIH_OK, with the callable's exception as its cause.
    void succeed(int code, const char* place) const;
    /// The callable's first exception, if any.
    [[nodiscard]] const nb::object& cause() const noexcept { return cause_; }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes);

    nb::object callable_;
    mutable nb::object cause_;  // written by fill(), which has a const source
    mutable std::mutex mutex_;
    girih_random random_{};
    bool present_ = false;
};

}  // namespace girih::python
