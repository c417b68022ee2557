/// Messages in pieces beside what the table says of each function (functions_test.cpp).
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "api/subject.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::Content;
using test::Subject;

/// refused(message, place) has outputs at the place. A call that is refused zeroes them: if they
/// lie in a message, that is none any more; else it stays as it is.
template <class Refused>
void expect_ended(const Subject& subject, Content content, Refused refused)
{
    for (const std::size_t at : {std::size_t{8}, std::size_t{16}, std::size_t{280}}) {
        girih_message message;
        subject.put(content, reinterpret_cast<Byte*>(&message));
        EXPECT_EQ(refused(message, reinterpret_cast<Byte*>(&message) + at), GIRIH_ERROR_ARGUMENT);
        EXPECT_TRUE(test::is_zero({reinterpret_cast<const Byte*>(&message), sizeof message})) << at;
    }
    girih_message message;
    subject.put(content, reinterpret_cast<Byte*>(&message));
    const girih_message before = message;
    alignas(std::size_t) std::array<Byte, 100> outside{};
    EXPECT_EQ(refused(message, outside.data()), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(std::memcmp(&message, &before, sizeof message), 0);
}

TEST(RefusedCalls, WhoseOutputsLieInAMessageEndIt)
{
    const Subject ml_dsa{girih_ml_dsa_44()};
    const Subject falcon{girih_falcon_512()};
    const auto sign_in = [](const Subject& subject, std::size_t* length) {
        return [&subject, length](girih_message& begun, Byte* place) {
            const ByteString& sk = subject.bytes(Content::secret_key);
            return girih_message_sign(&begun, sk.data(), sk.size(), nullptr, place, 48, length);
        };
    };
    std::size_t length = 1;
    expect_ended(ml_dsa, Content::begun_for_mu, sign_in(ml_dsa, &length));
    expect_ended(ml_dsa, Content::begun_for_mu, [&](girih_message& begun, Byte* place) {
        ByteString signature(ml_dsa.room(Content::signature));
        const ByteString& sk = ml_dsa.bytes(Content::secret_key);
        return girih_message_sign(&begun, sk.data(), sk.size(), nullptr, signature.data(), signature.size(),
                                  reinterpret_cast<std::size_t*>(place));
    });
    expect_ended(falcon, Content::begun_to_sign, sign_in(falcon, nullptr));
    expect_ended(falcon, Content::begun_to_sign, [](girih_message& begun, Byte* place) {
        return girih_message_mu(&begun, place, GIRIH_MU_BYTES);
    });
}

TEST(Mu, OfAnotherLengthInItsMessageEndsIt)
{
    const Subject subject{girih_ml_dsa_44()};
    girih_message message;
    subject.put(Content::begun_for_mu, reinterpret_cast<Byte*>(&message));
    EXPECT_EQ(girih_message_mu(&message, reinterpret_cast<Byte*>(&message), GIRIH_MU_BYTES - 1),
              GIRIH_ERROR_LENGTH);
    EXPECT_EQ(girih_message_update(&message, nullptr, 0), GIRIH_ERROR_ARGUMENT);
}

TEST(PiecesOfMessages, ThatAreEmptyChangeNothingWhereverTheyAre)
{
    for (const girih_alg* const alg : {girih_ml_dsa_44(), girih_falcon_512()}) {
        const Subject subject{alg};
        girih_message message;
        subject.put(Content::begun, reinterpret_cast<Byte*>(&message));
        const girih_message before = message;
        EXPECT_EQ(girih_message_update(&message, nullptr, 0), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&message, reinterpret_cast<const Byte*>(&message), 0), GIRIH_OK);
        EXPECT_EQ(std::memcmp(&message, &before, sizeof message), 0);
    }
}

TEST(FalconMessages, AreVerifiedWithTheSignatureThatTheyWereBegunWith)
{
    const Subject subject{girih_falcon_512()};
    const ByteString& pk = subject.bytes(Content::public_key);
    const ByteString& sk = subject.bytes(Content::secret_key);
    const ByteString& message = subject.bytes(Content::message);
    ByteString second(subject.room(Content::signature));
    std::size_t length = 0;
    ASSERT_EQ(girih_sign(subject.alg, sk.data(), sk.size(), message.data(), message.size(), nullptr,
                         second.data(), second.size(), &length),
              GIRIH_OK);
    girih_message begun;
    subject.put(Content::begun_to_verify, reinterpret_cast<Byte*>(&begun));
    girih_message copy = begun;
    EXPECT_EQ(girih_message_verify(&begun, pk.data(), pk.size(), second.data(), length),
              GIRIH_ERROR_SIGNATURE)
        << "of another salt";
    const ByteString& signature = subject.bytes(Content::signature);
    EXPECT_EQ(girih_message_verify(&copy, pk.data(), pk.size(), signature.data(), 41), GIRIH_ERROR_SIGNATURE)
        << "of its salt, and nothing behind it";
}

}  // namespace
