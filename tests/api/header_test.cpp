/// The table of functions (functions.hpp) against girih.h: every function that takes a pointer has
/// a row, with the parameters that the header declares.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

#include "api/functions.hpp"

namespace {

using namespace girih::test;

/// The second group of each match, by name.
std::map<std::string, std::string> declarations(const std::string& text, const std::regex& pattern)
{
    std::map<std::string, std::string> found;
    for (std::sregex_iterator match{text.begin(), text.end(), pattern}; match != std::sregex_iterator{};
         ++match)
        found[(*match)[1]] = (*match)[2];
    return found;
}

/// The parameters of functions and the members of structures, with white space as single spaces.
struct Declarations {
    std::map<std::string, std::string> functions;
    std::map<std::string, std::string> structures;

    explicit Declarations(std::string text)
    {
        for (std::size_t i = 0; (i = text.find("/*")) != text.npos;)
            text.erase(i, text.find("*/", i) + 2 - i);
        text = std::regex_replace(text, std::regex{"#[^\n]*"}, "");
        text = std::regex_replace(text, std::regex{"\\s+"}, " ");
        functions = declarations(text, std::regex{R"(GIRIH_API [^(]*\b(\w+)\(([^)]*)\))"});
        structures = declarations(text, std::regex{R"(typedef struct (\w+) \{ ([^}]*) \})"});
    }
};

std::string parameters_of(const Function& function)
{
    std::string all;
    for (const Role& role : function.roles) all += (all.empty() ? "" : ", ") + std::string(role.parameters);
    return all;
}

/// The members of a row: the parameters after the algorithm, an output length as a member, and the
/// result.
std::string members_of(const Function& function)
{
    std::string all = parameters_of(function);
    all.erase(0, all.find(", ") + 2);
    std::ranges::replace(all, ',', ';');
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
        const std::string row = std::regex_replace(name, std::regex{"many$"}, "row");
        EXPECT_EQ(members_of(function), header.structures.at(row)) << row;
        return "const girih_alg* alg, " + row + "* rows, size_t count";
    }
    return "";
}

TEST(Header, DeclaresWhatTheTableOfFunctionsHas)
{
    std::string text;
    for (const char* name : {"girih.h", "batches.h"}) {
        std::ifstream file(std::string(GIRIH_HEADERS) + name);
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    const Declarations header{text};
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
