/// The table of functions (functions.hpp) against girih.h: every function that takes a pointer has
/// a row, with the parameters that the header declares.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "api/functions.hpp"

namespace {

using namespace girih::test;

/// Without comments and directives, and with one space wherever there is any.
std::string plain(const std::string& header)
{
    std::string text;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (header.compare(i, 2, "/*") == 0) i = header.find("*/", i) + 2;
        if (header[i] == '#') i = header.find('\n', i);
        const bool is_space = std::isspace(static_cast<unsigned char>(header[i])) != 0;
        if (!is_space)
            text += header[i];
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    return text;
}

/// Each function's parameters and each structure's members, by name.
struct Declarations {
    std::map<std::string, std::string> functions;
    std::map<std::string, std::string> structures;

    explicit Declarations(const std::string& text)
    {
        const std::string function = "GIRIH_API ", structure = "typedef struct ";
        for (std::size_t i = 0; (i = text.find(function, i)) != text.npos; ++i) {
            const std::size_t open = text.find('(', i), close = text.find(')', open);
            const std::size_t name = text.find_last_of("* ", open) + 1;
            functions[text.substr(name, open - name)] = text.substr(open + 1, close - open - 1);
        }
        for (std::size_t i = 0; (i = text.find(structure, i)) != text.npos; ++i) {
            const std::size_t name = i + structure.size(), end = text.find(' ', name);
            const std::size_t close = text.find(" }", end);
            if (text[end + 1] == '{')
                structures[text.substr(name, end - name)] = text.substr(end + 3, close - end - 3);
        }
    }
};

std::string parameters_of(const Function& function)
{
    std::string all;
    for (const Role& role : function.roles) all += (all.empty() ? "" : ", ") + std::string(role.parameters);
    return all;
}

/// The members of a row: what follows the algorithm, a length that is given out in its place, and
/// the result.
std::string members_of(const Function& function)
{
    std::string all = parameters_of(function);
    all.erase(0, all.find(", ") + 2);
    for (std::size_t i = 0; (i = all.find(',', i)) != all.npos;) all[i] = ';';
    if (const std::size_t length = all.find("size_t* "); length != all.npos) all.erase(length + 6, 1);
    return all + "; int result;";
}

/// How a function is declared, according to the table; empty if it has no row.
std::string declared(const Declarations& header, const std::string& name)
{
    for (const Question& question : questions)
        if (question.name == name) return std::string(question.parameter);
    for (const Function& function : functions) {
        if (function.name != name) continue;
        if (function.batch == nullptr) return parameters_of(function);
        const std::string row = name.substr(0, name.size() - std::string("many").size()) + "row";
        EXPECT_EQ(members_of(function), header.structures.at(row)) << row;
        return "const girih_alg* alg, " + row + "* rows, size_t count";
    }
    return "";
}

TEST(Header, DeclaresWhatTheTableOfFunctionsHas)
{
    std::ifstream file(GIRIH_HEADER);
    const Declarations header{plain({std::istreambuf_iterator<char>(file), {}})};
    ASSERT_GT(header.functions.size(), functions.size());
    for (const auto& [name, parameters] : header.functions)
        if (parameters.find('*') != parameters.npos) {
            EXPECT_EQ(declared(header, name), parameters) << name;
        }
    for (const Function& function : functions)
        EXPECT_EQ(header.functions.count(std::string(function.name)), 1U) << function.name;
    for (const Question& question : questions)
        EXPECT_EQ(header.functions.count(std::string(question.name)), 1U) << question.name;
}

}  // namespace
