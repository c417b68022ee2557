/// Who races: copies of girih's shared library, one for each engine, and peers' libraries.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/operations/contender.hpp"

namespace girih::lab {

/// A copy of a build of girih that runs this engine for as long as the program: GIRIH_ISA is read
/// at a copy's first use. Throws where the engine does not run.
[[nodiscard]] Contender load_girih(const std::string& compiler, const std::filesystem::path& library,
                                   const std::string& engine, const std::filesystem::path& copies);

/// The contenders of a library that has the functions of contender.h. The label is added to their
/// names, unless it is empty.
[[nodiscard]] std::vector<Contender> load_contenders(const std::string& label,
                                                     const std::filesystem::path& path);

}  // namespace girih::lab
