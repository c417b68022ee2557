/// The known answers of Dilithium (round 3.1), Falcon and NTRU Prime (round 3), whole files: every
/// byte of their 100 records is made again, and hashed.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/known_answers.hpp"
#include "support/rounds.hpp"
#include "support/vector_files.hpp"

namespace girih::test {
namespace {

/// The parts of a record besides its number and seed.
struct Made {
    KeyPair keys;
    ByteString sealed;         ///< a signed message, or a ciphertext
    ByteString shared_secret;  ///< of a ciphertext
};

/// The generator of a record as a source of randomness.
girih_random source_of(Drbg& drbg, int piecewise)
{
    const auto fill = [](void* state, std::uint8_t* out, std::size_t bytes) {
        static_cast<Drbg*>(state)->generate({out, bytes});
        return 0;
    };
    return {fill, &drbg, piecewise};
}

/// A signature followed by its message, which is signed without randomness.
Made make_by_dilithium(const girih_alg* alg, Drbg& drbg, const ByteString& message)
{
    Made made{key_pair(alg, draw(drbg, girih_seed_bytes(alg))), {}, {}};
    made.sealed = sign(alg, made.keys.secret_key, message);
    made.sealed.insert(made.sealed.end(), message.begin(), message.end());
    return made;
}

Made make_by_falcon(const girih_alg* alg, Drbg& drbg, const ByteString& message)
{
    Made made{keys_by(girih_falcon_reference_keygen, alg, draw(drbg, girih_seed_bytes(alg))),
              ByteString(message.size() + girih_signature_bytes(alg) + 2),
              {}};
    const auto& [pk, sk] = made.keys;
    const girih_random random = source_of(drbg, 0);
    const girih_options options{nullptr, 0, nullptr, 0, &random, 0, {}};
    std::size_t bytes = 0;
    EXPECT_EQ(call(girih_crypto_sign, alg, sk, message, &options, made.sealed, &bytes), GIRIH_OK);
    made.sealed.resize(bytes);
    ByteString opened(bytes);
    EXPECT_EQ(call(girih_crypto_sign_open, alg, pk, made.sealed, opened, &bytes), GIRIH_OK);
    opened.resize(bytes);
    EXPECT_EQ(opened, message);
    return made;
}

/// Each draw is a separate request.
Made make_by_ntru_prime(const girih_alg* alg, Drbg& drbg, const ByteString&)
{
    const girih_random random = source_of(drbg, 1);
    const KeyPair keys = random_key_pair(alg, random);
    const Encapsulation made = encapsulate(alg, keys.public_key, &random);
    EXPECT_EQ(decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
    return {keys, made.ciphertext, made.shared_secret};
}

struct KatFile {
    const char* algorithm;
    Made (*make)(const girih_alg* alg, Drbg& drbg, const ByteString& message);
    std::string path;
    const char* sha256;            ///< of the submission's file
    const char* first_ten_sha256;  ///< of its first ten records, for an emulated processor; or null

    [[nodiscard]] bool is_kem() const { return make == make_by_ntru_prime; }
};
void PrintTo(const KatFile& file, std::ostream* out) { *out << file.path; }

KatFile dilithium(const char* name, const char* sha256)
{
    return {name, make_by_dilithium, std::string{"kat/PQCsignKAT_"} + name + "-r3.1.rsp.gz", sha256, nullptr};
}
KatFile falcon(const char* name, const char* path, const char* sha256)
{
    return {name, make_by_falcon, path, sha256, nullptr};
}
KatFile ntru_prime(const char* name, const char* sha256, const char* first_ten_sha256)
{
    return {name, make_by_ntru_prime, std::string{"kat/"} + name + "-r3.rsp.gz", sha256, first_ten_sha256};
}

/// The first records of the file that the submission's program writes: seeds and messages come from
/// one generator, and each record's randomness from another, whose seed is the record's.
std::string known_answers(const KatFile& file, std::size_t records)
{
    const girih_alg* const alg = girih_algorithm(file.algorithm);
    std::string text = std::string{file.is_kem() ? "# kem/" : "# "} + file.algorithm + "\n\n";
    const auto line = [&text](const char* name, const std::string& value) {
        text += std::string{name} + " = " + value + '\n';
    };
    Drbg master = master_drbg();
    for (std::size_t count = 0; count < records; ++count) {
        const ByteString seed = draw(master, Drbg::seed_bytes);
        const ByteString message = file.is_kem() ? ByteString{} : draw(master, 33 * (count + 1));
        Drbg drbg = drbg_of(seed);
        const Made made = file.make(alg, drbg, message);
        line("count", std::to_string(count));
        line("seed", to_hex(seed));
        if (!file.is_kem()) {
            line("mlen", std::to_string(message.size()));
            line("msg", to_hex(message));
        }
        line("pk", to_hex(made.keys.public_key));
        line("sk", to_hex(made.keys.secret_key));
        if (!file.is_kem()) line("smlen", std::to_string(made.sealed.size()));
        line(file.is_kem() ? "ct" : "sm", to_hex(made.sealed));
        if (file.is_kem()) line("ss", to_hex(made.shared_secret));
        text += '\n';
    }
    return text;
}

class KnownAnswers : public testing::TestWithParam<KatFile> {};
INSTANTIATE_TEST_SUITE_P(
    Of, KnownAnswers,
    testing::Values(
        dilithium("Dilithium2", "38ED991C5CA11E39AB23945CA37AF89E059D16C5474BF8BA96B15CB4E948AF2A"),
        dilithium("Dilithium3", "8196B32212753F525346201FFEC1C7A0A852596FA0B57BD4E2746231DAB44D55"),
        dilithium("Dilithium5", "7DED97A6E6C809B43B54C248171D7504FA6A0CAB651BF288BB00034782667481"),
        falcon("Falcon-512", "kat/falcon512-KAT.rsp.gz",
               "DD75C946FDEDEF4EC46A2BEE7E10C65C9126F1A839B9CED6921FD45F7354B5CD"),
        falcon("Falcon-1024", "kat/falcon1024-KAT.rsp.gz",
               "036A0BF5260573CEC44977284DFEF756CD1143DB9961B981BD1FB55828ACB20D"),
        ntru_prime("sntrup653", "65181E2FB8DE0455248C25EC1B1AA628A96BD6CC604D411AF2EA46C06B9F9693",
                   "56F5A4E39DC31D979CD291F126C63D4555793B3F6AFA8A12308C749C0610D9B3"),
        ntru_prime("sntrup761", "E720B256C12C50FA4281708342AAE2C6A47B01AE83B152F3FD03D7680E376172",
                   "1F825B01AF7E82C3CCEE1CF0D3B3511437D4FF3480CF2245A1BA42CE6AAB0939"),
        ntru_prime("sntrup857", "CA8D4C876BBB2C3B105FA997F6EE0A5A839363E8C697CED2175EA9348F71C4B3",
                   "18187A8EA29620994D6177106D454546480A901DED0D85952D11C7EFBF7DDE75"),
        ntru_prime("sntrup953", "D95E16D37E97D40496B9F2E5C67B002252254485522AC180E27D92AB8627F3D3",
                   "BB760CB4E1E2054911BF4CB12932745DF4957B7C3BBA240BB6C29853C7C49424"),
        ntru_prime("sntrup1013", "8E282B2FDB83A95D01C6A4336875B3E303EEC31D40C61437C05DB8185D08D98B",
                   "554DAC80953F78A682437799DE4AC799DF5361E8F1136D9B5B21EC1CF9C37CC0"),
        ntru_prime("sntrup1277", "9E208AABC5C340932EF547ABE0B14E16CF75EB7BEBAAFE2C3469C8D7D8B688F0",
                   "A51F2112E6528BF2AB54899D81125192A78AD3451F82F249A4511EA9D6687DE6"),
        ntru_prime("ntrulpr653", "ECBA9B6EEA104678EE931694FAAA74BA240771C4B677808211E29F6396810815",
                   "36B77A6AA9B92CC4DDBB0C90E23368215BBE3BEB239841A9AB5B4FB756B3DF2C"),
        ntru_prime("ntrulpr761", "F1EC1BE5E7A562EDF94C4AE361CAFA11360648C70F95A720D7BD0F8B7905819C",
                   "B1EA5CD9846E4F9426AD6C6A854C5DDE3CA358426EFB81FCF8F84A895B120E09"),
        ntru_prime("ntrulpr857", "E58A062AE6E4CBCE858C28B42805747F583076B0581ED9A57A8690445584CB6A",
                   "5920147A58AE121371A072CC4C3E56D7AF7B8F2AED3FC72A1C0539F3EC78F5C9"),
        ntru_prime("ntrulpr953", "5EFEF3C75EDDCFF263AF737E11E3D5B71B12CA95D18A5D1AE4B3D8AE15C7F3BC",
                   "0451A9038DA87040A341A3F964BFA428C246E4823B8F2D7E5F14DEB4C3E98A1E"),
        ntru_prime("ntrulpr1013", "C17F43F1059FA8BBAEE8524635AB806BED040683D58517AD9675E11E72B6EFD5",
                   "221ADFEA6752C46504B430CF5133EF80FAD61570359A8B089EC19F61595D5F05"),
        ntru_prime("ntrulpr1277", "F6429AB9C2A74E5553FEE76A3174B4B9BB922A04E57247E4F4920D55A94A0AE6",
                   "1CF3EE8549478C8A8F0593CE41FC9E90CD6C8E2188CDFCB4C8439E9E4E57F3AC")),
    [](const auto& file) {
        std::string name = file.param.algorithm;
        std::erase(name, '-');
        return name;
    });

TEST_P(KnownAnswers, AreMadeAgainByteForByte)
{
    if (is_left_out(girih_algorithm(GetParam().algorithm))) GTEST_SKIP() << "a build of other algorithms";
    const bool is_whole = GetParam().first_ten_sha256 == nullptr || !are_emulated || are_exhaustive();
    const char* const sha256 = is_whole ? GetParam().sha256 : GetParam().first_ten_sha256;
    const std::string text = known_answers(GetParam(), is_whole ? 100 : 10);
    EXPECT_EQ(sha256_of(text), sha256);
    if (sha256_of(text) == sha256 || !has_vector_files()) return;
    const std::string file = read_vector_file(GetParam().path);
    const auto [ours, theirs] = std::mismatch(text.begin(), text.end(), file.begin(), file.end());
    ADD_FAILURE() << text.size() << " bytes for " << file.size() << ", the first difference at byte "
                  << ours - text.begin();
}

TEST_P(KnownAnswers, AreThoseOfTheFile)
{
    GIRIH_NEEDS_VECTOR_FILES();
    EXPECT_EQ(sha256_of(read_vector_file(GetParam().path)), GetParam().sha256);
}

}  // namespace
}  // namespace girih::test
