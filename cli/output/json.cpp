#include "cli/output/json.hpp"

#include "cli/output/terminal.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {
namespace {

void print_both(Json all, const Json& members)
{
    all.update(members);
    print(text_of(all) + "\n");
}

}  // namespace

std::string text_of(const Json& value)
{
    std::string text = value.dump(2, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('\x7F', at)) != std::string::npos;)
        text.replace(at, 1, "\\u007f");
    return text;
}

void print_good_json(const Json& members) { print_both({{"ok", true}}, members); }

void print_bad_json(const Failure& failure, const Json& members)
{
    print_both({{"ok", false}, {"error", failure.what()}, {"exit_code", static_cast<int>(failure.code())}},
               members);
}

void fail_with(const Failure& failure, bool json, const Json& members)
{
    if (!json) throw failure;
    print_bad_json(failure, members);
    throw failure.reported();
}

}  // namespace girih::cli
