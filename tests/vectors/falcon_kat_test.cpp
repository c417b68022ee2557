/// NIST's known answers for Falcon (round 3), whole files: every byte of the 100 records is made
/// again, and hashed.
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

/// The random numbers that NIST's programs draw, a request for a request.
girih_random source_of(Drbg& drbg)
{
    const auto fill = [](void* state, std::uint8_t* out, std::size_t bytes) {
        static_cast<Drbg*>(state)->generate({out, bytes});
        return 0;
    };
    return {fill, &drbg, 0};
}

test::KeyPair generate(const girih_alg* alg, const girih_random& random)
{
    test::KeyPair keys{ByteString(girih_public_key_bytes(alg)), ByteString(girih_secret_key_bytes(alg))};
    ByteString seed(girih_seed_bytes(alg));
    EXPECT_EQ(random.fill(random.state, seed.data(), seed.size()), 0);
    EXPECT_EQ(
        girih_falcon_reference_keygen(alg, seed.data(), seed.size(), keys.public_key.data(),
                                      keys.public_key.size(), keys.secret_key.data(), keys.secret_key.size()),
        GIRIH_OK);
    return keys;
}

ByteString crypto_sign(const girih_alg* alg, BytesIn<> secret_key, BytesIn<> message,
                       const girih_random& random)
{
    ByteString signed_message(message.size() + girih_signature_bytes(alg) + 2);
    std::size_t bytes = 0;
    const girih_options options{nullptr, 0, nullptr, 0, &random, 0, {}};
    EXPECT_EQ(girih_crypto_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(),
                                &options, signed_message.data(), signed_message.size(), &bytes),
              GIRIH_OK);
    signed_message.resize(bytes);
    return signed_message;
}

ByteString crypto_sign_open(const girih_alg* alg, BytesIn<> public_key, BytesIn<> signed_message)
{
    ByteString message(signed_message.size());
    std::size_t bytes = 0;
    EXPECT_EQ(girih_crypto_sign_open(alg, public_key.data(), public_key.size(), signed_message.data(),
                                     signed_message.size(), message.data(), message.size(), &bytes),
              GIRIH_OK);
    message.resize(bytes);
    return message;
}

/// One record: the key of a seed, and a message in one with its signature.
std::string record(const girih_alg* alg, std::size_t count, BytesIn<> seed, const ByteString& message)
{
    Drbg drbg = test::drbg_of(seed);
    const girih_random random = source_of(drbg);
    const test::KeyPair keys = generate(alg, random);
    const ByteString signed_message = crypto_sign(alg, keys.secret_key, message, random);
    EXPECT_EQ(crypto_sign_open(alg, keys.public_key, signed_message), message);
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
    const char* sha256;  ///< of the file that came with the round 3 package
    const char* path;
};

class FalconKnownAnswers : public testing::TestWithParam<KatFile> {};
INSTANTIATE_TEST_SUITE_P(
    Of, FalconKnownAnswers,
    testing::Values(KatFile{"Falcon-512", "DD75C946FDEDEF4EC46A2BEE7E10C65C9126F1A839B9CED6921FD45F7354B5CD",
                            "kat/falcon512-KAT.rsp.gz"},
                    KatFile{"Falcon-1024", "036A0BF5260573CEC44977284DFEF756CD1143DB9961B981BD1FB55828ACB20D",
                            "kat/falcon1024-KAT.rsp.gz"}),
    [](const testing::TestParamInfo<KatFile>& kat) {
        return "Falcon" + std::string{kat.param.algorithm + 7};
    });

TEST_P(FalconKnownAnswers, AreMadeAgainByteForByte)
{
    test::expect_file(known_answers(GetParam().algorithm), GetParam().sha256, GetParam().path);
}

TEST_P(FalconKnownAnswers, AreThoseOfTheFile)
{
    GIRIH_NEEDS_VECTOR_FILES();
    EXPECT_EQ(test::sha256_of(test::read_vector_file(GetParam().path)), GetParam().sha256);
}

}  // namespace
