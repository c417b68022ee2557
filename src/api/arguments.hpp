/// Buffers as they come through the C interface: a pointer and a length.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
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

/// Whether two buffers share a byte. Null has none, whatever its length.
inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes)
{
    if (a == nullptr || a_bytes == 0 || b == nullptr || b_bytes == 0) return false;
    const auto a_begin = reinterpret_cast<std::uintptr_t>(a);
    const auto b_begin = reinterpret_cast<std::uintptr_t>(b);
    return a_begin - b_begin < b_bytes || b_begin - a_begin < a_bytes;
}

/// A buffer that the caller wants written. It is not touched until `give` writes it in one piece,
/// so inputs may lie in it; without that, it is zeroed in the end.
class Output {
  public:
    Output(uint8_t* data, std::size_t bytes) : bytes_(data, data == nullptr ? 0 : bytes) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output()
    {
        if (!is_done_) wipe(bytes_);
    }

    [[nodiscard]] BytesOut<> bytes() const { return bytes_; }
    [[nodiscard]] bool touches(const void* data, std::size_t bytes) const
    {
        return overlap(bytes_.data(), bytes_.size(), data, bytes);
    }

    /// `made`, which may lie in the buffer itself, and zeros behind it.
    void give(BytesIn<> made)
    {
        if (!made.empty()) std::memmove(bytes_.data(), made.data(), made.size());
        wipe(bytes_.subspan(made.size()));
        is_done_ = true;
    }

    /// The buffer stays as it is.
    void leave() { is_done_ = true; }

  private:
    BytesOut<> bytes_;
    bool is_done_ = false;
};

/// A length or a pointer that the caller wants written: in the end, like an Output; 0
/// or null on failure.
template <class T>
class OutputValue {
  public:
    explicit OutputValue(T* place) : place_(place) {}
    OutputValue(const OutputValue&) = delete;
    OutputValue& operator=(const OutputValue&) = delete;
    ~OutputValue()
    {
        if (place_ != nullptr) *place_ = value_;
    }

    [[nodiscard]] bool is_there() const { return place_ != nullptr; }
    [[nodiscard]] BytesIn<> bytes() const
    {
        return {reinterpret_cast<const Byte*>(place_), place_ == nullptr ? 0 : sizeof *place_};
    }
    [[nodiscard]] bool touches(const void* data, std::size_t bytes) const
    {
        return overlap(place_, sizeof *place_, data, bytes);
    }
    void give(T value) { value_ = value; }
    /// The place stays as it is.
    void leave() { place_ = nullptr; }

  private:
    T* place_;
    T value_{};
};

/// Two outputs of one call share no byte; else both stay as they are.
template <class A, class B>
int check_apart(A& a, B& b)
{
    if (!overlap(a.bytes().data(), a.bytes().size(), b.bytes().data(), b.bytes().size())) return GIRIH_OK;
    a.leave();
    b.leave();
    return GIRIH_ERROR_OVERLAP;
}

/// What an operation makes, before an Output takes it. Wiped when its scope ends: of a rejected
/// attempt, nothing stays.
template <std::size_t most>
class Made {
  public:
    explicit Made(std::size_t bytes) : bytes_(bytes) {}
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    ~Made() { wipe(BytesOut<>{memory_}.first(bytes_)); }

    [[nodiscard]] Byte* data() { return memory_.data(); }
    [[nodiscard]] std::size_t size() const { return bytes_; }
    [[nodiscard]] BytesIn<> view() const { return BytesIn<>{memory_}.first(bytes_); }

  private:
    std::array<Byte, most> memory_;  // written before it is read
    std::size_t bytes_;
};

}  // namespace girih::api

/// Returns the error of an expression from the enclosing function, unless it is GIRIH_OK.
#define GIRIH_TRY(expression)                                                 \
    do {                                                                      \
        if (const int girih_try_error = (expression)) return girih_try_error; \
    } while (false)
