#include "cli/help/documents.hpp"

namespace girih::cli {

bool is_argument(const CLI::Option* option) { return !option->nonpositional(); }

std::vector<std::string> names_of(const CLI::Option* option)
{
    if (is_argument(option)) return {option->get_name()};
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

Value value_of(const CLI::Option* option)
{
    if (option->get_type_size_max() == 0) return {};
    // CLI11's name of the type is such as "FORMAT:{pem,der,raw}".
    const std::string type = option->get_type_name();
    const std::size_t colon = std::min(type.find(':'), type.size());
    const std::string rest = type.substr(std::min(colon + 1, type.size()));
    if (!rest.starts_with('{') || !rest.ends_with('}')) return {type.substr(0, colon), {}};
    return {type.substr(0, colon), CLI::detail::split(rest.substr(1, rest.size() - 2), ',')};
}

}  // namespace girih::cli
