/// NIST's known-answer files: how they are generated, and compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "aes/ctr_drbg.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"
#include "support/vector_files.hpp"

namespace girih::test {

using Drbg = aes::CtrDrbg;

inline constexpr std::size_t known_answer_records = 100;

inline ByteString draw(Drbg& drbg, std::size_t size)
{
    ByteString bytes(size);
    drbg.generate(bytes);
    return bytes;
}

inline Drbg drbg_of(BytesIn<> seed) { return Drbg{seed.first<Drbg::seed_bytes>()}; }

/// The generator of the seeds of all records: its entropy is 0, 1, ..., 47.
inline Drbg master_drbg() { return drbg_of(counting(Drbg::seed_bytes)); }

/// Appends "name = value".
inline void append_line(std::string& text, const char* name, const std::string& value)
{
    text += name;
    text += " = ";
    text += value;
    text += '\n';
}

inline std::string sha256_of(const std::string& text)
{
    sha2::Sha256 hash;
    hash.update({reinterpret_cast<const Byte*>(text.data()), text.size()});
    return to_hex(hash.digest());
}

/// The text is the file that has this digest. If it is not, and GIRIH_VECTORS has the file: where
/// they differ.
inline void expect_file(const std::string& text, const char* sha256, const std::string& path)
{
    if (sha256_of(text) == sha256) return;
    ADD_FAILURE() << path << " was made again with other bytes";
    if (!has_vector_files()) return;
    const std::string file = read_vector_file(path);
    const auto [ours, theirs] = std::mismatch(text.begin(), text.end(), file.begin(), file.end());
    ADD_FAILURE() << text.size() << " bytes for " << file.size() << ", the first difference at byte "
                  << ours - text.begin();
}

}  // namespace girih::test
