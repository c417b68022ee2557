#include "support/vector_files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace girih::test {

std::string read_vector_file(const std::string& path)
{
    const std::string full_path = std::string{std::getenv("GIRIH_VECTORS")} + "/" + path;
    // The shell finds the path in the variable, so nothing in it is special; with -f, gzip hands on
    // what is not compressed.
    setenv("GIRIH_VECTOR_FILE", full_path.c_str(), 1);
    std::FILE* const file = popen("exec gzip -dcf -- \"$GIRIH_VECTOR_FILE\"", "r");
    if (file == nullptr) {
        ADD_FAILURE() << "cannot run gzip";
        return {};
    }
    std::string text;
    std::array<char, 1 << 16> piece;
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file))
        text.append(piece.data(), size);
    EXPECT_EQ(pclose(file), 0) << "gzip cannot read " << full_path;
    return text;
}

}  // namespace girih::test
