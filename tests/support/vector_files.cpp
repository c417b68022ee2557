#include "support/vector_files.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <memory>

namespace girih::test {

std::string read_vector_file(const std::string& path)
{
    const std::string full_path = std::string{std::getenv("GIRIH_VECTORS")} + "/" + path;
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file{gzopen(full_path.c_str(), "rb"), gzclose};
    if (file == nullptr) {
        ADD_FAILURE() << "cannot open " << full_path;
        return {};
    }
    std::string text;
    std::array<char, 1 << 16> piece;
    int size = 0;
    while ((size = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()))) > 0)
        text.append(piece.data(), static_cast<std::size_t>(size));
    EXPECT_EQ(size, 0) << full_path << " is damaged";
    return text;
}

}  // namespace girih::test
