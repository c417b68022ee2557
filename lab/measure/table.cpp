#include "lab/measure/table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace girih::lab {

std::string joined(std::initializer_list<std::string_view> parts)
{
    std::string all;
    for (const std::string_view part : parts) all += part;
    return all;
}

std::string fixed(double number, int digits)
{
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string time_text(double nanoseconds)
{
    if (nanoseconds <= 0) return "-";
    double value = nanoseconds;
    const char* unit = " ns";
    for (const char* larger : {" us", " ms", " s"}) {
        if (value < 1000) break;
        value /= 1000;
        unit = larger;
    }
    return fixed(value, value < 10 ? 3 : value < 100 ? 2 : 1) + unit;
}

void Table::add(Row row)
{
    for (std::size_t i = 0; i < row.size(); ++i)
        columns_[i].width = std::max(columns_[i].width, row[i].size());
    rows_.push_back(std::move(row));
}

std::string Table::cells(const Row& row, std::string_view between) const
{
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string cell = i < row.size() ? row[i] : "";
        const std::size_t width = std::max(columns_[i].width, columns_[i].head.size());
        const std::string padding(width - std::min(width, cell.size()), ' ');
        if (i > 0) line += between;
        line += columns_[i].is_text ? cell + padding : padding + cell;
    }
    return line;
}

std::string Table::line(const Row& row) const
{
    std::string text = cells(row, "  ");
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

std::string Table::head() const
{
    Row heads;
    for (const Column& column : columns_) heads.push_back(column.head);
    return line(heads);
}

std::string Table::text() const
{
    std::string text = title_ + "\n  " + head();
    for (const Row& row : rows_) text += "  " + line(row);
    return text;
}

std::string Table::markdown() const
{
    Row heads;
    for (const Column& column : columns_) heads.push_back(column.head);
    std::string text = "### " + title_ + "\n\n| " + cells(heads, " | ") + " |\n|";
    for (const Column& column : columns_)
        text +=
            std::string(std::max(column.width, column.head.size()) + 1, '-') + (column.is_text ? "-|" : ":|");
    text += '\n';
    for (const Row& row : rows_) text += "| " + cells(row, " | ") + " |\n";
    return text;
}

}  // namespace girih::lab
