/// On a stack that is too small, an operation ends at the guard page: it never writes into
/// what lies behind it.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "guarded_stack.hpp"

namespace {

using girih::stack::End;
using girih::stack::GuardedStack;
using Bytes = std::vector<std::uint8_t>;

/// KB. Every operation succeeds on the last.
constexpr std::array<std::size_t, 14> sizes{16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1536, 3072};

/// Enough for every lane of a batch.
constexpr std::size_t batch_size = 8;

/// Memory of a prepared key.
struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<std::uint8_t, GIRIH_PREPARED_ALIGNMENT> bytes;
};

struct Operation {
    std::string name;
    std::function<int()> call;  ///< allocates nothing
};

/// What the operations of an algorithm take, made beforehand, and room for what they make.
struct Inputs {
    const girih_alg* alg;
    Bytes seed = Bytes(girih_seed_bytes(alg), 1);
    Bytes message = Bytes(100, 'm');
    Bytes mu = Bytes(GIRIH_MU_BYTES, 'u');
    Bytes public_key = Bytes(girih_public_key_bytes(alg));
    Bytes secret_key = Bytes(girih_secret_key_bytes(alg));
    Bytes other_public_key = public_key;
    Bytes other_secret_key = secret_key;
    Bytes signature = Bytes(girih_signature_bytes(alg));
    Bytes signature_of_mu = signature;
    Bytes other_signature = signature;
    Bytes ciphertext = Bytes(girih_ciphertext_bytes(alg));
    Bytes secret = Bytes(girih_shared_secret_bytes(alg));
    std::size_t signature_size = 0;
    std::size_t other_size = 0;
    std::vector<Line> signing_memory = std::vector<Line>(girih_signing_key_size(alg) / sizeof(Line));
    std::vector<Line> verifying_memory = std::vector<Line>(girih_verifying_key_size(alg) / sizeof(Line));
    std::vector<Line> other_memory =
        std::vector<Line>(std::max(signing_memory.size(), verifying_memory.size()));
    girih_signing_key* signing = nullptr;
    girih_verifying_key* verifying = nullptr;
    std::deque<Bytes> outputs;
    std::vector<girih_keygen_row> keygen_rows;
    std::vector<girih_sign_row> sign_rows;
    std::vector<girih_verify_row> verify_rows;
    std::vector<Line> encapsulation_memory;
    std::vector<Line> decapsulation_memory;
    girih_encapsulation_key* encapsulation = nullptr;
    girih_decapsulation_key* decapsulation = nullptr;
    std::vector<girih_encapsulate_row> encapsulate_rows;
    std::vector<girih_decapsulate_row> decapsulate_rows;

    explicit Inputs(const girih_alg* algorithm) : alg(algorithm) {}
};

std::vector<Operation> key_operations(Inputs& in)
{
    for (std::size_t i = 0; i < batch_size; ++i) {
        Bytes& pk = in.outputs.emplace_back(in.public_key.size());
        Bytes& sk = in.outputs.emplace_back(in.secret_key.size());
        in.keygen_rows.push_back({in.seed.data(), in.seed.size(), nullptr, pk.data(), pk.size(), sk.data(),
                                  sk.size(), GIRIH_ERROR_ARGUMENT});
    }
    return {
        {"keygen_from_seed",
         [&in] {
             return girih_keygen_from_seed(in.alg, in.seed.data(), in.seed.size(), in.other_public_key.data(),
                                           in.public_key.size(), in.other_secret_key.data(),
                                           in.secret_key.size());
         }},
        {"public_key",
         [&in] {
             return girih_public_key(in.alg, in.secret_key.data(), in.secret_key.size(),
                                     in.other_public_key.data(), in.public_key.size());
         }},
        {"keygen_many",
         [&in] { return girih_keygen_many(in.alg, in.keygen_rows.data(), in.keygen_rows.size()); }},
    };
}

/// Of keys that are prepared for key encapsulation, and of batches of both.
std::vector<Operation> prepared_kem_operations(Inputs& in)
{
    in.encapsulation_memory.resize(girih_encapsulation_key_size(in.alg) / sizeof(Line));
    in.decapsulation_memory.resize(girih_decapsulation_key_size(in.alg) / sizeof(Line));
    for (std::size_t i = 0; i < batch_size; ++i) {
        Bytes& ciphertext = in.outputs.emplace_back(in.ciphertext.size());
        Bytes& secret = in.outputs.emplace_back(in.secret.size());
        in.encapsulate_rows.push_back({nullptr, in.public_key.data(), in.public_key.size(), nullptr,
                                       ciphertext.data(), ciphertext.size(), secret.data(), secret.size(),
                                       GIRIH_ERROR_ARGUMENT});
        in.decapsulate_rows.push_back({nullptr, in.secret_key.data(), in.secret_key.size(),
                                       in.ciphertext.data(), in.ciphertext.size(), secret.data(),
                                       secret.size(), GIRIH_ERROR_ARGUMENT});
    }
    return {
        {"prepare_encapsulation_key",
         [&in] {
             return girih_prepare_encapsulation_key(
                 in.alg, in.public_key.data(), in.public_key.size(), in.encapsulation_memory.data(),
                 in.encapsulation_memory.size() * sizeof(Line), &in.encapsulation);
         }},
        {"encapsulate_prepared",
         [&in] {
             return girih_encapsulate_prepared(in.encapsulation, nullptr, in.ciphertext.data(),
                                               in.ciphertext.size(), in.secret.data(), in.secret.size());
         }},
        {"prepare_decapsulation_key",
         [&in] {
             return girih_prepare_decapsulation_key(
                 in.alg, in.secret_key.data(), in.secret_key.size(), in.decapsulation_memory.data(),
                 in.decapsulation_memory.size() * sizeof(Line), &in.decapsulation);
         }},
        {"decapsulate_prepared",
         [&in] {
             return girih_decapsulate_prepared(in.decapsulation, in.ciphertext.data(), in.ciphertext.size(),
                                               in.secret.data(), in.secret.size());
         }},
        {"encapsulate_many",
         [&in] {
             return girih_encapsulate_many(in.alg, in.encapsulate_rows.data(), in.encapsulate_rows.size());
         }},
        {"decapsulate_many",
         [&in] {
             return girih_decapsulate_many(in.alg, in.decapsulate_rows.data(), in.decapsulate_rows.size());
         }},
    };
}

std::vector<Operation> kem_operations(Inputs& in)
{
    return {
        {"encapsulate",
         [&in] {
             return girih_encapsulate(in.alg, nullptr, in.public_key.data(), in.public_key.size(),
                                      in.ciphertext.data(), in.ciphertext.size(), in.secret.data(),
                                      in.secret.size());
         }},
        {"decapsulate",
         [&in] {
             return girih_decapsulate(in.alg, in.secret_key.data(), in.secret_key.size(),
                                      in.ciphertext.data(), in.ciphertext.size(), in.secret.data(),
                                      in.secret.size());
         }},
    };
}

std::vector<Operation> signature_operations(Inputs& in)
{
    for (std::size_t i = 0; i < batch_size; ++i) {
        Bytes& signature = in.outputs.emplace_back(in.signature.size());
        in.sign_rows.push_back({in.signing, nullptr, 0, in.message.data(), in.message.size(), nullptr,
                                signature.data(), signature.size(), 0, GIRIH_ERROR_ARGUMENT});
        in.verify_rows.push_back({i % 2 == 0 ? in.verifying : nullptr, in.public_key.data(),
                                  in.public_key.size(), in.message.data(), in.message.size(), nullptr,
                                  in.signature.data(), in.signature_size, GIRIH_ERROR_ARGUMENT});
    }
    return {
        {"sign",
         [&in] {
             return girih_sign(in.alg, in.secret_key.data(), in.secret_key.size(), in.message.data(),
                               in.message.size(), nullptr, in.other_signature.data(),
                               in.other_signature.size(), &in.other_size);
         }},
        {"verify",
         [&in] {
             return girih_verify(in.alg, in.public_key.data(), in.public_key.size(), in.message.data(),
                                 in.message.size(), nullptr, in.signature.data(), in.signature_size);
         }},
        {"prepare_signing_key",
         [&in] {
             girih_signing_key* key = nullptr;
             return girih_prepare_signing_key(in.alg, in.secret_key.data(), in.secret_key.size(),
                                              in.other_memory.data(), in.other_memory.size() * sizeof(Line),
                                              &key);
         }},
        {"prepare_verifying_key",
         [&in] {
             girih_verifying_key* key = nullptr;
             return girih_prepare_verifying_key(in.alg, in.public_key.data(), in.public_key.size(),
                                                in.other_memory.data(), in.other_memory.size() * sizeof(Line),
                                                &key);
         }},
        {"sign_prepared",
         [&in] {
             return girih_sign_prepared(in.signing, in.message.data(), in.message.size(), nullptr,
                                        in.other_signature.data(), in.other_signature.size(), &in.other_size);
         }},
        {"verify_prepared",
         [&in] {
             return girih_verify_prepared(in.verifying, in.message.data(), in.message.size(), nullptr,
                                          in.signature.data(), in.signature_size);
         }},
        {"sign_many", [&in] { return girih_sign_many(in.alg, in.sign_rows.data(), in.sign_rows.size()); }},
        {"sign_many of one",
         [&in] {
             in.sign_rows[0].key = nullptr;
             in.sign_rows[0].secret_key = in.secret_key.data();
             in.sign_rows[0].secret_key_bytes = in.secret_key.size();
             return girih_sign_many(in.alg, in.sign_rows.data(), 1);
         }},
        {"verify_many",
         [&in] { return girih_verify_many(in.alg, in.verify_rows.data(), in.verify_rows.size()); }},
    };
}

std::vector<Operation> mu_operations(Inputs& in)
{
    return {
        {"sign_mu",
         [&in] {
             return girih_sign_mu(in.alg, in.secret_key.data(), in.secret_key.size(), in.mu.data(),
                                  in.mu.size(), nullptr, in.other_signature.data(), in.other_signature.size(),
                                  &in.other_size);
         }},
        {"verify_mu",
         [&in] {
             return girih_verify_mu(in.alg, in.public_key.data(), in.public_key.size(), in.mu.data(),
                                    in.mu.size(), in.signature_of_mu.data(), in.signature_of_mu.size());
         }},
        {"sign_mu_prepared",
         [&in] {
             return girih_sign_mu_prepared(in.signing, in.mu.data(), in.mu.size(), nullptr,
                                           in.other_signature.data(), in.other_signature.size(),
                                           &in.other_size);
         }},
    };
}

std::vector<Operation> falcon_operations(Inputs& in)
{
    return {
        {"falcon_reference_keygen",
         [&in] {
             return girih_falcon_reference_keygen(in.alg, in.seed.data(), in.seed.size(),
                                                  in.other_public_key.data(), in.public_key.size(),
                                                  in.other_secret_key.data(), in.secret_key.size());
         }},
        {"message_sign",
         [&in] {
             girih_message message;
             if (girih_message_begin_signing(&message, in.alg, nullptr) != GIRIH_OK) return 1;
             return girih_message_sign(&message, in.secret_key.data(), in.secret_key.size(), nullptr,
                                       in.other_signature.data(), in.other_signature.size(), &in.other_size);
         }},
    };
}

void append(std::vector<Operation>& all, std::vector<Operation> more)
{
    std::ranges::move(more, std::back_inserter(all));
}

/// Makes what the operations need, on the stack that there is here.
std::vector<Operation> operations_of(Inputs& in)
{
    EXPECT_EQ(girih_keygen_from_seed(in.alg, in.seed.data(), in.seed.size(), in.public_key.data(),
                                     in.public_key.size(), in.secret_key.data(), in.secret_key.size()),
              GIRIH_OK);
    std::vector<Operation> all = key_operations(in);
    if (girih_is_kem(in.alg) != 0) {
        append(all, kem_operations(in));
        if (girih_encapsulation_key_size(in.alg) != 0) {
            append(all, prepared_kem_operations(in));
            for (const Operation& operation : all)
                if (operation.name.starts_with("prepare_")) {
                    EXPECT_EQ(operation.call(), GIRIH_OK);
                }
        }
        return all;
    }
    EXPECT_EQ(
        girih_sign(in.alg, in.secret_key.data(), in.secret_key.size(), in.message.data(), in.message.size(),
                   nullptr, in.signature.data(), in.signature.size(), &in.signature_size),
        GIRIH_OK);
    EXPECT_EQ(girih_prepare_signing_key(in.alg, in.secret_key.data(), in.secret_key.size(),
                                        in.signing_memory.data(), in.signing_memory.size() * sizeof(Line),
                                        &in.signing),
              GIRIH_OK);
    EXPECT_EQ(girih_prepare_verifying_key(in.alg, in.public_key.data(), in.public_key.size(),
                                          in.verifying_memory.data(),
                                          in.verifying_memory.size() * sizeof(Line), &in.verifying),
              GIRIH_OK);
    append(all, signature_operations(in));
    if (girih_has_mu(in.alg) != 0) {
        std::size_t size = 0;
        EXPECT_EQ(
            girih_sign_mu(in.alg, in.secret_key.data(), in.secret_key.size(), in.mu.data(), in.mu.size(),
                          nullptr, in.signature_of_mu.data(), in.signature_of_mu.size(), &size),
            GIRIH_OK);
        append(all, mu_operations(in));
    } else {
        append(all, falcon_operations(in));
    }
    return all;
}

/// Runs an operation on larger and larger stacks until it succeeds: how many were too small.
std::size_t stacks_too_small_for(const Operation& operation)
{
    std::size_t too_small = 0;
    static std::array<std::unique_ptr<GuardedStack>, sizes.size()> stacks;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t kilobytes = sizes[i];
        if (stacks[i] == nullptr) stacks[i] = std::make_unique<GuardedStack>(kilobytes * 1024);
        GuardedStack& stack = *stacks[i];
        const End end = stack.run(operation.call);
        EXPECT_EQ(stack.written_beyond(), 0U)
            << operation.name << " on " << kilobytes << " KB wrote behind the guard";
        EXPECT_TRUE(end == End::succeeded || end == End::stopped_at_guard)
            << operation.name << " on " << kilobytes << " KB ended as " << static_cast<int>(end);
        if (end == End::succeeded) return too_small;
        ++too_small;
    }
    ADD_FAILURE() << operation.name << " did not succeed on any stack";
    return too_small;
}

class GuardPage : public testing::TestWithParam<std::size_t> {};

TEST_P(GuardPage, EndsEveryOperationThatNeedsMoreStack)
{
    if (girih_engine() == nullptr) GTEST_SKIP() << girih_engine_reason();
    const auto in = std::make_unique<Inputs>(girih_algorithm_at(GetParam()));
    std::size_t too_small = 0;
    for (const Operation& operation : operations_of(*in)) too_small += stacks_too_small_for(operation);
    EXPECT_GT(too_small, 0U) << "no stack was too small, so this shows nothing";
}

std::size_t algorithms()
{
    std::size_t count = 0;
    while (girih_algorithm_at(count) != nullptr) ++count;
    return count;
}

INSTANTIATE_TEST_SUITE_P(Every, GuardPage, testing::Range<std::size_t>(0, algorithms()),
                         [](const testing::TestParamInfo<std::size_t>& number) {
                             std::string name = girih_name(girih_algorithm_at(number.param));
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

/// Frames of this size are what the test is about; here one is made to write behind the guard, so
/// that it is known to see it.
TEST(GuardedStack, SeesWhatIsWrittenBehindTheGuard)
{
    GuardedStack stack(65536);
    const auto jump = [&] {
        std::uint8_t here = 0;
        auto* const beyond =
            reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(&here) - 100'000);
        *static_cast<volatile std::uint8_t*>(beyond) = 0;
        return 0;
    };
    EXPECT_EQ(stack.run(jump), End::succeeded);
    EXPECT_EQ(stack.written_beyond(), 1U);
}

}  // namespace
