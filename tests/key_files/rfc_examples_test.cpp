/// The keys and certificates of RFC 9881's appendix, from the folder that GIRIH_VECTORS names.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

class Rfc9881 : public testing::Test {
  protected:
    void SetUp() override
    {
        const char* folder = std::getenv("GIRIH_VECTORS");
        if (folder == nullptr) GTEST_SKIP() << "GIRIH_VECTORS is not set; tools/vectors fetches the vectors";
        folder_ = std::string(folder) + "/rfc9881/";
    }

    [[nodiscard]] Bytes file(const std::string& name) const
    {
        std::ifstream in(folder_ + name, std::ios::binary);
        EXPECT_TRUE(in) << folder_ + name;
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    std::string folder_;
};

/// The seed of all the examples: 00 01 ... 1f.
Bytes counting_seed()
{
    Bytes seed;
    for (std::uint8_t i = 0; i < 32; ++i) seed.push_back(i);
    return seed;
}

TEST_F(Rfc9881, PrivateKeysAreReadAndWrittenToTheByte)
{
    for (const std::string alg : {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}) {
        const auto key = from_seed(girih_algorithm(alg.c_str()), counting_seed());
        ASSERT_TRUE(key);
        for (const auto& [form, name] :
             {std::pair(PrivateForm::seed, "-seed.priv"), std::pair(PrivateForm::expanded, "-expanded.priv"),
              std::pair(PrivateForm::both, "-both.priv")}) {
            const Bytes example = file(alg + name);
            const auto back = read(example);
            ASSERT_TRUE(back) << alg << name << ": " << back.error().message;
            EXPECT_EQ(back->form, form);
            EXPECT_EQ(back->public_key(), key->public_key);
            EXPECT_EQ(bytes_of(*write_private_key(*key, form, Format::pem)), example) << alg << name;
        }
    }
}

TEST_F(Rfc9881, PublicKeysAreReadAndWrittenToTheByte)
{
    for (const std::string alg : {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}) {
        const auto key = from_seed(girih_algorithm(alg.c_str()), counting_seed());
        ASSERT_TRUE(key);
        const Bytes example = file(alg + ".pub");
        const auto back = read_public_key(example);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->bytes, key->public_key);
        EXPECT_EQ(write_public_key(public_half(*key), Format::pem), example);
    }
}

TEST_F(Rfc9881, CertificatesGiveTheSameKeys)
{
    for (const std::string alg : {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}) {
        const auto certificate = read(file(alg + ".crt"));
        ASSERT_TRUE(certificate) << certificate.error().message;
        EXPECT_EQ(certificate->kind, Kind::certificate);
        EXPECT_EQ(certificate->public_key(), read(file(alg + ".pub"))->public_key());
    }
}

TEST_F(Rfc9881, KeysMadeBadOnPurposeAreRefused)
{
    expect_refused({"", file("bad-ML-DSA-44-1.priv"), Problem::halves_mismatch, "seed"});
    // A wrong tr and a wrong t0, which the library does not tell apart.
    expect_refused({"", file("bad-ML-DSA-44-2.priv"), Problem::secret_key_mismatch, "its t0 or its tr"});
    expect_refused({"", file("bad-ML-DSA-44-3.priv"), Problem::secret_key_mismatch, "its t0 or its tr"});
}

}  // namespace
}  // namespace girih::key_files
