/// Messages in pieces, beyond what the table says about each function (functions_test.cpp).
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "api/subject.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::call;
using test::Content;
using test::Subject;

girih_message begun(const Subject& subject, Content content)
{
    girih_message message;
    subject.put(content, reinterpret_cast<Byte*>(&message));
    return message;
}

bool is_same(const girih_message& a, const girih_message& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// refused(message, place) has outputs at the place. A call that is refused zeroes them. If they
/// lie in a message, it is no longer a message; otherwise it stays as it is.
template <class Refused>
void expect_ended(const Subject& subject, Content content, Refused refused, int error = GIRIH_ERROR_MESSAGE)
{
    const girih_message before = begun(subject, content);
    for (const std::size_t at : {std::size_t{8}, std::size_t{16}, std::size_t{280}}) {
        girih_message message = before;
        EXPECT_EQ(refused(message, reinterpret_cast<Byte*>(&message) + at), error);
        EXPECT_TRUE(is_same(message, {})) << at;
    }
    girih_message message = before;
    alignas(std::size_t) std::array<Byte, 100> outside{};
    EXPECT_EQ(refused(message, outside.data()), error);
    EXPECT_TRUE(is_same(message, before));
}

TEST(RefusedCalls, WhoseOutputsLieInAMessageEndIt)
{
    const Subject ml_dsa{girih_ml_dsa_44()};
    const Subject falcon{girih_falcon_512()};
    std::size_t length = 1;
    expect_ended(ml_dsa, Content::begun_for_mu, [&](girih_message& message, Byte* place) {
        return call(girih_message_sign, &message, ml_dsa.bytes(Content::secret_key), nullptr,
                    BytesOut<>{place, 48}, &length);
    });
    expect_ended(ml_dsa, Content::begun_for_mu, [&](girih_message& message, Byte* place) {
        ByteString signature(ml_dsa.room(Content::signature));
        return call(girih_message_sign, &message, ml_dsa.bytes(Content::secret_key), nullptr, signature,
                    reinterpret_cast<std::size_t*>(place));
    });
    const auto sign_without_length = [&](girih_message& message, Byte* place) {
        return call(girih_message_sign, &message, falcon.bytes(Content::secret_key), nullptr,
                    BytesOut<>{place, 48}, nullptr);
    };
    expect_ended(falcon, Content::begun_to_sign, sign_without_length, GIRIH_ERROR_ARGUMENT);
    expect_ended(falcon, Content::begun_to_sign, [](girih_message& message, Byte* place) {
        return girih_message_mu(&message, place, GIRIH_MU_BYTES);
    });
}

TEST(Mu, OfAnotherLengthInItsMessageEndsIt)
{
    girih_message message = begun(Subject{girih_ml_dsa_44()}, Content::begun_for_mu);
    EXPECT_EQ(girih_message_mu(&message, reinterpret_cast<Byte*>(&message), GIRIH_MU_BYTES - 1),
              GIRIH_ERROR_LENGTH);
    EXPECT_EQ(girih_message_update(&message, nullptr, 0), GIRIH_ERROR_MESSAGE);
}

TEST(PiecesOfMessages, ThatAreEmptyChangeNothingWhereverTheyAre)
{
    for (const girih_alg* const alg : {girih_ml_dsa_44(), girih_falcon_512()}) {
        girih_message message = begun(Subject{alg}, Content::begun);
        const girih_message before = message;
        EXPECT_EQ(girih_message_update(&message, nullptr, 0), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&message, reinterpret_cast<const Byte*>(&message), 0), GIRIH_OK);
        EXPECT_TRUE(is_same(message, before));
    }
}

TEST(FalconMessages, AreVerifiedWithTheSignatureThatTheyWereBegunWith)
{
    const Subject subject{girih_falcon_512()};
    const ByteString& pk = subject.bytes(Content::public_key);
    girih_message message = begun(subject, Content::begun_to_verify);
    girih_message copy = message;
    EXPECT_EQ(
        call(girih_message_verify, &message, pk,
             test::signature_by(girih_sign, subject.alg, subject.alg, subject.bytes(Content::secret_key),
                                subject.bytes(Content::message), nullptr)),
        GIRIH_ERROR_SIGNATURE)
        << "of another salt";
    EXPECT_EQ(call(girih_message_verify, &copy, pk, BytesIn<>{subject.bytes(Content::signature)}.first(41)),
              GIRIH_ERROR_SIGNATURE)
        << "of its salt, and nothing behind it";
}

}  // namespace
