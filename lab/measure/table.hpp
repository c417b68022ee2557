/// The one format of tables, as text and in Markdown, and of the figures in them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace girih::lab {

/// One text of several.
[[nodiscard]] std::string joined(std::initializer_list<std::string_view> parts);
/// "16.43 us": three or four digits; "-" of no time.
[[nodiscard]] std::string time_text(double nanoseconds);
/// A number with so many digits behind the point.
[[nodiscard]] std::string fixed(double number, int digits);
[[nodiscard]] inline std::string percent(double share, int digits = 1)
{
    return fixed(100 * share, digits) + " %";
}

class Table {
  public:
    struct Column {
        std::string head;
        bool is_text = false;   ///< on the left; numbers are on the right
        std::size_t width = 0;  ///< at least
    };
    using Row = std::vector<std::string>;

    Table(std::string title, std::vector<Column> columns)
        : title_(std::move(title)), columns_(std::move(columns))
    {
    }

    void add(Row row);
    [[nodiscard]] bool is_empty() const { return rows_.empty(); }

    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string markdown() const;

    /// The head and a row as text, for those who show rows as they come: as wide as the columns
    /// were declared.
    [[nodiscard]] std::string head() const;
    [[nodiscard]] std::string line(const Row& row) const;

  private:
    [[nodiscard]] std::string cells(const Row& row, std::string_view between) const;

    std::string title_;
    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace girih::lab
