/// Buffers of the C interface: a pointer and a length.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"

namespace girih::api {

/// A view of the caller's bytes; empty if null.
inline BytesIn<> view(const uint8_t* data, std::size_t bytes) { return {data, data == nullptr ? 0 : bytes}; }

/// Whether a buffer of this length may be accessed: null is valid only for length 0.
inline bool is_there(const void* data, std::size_t bytes) { return data != nullptr || bytes == 0; }

/// GIRIH_OK for a valid buffer of the wanted length, else an error; `of_length` for another length.
inline int check(const void* data, std::size_t bytes, std::size_t wanted, int of_length = GIRIH_ERROR_LENGTH)
{
    if (!is_there(data, bytes)) return GIRIH_ERROR_ARGUMENT;
    return bytes == wanted ? int{GIRIH_OK} : of_length;
}
template <class Algorithm>
int check_public_key(const Algorithm& alg, const void* data, std::size_t bytes)
{
    return check(data, bytes, alg.public_key_bytes, GIRIH_ERROR_PUBLIC_KEY_LENGTH);
}
template <class Algorithm>
int check_secret_key(const Algorithm& alg, const void* data, std::size_t bytes)
{
    return check(data, bytes, alg.secret_key_bytes, GIRIH_ERROR_SECRET_KEY_LENGTH);
}

/// The error of an algorithm that is missing, or that is not `able`; else GIRIH_OK.
inline int check_able(const girih_alg* alg, bool able)
{
    if (alg == nullptr) return GIRIH_ERROR_ARGUMENT;
    return able ? GIRIH_OK : GIRIH_ERROR_ALGORITHM;
}
/// The error of an algorithm that is missing, or whose table of functions is null; else GIRIH_OK.
template <class Algorithm, class Functions>
int check_has(const Algorithm* alg, Functions Algorithm::* functions)
{
    return check_able(alg, alg != nullptr && alg->*functions != nullptr);
}
/// check_has for the table of one scheme.
template <class Algorithm, class Functions>
int check_has(const Algorithm* alg, const Functions* Algorithm::* functions, const Functions& wanted)
{
    return check_able(alg, alg != nullptr && alg->*functions == &wanted);
}

/// GIRIH_ERROR_FAULT if two results that are equal without a fault of the processor differ.
inline int check_equal(BytesIn<> a, BytesIn<> b)
{
    Secret<Byte> difference{0};
    for (std::size_t i = 0; i < a.size(); ++i) difference |= Secret<Byte>{static_cast<Byte>(a[i] ^ b[i])};
    return declassify(difference, "whether the processor erred is the caller's to know") == 0
               ? GIRIH_OK
               : GIRIH_ERROR_FAULT;
}

/// Options of later versions are refused, not ignored.
inline int check_reserved(const girih_options& options)
{
    for (const size_t word : options.reserved)
        if (word != 0) return GIRIH_ERROR_OPTION;
    return GIRIH_OK;
}

/// Whether two buffers share a byte. Null has none, whatever its length.
inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes)
{
    if (a == nullptr || a_bytes == 0 || b == nullptr || b_bytes == 0) return false;
    const auto a_begin = reinterpret_cast<std::uintptr_t>(a);
    const auto b_begin = reinterpret_cast<std::uintptr_t>(b);
    return a_begin - b_begin < b_bytes || b_begin - a_begin < a_bytes;
}

/// An output buffer. Only `write` changes it, in one piece, so inputs may lie in it until then.
/// Without `write`, the destructor zeroes it.
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

    /// Writes `result`, which may lie in the buffer itself, followed by zeros.
    void write(BytesIn<> result)
    {
        if (!result.empty()) std::memmove(bytes_.data(), result.data(), result.size());
        wipe(bytes_.subspan(result.size()));
        is_done_ = true;
    }

    /// Leaves the buffer unchanged.
    void leave_unchanged() { is_done_ = true; }

  private:
    BytesOut<> bytes_;
    bool is_done_ = false;
};

/// An output of a single length or pointer. Unless `write` was called, the destructor writes 0 or
/// null.
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
    void write(T value) { value_ = value; }
    /// Leaves the output unchanged.
    void leave_unchanged() { place_ = nullptr; }

  private:
    T* place_;
    T value_{};
};

/// GIRIH_ERROR_OVERLAP if two outputs of one call share a byte; both are then left unchanged.
template <class A, class B>
int check_apart(A& a, B& b)
{
    if (!overlap(a.bytes().data(), a.bytes().size(), b.bytes().data(), b.bytes().size())) return GIRIH_OK;
    a.leave_unchanged();
    b.leave_unchanged();
    return GIRIH_ERROR_OVERLAP;
}

/// A buffer for a result that is not yet in an Output. Wiped on destruction, so that nothing of a
/// rejected attempt remains.
template <std::size_t max_bytes>
class ResultBuffer {
  public:
    explicit ResultBuffer(std::size_t bytes) : bytes_(bytes) {}
    ResultBuffer(const ResultBuffer&) = delete;
    ResultBuffer& operator=(const ResultBuffer&) = delete;
    ~ResultBuffer() { wipe(BytesOut<>{memory_}.first(bytes_)); }

    [[nodiscard]] Byte* data() { return memory_.data(); }
    [[nodiscard]] std::size_t size() const { return bytes_; }
    [[nodiscard]] BytesIn<> view() const { return BytesIn<>{memory_}.first(bytes_); }

  private:
    std::array<Byte, max_bytes> memory_;  // written before it is read
    std::size_t bytes_;
};

}  // namespace girih::api

/// Returns the error of an expression from the enclosing function, unless it is GIRIH_OK.
#define GIRIH_TRY(expression)                                                 \
    do {                                                                      \
        if (const int girih_try_error = (expression)) return girih_try_error; \
    } while (false)
