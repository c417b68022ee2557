#include "support/vector_files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#if defined(_WIN32)
#    include <zlib.h>
#endif

namespace girih::test {

#if defined(_WIN32)

std::string read_vector_file(const std::string& path)
{
    const std::string full_path = std::string{std::getenv("GIRIH_VECTORS")} + "/" + path;
    const gzFile file = gzopen(full_path.c_str(), "rb");
    std::string text;
    std::array<char, 1 << 16> piece;
    int size = -1;
    while (file != nullptr && (size = gzread(file, piece.data(), piece.size())) > 0)
        text.append(piece.data(), static_cast<std::size_t>(size));
    EXPECT_EQ(size, 0) << "cannot read " << full_path;
    gzclose(file);
    return text;
}

#else

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

#endif

}  // namespace girih::test
