/// Falcon's arguments and options that are wrong, through every function: each has its error, and
/// leaves every output zeroed.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/calls.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::Argument;
using test::ByteString;
using test::Call;

using Arguments = std::vector<Argument>;

struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
};

/// Memory of a prepared key.
class Memory {
  public:
    explicit Memory(std::size_t bytes) : lines_(bytes / sizeof(Line)) {}
    [[nodiscard]] Byte* data() { return lines_.data()->bytes.data(); }
    [[nodiscard]] std::size_t size() const { return lines_.size() * sizeof(Line); }

  private:
    std::vector<Line> lines_;
};

int fail(void*, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{0xAB});
    return 1;
}
constexpr girih_random failing{fail, nullptr, 0};
constexpr girih_random missing{nullptr, nullptr, 0};
constexpr girih_random later{[](void*, std::uint8_t*, std::size_t) { return 0; }, nullptr, 2};

class FalconArguments : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* alg = girih_algorithm(GetParam());
    const girih_alg* other =
        girih_algorithm(GetParam() == std::string{"Falcon-512"} ? "Falcon-1024" : "Falcon-512");
    const ByteString seed = test::counting(48);
    const test::KeyPair keys = test::key_pair(alg, seed);
    const ByteString message = test::counting(40);
    const ByteString good = sign();
    Memory signing_memory{girih_signing_key_size(alg)};
    Memory verifying_memory{girih_verifying_key_size(alg)};
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    const ByteString context = test::counting(1);

    void SetUp() override
    {
        ASSERT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                            signing_memory.data(), signing_memory.size(), &signing),
                  GIRIH_OK);
        ASSERT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(),
                                              verifying_memory.data(), verifying_memory.size(), &verifying),
                  GIRIH_OK);
    }
    [[nodiscard]] ByteString sign() const
    {
        ByteString signature(girih_signature_bytes(alg));
        std::size_t used = 0;
        EXPECT_EQ(girih_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                             message.size(), nullptr, signature.data(), signature.size(), &used),
                  GIRIH_OK);
        signature.resize(used);
        return signature;
    }
    /// What no function of Falcon takes, with the error of each.
    struct Wrong {
        girih_options options;
        int error;
        const char* what;
    };
    [[nodiscard]] std::vector<Wrong> wrong_options() const
    {
        return {{{nullptr, 1, nullptr, 0, nullptr, 0, {}}, GIRIH_ERROR_ARGUMENT, "a context that is missing"},
                {{context.data(), 1, nullptr, 0, nullptr, 0, {}}, GIRIH_ERROR_CONTEXT, "a context"},
                {{nullptr, 0, "SHA2-256", 0, nullptr, 0, {}}, GIRIH_ERROR_PRE_HASH, "a pre-hash"},
                {{nullptr, 0, nullptr, 0, nullptr, 0, {0, 1}}, GIRIH_ERROR_ARGUMENT, "an unknown option"}};
    }
    /// What is refused by those that sign, besides.
    [[nodiscard]] std::vector<Wrong> wrong_signing_options() const
    {
        std::vector<Wrong> wrong = wrong_options();
        wrong.push_back({{nullptr, 0, nullptr, 1, nullptr, 0, {}}, GIRIH_ERROR_ARGUMENT, "deterministic"});
        for (const girih_random* source : {&failing, &missing, &later})
            wrong.push_back({{nullptr, 0, nullptr, 0, source, 0, {}}, GIRIH_ERROR_RANDOM, "a bad source"});
        return wrong;
    }
    /// The size that a signing function reports, which has to be 0 unless there is a signature.
    std::size_t size = 0;
    int reported(int error)
    {
        EXPECT_EQ(size != 0, error == GIRIH_OK);
        return error;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, FalconArguments,
                         testing::Values("Falcon-512", "Falcon-1024", "Falcon-padded-512", "Falcon-CT-512"),
                         test::EveryAlgorithm::name);

TEST_P(FalconArguments, OfKeyGenerationAreChecked)
{
    for (const auto f : {girih_keygen_from_seed, girih_falcon_reference_keygen}) {
        Call call;
        call.input(seed).output(keys.public_key.size()).output(keys.secret_key.size());
        call.expect_checks([&](const Arguments& a) {
            return f(alg, a[0].data, a[0].size, a[1].data, a[1].size, a[2].data, a[2].size);
        });
        for (const girih_alg* wrong :
             {static_cast<const girih_alg*>(nullptr), girih_algorithm("ML-DSA-44")}) {
            if (f == girih_keygen_from_seed && wrong != nullptr) continue;
            call.expect_error(
                GIRIH_ERROR_ARGUMENT,
                [&](const Arguments& a) {
                    return f(wrong, a[0].data, a[0].size, a[1].data, a[1].size, a[2].data, a[2].size);
                },
                "another algorithm");
        }
    }
    Call call;
    call.output(keys.public_key.size()).output(keys.secret_key.size());
    const auto keygen = [&](const girih_random* random) {
        return [this, random](const Arguments& a) {
            return girih_keygen(alg, random, a[0].data, a[0].size, a[1].data, a[1].size);
        };
    };
    call.expect_checks(keygen(nullptr));
    call.expect_error(GIRIH_ERROR_RANDOM, keygen(&failing), "a source that fails");
    call.expect_error(GIRIH_ERROR_RANDOM, keygen(&missing), "a source without a function");
}

TEST_P(FalconArguments, OfThePublicKeyOfASecretKeyAreChecked)
{
    Call{}.input(keys.secret_key).output(keys.public_key.size()).expect_checks([&](const Arguments& a) {
        return girih_public_key(alg, a[0].data, a[0].size, a[1].data, a[1].size);
    });
}

TEST_P(FalconArguments, OfSigningAreChecked)
{
    const auto sign_with = [&](const girih_options* options) {
        return [this, options](const Arguments& a) {
            size = 1;
            return reported(girih_sign(alg, a[0].data, a[0].size, a[1].data, a[1].size, options, a[2].data,
                                       a[2].size, &size));
        };
    };
    Call call;
    call.input(keys.secret_key).input(message, GIRIH_OK).output(girih_signature_bytes(alg), true);
    call.expect_checks(sign_with(nullptr));
    for (const Wrong& wrong : wrong_signing_options())
        call.expect_error(wrong.error, sign_with(&wrong.options), wrong.what);
    call.expect_error(
        GIRIH_ERROR_ARGUMENT,
        [&](const Arguments& a) {
            return girih_sign(alg, a[0].data, a[0].size, a[1].data, a[1].size, nullptr, a[2].data, a[2].size,
                              nullptr);
        },
        "no size");
}

TEST_P(FalconArguments, OfSigningWithAPreparedKeyAreChecked)
{
    const auto sign_with = [&](const girih_signing_key* key, const girih_options* options) {
        return [this, key, options](const Arguments& a) {
            size = 1;
            return reported(
                girih_sign_prepared(key, a[0].data, a[0].size, options, a[1].data, a[1].size, &size));
        };
    };
    Call call;
    call.input(message, GIRIH_OK).output(girih_signature_bytes(alg), true);
    call.expect_checks(sign_with(signing, nullptr));
    for (const Wrong& wrong : wrong_signing_options())
        call.expect_error(wrong.error, sign_with(signing, &wrong.options), wrong.what);
    call.expect_error(GIRIH_ERROR_ARGUMENT, sign_with(nullptr, nullptr), "no key");
    call.expect_error(
        GIRIH_ERROR_ARGUMENT,
        [&](const Arguments& a) {
            return girih_sign_prepared(signing, a[0].data, a[0].size, nullptr, a[1].data, a[1].size, nullptr);
        },
        "no size");
    const ByteString mu(GIRIH_MU_BYTES);
    call.expect_error(
        GIRIH_ERROR_ARGUMENT,
        [&](const Arguments& a) {
            return girih_sign_mu_prepared(signing, mu.data(), mu.size(), nullptr, a[1].data, a[1].size,
                                          &size);
        },
        "a message representative");
    EXPECT_EQ(girih_verify_mu_prepared(verifying, mu.data(), mu.size(), good.data(), good.size()),
              GIRIH_ERROR_ARGUMENT);
}

TEST_P(FalconArguments, OfVerifyingAreChecked)
{
    const auto verify_with = [&](const girih_options* options) {
        return [this, options](const Arguments& a) {
            return girih_verify(alg, a[0].data, a[0].size, a[1].data, a[1].size, options, a[2].data,
                                a[2].size);
        };
    };
    Call call;
    call.input(keys.public_key).input(message, GIRIH_OK).input(good, GIRIH_ERROR_SIGNATURE);
    call.expect_checks(verify_with(nullptr));
    for (const Wrong& wrong : wrong_options())
        call.expect_error(wrong.error, verify_with(&wrong.options), wrong.what);

    const auto verify_prepared = [&](const girih_verifying_key* key, const girih_options* options) {
        return [key, options](const Arguments& a) {
            return girih_verify_prepared(key, a[0].data, a[0].size, options, a[1].data, a[1].size);
        };
    };
    Call prepared;
    prepared.input(message, GIRIH_OK).input(good, GIRIH_ERROR_SIGNATURE);
    prepared.expect_checks(verify_prepared(verifying, nullptr));
    for (const Wrong& wrong : wrong_options())
        prepared.expect_error(wrong.error, verify_prepared(verifying, &wrong.options), wrong.what);
    prepared.expect_error(GIRIH_ERROR_ARGUMENT, verify_prepared(nullptr, nullptr), "no key");
}

TEST_P(FalconArguments, OfPreparingKeysAreChecked)
{
    Memory memory{girih_signing_key_size(alg) + GIRIH_PREPARED_ALIGNMENT};
    const std::size_t signing_bytes = girih_signing_key_size(alg);
    const std::size_t verifying_bytes = girih_verifying_key_size(alg);
    const auto prepare_signing = [&](Byte* at, std::size_t bytes, std::size_t key_bytes, bool is_good) {
        ByteString key = keys.secret_key;
        if (!is_good) key[0] ^= 1;
        girih_signing_key* made = signing;
        const int error = girih_prepare_signing_key(alg, key.data(), key_bytes, at, bytes, &made);
        EXPECT_EQ(made != nullptr, error == GIRIH_OK);
        return error;
    };
    const auto prepare_verifying = [&](Byte* at, std::size_t bytes, std::size_t key_bytes, bool is_good) {
        ByteString key = keys.public_key;
        if (!is_good) key[0] ^= 1;
        girih_verifying_key* made = verifying;
        const int error = girih_prepare_verifying_key(alg, key.data(), key_bytes, at, bytes, &made);
        EXPECT_EQ(made != nullptr, error == GIRIH_OK);
        return error;
    };
    const auto expect_checks = [&](const auto& prepare, std::size_t bytes, std::size_t key_bytes,
                                   int key_error) {
        EXPECT_EQ(prepare(memory.data(), bytes, key_bytes, true), GIRIH_OK);
        EXPECT_EQ(prepare(memory.data(), bytes + 1, key_bytes, true), GIRIH_OK);
        EXPECT_EQ(prepare(memory.data(), bytes - 1, key_bytes, true), GIRIH_ERROR_LENGTH);
        EXPECT_EQ(prepare(nullptr, bytes, key_bytes, true), GIRIH_ERROR_ARGUMENT);
        EXPECT_EQ(prepare(memory.data() + 8, bytes, key_bytes, true), GIRIH_ERROR_ARGUMENT);
        EXPECT_EQ(prepare(memory.data(), bytes, key_bytes - 1, true), GIRIH_ERROR_LENGTH);
        EXPECT_EQ(prepare(memory.data(), bytes, key_bytes, false), key_error);
    };
    expect_checks(prepare_signing, signing_bytes, keys.secret_key.size(), GIRIH_ERROR_SECRET_KEY);
    expect_checks(prepare_verifying, verifying_bytes, keys.public_key.size(), GIRIH_ERROR_PUBLIC_KEY);
    EXPECT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(), memory.data(),
                                        memory.size(), nullptr),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(), memory.data(),
                                          memory.size(), nullptr),
              GIRIH_ERROR_ARGUMENT);
    girih_signing_key* none = signing;
    EXPECT_EQ(girih_prepare_signing_key(nullptr, keys.secret_key.data(), keys.secret_key.size(),
                                        memory.data(), memory.size(), &none),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(none, nullptr);
}

// ---- Messages in pieces

TEST_P(FalconArguments, OfMessagesToSignAreChecked)
{
    girih_message stream;
    for (const Wrong& wrong : wrong_signing_options()) {
        EXPECT_EQ(girih_message_begin_signing(&stream, alg, &wrong.options), wrong.error) << wrong.what;
        EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT) << "was not begun";
    }
    EXPECT_EQ(girih_message_begin_signing(nullptr, alg, nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_begin_signing(&stream, nullptr, nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_begin_signing(&stream, girih_algorithm("ML-DSA-44"), nullptr),
              GIRIH_ERROR_ARGUMENT);

    // A begin that fails leaves nothing of what was begun before.
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_begin_signing(&stream, nullptr, nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT);

    Call{}
        .input(keys.secret_key)
        .output(girih_signature_bytes(alg), true)
        .expect_checks([&](const Arguments& a) {
            EXPECT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
            EXPECT_EQ(girih_message_update(&stream, nullptr, 1), GIRIH_ERROR_ARGUMENT);
            EXPECT_EQ(girih_message_update(&stream, nullptr, 0), GIRIH_OK);
            size = 1;
            const int error = reported(
                girih_message_sign(&stream, a[0].data, a[0].size, nullptr, a[1].data, a[1].size, &size));
            EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT) << "has ended";
            return error;
        });
    Call out;
    out.output(girih_signature_bytes(alg));
    const auto sign_stream = [&](girih_message* of, std::size_t* bytes) {
        return [this, of, bytes](const Arguments& a) {
            return girih_message_sign(of, keys.secret_key.data(), keys.secret_key.size(), nullptr, a[0].data,
                                      a[0].size, bytes);
        };
    };
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    out.expect_error(GIRIH_ERROR_ARGUMENT, sign_stream(&stream, nullptr), "no size");
    out.expect_error(GIRIH_ERROR_ARGUMENT, sign_stream(nullptr, &size), "no message");
    // One that was begun to be verified is not signed, and the other way round.
    ASSERT_EQ(girih_message_begin_verifying(&stream, alg, good.data(), good.size(), nullptr), GIRIH_OK);
    out.expect_error(GIRIH_ERROR_ARGUMENT, sign_stream(&stream, &size), "begun to be verified");
    ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(&stream, keys.public_key.data(), keys.public_key.size(), good.data(),
                                   good.size()),
              GIRIH_ERROR_ARGUMENT);
}

TEST_P(FalconArguments, OfTheEndOfAMessageToSignAreChecked)
{
    const girih_options deterministic{nullptr, 0, nullptr, 1, nullptr, 0, {}};
    const girih_options unlucky{nullptr, 0, nullptr, 0, &failing, 0, {}};
    const girih_options in_context{context.data(), 1, nullptr, 0, nullptr, 0, {}};
    for (const auto& [wrong, expected] :
         {std::pair{&deterministic, GIRIH_ERROR_ARGUMENT}, std::pair{&in_context, GIRIH_ERROR_CONTEXT},
          std::pair{&unlucky, GIRIH_OK}}) {
        girih_message stream;
        ASSERT_EQ(girih_message_begin_signing(&stream, alg, nullptr), GIRIH_OK);
        Call{}
            .output(girih_signature_bytes(alg))
            .expect_error(
                expected,
                [&, options = wrong](const Arguments& a) {
                    size = 1;
                    return reported(girih_message_sign(&stream, keys.secret_key.data(),
                                                       keys.secret_key.size(), options, a[0].data, a[0].size,
                                                       &size));
                },
                "options; nothing is drawn at the end");
    }
}

TEST_P(FalconArguments, OfMessagesToVerifyAreChecked)
{
    girih_message stream;
    for (const Wrong& wrong : wrong_options()) {
        EXPECT_EQ(girih_message_begin_verifying(&stream, alg, good.data(), good.size(), &wrong.options),
                  wrong.error)
            << wrong.what;
        EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT) << "was not begun";
    }
    const auto begin = [&](girih_message* at, const girih_alg* a, const Byte* signature, std::size_t bytes) {
        return girih_message_begin_verifying(at, a, signature, bytes, nullptr);
    };
    EXPECT_EQ(begin(nullptr, alg, good.data(), good.size()), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(begin(&stream, nullptr, good.data(), good.size()), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(begin(&stream, girih_algorithm("sntrup761"), good.data(), good.size()), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(begin(&stream, alg, nullptr, good.size()), GIRIH_ERROR_ARGUMENT);
    for (const std::size_t too_short : std::array<std::size_t, 4>{0, 1, 40, 41})
        EXPECT_EQ(begin(&stream, alg, good.data(), too_short), GIRIH_ERROR_SIGNATURE) << too_short;
    EXPECT_EQ(begin(&stream, alg, good.data(), 42), GIRIH_OK) << "a salt, and a byte behind it";

    ASSERT_EQ(begin(&stream, alg, good.data(), good.size()), GIRIH_OK);
    EXPECT_EQ(begin(&stream, alg, good.data(), 0), GIRIH_ERROR_SIGNATURE);
    EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT);

    Call{}.input(keys.public_key).input(good, GIRIH_ERROR_SIGNATURE).expect_checks([&](const Arguments& a) {
        EXPECT_EQ(begin(&stream, alg, good.data(), good.size()), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&stream, message.data(), message.size()), GIRIH_OK);
        const int error = girih_message_verify(&stream, a[0].data, a[0].size, a[1].data, a[1].size);
        EXPECT_EQ(girih_message_update(&stream, message.data(), 1), GIRIH_ERROR_ARGUMENT) << "has ended";
        return error;
    });
    EXPECT_EQ(girih_message_verify(nullptr, keys.public_key.data(), keys.public_key.size(), good.data(),
                                   good.size()),
              GIRIH_ERROR_ARGUMENT);
    // A salt of the right bytes that is not followed by anything, and the salt of
    // another signature.
    ASSERT_EQ(begin(&stream, alg, good.data(), good.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(&stream, keys.public_key.data(), keys.public_key.size(), good.data(), 41),
              GIRIH_ERROR_SIGNATURE);
    const ByteString second = sign();
    ASSERT_EQ(begin(&stream, alg, good.data(), good.size()), GIRIH_OK);
    ASSERT_EQ(girih_message_update(&stream, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(&stream, keys.public_key.data(), keys.public_key.size(), second.data(),
                                   second.size()),
              GIRIH_ERROR_SIGNATURE);
}

// ---- Batches

TEST_P(FalconArguments, OfRowsToSignAreCheckedOneByOne)
{
    std::vector<Wrong> wrong = wrong_signing_options();
    const std::size_t fixed = 8;
    std::vector<ByteString> signatures(fixed + wrong.size(), ByteString(girih_signature_bytes(alg), 0xEE));
    std::vector<girih_sign_row> rows;
    for (ByteString& signature : signatures)
        rows.push_back({signing, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                        message.size(), nullptr, signature.data(), signature.size(), 1, 1});
    std::vector<int> expected(rows.size(), GIRIH_OK);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        rows[fixed + i].options = &wrong[i].options;
        expected[fixed + i] = wrong[i].error;
    }
    Memory memory{girih_signing_key_size(other)};
    const test::KeyPair others = test::key_pair(other, seed);
    girih_signing_key* foreign = nullptr;
    ASSERT_EQ(girih_prepare_signing_key(other, others.secret_key.data(), others.secret_key.size(),
                                        memory.data(), memory.size(), &foreign),
              GIRIH_OK);
    rows[1].key = foreign;
    expected[1] = GIRIH_ERROR_ARGUMENT;
    rows[2].signature_capacity -= 1;
    expected[2] = GIRIH_ERROR_LENGTH;
    rows[3].message = nullptr;
    expected[3] = GIRIH_ERROR_ARGUMENT;
    rows[4].key = nullptr;
    rows[4].secret_key_bytes -= 1;
    expected[4] = GIRIH_ERROR_LENGTH;
    rows[5].key = nullptr;
    rows[5].secret_key = nullptr;
    expected[5] = GIRIH_ERROR_ARGUMENT;
    rows[6].signature = nullptr;
    expected[6] = GIRIH_ERROR_ARGUMENT;
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_ERROR_ARGUMENT);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].result, expected[i]) << i;
        EXPECT_EQ(rows[i].signature_bytes != 0, expected[i] == GIRIH_OK) << i;
        if (expected[i] == GIRIH_OK) {
            EXPECT_EQ(test::verify(alg, keys.public_key, message,
                                   BytesIn<>{signatures[i]}.first(rows[i].signature_bytes), {}),
                      GIRIH_OK);
        } else if (rows[i].signature != nullptr) {
            EXPECT_TRUE(test::is_zero(BytesIn<>{signatures[i]}.first(rows[i].signature_capacity))) << i;
        }
    }
}

TEST_P(FalconArguments, OfRowsToVerifyAreCheckedOneByOne)
{
    const std::vector<Wrong> wrong = wrong_options();
    const std::size_t fixed = 8;
    std::vector<girih_verify_row> rows(
        fixed + wrong.size(),
        girih_verify_row{verifying, keys.public_key.data(), keys.public_key.size(), message.data(),
                         message.size(), nullptr, good.data(), good.size(), 1});
    std::vector<int> expected(rows.size(), GIRIH_OK);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        rows[fixed + i].options = &wrong[i].options;
        expected[fixed + i] = wrong[i].error;
    }
    Memory memory{girih_verifying_key_size(other)};
    const test::KeyPair others = test::key_pair(other, seed);
    girih_verifying_key* foreign = nullptr;
    ASSERT_EQ(girih_prepare_verifying_key(other, others.public_key.data(), others.public_key.size(),
                                          memory.data(), memory.size(), &foreign),
              GIRIH_OK);
    rows[1].key = foreign;
    expected[1] = GIRIH_ERROR_ARGUMENT;
    rows[2].signature = nullptr;
    expected[2] = GIRIH_ERROR_ARGUMENT;
    rows[3].message = nullptr;
    expected[3] = GIRIH_ERROR_ARGUMENT;
    rows[4].key = nullptr;
    rows[4].public_key_bytes -= 1;
    expected[4] = GIRIH_ERROR_LENGTH;
    rows[5].key = nullptr;
    rows[5].public_key = nullptr;
    expected[5] = GIRIH_ERROR_ARGUMENT;
    ByteString malformed = keys.public_key;
    malformed[0] ^= 1;
    rows[6].key = nullptr;
    rows[6].public_key = malformed.data();
    expected[6] = GIRIH_ERROR_PUBLIC_KEY;
    rows[7].signature_bytes -= 1;
    expected[7] = GIRIH_ERROR_SIGNATURE;
    EXPECT_EQ(girih_verify_many(alg, rows.data(), rows.size()), GIRIH_ERROR_ARGUMENT);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].result, expected[i]) << i;
}

}  // namespace
