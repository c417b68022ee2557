/// Functions with any parameters, called with words, so that one table can hold them all.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace girih::test {

/// A pointer or a length: whatever a parameter is.
class Word {
  public:
    Word() = default;
    Word(std::size_t value) : value_(value) {}
    Word(const void* pointer) : value_(reinterpret_cast<std::uintptr_t>(pointer)) {}

    template <class T>
        requires(std::is_pointer_v<T> || std::is_same_v<T, std::size_t>)
    operator T() const
    {
        if constexpr (std::is_pointer_v<T>)
            return reinterpret_cast<T>(value_);
        else
            return value_;
    }

  private:
    std::uintptr_t value_ = 0;
};
using Words = std::span<const Word>;

template <auto function, class... Parameters>
int call_with(int (*)(Parameters...), Words words)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return function(words[i]...);
    }(std::index_sequence_for<Parameters...>{});
}

/// A function that may fail.
template <auto function>
int call(Words words)
{
    return call_with<function>(function, words);
}

/// The result, as a number, of a function of one parameter that cannot fail.
template <auto function>
std::size_t ask(Word word)
{
    if constexpr (std::is_void_v<decltype(function(word))>) {
        function(word);
        return 0;
    } else if constexpr (std::is_pointer_v<decltype(function(word))>) {
        return reinterpret_cast<std::uintptr_t>(function(word));
    } else {
        return static_cast<std::size_t>(function(word));
    }
}

// ---- Rows of batches

/// A row made of the words after the first. Its result, the only member that is not a word, is
/// unset.
template <class Row>
Row row_from(Words words)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return Row{words[i + 1]..., 1};
    }(std::make_index_sequence<sizeof(Row) / sizeof(Word) - 1>{});
}

/// A function of batches with any type of row. The words are an algorithm and a row's members; for
/// a row to be signed, also the pointer to its length, as in girih_sign.
struct Batch {
    std::size_t row_bytes;
    void (*put)(void* row, Words words);
    int (*run)(const girih_alg* alg, void* rows, std::size_t count);
    /// The result of a row that has run.
    int (*result)(const void* row, Words words);
};

template <auto many, class Row>
constexpr Batch batch_of(int (*)(const girih_alg*, Row*, std::size_t))
{
    return {sizeof(Row), [](void* row, Words words) { new (row) Row{row_from<Row>(words)}; },
            [](const girih_alg* alg, void* rows, std::size_t count) {
                return many(alg, static_cast<Row*>(rows), count);
            },
            [](const void* at, Words words) {
                const auto& row = *static_cast<const Row*>(at);
                if constexpr (requires { row.signature_capacity; })
                    if (std::size_t* const length = words.back();
                        length != nullptr && row.result != GIRIH_ERROR_OVERLAP)
                        *length = row.signature_bytes;
                return row.result;
            }};
}
template <auto many>
inline constexpr Batch batch = batch_of<many>(many);

/// A batch of one row. Its result is the batch's, else 1.
template <auto many>
int call_row(Words words)
{
    alignas(std::max_align_t) std::byte row[128];
    static_assert(batch<many>.row_bytes <= sizeof row);
    batch<many>.put(row, words);
    const int error = batch<many>.run(words[0], row, 1);
    return batch<many>.result(row, words) == error ? error : 1;
}

}  // namespace girih::test
