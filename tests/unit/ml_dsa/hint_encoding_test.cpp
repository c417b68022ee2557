/// Hints as signatures carry them: what is packed comes back, and is what FIPS 204 says.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "support/bytes.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;

template <Params P>
struct Set {
    static constexpr Shape params = P.shape();
};
using Sets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>>;

template <class T>
class HintEncoding : public testing::Test {
  public:
    static constexpr Shape params = T::params;
    using Packed = std::array<Byte, params.omega + params.k>;

    static Hint<params> no_hint()
    {
        Hint<params> h;
        for (auto& poly : h.p) poly.c = {};
        return h;
    }

    /// HintBitPack in its own words: the positions of the ones in order, zeros up to omega, then
    /// the running counts.
    static Packed expected_encoding(const Hint<params>& h)
    {
        Packed bytes{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < params.k; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (h[i].c[j] == 1) {
                    bytes[count] = static_cast<Byte>(j);
                    count += 1;
                }
            }
            bytes[params.omega + i] = static_cast<Byte>(count);
        }
        return bytes;
    }

    static void expect_encoding(const Hint<params>& h)
    {
        Packed bytes;
        bytes.fill(0xEE);
        hint_bit_pack<params, isa::portable::Isa>(h, bytes);
        ASSERT_EQ(bytes, expected_encoding(h));
        Hint<params> decoded;
        ASSERT_TRUE((hint_bit_unpack<params, isa::portable::Isa>(bytes, decoded)));
        for (std::size_t i = 0; i < params.k; ++i) ASSERT_EQ(decoded[i].c, h[i].c);
    }
};

class SetNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return "Rows" + std::to_string(T::params.k);
    }
};
TYPED_TEST_SUITE(HintEncoding, Sets, SetNames);

TYPED_TEST(HintEncoding, RoundTripsNoHintAtAll) { this->expect_encoding(this->no_hint()); }

TYPED_TEST(HintEncoding, RoundTripsTheFullBudgetInAnyOnePolynomial)
{
    for (std::size_t i = 0; i < this->params.k; ++i) {
        auto first = this->no_hint();
        auto last = this->no_hint();
        for (std::size_t j = 0; j < this->params.omega; ++j) first[i].c[j] = last[i].c[n - 1 - j] = 1;
        this->expect_encoding(first);
        this->expect_encoding(last);
    }
}

TYPED_TEST(HintEncoding, RoundTripsOneHintAtEveryPosition)
{
    for (std::size_t i = 0; i < this->params.k; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            auto h = this->no_hint();
            h[i].c[j] = 1;
            this->expect_encoding(h);
        }
    }
}

TYPED_TEST(HintEncoding, RoundTripsEveryNumberOfHintsWhereverTheyFall)
{
    test::Numbers numbers{6};
    for (int repeat = 0; repeat < 20; ++repeat) {
        for (std::size_t wanted = 0; wanted <= this->params.omega; ++wanted) {
            auto h = this->no_hint();
            for (std::size_t count = 0; count < wanted;) {
                const auto at = static_cast<std::size_t>(
                    numbers.between(0, static_cast<std::int64_t>(this->params.k * n) - 1));
                std::int32_t& bit = h[at / n].c[at % n];
                if (bit == 0) ++count;
                bit = 1;
            }
            this->expect_encoding(h);
        }
    }
}

}  // namespace
