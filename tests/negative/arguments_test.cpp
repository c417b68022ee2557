/// Arguments that are wrong: each has its error, and leaves every output zeroed.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using test::ByteString;

/// What a function says of a length that is not the buffer's.
enum class Lengths {
    fixed,     ///< GIRIH_ERROR_LENGTH
    at_least,  ///< the same, if it is shorter
    verdict,   ///< GIRIH_ERROR_SIGNATURE
    any,       ///< nothing
};

/// An input or an output as it goes through the C interface, which a test falsifies. The
/// memory behind it is one byte longer than it says, so that a length too large by one is a
/// mistake but no overflow.
class Buffer {
  public:
    static Buffer input(ByteString bytes, Lengths lengths = Lengths::fixed)
    {
        return {bytes, lengths, false};
    }
    static Buffer output(std::size_t size, Lengths lengths = Lengths::fixed)
    {
        return {ByteString(size), lengths, true};
    }

    Byte* data = nullptr;
    std::size_t size = 0;

    void reset()
    {
        memory_ = content_;
        if (is_output_) memory_.assign(memory_.size(), 0xEE);
        memory_.push_back(0xEE);
        data = memory_.data();
        size = content_.size();
    }

    /// What a call should say of a length; GIRIH_OK if nothing.
    [[nodiscard]] int error_of(std::size_t length) const
    {
        if (length == content_.size() || lengths_ == Lengths::any) return GIRIH_OK;
        if (lengths_ == Lengths::at_least && length > content_.size()) return GIRIH_OK;
        return lengths_ == Lengths::verdict ? GIRIH_ERROR_SIGNATURE : GIRIH_ERROR_LENGTH;
    }
    [[nodiscard]] std::vector<std::size_t> wrong_lengths() const
    {
        if (lengths_ == Lengths::any) return {};
        const std::size_t good = content_.size();
        return {0, 1, good / 2, good - 1, good + 1};
    }
    /// Whether an output that failed shows nothing, as far as its length says.
    [[nodiscard]] bool is_clean() const
    {
        return !is_output_ || data == nullptr || test::is_zero({data, size});
    }
    /// Whether the byte behind the length was left alone.
    [[nodiscard]] bool is_within() const
    {
        return size > content_.size() || memory_[size] == 0xEE || !is_output_;
    }

  private:
    Buffer(ByteString content, Lengths lengths, bool is_output)
        : content_(std::move(content)), lengths_(lengths), is_output_(is_output)
    {
        reset();
    }

    ByteString content_;
    ByteString memory_;
    Lengths lengths_;
    bool is_output_;
};

class Arguments : public testing::TestWithParam<const char*> {
  public:
    const girih_alg* const good_alg = girih_algorithm(GetParam());
    const girih_alg* alg = good_alg;
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const ByteString message_bytes = test::counting(40);
    const ByteString mu_bytes = test::counting(GIRIH_MU_BYTES);

    Buffer seed = Buffer::input(test::counting(32));
    Buffer pk = Buffer::input(keys.public_key);
    Buffer sk = Buffer::input(keys.secret_key);
    Buffer message = Buffer::input(message_bytes, Lengths::any);
    Buffer mu = Buffer::input(mu_bytes);
    Buffer signature = Buffer::input(test::sign(alg, keys.secret_key, message_bytes), Lengths::verdict);
    Buffer mu_signature = Buffer::input(test::sign_mu(alg, keys.secret_key, mu_bytes), Lengths::verdict);
    Buffer pk_out = Buffer::output(keys.public_key.size());
    Buffer sk_out = Buffer::output(keys.secret_key.size());
    Buffer mu_out = Buffer::output(GIRIH_MU_BYTES);
    Buffer signature_out = Buffer::output(girih_signature_bytes(alg), Lengths::at_least);
    std::size_t signature_size = 0;

    /// Calls with one argument wrong at a time: no algorithm, each buffer missing, and of
    /// each wrong length.
    void expect_checks(const std::vector<Buffer*>& buffers, const std::function<int()>& call)
    {
        const auto expect = [&](int error, const std::function<void()>& falsify, const std::string& what) {
            alg = good_alg;
            signature_size = 1;
            for (Buffer* buffer : buffers) buffer->reset();
            falsify();
            EXPECT_EQ(call(), error) << what;
            for (const Buffer* buffer : buffers) {
                EXPECT_TRUE(error == GIRIH_OK || buffer->is_clean()) << what;
                EXPECT_TRUE(buffer->is_within()) << what;
            }
        };
        expect(GIRIH_OK, [] {}, "nothing wrong");
        expect(GIRIH_ERROR_ARGUMENT, [&] { alg = nullptr; }, "no algorithm");
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            Buffer& buffer = *buffers[i];
            expect(GIRIH_ERROR_ARGUMENT, [&] { buffer.data = nullptr; }, "no buffer " + std::to_string(i));
            for (const std::size_t length : buffer.wrong_lengths())
                expect(
                    buffer.error_of(length), [&] { buffer.size = length; },
                    "buffer " + std::to_string(i) + " of length " + std::to_string(length));
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Of, Arguments, testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Dilithium2"),
                         test::EveryAlgorithm::name);

TEST_P(Arguments, OfKeygenFromSeedAreChecked)
{
    expect_checks({&seed, &pk_out, &sk_out}, [&] {
        return girih_keygen_from_seed(alg, seed.data, seed.size, pk_out.data, pk_out.size, sk_out.data,
                                      sk_out.size);
    });
}

TEST_P(Arguments, OfKeygenAreChecked)
{
    expect_checks({&pk_out, &sk_out}, [&] {
        return girih_keygen(alg, nullptr, pk_out.data, pk_out.size, sk_out.data, sk_out.size);
    });
}

TEST_P(Arguments, OfPublicKeyAreChecked)
{
    expect_checks({&sk, &pk_out},
                  [&] { return girih_public_key(alg, sk.data, sk.size, pk_out.data, pk_out.size); });
}

TEST_P(Arguments, OfSignAreChecked)
{
    expect_checks({&sk, &message, &signature_out}, [&] {
        const int error = girih_sign(alg, sk.data, sk.size, message.data, message.size, &test::deterministic,
                                     signature_out.data, signature_out.size, &signature_size);
        EXPECT_EQ(signature_size, error == GIRIH_OK ? girih_signature_bytes(alg) : 0);
        return error;
    });
    EXPECT_EQ(girih_sign(alg, sk.data, sk.size, message.data, message.size, &test::deterministic,
                         signature_out.data, signature_out.size, nullptr),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(signature_out.is_clean());
}

TEST_P(Arguments, OfSignMuAreChecked)
{
    expect_checks({&sk, &mu, &signature_out}, [&] {
        const int error = girih_sign_mu(alg, sk.data, sk.size, mu.data, mu.size, &test::deterministic,
                                        signature_out.data, signature_out.size, &signature_size);
        EXPECT_EQ(signature_size, error == GIRIH_OK ? girih_signature_bytes(alg) : 0);
        return error;
    });
    EXPECT_EQ(girih_sign_mu(alg, sk.data, sk.size, mu.data, mu.size, &test::deterministic, signature_out.data,
                            signature_out.size, nullptr),
              GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(signature_out.is_clean());
}

TEST_P(Arguments, OfVerifyAreChecked)
{
    expect_checks({&pk, &message, &signature}, [&] {
        return girih_verify(alg, pk.data, pk.size, message.data, message.size, nullptr, signature.data,
                            signature.size);
    });
}

TEST_P(Arguments, OfVerifyMuAreChecked)
{
    expect_checks({&pk, &mu, &mu_signature}, [&] {
        return girih_verify_mu(alg, pk.data, pk.size, mu.data, mu.size, mu_signature.data, mu_signature.size);
    });
}

TEST_P(Arguments, OfMessageBeginAreChecked)
{
    girih_message state;
    expect_checks({&pk}, [&] { return girih_message_begin(&state, alg, pk.data, pk.size, nullptr); });
    expect_checks({&sk}, [&] { return girih_message_begin_secret(&state, alg, sk.data, sk.size, nullptr); });
    EXPECT_EQ(girih_message_begin(nullptr, alg, pk.data, pk.size, nullptr), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_begin_secret(nullptr, alg, sk.data, sk.size, nullptr), GIRIH_ERROR_ARGUMENT);
}

TEST_P(Arguments, OfMessageUpdateAndMuAreChecked)
{
    girih_message state;
    ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_update(&state, nullptr, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_update(nullptr, message.data, message.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_mu(nullptr, mu_out.data, mu_out.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(mu_out.is_clean());
    for (const std::size_t length : mu_out.wrong_lengths()) {
        ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
        mu_out.reset();
        mu_out.size = length;
        EXPECT_EQ(girih_message_mu(&state, mu_out.data, mu_out.size), GIRIH_ERROR_LENGTH) << length;
        EXPECT_TRUE(mu_out.is_clean());
    }
    ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&state, nullptr, GIRIH_MU_BYTES), GIRIH_ERROR_ARGUMENT);
}

TEST_P(Arguments, OfMessagesThatWereNotBegunOrHaveEndedAreRefused)
{
    girih_message state{};
    EXPECT_EQ(girih_message_update(&state, message.data, message.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_mu(&state, mu_out.data, mu_out.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(mu_out.is_clean());

    ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
    ASSERT_EQ(girih_message_mu(&state, mu_out.data, mu_out.size), GIRIH_OK);
    EXPECT_FALSE(mu_out.is_clean());
    EXPECT_EQ(girih_message_update(&state, message.data, message.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_message_mu(&state, mu_out.data, mu_out.size), GIRIH_ERROR_ARGUMENT);
    EXPECT_TRUE(mu_out.is_clean());

    // A begin that fails leaves no message behind, whatever was there before.
    ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_begin(&state, alg, pk.data, pk.size - 1, nullptr), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(girih_message_update(&state, message.data, message.size), GIRIH_ERROR_ARGUMENT);
    ASSERT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_begin_secret(&state, alg, sk.data, sk.size - 1, nullptr), GIRIH_ERROR_LENGTH);
    EXPECT_EQ(girih_message_update(&state, message.data, message.size), GIRIH_ERROR_ARGUMENT);
}

// ---- Options ------------------------------------------------------------------------------------

class WrongOptions : public Arguments {
  public:
    /// What every function that takes a context and a pre-hash says of them.
    void expect_error(int error, const girih_options& options)
    {
        girih_message state;
        pk.reset();
        sk.reset();
        signature.reset();
        signature_out.reset();
        EXPECT_EQ(girih_sign(alg, sk.data, sk.size, message.data, message.size, &options, signature_out.data,
                             signature_out.size, &signature_size),
                  error);
        EXPECT_TRUE(signature_out.is_clean());
        EXPECT_EQ(signature_size, 0U);
        EXPECT_EQ(girih_verify(alg, pk.data, pk.size, message.data, message.size, &options, signature.data,
                               signature.size),
                  error);
        EXPECT_EQ(girih_message_begin(&state, alg, pk.data, pk.size, &options), error);
        EXPECT_EQ(girih_message_begin_secret(&state, alg, sk.data, sk.size, &options), error);
        EXPECT_EQ(girih_message_update(&state, message.data, message.size), GIRIH_ERROR_ARGUMENT);
    }

    int sign_with(const girih_random* random, bool from_mu)
    {
        const girih_options options{nullptr, 0, nullptr, 0, random, 0, {}};
        signature_out.reset();
        signature_size = 1;
        return from_mu ? girih_sign_mu(alg, sk.data, sk.size, mu.data, mu.size, &options, signature_out.data,
                                       signature_out.size, &signature_size)
                       : girih_sign(alg, sk.data, sk.size, message.data, message.size, &options,
                                    signature_out.data, signature_out.size, &signature_size);
    }
};
INSTANTIATE_TEST_SUITE_P(Of, WrongOptions,
                         testing::Values("ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Dilithium2"),
                         test::EveryAlgorithm::name);

TEST_P(WrongOptions, AContextOver255BytesIsRefused)
{
    const ByteString context = test::counting(256);
    expect_error(GIRIH_ERROR_CONTEXT, test::with_context(context));
    expect_error(GIRIH_ERROR_CONTEXT, {context.data(), SIZE_MAX, nullptr, 1, nullptr, 0, {}});
}

TEST_P(WrongOptions, AContextThatIsMissingIsRefused)
{
    expect_error(GIRIH_ERROR_ARGUMENT, {nullptr, 1, nullptr, 1, nullptr, 0, {}});
}

TEST_P(WrongOptions, AnUnknownPreHashIsRefused)
{
    for (const char* name : {"", "-", "MD5", "SHA1", "SHA2", "SHA2-25", "SHA2-256 ", "SHA2-2566", "SHAKE"})
        expect_error(GIRIH_ERROR_PRE_HASH, {nullptr, 0, name, 1, nullptr, 0, {}});
}

TEST_P(WrongOptions, OptionsOfALaterVersionAreRefused)
{
    for (std::size_t i = 0; i < std::size(girih_options{}.reserved); ++i) {
        girih_options options{};
        options.deterministic = 1;
        options.reserved[i] = 1;
        expect_error(GIRIH_ERROR_ARGUMENT, options);
        EXPECT_EQ(girih_sign_mu(alg, sk.data, sk.size, mu.data, mu.size, &options, signature_out.data,
                                signature_out.size, &signature_size),
                  GIRIH_ERROR_ARGUMENT);
        EXPECT_TRUE(signature_out.is_clean());
    }
}

class DilithiumOptions : public WrongOptions {};
INSTANTIATE_TEST_SUITE_P(Of, DilithiumOptions, testing::Values("Dilithium2", "Dilithium3", "Dilithium5"),
                         test::EveryAlgorithm::name);

TEST_P(DilithiumOptions, HaveNeitherContextNorPreHash)
{
    const ByteString context = test::counting(1);
    expect_error(GIRIH_ERROR_CONTEXT, test::with_context(context));
    expect_error(GIRIH_ERROR_PRE_HASH, {nullptr, 0, "SHA2-256", 1, nullptr, 0, {}});
    expect_error(GIRIH_ERROR_CONTEXT, test::with_context(context, "SHA2-256"));
}

TEST_P(WrongOptions, MuHasItsContextAndItsPreHashInside)
{
    const ByteString context = test::counting(1);
    const auto sign_mu_with = [&](const girih_options& options) {
        signature_out.reset();
        signature_size = 1;
        return girih_sign_mu(alg, sk.data, sk.size, mu.data, mu.size, &options, signature_out.data,
                             signature_out.size, &signature_size);
    };
    EXPECT_EQ(sign_mu_with(test::with_context(context)), GIRIH_ERROR_CONTEXT);
    EXPECT_TRUE(signature_out.is_clean());
    EXPECT_EQ(signature_size, 0U);
    EXPECT_EQ(sign_mu_with({nullptr, 0, "SHA2-256", 1, nullptr, 0, {}}), GIRIH_ERROR_PRE_HASH);
    EXPECT_TRUE(signature_out.is_clean());
    EXPECT_EQ(signature_size, 0U);
}

// ---- Randomness ---------------------------------------------------------------------------------

/// Writes noise, then says that it failed.
int fail_after_writing(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = 0xAB;
    return 1;
}

constexpr girih_random failing_source{fail_after_writing, nullptr, 0};
constexpr girih_random missing_source{nullptr, nullptr, 0};
constexpr girih_random later_source{[](void*, std::uint8_t*, std::size_t) { return 0; }, nullptr, 2};

TEST_P(WrongOptions, NoKeyIsMadeWithoutRandomness)
{
    for (const girih_random* source : {&failing_source, &missing_source, &later_source}) {
        pk_out.reset();
        sk_out.reset();
        EXPECT_EQ(girih_keygen(alg, source, pk_out.data, pk_out.size, sk_out.data, sk_out.size),
                  GIRIH_ERROR_RANDOM);
        EXPECT_TRUE(pk_out.is_clean());
        EXPECT_TRUE(sk_out.is_clean());
    }
}

TEST_P(WrongOptions, NothingIsSignedWithoutRandomness)
{
    for (const girih_random* source : {&failing_source, &missing_source, &later_source}) {
        for (const bool from_mu : {false, true}) {
            EXPECT_EQ(sign_with(source, from_mu), GIRIH_ERROR_RANDOM);
            EXPECT_TRUE(signature_out.is_clean());
            EXPECT_EQ(signature_size, 0U);
        }
    }
}

TEST_P(WrongOptions, DeterministicSignaturesDrawNothing)
{
    const girih_options options{nullptr, 0, nullptr, 1, &failing_source, 0, {}};
    EXPECT_EQ(test::sign(alg, keys.secret_key, message_bytes, options),
              test::sign(alg, keys.secret_key, message_bytes));
    EXPECT_EQ(test::sign_mu(alg, keys.secret_key, mu_bytes, options),
              test::sign_mu(alg, keys.secret_key, mu_bytes));
}

}  // namespace
