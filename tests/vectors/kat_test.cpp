/// NIST's known answers for round 3.1, whole files: every byte of the 100 records is made again, and hashed.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "aes/ctr_drbg.hpp"
#include "sha2/sha2.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"
#include "support/vector_files.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::to_hex;

using Drbg = aes::CtrDrbg;

ByteString draw(Drbg& drbg, std::size_t size)
{
    ByteString bytes(size);
    drbg.generate(bytes);
    return bytes;
}

Drbg drbg_of(BytesIn<> seed) { return Drbg{seed.first<Drbg::seed_bytes>()}; }

/// One record: the key of a seed, and a signature in front of its message.
std::string record(const girih_alg* alg, std::size_t count, BytesIn<> seed, BytesIn<> message)
{
    Drbg drbg = drbg_of(seed);
    const test::KeyPair keys = test::key_pair(alg, draw(drbg, girih_seed_bytes(alg)));
    ByteString signed_message = test::sign(alg, keys.secret_key, message);
    signed_message.insert(signed_message.end(), message.begin(), message.end());
    std::string text;
    const auto line = [&text](const char* name, const std::string& value) {
        text += name;
        text += " = ";
        text += value;
        text += '\n';
    };
    line("count", std::to_string(count));
    line("seed", to_hex(seed));
    line("mlen", std::to_string(message.size()));
    line("msg", to_hex(message));
    line("pk", to_hex(keys.public_key));
    line("sk", to_hex(keys.secret_key));
    line("smlen", std::to_string(signed_message.size()));
    line("sm", to_hex(signed_message));
    return text + '\n';
}

/// The file that NIST's PQCgenKAT_sign writes: seeds and messages come from a generator whose entropy is 0, 1, ..., 47, and
/// each record's randomness from one that is seeded with the record's seed.
std::string known_answers(const char* name)
{
    constexpr std::size_t records = 100;
    const girih_alg* alg = girih_algorithm(name);
    std::string text = std::string{"# "} + name + "\n\n";
    Drbg master = drbg_of(test::counting(Drbg::seed_bytes));
    for (std::size_t count = 0; count < records; ++count) {
        const ByteString seed = draw(master, Drbg::seed_bytes);
        const ByteString message = draw(master, 33 * (count + 1));
        text += record(alg, count, seed, message);
    }
    return text;
}

struct KatFile {
    const char* algorithm;
    const char* sha256;  ///< of the file that came with the round 3.1 package (deterministic signing)
    const char* path;
};

class KnownAnswers : public testing::TestWithParam<KatFile> {};
INSTANTIATE_TEST_SUITE_P(
    Of, KnownAnswers,
    testing::Values(KatFile{"Dilithium2", "38ED991C5CA11E39AB23945CA37AF89E059D16C5474BF8BA96B15CB4E948AF2A",
                            "kat/PQCsignKAT_Dilithium2-r3.1.rsp.gz"},
                    KatFile{"Dilithium3", "8196B32212753F525346201FFEC1C7A0A852596FA0B57BD4E2746231DAB44D55",
                            "kat/PQCsignKAT_Dilithium3-r3.1.rsp.gz"},
                    KatFile{"Dilithium5", "7DED97A6E6C809B43B54C248171D7504FA6A0CAB651BF288BB00034782667481",
                            "kat/PQCsignKAT_Dilithium5-r3.1.rsp.gz"}),
    [](const testing::TestParamInfo<KatFile>& kat) { return std::string{kat.param.algorithm}; });

TEST_P(KnownAnswers, AreMadeAgainByteForByte)
{
    const std::string text = known_answers(GetParam().algorithm);
    sha2::Sha256 hash;
    hash.update({reinterpret_cast<const Byte*>(text.data()), text.size()});
    EXPECT_EQ(to_hex(hash.digest()), GetParam().sha256);
}

TEST_P(KnownAnswers, AreThoseOfTheFile)
{
    GIRIH_NEEDS_VECTOR_FILES();
    const std::string text = known_answers(GetParam().algorithm);
    const std::string file = test::read_vector_file(GetParam().path);
    ASSERT_EQ(text.size(), file.size());
    const auto [ours, theirs] = std::mismatch(text.begin(), text.end(), file.begin());
    EXPECT_EQ(ours, text.end()) << "first difference at byte " << ours - text.begin();
}

}  // namespace
