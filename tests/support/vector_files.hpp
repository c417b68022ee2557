/// Files of test vectors in the folder that the environment variable GIRIH_VECTORS names.
#pragma once

#include <cstdlib>
#include <string>

namespace girih::test {

/// The whole of a file, unpacked if it is packed by gzip. `path` is below GIRIH_VECTORS; a test
/// fails without the file.
std::string read_vector_file(const std::string& path);

/// Whether GIRIH_VECTORS is set.
inline bool has_vector_files() { return std::getenv("GIRIH_VECTORS") != nullptr; }

}  // namespace girih::test

/// Skips a test, and says so, where there are no vector files.
#define GIRIH_NEEDS_VECTOR_FILES() \
    if (!girih::test::has_vector_files()) GTEST_SKIP() << "GIRIH_VECTORS names no folder of test vectors"
