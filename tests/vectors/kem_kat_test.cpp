/// The known answers of NTRU Prime's round-3 submission, whole files: every byte of the 100 records
/// is made again, and hashed; of the first ten on an emulated processor.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <string>

#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/known_answers.hpp"
#include "support/rounds.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::Drbg;
using test::to_hex;

/// The generator of known answers as a source of randomness: every piece is a request of its own.
girih_random source_of(Drbg& drbg)
{
    const auto fill = [](void* state, uint8_t* out, size_t bytes) {
        static_cast<Drbg*>(state)->generate({out, bytes});
        return 0;
    };
    return {fill, &drbg, 1};
}

/// One record: the key of a seed, and an encapsulation.
std::string record(const girih_alg* alg, std::size_t count, BytesIn<> seed)
{
    Drbg drbg = test::drbg_of(seed);
    const girih_random random = source_of(drbg);
    const test::KeyPair keys = test::random_key_pair(alg, random);
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key, &random);
    EXPECT_EQ(test::decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
    std::string text;
    const auto line = [&text](const char* name, const std::string& value) {
        test::append_line(text, name, value);
    };
    line("count", std::to_string(count));
    line("seed", to_hex(seed));
    line("pk", to_hex(keys.public_key));
    line("sk", to_hex(keys.secret_key));
    line("ct", to_hex(made.ciphertext));
    line("ss", to_hex(made.shared_secret));
    return text + '\n';
}

/// The first records of the file that the submission's kat_kem writes.
std::string known_answers(const char* name, std::size_t records)
{
    const girih_alg* alg = girih_algorithm(name);
    std::string text = std::string{"# kem/"} + name + "\n\n";
    Drbg master = test::master_drbg();
    for (std::size_t count = 0; count < records; ++count)
        text += record(alg, count, test::draw(master, Drbg::seed_bytes));
    return text;
}

struct KatFile {
    const char* algorithm;
    const char* sha256;            ///< of the submission's file
    const char* first_ten_sha256;  ///< of its first ten records, for an emulated processor
};

class KemKnownAnswers : public testing::TestWithParam<KatFile> {
  protected:
    static std::string path() { return std::string{"kat/"} + GetParam().algorithm + "-r3.rsp.gz"; }
};
INSTANTIATE_TEST_SUITE_P(
    Of, KemKnownAnswers,
    testing::Values(KatFile{"sntrup653", "65181E2FB8DE0455248C25EC1B1AA628A96BD6CC604D411AF2EA46C06B9F9693",
                            "56F5A4E39DC31D979CD291F126C63D4555793B3F6AFA8A12308C749C0610D9B3"},
                    KatFile{"sntrup761", "E720B256C12C50FA4281708342AAE2C6A47B01AE83B152F3FD03D7680E376172",
                            "1F825B01AF7E82C3CCEE1CF0D3B3511437D4FF3480CF2245A1BA42CE6AAB0939"},
                    KatFile{"sntrup857", "CA8D4C876BBB2C3B105FA997F6EE0A5A839363E8C697CED2175EA9348F71C4B3",
                            "18187A8EA29620994D6177106D454546480A901DED0D85952D11C7EFBF7DDE75"},
                    KatFile{"sntrup953", "D95E16D37E97D40496B9F2E5C67B002252254485522AC180E27D92AB8627F3D3",
                            "BB760CB4E1E2054911BF4CB12932745DF4957B7C3BBA240BB6C29853C7C49424"},
                    KatFile{"sntrup1013", "8E282B2FDB83A95D01C6A4336875B3E303EEC31D40C61437C05DB8185D08D98B",
                            "554DAC80953F78A682437799DE4AC799DF5361E8F1136D9B5B21EC1CF9C37CC0"},
                    KatFile{"sntrup1277", "9E208AABC5C340932EF547ABE0B14E16CF75EB7BEBAAFE2C3469C8D7D8B688F0",
                            "A51F2112E6528BF2AB54899D81125192A78AD3451F82F249A4511EA9D6687DE6"},
                    KatFile{"ntrulpr653", "ECBA9B6EEA104678EE931694FAAA74BA240771C4B677808211E29F6396810815",
                            "36B77A6AA9B92CC4DDBB0C90E23368215BBE3BEB239841A9AB5B4FB756B3DF2C"},
                    KatFile{"ntrulpr761", "F1EC1BE5E7A562EDF94C4AE361CAFA11360648C70F95A720D7BD0F8B7905819C",
                            "B1EA5CD9846E4F9426AD6C6A854C5DDE3CA358426EFB81FCF8F84A895B120E09"},
                    KatFile{"ntrulpr857", "E58A062AE6E4CBCE858C28B42805747F583076B0581ED9A57A8690445584CB6A",
                            "5920147A58AE121371A072CC4C3E56D7AF7B8F2AED3FC72A1C0539F3EC78F5C9"},
                    KatFile{"ntrulpr953", "5EFEF3C75EDDCFF263AF737E11E3D5B71B12CA95D18A5D1AE4B3D8AE15C7F3BC",
                            "0451A9038DA87040A341A3F964BFA428C246E4823B8F2D7E5F14DEB4C3E98A1E"},
                    KatFile{"ntrulpr1013", "C17F43F1059FA8BBAEE8524635AB806BED040683D58517AD9675E11E72B6EFD5",
                            "221ADFEA6752C46504B430CF5133EF80FAD61570359A8B089EC19F61595D5F05"},
                    KatFile{"ntrulpr1277", "F6429AB9C2A74E5553FEE76A3174B4B9BB922A04E57247E4F4920D55A94A0AE6",
                            "1CF3EE8549478C8A8F0593CE41FC9E90CD6C8E2188CDFCB4C8439E9E4E57F3AC"}),
    [](const testing::TestParamInfo<KatFile>& kat) { return std::string{kat.param.algorithm}; });

TEST_P(KemKnownAnswers, AreMadeAgainByteForByte)
{
    const bool is_whole = !test::are_emulated || test::are_exhaustive();
    const std::size_t records = is_whole ? test::known_answer_records : 10;
    test::expect_file(known_answers(GetParam().algorithm, records),
                      is_whole ? GetParam().sha256 : GetParam().first_ten_sha256, path());
}

TEST_P(KemKnownAnswers, AreThoseOfTheFile)
{
    GIRIH_NEEDS_VECTOR_FILES();
    EXPECT_EQ(test::sha256_of(test::read_vector_file(path())), GetParam().sha256);
}

}  // namespace
