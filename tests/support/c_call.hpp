/// The C interface with byte strings in place of addresses and lengths.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>

namespace girih::test {

/// Memory of a prepared key.
class KeyMemory {
  public:
    explicit KeyMemory(std::size_t bytes)
        : size_(bytes), lines_(new Line[(bytes + sizeof(Line) - 1) / sizeof(Line)])
    {
    }

    [[nodiscard]] void* data() const { return lines_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes{};
    };
    std::size_t size_;
    std::unique_ptr<Line[]> lines_;
};

/// An argument as the C interface takes it: a byte string becomes its address and its length.
template <class T>
auto spread(T& argument)
{
    if constexpr (requires { argument.data(), argument.size(); })
        return std::tuple(argument.data(), argument.size());
    else
        return std::tuple(argument);
}

/// Calls `function`, and returns its result.
template <class Function, class... Arguments>
auto call(Function function, Arguments&&... arguments)
{
    return std::apply(function, std::tuple_cat(spread(arguments)...));
}

/// A row of a batch from its inputs and outputs; its result, which comes last, is unset.
template <class Row, class... Arguments>
Row row_of(Arguments&&... arguments)
{
    return std::apply([](auto... parts) { return Row{parts..., GIRIH_ERROR_ARGUMENT}; },
                      std::tuple_cat(spread(arguments)...));
}

}  // namespace girih::test
