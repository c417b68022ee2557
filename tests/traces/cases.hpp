/// The traced operations, each with variants of its inputs that differ in nothing public.
#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "run.hpp"

namespace girih::traces {

struct Case {
    std::string name;  ///< "ML-KEM-768 decapsulate"
    std::size_t variants;
    std::function<void(std::size_t)> prepare;  ///< puts a variant's inputs where the operation reads them
    Operation operation;
    std::function<std::uint64_t()> buffers;  ///< a hash of inputs and outputs
};

/// The cases of the algorithm whose names the expression finds.
std::vector<Case> cases_of(const char* algorithm, const std::regex& wanted);

/// Writing and reading key files of the algorithm.
std::vector<Case> key_file_cases_of(const char* algorithm, const std::regex& wanted);

}  // namespace girih::traces
