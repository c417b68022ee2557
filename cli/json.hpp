/// JSON on standard output: one object, whatever happens. Its first member, ok, says whether the
/// exit code is 0; if it is not, error says why, in the words of standard error.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace girih::cli {

class Failure;

/// A value, as its text.
class Json {
  public:
    /// Text need not be UTF-8 (names of files are what they are): bytes that are not become U+FFFD.
    Json(std::string_view string);
    Json(const std::string& string) : Json(std::string_view(string)) {}
    Json(const char* string) : Json(std::string_view(string)) {}
    template <std::integral Number>
    Json(Number number)
    {
        if constexpr (std::is_same_v<Number, bool>)
            text_ = number ? "true" : "false";
        else
            text_ = std::to_string(number);
    }

    [[nodiscard]] const std::string& text() const noexcept { return text_; }

  protected:
    /// An object or an array with nothing in it: its brackets.
    struct Empty {
        std::string_view brackets;
    };
    explicit Json(Empty empty) : text_(empty.brackets) {}
    /// Adds lines to an object or an array.
    void append(std::string_view lines);

  private:
    std::string text_;
};

struct JsonMember {
    std::string_view name;
    Json value;
};

/// An object: a line for each member, in the order in which they come.
class JsonObject : public Json {
  public:
    JsonObject(std::initializer_list<JsonMember> members = {});
    void add(std::string_view name, const Json& value);
    /// Adds the members of another.
    void add(const JsonObject& other);
};

/// An array: a line for each element.
class JsonArray : public Json {
  public:
    JsonArray() : Json(Empty{"[]"}) {}
    void add(const Json& element);
};

/// The object of a success.
void print_good_json(const JsonObject& members);

/// The object of a failure, with what there is to say beside it.
void print_bad_json(const Failure& failure, const JsonObject& members = {});

}  // namespace girih::cli
