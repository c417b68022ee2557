/// One digest over what each parameter set makes of a hundred seeds: the bytes that NIST's vectors
/// confirmed, held where those are not at hand.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "isa/portable/lanes.hpp"
#include "keccak/sponge.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/rounds.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

struct Answer {
    const char* name;
    const char* digest;           ///< of SHAKE256
    const char* digest_of_eight;  ///< of the first eight seeds, for an emulated processor
};

class MlKemKnownAnswers : public testing::TestWithParam<Answer> {};
INSTANTIATE_TEST_SUITE_P(
    Of, MlKemKnownAnswers,
    testing::Values(Answer{"ML-KEM-512", "02018B59DE2850F64316150F503F91314D064D59C81EF21B52AE4288A1AB18D6",
                           "2B42B8BD8DD09BD5992FB4976ACA3A2FEA2A491FD101A0DAA962FE071E6DF9E4"},
                    Answer{"ML-KEM-768", "C5EF445B8CBEE2C1D1F2E792E99EC2584159BAE2D5115000A068234F264B81DF",
                           "F9B4A60F05B8A9E6D8C914AB7AB78BD48C69AD95C6DC3BA9423CC52B4F5CCCDA"},
                    Answer{"ML-KEM-1024", "D200A769CF70BDBB1CABF2F246B8517149543A4954599DE2DB8D0C6F39425238",
                           "0DEBA5DC8F91519B8335AF7D7C889E7B40563D7906E60E43139260BD5E158BFE"}),
    [](const auto& answer) {
        std::string name = answer.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST_P(MlKemKnownAnswers, AreMadeAgain)
{
    const girih_alg* alg = girih_algorithm(GetParam().name);
    const std::size_t count = test::are_emulated ? 8 : 100;
    test::Numbers numbers{203};
    keccak::Shake256<isa::portable::Isa> all;
    for (std::size_t i = 0; i < count; ++i) {
        const test::KeyPair keys = test::key_pair(alg, numbers.bytes(64));
        const ByteString m = numbers.bytes(32);
        const test::GivenBytes given{m};
        const test::Encapsulation made = test::encapsulate(alg, keys.public_key, given.source());
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, made.ciphertext), made.shared_secret);
        ByteString changed = made.ciphertext;
        test::flip(changed, i * 61 % (8 * changed.size()));
        const ByteString rejected = test::decapsulate(alg, keys.secret_key, changed);
        all.absorb(keys.public_key).absorb(keys.secret_key).absorb(made.ciphertext);
        all.absorb(made.shared_secret).absorb(rejected);
    }
    ByteString digest(32);
    all.squeeze(digest);
    EXPECT_EQ(test::to_hex(digest), test::are_emulated ? GetParam().digest_of_eight : GetParam().digest);
}

}  // namespace
