#include "cli/output/json.hpp"

#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/failure.hpp"
#include "cli/files/files.hpp"

namespace girih::cli {

using Value = nlohmann::ordered_json;

Json::Json(std::string_view string) : value_(std::make_unique<Value>(string)) {}

Json::Json(bool truth) : value_(std::make_unique<Value>(truth)) {}
Json::Json(Signed number) : value_(std::make_unique<Value>(number.number)) {}
Json::Json(Unsigned number) : value_(std::make_unique<Value>(number.number)) {}

Json::Json(Empty empty)
    : value_(std::make_unique<Value>(empty == Empty::object ? Value::object() : Value::array()))
{
}

Json::Json(const Json& other) : value_(std::make_unique<Value>(*other.value_)) {}

Json::~Json() = default;

std::string Json::text() const
{
    std::string text = value_->dump(2, ' ', true, Value::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('\x7F', at)) != std::string::npos;)
        text.replace(at, 1, "\\u007f");
    return text;
}

JsonObject::JsonObject(std::initializer_list<JsonMember> members) : Json(Empty::object)
{
    for (const JsonMember& member : members) add(member.name, member.value);
}

void JsonObject::add(std::string_view name, const Json& value)
{
    (*value_)[std::string(name)] = *value.value_;
}

void JsonObject::add(const JsonObject& other) { value_->update(*other.value_); }

void JsonArray::add(const Json& element) { value_->push_back(*element.value_); }

void add_json_option(const Command& subcommand, bool& json)
{
    subcommand.flag("--json", json, "report in JSON what was done");
}

void print_good_json(const JsonObject& members)
{
    JsonObject all{{"ok", true}};
    all.add(members);
    print(all.text() + "\n");
}

void print_bad_json(const Failure& failure, const JsonObject& members)
{
    JsonObject all{{"ok", false}, {"error", failure.what()}, {"exit_code", static_cast<int>(failure.code())}};
    all.add(members);
    print(all.text() + "\n");
}

}  // namespace girih::cli
