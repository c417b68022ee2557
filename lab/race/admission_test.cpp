/// Who is admitted to a race: girih itself, and nobody who takes what has to be refused.
#include "lab/race/admission.hpp"

#include <gtest/gtest.h>

#include "lab/race/invalid.hpp"

namespace {

using namespace girih::lab;

const Contender& girih()
{
    static const Contender linked = girih_contender("girih", Functions::linked());
    return linked;
}

/// A job that succeeds whatever comes.
class Gullible final : public Job {
  public:
    explicit Gullible(Strings outputs) : outputs_(std::move(outputs)) {}
    bool run(std::size_t, std::size_t) override { return true; }
    [[nodiscard]] Strings outputs() const override { return outputs_; }

  private:
    Strings outputs_;
};

Admission admitted(const std::string& algorithm, std::vector<Contender> all)
{
    all.insert(all.begin(), girih());
    Material material{algorithm, girih()};
    Random random{7};
    for (int i = 0; i < 4; ++i) material.messages.push_back(random.bytes(32));
    return admit(material, all, random);
}

using Named = std::map<std::string, std::string>;

class OfAnAlgorithm : public testing::TestWithParam<const char*> {
    void SetUp() override
    {
        if (girih_algorithm(GetParam()) == nullptr) GTEST_SKIP() << "this build has none";
    }
};

class Admitted : public OfAnAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, Admitted,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Falcon-padded-512",
                                         "ML-KEM-512", "ML-KEM-768", "sntrup761", "ntrulpr761"));

TEST_P(Admitted, IsGirih)
{
    const Admission admission = admitted(GetParam(), {});
    EXPECT_EQ(admission.excluded, Named{});
    EXPECT_EQ(admission.remarks, Named{});
}

class Verifiers : public OfAnAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, Verifiers,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Falcon-padded-512"));

/// girih, but for the verdict of one row.
Contender wrong_about(const Verdict& row)
{
    Contender wrong{row.what};
    wrong.job = [row](const std::string& algorithm, const std::string& operation,
                      const Strings& inputs) -> std::unique_ptr<Job> {
        if (inputs != row.inputs) return girih().job(algorithm, operation, inputs);
        if (row.is_valid) return nullptr;
        return std::make_unique<Gullible>(Strings{});
    };
    return wrong;
}

TEST_P(Verifiers, AreNamedWithTheOneRowThatTheyAreWrongAbout)
{
    std::vector<Contender> wrong;
    Named expected;
    for (const Verdict& row : verdicts_of({GetParam(), girih()})) {
        wrong.push_back(wrong_about(row));
        expected[row.what] = (row.is_valid ? "verify: it refuses " : "verify: it accepts ") + row.what;
    }
    EXPECT_GE(wrong.size(), 9U);
    EXPECT_EQ(admitted(GetParam(), wrong).excluded, expected);
}

class Mechanisms : public OfAnAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, Mechanisms, testing::Values("ML-KEM-768", "sntrup761"));

/// Decapsulates what it saw first, whatever changes in the last byte of a ciphertext, or in any.
Contender deaf(std::string name, bool to_the_end_alone)
{
    Contender who{std::move(name)};
    who.job = [to_the_end_alone, seen = std::make_shared<std::map<std::string, Strings>>()](
                  const std::string& algorithm, const std::string& operation, const Strings& inputs) {
        if (!operation.starts_with("decapsulate") || inputs.size() <= 2)
            return girih().job(algorithm, operation, inputs);
        const Strings& first = seen->try_emplace(operation, inputs).first->second;
        const bool is_end = std::equal(first[1].begin(), first[1].end() - 1, inputs[1].begin());
        return girih().job(algorithm, operation, is_end || !to_the_end_alone ? first : inputs);
    };
    return who;
}

TEST_P(Mechanisms, ThatDoNotHearAChangedCiphertextAreExcluded)
{
    for (const bool to_the_end_alone : {false, true}) {
        const auto excluded = admitted(GetParam(), {deaf("deaf", to_the_end_alone)}).excluded;
        ASSERT_EQ(excluded.size(), 1U);
        EXPECT_EQ(excluded.begin()->first, "deaf");
    }
}

/// Makes other keys, signatures and secrets.
Contender liar()
{
    Contender who{"liar"};
    who.job = [](const std::string& algorithm, const std::string& operation,
                 const Strings& inputs) -> std::unique_ptr<Job> {
        auto outputs = girih().outputs(algorithm, operation, inputs);
        if (!outputs) return nullptr;
        for (Bytes& output : *outputs) output[0] ^= 1;
        return std::make_unique<Gullible>(*std::move(outputs));
    };
    return who;
}

TEST_P(Admitted, IsNobodyWhoMakesSomethingElse)
{
    const Contender same{"same", girih().job};
    const std::vector<Contender> others{liar(), same};
    EXPECT_EQ(trusted(GetParam(), {others[0], girih(), others[1]})->name, "girih");
    const auto excluded = admitted(GetParam(), others).excluded;
    ASSERT_EQ(excluded.size(), 1U);
    EXPECT_EQ(excluded.begin()->first, "liar");
}

TEST(EncapsulationKeys, WithACoefficientOfQAreRemarkedWhereAPeerTakesThem)
{
    if (girih_algorithm("ML-KEM-768") == nullptr) GTEST_SKIP() << "this build has none";
    Contender peer{"peer"};
    peer.job = [](const std::string& algorithm, const std::string& operation,
                  const Strings& inputs) -> std::unique_ptr<Job> {
        auto job = girih().job(algorithm, operation, inputs);
        if (!operation.starts_with("encapsulate") || (job != nullptr && job->run())) return job;
        return std::make_unique<Gullible>(Strings{Bytes(1088), Bytes(32)});
    };
    const Admission admission = admitted("ML-KEM-768", {peer});
    EXPECT_EQ(admission.excluded, Named{});
    EXPECT_EQ(admission.remarks.size(), 1U);
    peer.is_girih = true;
    EXPECT_EQ(admitted("ML-KEM-768", {peer}).excluded.size(), 1U);
}

}  // namespace
