/// The keys and certificates of RFC 9881's and RFC 9935's appendices, from the folder that
/// GIRIH_VECTORS names.
#include <cstdlib>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

/// A standard with its examples.
struct Standard {
    std::string name;
    std::string folder;
    std::vector<std::string> algorithms;
};
void PrintTo(const Standard& standard, std::ostream* out) { *out << standard.name; }

const Standard rfc9881{"Rfc9881", "rfc9881", {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}};
const Standard rfc9935{"Rfc9935", "rfc9935", {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}};

/// What stands in a folder beside the vectors.
class ExampleFiles : public testing::Test {
  protected:
    void SetUp() override
    {
        const char* folder = std::getenv("GIRIH_VECTORS");
        if (folder == nullptr) GTEST_SKIP() << "GIRIH_VECTORS is not set: it names the folder of vectors";
        folder_ = folder;
    }

    [[nodiscard]] Bytes file(const Standard& standard, const std::string& name) const
    {
        return contents(folder_ + "/" + standard.folder + "/" + name);
    }

  private:
    std::string folder_;
};

class Examples : public ExampleFiles, public testing::WithParamInterface<Standard> {
  protected:
    [[nodiscard]] Bytes file(const std::string& name) const { return ExampleFiles::file(GetParam(), name); }

    /// The key of all the examples: of the seed 00 01 ...
    static PrivateKey example_key(const std::string& name)
    {
        const girih_alg* alg = girih_algorithm(name.c_str());
        Bytes seed;
        while (seed.size() < girih_seed_bytes(alg)) seed.push_back(static_cast<std::uint8_t>(seed.size()));
        auto key = from_seed(alg, seed);
        EXPECT_TRUE(key);
        return std::move(*key);
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Examples, testing::Values(rfc9881, rfc9935),
                         [](const auto& standard) { return standard.param.name; });

TEST_P(Examples, PrivateKeysAreReadAndWrittenToTheByte)
{
    for (const std::string& alg : GetParam().algorithms) {
        const PrivateKey key = example_key(alg);
        for (const auto& [form, name] :
             {std::pair(PrivateForm::seed, "-seed.priv"), std::pair(PrivateForm::expanded, "-expanded.priv"),
              std::pair(PrivateForm::both, "-both.priv")}) {
            const Bytes example = file(alg + name);
            const auto back = read(example);
            ASSERT_TRUE(back) << alg << name << ": " << back.error().message;
            EXPECT_EQ(back->form, form);
            EXPECT_EQ(back->public_key(), key.public_key);
            EXPECT_EQ(bytes_of(*write_private_key(key, form, Format::pem)), example) << alg << name;
        }
    }
}

TEST_P(Examples, PublicKeysAreReadAndWrittenToTheByte)
{
    for (const std::string& alg : GetParam().algorithms) {
        const PrivateKey key = example_key(alg);
        const Bytes example = file(alg + ".pub");
        const auto back = read_public_key(example);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->bytes, key.public_key);
        EXPECT_EQ(write_public_key(public_half(key), Format::pem), example);
    }
}

TEST_P(Examples, CertificatesGiveTheSameKeys)
{
    for (const std::string& alg : GetParam().algorithms) {
        const auto certificate = read(file(alg + ".crt"));
        ASSERT_TRUE(certificate) << certificate.error().message;
        EXPECT_EQ(certificate->kind, Kind::certificate);
        EXPECT_EQ(certificate->public_key(), read(file(alg + ".pub"))->public_key());
    }
}

TEST_F(ExampleFiles, OfMlDsaKeysMadeBadOnPurposeAreRefused)
{
    const auto bad = [&](int i) { return file(rfc9881, "bad-ML-DSA-44-" + std::to_string(i) + ".priv"); };
    expect_refused({"", bad(1), Problem::halves_mismatch, "seed"});
    // A wrong tr and a wrong t0, which the library does not tell apart.
    expect_refused({"", bad(2), Problem::secret_key_mismatch, "its t0 or its tr"});
    expect_refused({"", bad(3), Problem::secret_key_mismatch, "its t0 or its tr"});
}

TEST_F(ExampleFiles, OfMlKemKeysMadeBadOnPurposeAreRefused)
{
    const auto bad = [&](int i) { return file(rfc9935, "bad-ML-KEM-512-" + std::to_string(i) + ".priv"); };
    expect_refused({"", bad(1), Problem::halves_mismatch, "the expanded key is not the one that the seed"});
    expect_refused({"", bad(2), Problem::secret_key_mismatch, "its s is not that of the public key in it"});
    expect_refused({"", bad(3), Problem::secret_key_mismatch, "its hash is not that of the public key"});
    expect_refused({"", bad(4), Problem::halves_mismatch, "its z is not that of the seed"});
}

}  // namespace
}  // namespace girih::key_files
