/// Inputs that lie in outputs, and outputs that lie in outputs, of messages: those in pieces, whose
/// storage is an output too, their representatives, and Falcon's signed messages.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "support/bytes.hpp"
#include "support/overlap.hpp"

namespace {

using namespace girih;
using test::as;
using test::ByteString;
using test::counting_source;
using test::expect_in_place;
using test::Function;
using test::InPlace;
using test::input;
using test::output;
using test::Places;
using test::PreparedKey;
using test::Region;

class InPlaceOfMu : public InPlace {
  public:
    const ByteString context = test::counting(100);
    const ByteString mu = test::counting(GIRIH_MU_BYTES);

    /// Of a message's storage nothing is worth comparing: what it leads to is.
    static ByteString but_storage(const Region& region, const Byte* place)
    {
        return region.name == "storage" ? ByteString{} : ByteString(place, place + region.size);
    }
    static Region storage() { return output("storage", sizeof(girih_message), alignof(girih_message)); }
};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfMu, testing::Values("ML-DSA-44", "ML-DSA-87"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfMu, ARepresentativeIsSignedInIt)
{
    const PreparedKey key{alg, keys.secret_key};
    const std::vector<Region> regions{options(&counting_source), input("secret key", keys.secret_key),
                                      input("mu", mu), output("signature", signature_bytes),
                                      output("length", sizeof(std::size_t), alignof(std::size_t))};
    expect_in_place({regions, [&](const Places& at) {
                         return girih_sign_mu(alg, at[1], sk_bytes, at[2], mu.size(),
                                              as<girih_options>(at[0]), at[3], signature_bytes,
                                              as<std::size_t>(at[4]));
                     }});
    expect_in_place({regions, [&](const Places& at) {
                         return girih_sign_mu_prepared(key.get(), at[2], mu.size(), as<girih_options>(at[0]),
                                                       at[3], signature_bytes, as<std::size_t>(at[4]));
                     }});
}

TEST_P(InPlaceOfMu, AContextAndAPreHashAreReadBeforeTheSignatureIsWritten)
{
    const ByteString name{'S', 'H', 'A', '3', '-', '5', '1', '2', 0};
    expect_in_place({{input("secret key", keys.secret_key), input("context", context),
                      input("pre-hash", name), output("signature", signature_bytes)},
                     [&](const Places& at) {
                         const girih_options options{
                             at[1], context.size(), reinterpret_cast<const char*>(at[2]), 1, nullptr, 0, {}};
                         std::size_t length = 0;
                         return girih_sign(alg, at[0], sk_bytes, message.data(), message.size(), &options,
                                           at[3], signature_bytes, &length);
                     }});
}

TEST_P(InPlaceOfMu, AMessageIsBegunAndEndedInItsStorage)
{
    for (const bool is_secret : {false, true}) {
        const ByteString& key = is_secret ? keys.secret_key : keys.public_key;
        ByteString mu_of(GIRIH_MU_BYTES);
        Function function{{input("key", key), input("context", context), storage()},
                          [&](const Places& at) {
                              const girih_options options{at[1], context.size(), nullptr, 1, nullptr, 0, {}};
                              const auto begin = is_secret ? girih_message_begin_secret : girih_message_begin;
                              auto* const message_state = as<girih_message>(at[2]);
                              const int error = begin(message_state, alg, at[0], key.size(), &options);
                              if (error != GIRIH_OK) return error;
                              EXPECT_EQ(girih_message_update(message_state, message.data(), 100), GIRIH_OK);
                              const ByteString previous = mu_of;
                              EXPECT_EQ(girih_message_mu(message_state, mu_of.data(), mu_of.size()),
                                        GIRIH_OK);
                              EXPECT_TRUE(test::is_zero(previous) || previous == mu_of);
                              return int{GIRIH_OK};
                          },
                          but_storage};
        expect_in_place(function);

        girih_message state;
        for (const std::size_t at : {std::size_t{0}, std::size_t{8}, sizeof state - GIRIH_MU_BYTES}) {
            ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
            girih_message copy = state;
            Byte* const inside = reinterpret_cast<Byte*>(&state) + at;
            ASSERT_EQ(girih_message_mu(&state, inside, GIRIH_MU_BYTES), GIRIH_OK);
            ASSERT_EQ(girih_message_mu(&copy, mu_of.data(), mu_of.size()), GIRIH_OK);
            EXPECT_EQ(ByteString(inside, inside + GIRIH_MU_BYTES), mu_of);

            ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
            EXPECT_EQ(girih_message_mu(&state, inside, GIRIH_MU_BYTES - 1), GIRIH_ERROR_LENGTH);
            EXPECT_EQ(girih_message_update(&state, message.data(), 1), GIRIH_ERROR_ARGUMENT)
                << "what was zeroed in part is no message";
        }
    }
}

TEST_P(InPlaceOfMu, APieceOfAMessageIsNotItsStorage)
{
    girih_message state;
    ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
    const girih_message before = state;
    const auto* const inside = reinterpret_cast<const Byte*>(&state);
    EXPECT_EQ(girih_message_update(&state, inside, sizeof state), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(girih_message_update(&state, inside + sizeof state - 1, 2), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(girih_message_update(&state, inside - 1, 2), GIRIH_ERROR_OVERLAP);
    EXPECT_EQ(std::memcmp(&state, &before, sizeof state), 0);
    EXPECT_EQ(girih_message_update(&state, inside, 0), GIRIH_OK);
}

/// A call that is refused zeroes its outputs. If they lie in a message, that is none any more.
template <class Call>
void expect_ended(girih_message& state, Call refused)
{
    for (const std::size_t at : {std::size_t{8}, std::size_t{16}, std::size_t{280}}) {
        girih_message message = state;
        EXPECT_EQ(refused(message, reinterpret_cast<Byte*>(&message) + at), GIRIH_ERROR_ARGUMENT);
        EXPECT_TRUE(test::is_zero({reinterpret_cast<const Byte*>(&message), sizeof message})) << at;
        EXPECT_EQ(girih_message_update(&message, nullptr, 0), GIRIH_ERROR_ARGUMENT);
    }
    // Outside, they leave the message as it is.
    girih_message message = state;
    alignas(std::size_t) std::array<Byte, 100> outside{};
    EXPECT_EQ(refused(message, outside.data()), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(std::memcmp(&message, &state, sizeof state), 0);
}

TEST_P(InPlaceOfMu, ARefusedCallWhoseOutputsLieInAMessageEndsIt)
{
    girih_message state;
    ASSERT_EQ(girih_message_begin(&state, alg, keys.public_key.data(), pk_bytes, nullptr), GIRIH_OK);
    expect_ended(state, [&](girih_message& begun, Byte* place) {
        std::size_t length = 1;
        return girih_message_sign(&begun, keys.secret_key.data(), sk_bytes, nullptr, place, 48, &length);
    });
    expect_ended(state, [&](girih_message& begun, Byte* place) {
        ByteString signature(signature_bytes);
        return girih_message_sign(&begun, keys.secret_key.data(), sk_bytes, nullptr, signature.data(),
                                  signature_bytes, reinterpret_cast<std::size_t*>(place));
    });
}

// ---- Falcon

class InPlaceOfFalcon : public InPlace {};
INSTANTIATE_TEST_SUITE_P(Of, InPlaceOfFalcon, testing::Values("Falcon-512", "Falcon-1024"),
                         test::EveryAlgorithm::name);

TEST_P(InPlaceOfFalcon, AMessageInPiecesIsSignedAndVerifiedInItsStorage)
{
    expect_in_place(
        {{options(&counting_source), input("secret key", keys.secret_key),
          output("signature", signature_bytes), output("length", sizeof(std::size_t), alignof(std::size_t))},
         [&](const Places& at) {
             girih_message state;
             EXPECT_EQ(girih_message_begin_signing(&state, alg, as<girih_options>(at[0])), GIRIH_OK);
             EXPECT_EQ(girih_message_update(&state, message.data(), message.size()), GIRIH_OK);
             return girih_message_sign(&state, at[1], sk_bytes, as<girih_options>(at[0]), at[2],
                                       signature_bytes, as<std::size_t>(at[3]));
         }});
    girih_options given{};
    given.random = &counting_source;
    ByteString signature(signature_bytes);
    std::size_t length = 0;
    // The signature over the storage that it is made from, and the options in it.
    alignas(girih_message) std::array<Byte, sizeof(girih_message) + 2000> memory{};
    auto* const state = reinterpret_cast<girih_message*>(memory.data());
    std::memcpy(memory.data(), &given, sizeof given);
    ASSERT_EQ(girih_message_begin_signing(state, alg, reinterpret_cast<const girih_options*>(memory.data())),
              GIRIH_OK);
    girih_message copy = *state;
    for (girih_message* each : {state, &copy})
        ASSERT_EQ(girih_message_update(each, message.data(), message.size()), GIRIH_OK);
    ASSERT_EQ(girih_message_sign(&copy, keys.secret_key.data(), sk_bytes, nullptr, signature.data(),
                                 signature_bytes, &length),
              GIRIH_OK);
    std::size_t length_in_place = 0;
    ASSERT_EQ(girih_message_sign(state, keys.secret_key.data(), sk_bytes, nullptr, memory.data(),
                                 signature_bytes, &length_in_place),
              GIRIH_OK);
    EXPECT_EQ(length_in_place, length);
    EXPECT_TRUE(std::equal(signature.begin(), signature.end(), memory.begin()));

    // The signature to be verified, in the storage.
    std::copy(signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(length), memory.begin());
    ASSERT_EQ(girih_message_begin_verifying(state, alg, memory.data(), length, nullptr), GIRIH_OK);
    ASSERT_EQ(girih_message_update(state, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(state, keys.public_key.data(), pk_bytes, signature.data(), length),
              GIRIH_OK);
}

TEST_P(InPlaceOfFalcon, ARefusedCallWhoseOutputsLieInAMessageEndsIt)
{
    girih_options given{};
    given.random = &counting_source;
    girih_message state;
    ASSERT_EQ(girih_message_begin_signing(&state, alg, &given), GIRIH_OK);
    expect_ended(state, [](girih_message& begun, Byte* place) {
        return girih_message_mu(&begun, place, GIRIH_MU_BYTES);
    });
    expect_ended(state, [&](girih_message& begun, Byte* place) {
        return girih_message_sign(&begun, keys.secret_key.data(), sk_bytes, nullptr, place, 48, nullptr);
    });
}

TEST_P(InPlaceOfFalcon, SignedMessagesAreMadeAndOpenedInPlace)
{
    const std::size_t most = message.size() + signature_bytes + 2;
    expect_in_place(
        {{options(&counting_source), input("secret key", keys.secret_key), input("message", message),
          output("signed message", most), output("length", sizeof(std::size_t), alignof(std::size_t))},
         [&](const Places& at) {
             return girih_crypto_sign(alg, at[1], sk_bytes, at[2], message.size(), as<girih_options>(at[0]),
                                      at[3], most, as<std::size_t>(at[4]));
         }});
    girih_options given{};
    given.random = &counting_source;
    ByteString signed_message(most);
    std::size_t length = 0;
    ASSERT_EQ(girih_crypto_sign(alg, keys.secret_key.data(), sk_bytes, message.data(), message.size(), &given,
                                signed_message.data(), most, &length),
              GIRIH_OK);
    signed_message.resize(length);
    expect_in_place({{input("public key", keys.public_key), input("signed message", signed_message),
                      output("message", length), output("length", sizeof(std::size_t), alignof(std::size_t))},
                     [&](const Places& at) {
                         const int error = girih_crypto_sign_open(alg, at[0], pk_bytes, at[1], length, at[2],
                                                                  length, as<std::size_t>(at[3]));
                         std::size_t opened = 0;
                         std::memcpy(&opened, at[3], sizeof opened);
                         if (error == GIRIH_OK) {
                             EXPECT_EQ(opened, message.size());
                             EXPECT_TRUE(std::equal(message.begin(), message.end(), at[2]));
                         }
                         return error;
                     }});
}

}  // namespace
