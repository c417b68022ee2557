/// JSON on standard output: always exactly one object. Its first member, ok, says whether the exit
/// code is 0; if it is not, `error` has the text of standard error, and `exit_code` the code.
///
/// nlohmann-json writes the text. Only json.cpp includes its header, which takes long to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace girih::cli {

class Command;
class Failure;

/// A value.
class Json {
  public:
    /// Text need not be UTF-8 (file names may be anything): invalid bytes become U+FFFD.
    Json(std::string_view string);
    Json(const std::string& string) : Json(std::string_view(string)) {}
    Json(const char* string) : Json(std::string_view(string)) {}
    Json(bool truth);
    template <std::signed_integral Number>
    Json(Number number) : Json(Signed{number})
    {
    }
    template <std::unsigned_integral Number>
        requires(!std::is_same_v<Number, bool>)
    Json(Number number) : Json(Unsigned{number})
    {
    }
    Json(const Json& other);
    Json& operator=(const Json&) = delete;
    ~Json();

    /// A line for each member and element, in printable ASCII, so that it is safe on a terminal.
    [[nodiscard]] std::string text() const;

  protected:
    enum class Empty { object, array };
    explicit Json(Empty empty);

    std::unique_ptr<nlohmann::ordered_json> value_;

  private:
    friend class JsonObject;
    friend class JsonArray;
    struct Signed {
        std::int64_t number;
    };
    struct Unsigned {
        std::uint64_t number;
    };
    explicit Json(Signed number);
    explicit Json(Unsigned number);
};

struct JsonMember {
    std::string_view name;
    Json value;
};

/// An object, with its members in insertion order.
class JsonObject : public Json {
  public:
    JsonObject() : Json(Empty::object) {}  // not a default argument: g++ 11 finds no constructor
    JsonObject(std::initializer_list<JsonMember> members);
    void add(std::string_view name, const Json& value);
    /// Adds the members of another object.
    void add(const JsonObject& other);
};

class JsonArray : public Json {
  public:
    JsonArray() : Json(Empty::array) {}
    void add(const Json& element);
};

/// Adds --json to a subcommand that writes files.
void add_json_option(const Command& subcommand, bool& json);

/// Prints the object of a success.
void print_good_json(const JsonObject& members);

/// Prints the object of a failure, with further members.
void print_bad_json(const Failure& failure, const JsonObject& members = {});

}  // namespace girih::cli
