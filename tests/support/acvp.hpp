/// NIST's ACVP vectors, as they come: files of prompts and files of expected results.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/bytes.hpp"
#include "support/vector_files.hpp"

namespace girih::test {

inline nlohmann::json read_acvp(const std::string& path)
{
    return nlohmann::json::parse(read_vector_file("acvp/" + path));
}

/// Calls check(group, case, expected result) for every case of a set; returns how many there were.
template <class Check>
std::size_t for_each_case(const std::string& set, Check check)
{
    using nlohmann::json;
    using Id = std::pair<int, int>;
    const json prompt = read_acvp(set + "/prompt.json.gz");
    const json results = read_acvp(set + "/expectedResults.json.gz");
    std::map<Id, const json*> expected;
    for (const json& group : results.at("testGroups"))
        for (const json& result : group.at("tests"))
            expected[{group.at("tgId").get<int>(), result.at("tcId").get<int>()}] = &result;
    std::size_t count = 0;
    for (const json& group : prompt.at("testGroups")) {
        for (const json& test_case : group.at("tests")) {
            const Id id{group.at("tgId").get<int>(), test_case.at("tcId").get<int>()};
            SCOPED_TRACE(set + ", group " + std::to_string(id.first) + ", case " + std::to_string(id.second));
            check(group, test_case, *expected.at(id));
            ++count;
        }
    }
    EXPECT_EQ(count, expected.size());
    return count;
}

inline const girih_alg* algorithm_of(const nlohmann::json& group)
{
    return girih_algorithm(group.at("parameterSet").get<std::string>().c_str());
}

inline ByteString bytes_of(const nlohmann::json& value)
{
    return from_hex(value.get_ref<const std::string&>());
}

}  // namespace girih::test
