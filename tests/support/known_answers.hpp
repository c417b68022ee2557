/// How NIST's known-answer files are generated.
#pragma once

#include <cstddef>
#include <string>

#include "aes/ctr_drbg.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"

namespace girih::test {

using Drbg = aes::CtrDrbg;

inline ByteString draw(Drbg& drbg, std::size_t size)
{
    ByteString bytes(size);
    drbg.generate(bytes);
    return bytes;
}

inline Drbg drbg_of(BytesIn<> seed) { return Drbg{seed.first<Drbg::seed_bytes>()}; }

/// The generator of the seeds of all records: its entropy is 0, 1, ..., 47.
inline Drbg master_drbg() { return drbg_of(counting(Drbg::seed_bytes)); }

inline std::string sha256_of(const std::string& text)
{
    sha2::Sha256 hash;
    hash.update({reinterpret_cast<const Byte*>(text.data()), text.size()});
    return to_hex(hash.digest());
}

}  // namespace girih::test
