/// Key encapsulation with arguments that are wrong: each has its error, and leaves its outputs
/// zeroed and the other rows of its batch alone.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/calls.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"

namespace {

using namespace girih;
using test::ByteString;
using test::Call;
using Arguments = std::vector<test::Argument>;

int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(3 * i + 2);
    return 0;
}
int fail(void*, std::uint8_t* out, std::size_t bytes)
{
    std::fill_n(out, bytes, std::uint8_t{0xAB});
    return 1;
}
constexpr girih_random counting{fill_counting, nullptr, 0};
constexpr girih_random failing{fail, nullptr, 0};
constexpr girih_random missing{nullptr, nullptr, 0};
constexpr girih_random later{fill_counting, nullptr, 2};

class KemArguments : public test::EveryAlgorithm {
  public:
    const std::size_t ciphertext_bytes = girih_ciphertext_bytes(alg);
    const std::size_t secret_bytes = girih_shared_secret_bytes(alg);
    const test::KeyPair keys = test::key_pair(alg, test::counting(girih_seed_bytes(alg)));
    const test::Encapsulation made = test::encapsulate(alg, keys.public_key, &counting);

    [[nodiscard]] Call encapsulation() const { return Call{}.output(ciphertext_bytes).output(secret_bytes); }
    [[nodiscard]] Call decapsulation() const { return Call{}.input(made.ciphertext).output(secret_bytes); }
};
INSTANTIATE_TEST_SUITE_P(Of, KemArguments,
                         testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761",
                                         "ntrulpr653"),
                         test::EveryAlgorithm::name);

TEST_P(KemArguments, AreChecked)
{
    encapsulation().input(keys.public_key).expect_checks([&](const Arguments& a) {
        return girih_encapsulate(alg, &counting, a[2].data, a[2].size, a[0].data, a[0].size, a[1].data,
                                 a[1].size);
    });
    decapsulation().input(keys.secret_key).expect_checks([&](const Arguments& a) {
        return girih_decapsulate(alg, a[2].data, a[2].size, a[0].data, a[0].size, a[1].data, a[1].size);
    });
}

TEST_P(KemArguments, OfRowsAreChecked)
{
    encapsulation().input(keys.public_key).expect_checks([&](const Arguments& a) {
        girih_encapsulate_row row{nullptr,   a[2].data, a[2].size, &counting, a[0].data,
                                  a[0].size, a[1].data, a[1].size, 1};
        const int error = girih_encapsulate_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    });
    decapsulation().input(keys.secret_key).expect_checks([&](const Arguments& a) {
        girih_decapsulate_row row{nullptr,   a[2].data, a[2].size, a[0].data,
                                  a[0].size, a[1].data, a[1].size, 1};
        const int error = girih_decapsulate_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    });
}

TEST_P(KemArguments, OfAnotherKindOfAlgorithmAreRefused)
{
    for (const girih_alg* other : {girih_algorithm("ML-DSA-44"), girih_algorithm("Falcon-512"),
                                   girih_ml_dsa_44_verifying(), static_cast<const girih_alg*>(nullptr)}) {
        encapsulation()
            .input(keys.public_key)
            .expect_error(
                GIRIH_ERROR_ARGUMENT,
                [&](const Arguments& a) {
                    girih_encapsulate_row row{nullptr,   a[2].data, a[2].size, &counting, a[0].data,
                                              a[0].size, a[1].data, a[1].size, 1};
                    EXPECT_EQ(girih_encapsulate_many(other, &row, 1), GIRIH_ERROR_ARGUMENT);
                    EXPECT_EQ(row.result, GIRIH_ERROR_ARGUMENT);
                    EXPECT_TRUE(a[0].is_zero() && a[1].is_zero());
                    return girih_encapsulate(other, &counting, a[2].data, a[2].size, a[0].data, a[0].size,
                                             a[1].data, a[1].size);
                },
                "encapsulation");
        decapsulation()
            .input(keys.secret_key)
            .expect_error(
                GIRIH_ERROR_ARGUMENT,
                [&](const Arguments& a) {
                    girih_decapsulate_row row{nullptr,   a[2].data, a[2].size, a[0].data,
                                              a[0].size, a[1].data, a[1].size, 1};
                    EXPECT_EQ(girih_decapsulate_many(other, &row, 1), GIRIH_ERROR_ARGUMENT);
                    EXPECT_EQ(row.result, GIRIH_ERROR_ARGUMENT);
                    EXPECT_TRUE(a[1].is_zero());
                    return girih_decapsulate(other, a[2].data, a[2].size, a[0].data, a[0].size, a[1].data,
                                             a[1].size);
                },
                "decapsulation");
    }
}

TEST_P(KemArguments, OfBatchesOfNothing)
{
    EXPECT_EQ(girih_encapsulate_many(alg, nullptr, 0), GIRIH_OK);
    EXPECT_EQ(girih_decapsulate_many(alg, nullptr, 0), GIRIH_OK);
    EXPECT_EQ(girih_encapsulate_many(alg, nullptr, 1), GIRIH_ERROR_ARGUMENT);
    EXPECT_EQ(girih_decapsulate_many(alg, nullptr, 1), GIRIH_ERROR_ARGUMENT);
}

TEST_P(KemArguments, ThatAreSourcesWithoutBytesAreRefused)
{
    for (const girih_random* source : {&failing, &missing, &later})
        encapsulation().expect_error(
            GIRIH_ERROR_RANDOM,
            [&](const Arguments& a) {
                girih_encapsulate_row row{nullptr,
                                          keys.public_key.data(),
                                          keys.public_key.size(),
                                          source,
                                          a[0].data,
                                          a[0].size,
                                          a[1].data,
                                          a[1].size,
                                          1};
                EXPECT_EQ(girih_encapsulate_many(alg, &row, 1), GIRIH_ERROR_RANDOM);
                EXPECT_TRUE(a[0].is_zero() && a[1].is_zero());
                return girih_encapsulate(alg, source, row.public_key, row.public_key_bytes, a[0].data,
                                         a[0].size, a[1].data, a[1].size);
            },
            "a source that fails");
}

TEST_P(KemArguments, ThatAreRefusedAskNoSource)
{
    encapsulation().expect_error(
        GIRIH_ERROR_LENGTH,
        [&](const Arguments& a) {
            girih_encapsulate_row row{nullptr,
                                      keys.public_key.data(),
                                      keys.public_key.size() - 1,
                                      &failing,
                                      a[0].data,
                                      a[0].size,
                                      a[1].data,
                                      a[1].size,
                                      1};
            EXPECT_EQ(girih_encapsulate_many(alg, &row, 1), GIRIH_ERROR_LENGTH);
            return girih_encapsulate(alg, &failing, row.public_key, row.public_key_bytes, a[0].data,
                                     a[0].size, a[1].data, a[1].size);
        },
        "a short key and a source that fails");
}

/// More rows than any engine works on at once, every third bad in its own way.
TEST_P(KemArguments, OfABadRowSpoilNoOther)
{
    constexpr std::size_t count = 23;
    const bool is_ml_kem = girih_encapsulation_key_size(alg) != 0;
    ByteString no_key = keys.public_key;
    std::fill(no_key.begin(), no_key.begin() + 3, Byte{0xFF});
    ByteString contradicting = keys.secret_key;
    contradicting[contradicting.size() - 64] ^= 1;  // ML-KEM: the hash of the public key
    std::vector<ByteString> ciphertexts(count, ByteString(ciphertext_bytes, 0xEE));
    std::vector<ByteString> sent(count, ByteString(secret_bytes, 0xEE)), received = sent;
    std::vector<girih_encapsulate_row> sending;
    std::vector<girih_decapsulate_row> receiving;
    std::vector<int> sending_errors(count, GIRIH_OK), receiving_errors(count, GIRIH_OK);
    for (std::size_t i = 0; i < count; ++i) {
        sending.push_back({nullptr, keys.public_key.data(), keys.public_key.size(), &counting,
                           ciphertexts[i].data(), ciphertext_bytes, sent[i].data(), secret_bytes, 1});
        receiving.push_back({nullptr, keys.secret_key.data(), keys.secret_key.size(), made.ciphertext.data(),
                             ciphertext_bytes, received[i].data(), secret_bytes, 1});
        switch (i) {
            case 2:
                sending[i].random = &failing;
                sending_errors[i] = GIRIH_ERROR_RANDOM;
                receiving[i].ciphertext_bytes += 1;
                receiving_errors[i] = GIRIH_ERROR_LENGTH;
                break;
            case 5:
                sending[i].public_key = nullptr;
                receiving[i].secret_key = nullptr;
                sending_errors[i] = receiving_errors[i] = GIRIH_ERROR_ARGUMENT;
                break;
            case 8:
                if (!is_ml_kem) break;
                sending[i].public_key = no_key.data();
                sending_errors[i] = GIRIH_ERROR_PUBLIC_KEY;
                receiving[i].secret_key = contradicting.data();
                receiving_errors[i] = GIRIH_ERROR_KEY_MISMATCH;
                break;
            case 11:
                sending[i].public_key_bytes -= 1;
                receiving[i].secret_key_bytes -= 1;
                sending_errors[i] = receiving_errors[i] = GIRIH_ERROR_LENGTH;
                break;
            case 14:
                sending[i].shared_secret_bytes -= 1;
                receiving[i].shared_secret_bytes -= 1;
                sending_errors[i] = receiving_errors[i] = GIRIH_ERROR_LENGTH;
                break;
            case 17:
                sending[i].ciphertext = nullptr;
                receiving[i].ciphertext = nullptr;
                sending_errors[i] = receiving_errors[i] = GIRIH_ERROR_ARGUMENT;
                break;
            default:
                break;
        }
    }
    EXPECT_EQ(girih_encapsulate_many(alg, sending.data(), count), sending_errors[2]) << "the first";
    EXPECT_EQ(girih_decapsulate_many(alg, receiving.data(), count), receiving_errors[2]);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(sending[i].result, sending_errors[i]) << i;
        EXPECT_EQ(receiving[i].result, receiving_errors[i]) << i;
        const BytesIn<> secret = BytesIn<>{sent[i]}.first(sending[i].shared_secret_bytes);
        if (sending_errors[i] == GIRIH_OK) {
            EXPECT_EQ(ciphertexts[i], made.ciphertext) << i;
            EXPECT_EQ(sent[i], made.shared_secret) << i;
        } else {
            EXPECT_TRUE(sending[i].ciphertext == nullptr || test::is_zero(ciphertexts[i])) << i;
            EXPECT_TRUE(test::is_zero(secret)) << i;
        }
        if (receiving_errors[i] == GIRIH_OK) {
            EXPECT_EQ(received[i], made.shared_secret) << i;
        } else {
            EXPECT_TRUE(test::is_zero(BytesIn<>{received[i]}.first(receiving[i].shared_secret_bytes))) << i;
        }
    }
}

// ---- Prepared keys

class PreparedKemArguments : public KemArguments {};
INSTANTIATE_TEST_SUITE_P(Of, PreparedKemArguments, testing::Values("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"),
                         test::EveryAlgorithm::name);

TEST_P(PreparedKemArguments, AreChecked)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    encapsulation().expect_checks([&](const Arguments& a) {
        return girih_encapsulate_prepared(to.get(), &counting, a[0].data, a[0].size, a[1].data, a[1].size);
    });
    decapsulation().expect_checks([&](const Arguments& a) {
        return girih_decapsulate_prepared(by.get(), a[0].data, a[0].size, a[1].data, a[1].size);
    });
    encapsulation().expect_error(
        GIRIH_ERROR_ARGUMENT,
        [&](const Arguments& a) {
            return girih_encapsulate_prepared(nullptr, &counting, a[0].data, a[0].size, a[1].data, a[1].size);
        },
        "no key");
    encapsulation().expect_error(
        GIRIH_ERROR_RANDOM,
        [&](const Arguments& a) {
            return girih_encapsulate_prepared(to.get(), &failing, a[0].data, a[0].size, a[1].data, a[1].size);
        },
        "no randomness");
    decapsulation().expect_error(
        GIRIH_ERROR_ARGUMENT,
        [&](const Arguments& a) {
            return girih_decapsulate_prepared(nullptr, a[0].data, a[0].size, a[1].data, a[1].size);
        },
        "no key");
}

TEST_P(PreparedKemArguments, OfRowsAreChecked)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    encapsulation().expect_checks([&](const Arguments& a) {
        girih_encapsulate_row row{to.get(),  nullptr,   0,         &counting, a[0].data,
                                  a[0].size, a[1].data, a[1].size, 1};
        const int error = girih_encapsulate_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    });
    decapsulation().expect_checks([&](const Arguments& a) {
        girih_decapsulate_row row{by.get(), nullptr, 0, a[0].data, a[0].size, a[1].data, a[1].size, 1};
        const int error = girih_decapsulate_many(alg, &row, 1);
        EXPECT_EQ(row.result, error);
        return error;
    });
}

/// With the lengths of the batch's algorithm, so that the key is all that is wrong.
TEST_P(PreparedKemArguments, OfAnotherAlgorithmsKeyInARowAreRefused)
{
    const test::PreparedEncapsulationKey to{alg, keys.public_key};
    const test::PreparedDecapsulationKey by{alg, keys.secret_key};
    for (const char* name : {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "sntrup761", "ntrulpr761"}) {
        const girih_alg* const other = girih_algorithm(name);
        if (other == alg) continue;
        const test::KeyPair others = test::key_pair(other, test::counting(girih_seed_bytes(other)));
        ByteString ciphertext(girih_ciphertext_bytes(other), 0xEE), secret(secret_bytes, 0xEE);
        girih_encapsulate_row sending{to.get(),
                                      others.public_key.data(),
                                      others.public_key.size(),
                                      &counting,
                                      ciphertext.data(),
                                      ciphertext.size(),
                                      secret.data(),
                                      secret.size(),
                                      1};
        EXPECT_EQ(girih_encapsulate_many(other, &sending, 1), GIRIH_ERROR_ARGUMENT) << name;
        EXPECT_EQ(sending.result, GIRIH_ERROR_ARGUMENT) << name;
        EXPECT_TRUE(test::is_zero(ciphertext) && test::is_zero(secret)) << name;
        std::fill(secret.begin(), secret.end(), Byte{0xEE});
        girih_decapsulate_row receiving{by.get(),
                                        others.secret_key.data(),
                                        others.secret_key.size(),
                                        ciphertext.data(),
                                        ciphertext.size(),
                                        secret.data(),
                                        secret.size(),
                                        1};
        EXPECT_EQ(girih_decapsulate_many(other, &receiving, 1), GIRIH_ERROR_ARGUMENT) << name;
        EXPECT_TRUE(test::is_zero(secret)) << name;
    }
}

/// The two kinds of prepared key: a type, and the functions of girih.h for it.
struct Encapsulating {
    using Key = girih_encapsulation_key;
    static constexpr auto size = girih_encapsulation_key_size;
    static constexpr auto prepare = girih_prepare_encapsulation_key;
    static const ByteString& bytes(const test::KeyPair& keys) { return keys.public_key; }
};
struct Decapsulating {
    using Key = girih_decapsulation_key;
    static constexpr auto size = girih_decapsulation_key_size;
    static constexpr auto prepare = girih_prepare_decapsulation_key;
    static const ByteString& bytes(const test::KeyPair& keys) { return keys.secret_key; }
};

/// Of either kind of key: memory, place and bytes that will not do.
template <class Kind>
void expect_preparation_checks(const girih_alg* alg, const test::KeyPair& keys, ByteString no_key, int error)
{
    const ByteString& bytes = Kind::bytes(keys);
    const std::size_t size = Kind::size(alg);
    ASSERT_GT(size, 0U);
    EXPECT_EQ(size % GIRIH_PREPARED_ALIGNMENT, 0U);
    const test::PreparedMemory memory{size + GIRIH_PREPARED_ALIGNMENT};
    auto* const room = static_cast<Byte*>(memory.data());
    using Key = typename Kind::Key;
    const auto none = reinterpret_cast<Key*>(room);  // so that it is seen to be made null
    Key* key = none;
    const auto expect = [&](int expected, const ByteString& of, std::size_t of_bytes, void* place,
                            std::size_t place_bytes) {
        key = none;
        EXPECT_EQ(Kind::prepare(alg, of.data(), of_bytes, place, place_bytes, &key), expected);
        EXPECT_EQ(key == nullptr, expected != GIRIH_OK);
    };
    expect(GIRIH_OK, bytes, bytes.size(), room, size);
    expect(GIRIH_OK, bytes, bytes.size(), room, size + 1);
    expect(GIRIH_ERROR_LENGTH, bytes, bytes.size(), room, size - 1);
    expect(GIRIH_ERROR_LENGTH, bytes, bytes.size(), room, 0);
    expect(GIRIH_ERROR_ARGUMENT, bytes, bytes.size(), nullptr, size);
    for (const unsigned shift : {1U, 8U, 32U, 63U})
        expect(GIRIH_ERROR_ARGUMENT, bytes, bytes.size(), room + shift, size);
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, bytes.size() - 1, bytes.size() + 1})
        expect(GIRIH_ERROR_LENGTH, bytes, length, room, size);
    expect(GIRIH_ERROR_ARGUMENT, ByteString{}, bytes.size(), room, size);
    EXPECT_EQ(Kind::prepare(alg, bytes.data(), bytes.size(), room, size, nullptr), GIRIH_ERROR_ARGUMENT);
    expect(error, no_key, no_key.size(), room, size);
    EXPECT_TRUE(test::is_zero(BytesIn<>{room, size})) << "what was made of it is wiped";
    // An algorithm without such keys.
    for (const char* name : {"sntrup761", "ntrulpr1277", "ML-DSA-44", "Falcon-512"}) {
        const girih_alg* const other = girih_algorithm(name);
        EXPECT_EQ(Kind::size(other), 0U) << name;
        key = none;
        EXPECT_EQ(Kind::prepare(other, bytes.data(), bytes.size(), room, size, &key), GIRIH_ERROR_ARGUMENT)
            << name;
        EXPECT_EQ(key, nullptr);
    }
    EXPECT_EQ(Kind::size(nullptr), 0U);
    EXPECT_EQ(Kind::prepare(nullptr, bytes.data(), bytes.size(), room, size, &key), GIRIH_ERROR_ARGUMENT);
}

TEST_P(PreparedKemArguments, OfPreparationAreChecked)
{
    ByteString no_public_key = keys.public_key;
    std::fill(no_public_key.begin(), no_public_key.begin() + 3, Byte{0xFF});
    expect_preparation_checks<Encapsulating>(alg, keys, no_public_key, GIRIH_ERROR_PUBLIC_KEY);
    ByteString no_secret_key = keys.secret_key;
    no_secret_key[no_secret_key.size() - 33] ^= 0x80;
    expect_preparation_checks<Decapsulating>(alg, keys, no_secret_key, GIRIH_ERROR_KEY_MISMATCH);
}

TEST_P(PreparedKemArguments, OfAKeyThatWasWipedLeaveNothing)
{
    const test::PreparedMemory memory{girih_decapsulation_key_size(alg)};
    const BytesIn<> bytes{static_cast<const Byte*>(memory.data()), memory.size()};
    girih_decapsulation_key* key = nullptr;
    ASSERT_EQ(girih_prepare_decapsulation_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                              memory.data(), memory.size(), &key),
              GIRIH_OK);
    EXPECT_FALSE(test::is_zero(bytes));
    girih_wipe_decapsulation_key(key);
    EXPECT_TRUE(test::is_zero(bytes));
    girih_wipe_decapsulation_key(nullptr);
}

}  // namespace
