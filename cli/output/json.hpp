/// JSON on standard output: one object, whatever happens. Its first member, ok, says whether the
/// exit code is 0; if it is not, error says why, in the words of standard error, and exit_code is
/// that.
///
/// nlohmann-json makes the text. Its header takes long to compile, and json.cpp alone includes it.
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
    /// Text need not be UTF-8 (names of files are what they are): bytes that are not become U+FFFD.
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

    /// A line for each member and element, in ASCII: a terminal acts on nothing of it.
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

/// An object: its members in the order in which they come.
class JsonObject : public Json {
  public:
    JsonObject() : Json(Empty::object) {}  // as a default argument, g++ 11 finds no constructor
    JsonObject(std::initializer_list<JsonMember> members);
    void add(std::string_view name, const Json& value);
    /// Adds the members of another.
    void add(const JsonObject& other);
};

class JsonArray : public Json {
  public:
    JsonArray() : Json(Empty::array) {}
    void add(const Json& element);
};

/// --json, on a subcommand that writes files.
void add_json_option(const Command& subcommand, bool& json);

/// The object of a success.
void print_good_json(const JsonObject& members);

/// The object of a failure, with what there is to say beside it.
void print_bad_json(const Failure& failure, const JsonObject& members = {});

}  // namespace girih::cli
