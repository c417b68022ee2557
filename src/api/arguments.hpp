/// Buffers as they come through the C interface: a pointer and a length.
#pragma once

#include <girih/girih.h>

#include <cstddef>

#include "core/bytes.hpp"
#include "core/random.hpp"
#include "core/wipe.hpp"

namespace girih::api {

/// A view of the caller's bytes. Null is allowed where there is nothing to see.
inline BytesIn<> view(const uint8_t* data, std::size_t bytes) { return {data, data == nullptr ? 0 : bytes}; }

/// Whether a buffer can be read or written as its length says.
inline bool is_there(const void* data, std::size_t bytes) { return data != nullptr || bytes == 0; }

/// GIRIH_OK for a buffer that is there and has the length that the algorithm wants.
inline int check(const void* data, std::size_t bytes, std::size_t wanted)
{
    if (!is_there(data, bytes)) return GIRIH_ERROR_ARGUMENT;
    return bytes == wanted ? GIRIH_OK : GIRIH_ERROR_LENGTH;
}

/// An output that is all zero unless the operation says `keep`.
class Output {
  public:
    Output(uint8_t* data, std::size_t bytes) : bytes_(data, data == nullptr ? 0 : bytes) { wipe(bytes_); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output()
    {
        if (!kept_) wipe(bytes_);
    }
    void keep() { kept_ = true; }

  private:
    BytesOut<> bytes_;
    bool kept_ = false;
};

/// Random bytes from the caller's source, or from the operating system if there is none.
inline bool draw(const girih_random* random, BytesOut<> out)
{
    if (random == nullptr) return os_random(out);
    return random->fill != nullptr && random->fill(random->state, out.data(), out.size()) == 0;
}

}  // namespace girih::api

/// Returns the error of an expression from the enclosing function, unless it is GIRIH_OK.
#define GIRIH_TRY(expression)                                                 \
    do {                                                                      \
        if (const int girih_try_error = (expression)) return girih_try_error; \
    } while (false)
