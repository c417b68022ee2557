/// The environment variable GIRIH_ISA, in processes of their own: an engine is chosen once.
/// (GoogleTest runs what is named a death test first, so the process that they are copies of
/// has not chosen yet. That no engine is an error of every function: api/functions_test.cpp.)
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "engines/selection.hpp"
#include "support/environment.hpp"

namespace {

using namespace girih;

TEST(EngineVariableDeathTest, ThatNamesThePortableEngineChoosesIt)
{
    EXPECT_EXIT(
        {
            test::set_variable("GIRIH_ISA", "portable");
            std::exit(girih_engine() != nullptr && std::string_view{girih_engine()} == "portable" ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(EngineSelection, KnowsThePortableEngineAndHasABestOne)
{
    EXPECT_NE(engines::select("").engine, nullptr);
    ASSERT_NE(engines::select("portable").engine, nullptr);
    EXPECT_EQ(engines::select("portable").engine->name, "portable");
    for (const char* name : {"x", "Portable", "portable ", "portabl"})
        EXPECT_EQ(engines::select(name).engine, nullptr) << name;
}

}  // namespace
