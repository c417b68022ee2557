#include "cli/json.hpp"

#include <nlohmann/json.hpp>

#include "cli/failure.hpp"
#include "cli/files.hpp"

namespace girih::cli {
namespace {

constexpr std::string_view margin = "  ";

std::string quoted(std::string_view string)
{
    return nlohmann::json(string).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A line, or the lines of an object or array, further in.
std::string indented(const std::string& text)
{
    std::string lines{margin};
    for (const char c : text) {
        lines += c;
        if (c == '\n') lines += margin;
    }
    return lines;
}

}  // namespace

Json::Json(std::string_view string) : text_(quoted(string)) {}

void Json::append(std::string_view lines)
{
    const char closing = text_.back();
    const bool is_empty = text_.size() == 2;
    text_.resize(text_.size() -
                 (is_empty ? 1 : 2));  // without the closing bracket, and the line break before it
    text_ += is_empty ? "\n" : ",\n";
    text_ += lines;
    text_ += '\n';
    text_ += closing;
}

JsonObject::JsonObject(std::initializer_list<JsonMember> members) : Json(Empty{"{}"})
{
    for (const JsonMember& member : members) add(member.name, member.value);
}

void JsonObject::add(std::string_view name, const Json& value)
{
    append(indented(quoted(name) + ": " + value.text()));
}

void JsonObject::add(const JsonObject& other)
{
    const std::string_view text = other.text();
    if (text.size() > 2) append(text.substr(2, text.size() - 4));  // its lines, without brackets
}

void JsonArray::add(const Json& element) { append(indented(element.text())); }

void print_good_json(const JsonObject& members)
{
    JsonObject all{{"ok", true}};
    all.add(members);
    print(all.text() + "\n");
}

void print_bad_json(const Failure& failure, const JsonObject& members)
{
    JsonObject all{{"ok", false}, {"error", failure.what()}};
    all.add(members);
    print(all.text() + "\n");
}

}  // namespace girih::cli
