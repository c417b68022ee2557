#include "mutation/switch.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace girih_mutation {

int alive = 0;
unsigned char seen[most];

namespace {

/// Writes, for each test, its milliseconds and the numbers of the mutants that it met to the file
/// GIRIH_MUTANTS_SEEN. Mutants that were met before main count for every test.
class Listener final : public testing::EmptyTestEventListener {
  public:
    explicit Listener(const char* path) : file_(std::fopen(path, "w"))
    {
        if (file_ == nullptr) std::abort();
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() override { std::fclose(file_); }

    void OnTestProgramStart(const testing::UnitTest&) override { std::memcpy(early_, seen, sizeof seen); }
    void OnTestStart(const testing::TestInfo&) override { std::memcpy(seen, early_, sizeof seen); }
    void OnTestEnd(const testing::TestInfo& test) override
    {
        std::fprintf(file_, "%s.%s %lld", test.test_suite_name(), test.name(),
                     static_cast<long long>(test.result()->elapsed_time()));
        for (int i = 0; i < most; ++i)
            if (seen[i] != 0) std::fprintf(file_, " %d", i);
        std::fputc('\n', file_);
    }

  private:
    std::FILE* file_;
    unsigned char early_[most]{};
};

/// Set before main: which mutant is alive, and whether to listen.
const bool is_set = [] {
    if (const char* number = std::getenv("GIRIH_MUTANT")) alive = std::atoi(number);
    if (const char* path = std::getenv("GIRIH_MUTANTS_SEEN"))
        testing::UnitTest::GetInstance()->listeners().Append(new Listener{path});
    return true;
}();

}  // namespace
}  // namespace girih_mutation
