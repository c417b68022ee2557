#include "support/vector_files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#if defined(_WIN32)
#    include <zlib.h>
#endif

namespace girih::test {

std::string read_vector_file(const std::string& path)
{
    const std::string full_path = std::string{std::getenv("GIRIH_VECTORS")} + "/" + path;
    std::string text;
    std::array<char, 1 << 16> piece;
#if defined(_WIN32)
    const gzFile file = gzopen(full_path.c_str(), "rb");
    int size = -1;
    while (file != nullptr && (size = gzread(file, piece.data(), piece.size())) > 0)
        text.append(piece.data(), static_cast<std::size_t>(size));
    EXPECT_EQ(size, 0) << "cannot read " << full_path;
    gzclose(file);
#else
    // The shell takes the path from the variable, so nothing in it is special; with -f, gzip passes
    // on files that are not compressed.
    setenv("GIRIH_VECTOR_FILE", full_path.c_str(), 1);
    std::FILE* const file = popen("exec gzip -dcf -- \"$GIRIH_VECTOR_FILE\"", "r");
    while (const std::size_t size = file != nullptr ? std::fread(piece.data(), 1, piece.size(), file) : 0)
        text.append(piece.data(), size);
    EXPECT_TRUE(file != nullptr && pclose(file) == 0) << "gzip cannot read " << full_path;
#endif
    return text;
}

}  // namespace girih::test
