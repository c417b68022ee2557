/// A Python callable as a source of randomness.
#pragma once

#include <girih/girih.h>

#include <mutex>

#include "errors.hpp"

namespace girih::python {

/// Made and destroyed with the interpreter's lock held; the library calls it without.
class RandomSource {
  public:
    /// A callable that takes a number of bytes and returns as many, or None: the operating system.
    /// With an attribute `piecewise` that is true, see girih_random.
    explicit RandomSource(nb::handle callable);
    RandomSource(const RandomSource&) = delete;
    RandomSource& operator=(const RandomSource&) = delete;
    ~RandomSource() = default;

    [[nodiscard]] const girih_random* c_random() const noexcept { return present_ ? &random_ : nullptr; }

    /// Throws a Failure if the code is no GIRIH_OK; what the callable raised is its cause.
    void succeed(int code, const char* place) const;
    /// The exception that the callable raised first; none otherwise.
    [[nodiscard]] const nb::object& cause() const noexcept { return cause_; }

  private:
    static int fill(void* state, std::uint8_t* out, std::size_t bytes);

    nb::object callable_;
    mutable nb::object cause_;  // fill() writes it while a source that is const is drawn from
    mutable std::mutex mutex_;
    girih_random random_{};
    bool present_ = false;
};

}  // namespace girih::python
