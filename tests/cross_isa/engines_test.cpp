/// Every engine makes the same bytes with every operation, and the same as in earlier versions.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <string>

#include "api/algorithms/algorithm.hpp"
#include "cross_isa/engine_in_use.hpp"
#include "cross_isa/operations.hpp"
#include "support/rounds.hpp"

namespace girih::test {
namespace {

struct Known {
    const char* algorithm;
    const char* digest;  ///< of all that few_rounds make
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.algorithm; }

class EveryOperation : public testing::TestWithParam<Known> {
  public:
    using Digests = std::map<std::string, std::string>;

    const girih_alg* alg = girih_algorithm(GetParam().algorithm);
    const bool is_kem = girih_is_kem(alg) != 0;
    const bool is_falcon = !is_kem && girih_has_mu(alg) == 0;
    const bool is_ntru_prime = is_kem && girih_encapsulation_key_size(alg) == 0;

    /// Digests of `rounds` keys of a signature scheme, or of `rounds` batches of keys of a KEM.
    [[nodiscard]] Digests digests(std::size_t rounds) const
    {
        Numbers numbers{42};
        Outputs out;
        const std::vector<std::size_t> usual{1, 3, 8, 16, 21};
        const std::vector<std::size_t> fewer{3, 21};  // than lanes, and more
        if (is_kem)
            run_kem_operations(alg, rounds, numbers, out);
        else if (is_falcon)
            run_signature_operations(alg, {rounds, 25, are_emulated ? fewer : usual}, numbers, out);
        else
            run_signature_operations(alg, {rounds, 1, {11}}, numbers, out);
        return out.digests();
    }
    /// Enough to see every path; with GIRIH_EXHAUSTIVE, to be sure.
    [[nodiscard]] std::size_t usual_rounds() const
    {
        if (is_falcon) return rounds(girih_public_key_bytes(alg) > 1000 ? 2 : 4, 4000);
        return is_kem ? rounds(is_ntru_prime ? 5 : 20, 2000) : rounds(200, 10'000);
    }
    static constexpr std::size_t few_rounds = 2;
};

TEST_P(EveryOperation, MakesTheSameBytesOnEveryEngine)
{
    if (is_left_out(alg)) GTEST_SKIP() << "a build of other algorithms";
    const engines::Engine& portable = engine_named("portable");
    // NTRU Prime's reference takes a hundred times as long.
    const auto rounds_on = [&](const engines::Engine& engine) {
        return is_ntru_prime && engine.name == "reference" ? few_rounds : usual_rounds();
    };
    std::map<std::size_t, Digests> expected;  // by rounds
    on_every_engine([&](const engines::Engine& engine) {
        if (alg->operations[engine.number] == alg->operations[portable.number]) return;
        const std::size_t count = rounds_on(engine);
        const Digests found = digests(count);
        if (!expected.contains(count)) {
            use(portable);
            expected[count] = digests(count);
        }
        EXPECT_EQ(found.size(), expected[count].size());
        for (const auto& [operation, digest] : found)
            EXPECT_EQ(digest, expected[count][operation]) << operation;
    });
}

TEST_P(EveryOperation, MakesTheBytesItAlwaysMade)
{
    if (is_left_out(alg)) GTEST_SKIP() << "a build of other algorithms";
    if (is_falcon && are_emulated) GTEST_SKIP() << "of fewer batches, on an emulated processor";
    use(engine_named("portable"));
    Hash all;
    for (const auto& [operation, digest] : digests(few_rounds)) all.absorb(from_hex(digest));
    EXPECT_EQ(digest_of(all), GetParam().digest);
}

constexpr std::array known_digests{
    Known{"ML-DSA-44", "1998C855DA8E791FEBD2FD258D1F25F7CE22CB488E1796EC8D2436CD9CEFCAAF"},
    Known{"ML-DSA-65", "190B85F16523B2D0BEC90AADFA5B29284F970B260E39CC30C088078EAC21A37C"},
    Known{"ML-DSA-87", "D5DB10D324D8690D12D07C612C24771EFA5F6128FCBDF22574CDCADAC08B50F2"},
    Known{"Dilithium2", "8A4F25D6049E7BB8F58AB002A8C15AAB6E56B001D91792A561BCBECC339ADC57"},
    Known{"Dilithium3", "2CBE60D63E9512C347B30D901BEADD9D6D04C9DFF17617B9D43D59965B66DF8F"},
    Known{"Dilithium5", "5B2900174FC46CFD165801F364290300D5C990A2EA0279B905BDBBC1D436D1CF"},
    Known{"Falcon-512", "ED43AE9B71DB0B9837149AF09D71E8F91B25316B19038371E5AEDB89A7202D8A"},
    Known{"Falcon-1024", "43226A5BE633EE78DE50AF4D63175B111B24188AFCE8C94A75E0E17DABCC391C"},
    Known{"Falcon-padded-512", "E722144892108F0CC3C2EB084C9085F0F5B770DEBEB883292216A6446C56DDBC"},
    Known{"Falcon-padded-1024", "B9A302E62799352A4EBD87C86D5E8CEEA63F6A2164CBAD207B7F9E7EBE8F7D01"},
    Known{"Falcon-CT-512", "34C9FA4920976EE9D4959DA352FD29A5E2704DE78F54BB7F6C554717701CB320"},
    Known{"Falcon-CT-1024", "DF811F198FC1459EA6477419CEC63EDBCB0F107851FBDB7859E8C375D76E9F51"},
    Known{"ML-KEM-512", "4BE1111515EC9147B6CED3C74DD7C840C46847259EE84600DCCEB45837A05811"},
    Known{"ML-KEM-768", "ED88FCB50DC3942E132CDCFA238CDD93178BFB29FA1DF520B99A9EF76BEF5BBB"},
    Known{"ML-KEM-1024", "5BDDE12B2775C37260AA733FF02575D047B6E164567C4CA16A419D47627C6E9C"},
    Known{"sntrup653", "BA0371E65DBFD8C867FA7541F913D9934536CDB31CDD5E24016C28DED5B46BDE"},
    Known{"sntrup761", "89277DA64B303A90587A1965E5E3D1A7E7D0FF68F8239D5E9990DE32F4F36C48"},
    Known{"sntrup857", "C685001B1854C792329F507F289F211D1A06F400074D8C005758AF4553CE74D1"},
    Known{"sntrup953", "512D2CCB0AD98839C2C834CB147FBAD3086E07050CE2B4790A901AB5E9C08E02"},
    Known{"sntrup1013", "A713AC7F971C7BFBFEFF03307A9440E7AE7B5AC2B1EFB41C62215D6724566903"},
    Known{"sntrup1277", "329FCB683551F249332C3DF84E9ED0334A13E9997384F9C3E73AD0976FC84A5F"},
    Known{"ntrulpr653", "BB3ADD0247B3B550D800990AD5D7DF65934038D61901303423A4586F08E7DDDD"},
    Known{"ntrulpr761", "F91F43963203E1A6F1EC044870CC76E6813418DE0BE0CCD3ED5AB0F7FB9776BA"},
    Known{"ntrulpr857", "FA0FD3321B5725C222D3651500AF3B998EF33FEAF309211144C95EE76ACAA8FA"},
    Known{"ntrulpr953", "3356E70FBA8660C9E9C2841A9CA0B931306015B4E215CFF719AE4EA34A5D72A6"},
    Known{"ntrulpr1013", "F7538E0936829CD8731D4BCB61B7F8587C9178DCF14D816D3053EA0AC8B7E5F9"},
    Known{"ntrulpr1277", "BF6D33EFFC41192D586271129C52B4A2149CF8CDD33A9674BB94FFC0321EE9C4"},
};
INSTANTIATE_TEST_SUITE_P(Of, EveryOperation, testing::ValuesIn(known_digests),
                         [](const auto& known) { return test_name(known.param.algorithm); });

TEST(EveryAlgorithm, IsAmongThoseCompared)
{
    for (std::size_t i = 0; girih_algorithm_at(i) != nullptr; ++i) {
        const std::string_view name = girih_name(girih_algorithm_at(i));
        EXPECT_EQ(std::ranges::count(known_digests, name, &Known::algorithm), 1) << name;
    }
}

/// A thread may have another rounding mode: Falcon makes the same bytes, and restores the mode.
TEST(FalconOperations, RoundToNearestInAnyModeOfTheThread)
{
    const auto digests = [](const girih_alg* alg) {
        Numbers numbers{61};
        Outputs out;
        run_signature_operations(alg, {1, 2, {16}}, numbers, out);
        return out.digests();
    };
    on_every_engine([&](const engines::Engine& engine) {
        if (engine.name == "reference") return;  // computes in integers
        for (const char* name : falcon_names) {
            const girih_alg* const alg = girih_algorithm(name);
            const auto expected = digests(alg);
            for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
                ASSERT_EQ(std::fesetround(mode), 0);
                const auto here = digests(alg);
                EXPECT_EQ(std::fegetround(), mode);
                volatile double third = 3;
                third = 1 / third;
                EXPECT_EQ(third > 0x1.5555555555555p-2, mode == FE_UPWARD);
                std::fesetround(FE_TONEAREST);
                EXPECT_EQ(here, expected) << name << ", mode " << mode;
            }
        }
    });
}

}  // namespace
}  // namespace girih::test
