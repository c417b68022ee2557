/// NIST's known answers for Dilithium (round 3.1), whole files: every byte of the 100 records is
/// made again, and hashed.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <string>

#include "support/bytes.hpp"
#include "support/known_answers.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::draw;
using test::Drbg;
using test::to_hex;

/// One record: the key of a seed, and a signature in front of its message.
std::string record(const girih_alg* alg, std::size_t count, BytesIn<> seed, BytesIn<> message)
{
    Drbg drbg = test::drbg_of(seed);
    const test::KeyPair keys = test::key_pair(alg, draw(drbg, girih_seed_bytes(alg)));
    ByteString signed_message = test::sign(alg, keys.secret_key, message);
    signed_message.insert(signed_message.end(), message.begin(), message.end());
    std::string text;
    const auto line = [&text](const char* name, const std::string& value) {
        test::append_line(text, name, value);
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

/// The file that NIST's PQCgenKAT_sign writes: seeds and messages come from a generator
/// whose entropy is 0, 1, ..., 47, and each record's randomness from one that is seeded with
/// the record's seed.
std::string known_answers(const char* name)
{
    const girih_alg* alg = girih_algorithm(name);
    std::string text = std::string{"# "} + name + "\n\n";
    Drbg master = test::master_drbg();
    for (std::size_t count = 0; count < test::known_answer_records; ++count) {
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
    test::expect_file(known_answers(GetParam().algorithm), GetParam().sha256, GetParam().path);
}

TEST_P(KnownAnswers, AreThoseOfTheFile)
{
    GIRIH_NEEDS_VECTOR_FILES();
    EXPECT_EQ(test::sha256_of(test::read_vector_file(GetParam().path)), GetParam().sha256);
}

}  // namespace
