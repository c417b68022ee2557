/// Calls of the C interface with one argument wrong at a time.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {

/// A pointer and a length. The memory is longer by a byte than it has to be, so that a length too
/// large by one is no overflow.
class Argument {
  public:
    Byte* data = nullptr;
    std::size_t size = 0;

    Argument(ByteString content, bool is_output, bool may_be_longer, int length_error)
        : content_(std::move(content)),
          is_output_(is_output),
          may_be_longer_(may_be_longer),
          length_error_(length_error)
    {
    }

    void reset()
    {
        memory_ = content_;
        if (is_output_) memory_.assign(memory_.size(), guard);
        memory_.push_back(guard);
        data = memory_.data();
        size = content_.size();
    }
    /// Lengths, and what a call says of each.
    [[nodiscard]] std::vector<std::pair<std::size_t, int>> other_lengths() const
    {
        if (length_error_ == GIRIH_OK) return {};
        const std::size_t good = content_.size();
        return {{0, length_error_},
                {1, length_error_},
                {good - 1, length_error_},
                {good + 1, may_be_longer_ ? int{GIRIH_OK} : length_error_}};
    }
    [[nodiscard]] bool is_zero() const
    {
        return !is_output_ || data == nullptr || test::is_zero({data, size});
    }
    [[nodiscard]] bool is_within() const
    {
        return size > content_.size() || memory_[size] == guard || !is_output_;
    }

  private:
    static constexpr Byte guard = 0xEE;

    ByteString content_;
    ByteString memory_;
    bool is_output_;
    bool may_be_longer_;
    int length_error_;
};

/// The arguments of one function.
class Call {
  public:
    /// Of one length, or of which any other gives an error of its own (GIRIH_OK:
    /// every length is good).
    Call& input(BytesIn<> bytes, int length_error = GIRIH_ERROR_LENGTH)
    {
        arguments_.emplace_back(ByteString(bytes.begin(), bytes.end()), false, false, length_error);
        return *this;
    }
    Call& output(std::size_t size, bool may_be_longer = false)
    {
        arguments_.emplace_back(ByteString(size), true, may_be_longer, GIRIH_ERROR_LENGTH);
        return *this;
    }

    /// f(arguments) is good with all of them, and has the right error, and nothing in its outputs,
    /// with one that is missing or of another length.
    void expect_checks(const std::function<int(const std::vector<Argument>&)>& f)
    {
        expect(GIRIH_OK, [] {}, f, "nothing wrong");
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            Argument& a = arguments_[i];
            expect(GIRIH_ERROR_ARGUMENT, [&a] { a.data = nullptr; }, f, std::to_string(i) + " is missing");
            for (const auto& [other, error] : a.other_lengths())
                expect(
                    error, [&a, size = other] { a.size = size; }, f,
                    std::to_string(i) + " has length " + std::to_string(other));
        }
    }
    /// f(arguments) has this error, and nothing in its outputs, whatever its arguments
    /// are: they are good.
    void expect_error(int error, const std::function<int(const std::vector<Argument>&)>& f,
                      const std::string& what)
    {
        expect(error, [] {}, f, what);
    }

  private:
    void expect(int error, const std::function<void()>& falsify,
                const std::function<int(const std::vector<Argument>&)>& f, const std::string& what)
    {
        for (Argument& a : arguments_) a.reset();
        falsify();
        EXPECT_EQ(f(arguments_), error) << what;
        for (const Argument& a : arguments_) {
            EXPECT_TRUE(error == GIRIH_OK || a.is_zero()) << what;
            EXPECT_TRUE(a.is_within()) << what;
        }
    }

    std::vector<Argument> arguments_;
};

}  // namespace girih::test
