/// Batches, typed, and spread over threads.
///
///     #include <girih/batch.hpp>
///     const girih::ml_dsa_65::PreparedVerifyingKey key{public_key};
///     std::vector<girih::VerifyRow> rows;
///     for (const auto& [message, signature] : all)
///         rows.push_back(girih::verify_row(key, message, signature));
///     const girih::Error first = girih::verify_many<girih::ml_dsa_65>(rows, 4);
///     if (first != girih::Error::none) ...   // see each rows[i].result
///
/// Rows refer to their options: `const girih_options c = girih::Options{...}.c_options();` has to
/// outlive them, as do the keys, messages and signatures. Many rows may share it.
///
/// Rows are those of girih_keygen_many, girih_sign_many, girih_verify_many, girih_encapsulate_many
/// and girih_decapsulate_many in girih.h. A program that asks for more than one thread links the
/// thread library (-pthread).
#pragma once

#include <girih/signature.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <thread>
#include <vector>

namespace girih {

namespace detail {
inline constexpr int not_run = GIRIH_ERROR_ARGUMENT;  ///< the result of a row before its batch
/// The length of a key's bytes in a row with a prepared key. It is not 0, so that a row whose
/// prepared key was moved from is Error::argument, not Error::length.
inline constexpr std::size_t no_bytes = 1;
}  // namespace detail

using KeygenRow = girih_keygen_row;
using SignRow = girih_sign_row;
using VerifyRow = girih_verify_row;
using EncapsulateRow = girih_encapsulate_row;
using DecapsulateRow = girih_decapsulate_row;

/// Makes a key pair from a seed of girih_seed_bytes bytes or, without one, from the operating
/// system's randomness. The row refers to its arguments.
[[nodiscard]] inline KeygenRow keygen_row(std::span<std::uint8_t> public_key,
                                          std::span<std::uint8_t> secret_key, BytesView seed = {}) noexcept
{
    return {seed.data(),       seed.size(),       nullptr,           public_key.data(),
            public_key.size(), secret_key.data(), secret_key.size(), detail::not_run};
}

/// Signs a message with a prepared key. The row refers to its arguments.
template <class PreparedSigningKey>
[[nodiscard]] SignRow sign_row(const PreparedSigningKey& key, BytesView message,
                               std::span<std::uint8_t> signature,
                               const girih_options* options = nullptr) noexcept
{
    return {key.c_key(),      nullptr,          detail::no_bytes,
            message.data(),   message.size(),   options,
            signature.data(), signature.size(), 0,
            detail::not_run};
}

/// Verifies a signature with a prepared key. The row refers to its arguments.
template <class PreparedVerifyingKey>
    requires requires(const PreparedVerifyingKey& key) { key.c_key(); }
[[nodiscard]] VerifyRow verify_row(const PreparedVerifyingKey& key, BytesView message, BytesView signature,
                                   const girih_options* options = nullptr) noexcept
{
    return {key.c_key(), nullptr,          detail::no_bytes, message.data(), message.size(),
            options,     signature.data(), signature.size(), detail::not_run};
}

/// Verifies a signature with the bytes of a public key. The row refers to its arguments.
[[nodiscard]] inline VerifyRow verify_row(BytesView public_key, BytesView message, BytesView signature,
                                          const girih_options* options = nullptr) noexcept
{
    return {nullptr, public_key.data(), public_key.size(), message.data(), message.size(),
            options, signature.data(),  signature.size(),  detail::not_run};
}

/// Encapsulates a shared secret with a prepared key. The row refers to its arguments; a null
/// `random` is the operating system's.
template <class PreparedEncapsulationKey>
    requires requires(const PreparedEncapsulationKey& key) { key.c_key(); }
[[nodiscard]] EncapsulateRow encapsulate_row(const PreparedEncapsulationKey& key,
                                             std::span<std::uint8_t> ciphertext,
                                             std::span<std::uint8_t> shared_secret,
                                             const girih_random* random = nullptr) noexcept
{
    return {key.c_key(),       nullptr,           detail::no_bytes,     random,
            ciphertext.data(), ciphertext.size(), shared_secret.data(), shared_secret.size(),
            detail::not_run};
}

/// Encapsulates a shared secret with the bytes of a public key.
[[nodiscard]] inline EncapsulateRow encapsulate_row(BytesView public_key, std::span<std::uint8_t> ciphertext,
                                                    std::span<std::uint8_t> shared_secret,
                                                    const girih_random* random = nullptr) noexcept
{
    return {nullptr,           public_key.data(),    public_key.size(),    random,         ciphertext.data(),
            ciphertext.size(), shared_secret.data(), shared_secret.size(), detail::not_run};
}

/// Decapsulates a ciphertext with a prepared key. The row refers to its arguments.
template <class PreparedDecapsulationKey>
    requires requires(const PreparedDecapsulationKey& key) { key.c_key(); }
[[nodiscard]] DecapsulateRow decapsulate_row(const PreparedDecapsulationKey& key, BytesView ciphertext,
                                             std::span<std::uint8_t> shared_secret) noexcept
{
    return {key.c_key(),          nullptr,           detail::no_bytes,
            ciphertext.data(),    ciphertext.size(), shared_secret.data(),
            shared_secret.size(), detail::not_run};
}

/// Decapsulates a ciphertext with the bytes of a secret key.
[[nodiscard]] inline DecapsulateRow decapsulate_row(BytesView secret_key, BytesView ciphertext,
                                                    std::span<std::uint8_t> shared_secret) noexcept
{
    return {nullptr,           secret_key.data(),    secret_key.size(),    ciphertext.data(),
            ciphertext.size(), shared_secret.data(), shared_secret.size(), detail::not_run};
}

namespace detail {

/// The memory that a row writes to.
using Outputs = std::array<std::span<const std::uint8_t>, 2>;
inline Outputs outputs_of(const KeygenRow& row) noexcept
{
    return {{{row.public_key, row.public_key_bytes}, {row.secret_key, row.secret_key_bytes}}};
}
inline Outputs outputs_of(const SignRow& row) noexcept
{
    return {{{row.signature, row.signature_capacity}, {}}};
}
inline Outputs outputs_of(const VerifyRow&) noexcept { return {}; }
inline Outputs outputs_of(const EncapsulateRow& row) noexcept
{
    return {{{row.ciphertext, row.ciphertext_bytes}, {row.shared_secret, row.shared_secret_bytes}}};
}
inline Outputs outputs_of(const DecapsulateRow& row) noexcept
{
    return {{{row.shared_secret, row.shared_secret_bytes}, {}}};
}

/// Whether an output of any row lies in the array of rows. The call of one part would not notice
/// that an output lies among another part's rows.
template <class Row>
bool write_to_rows(std::span<const Row> rows) noexcept
{
    const auto begin = reinterpret_cast<std::uintptr_t>(rows.data());
    const auto lies_there = [&](std::span<const std::uint8_t> output) {
        const auto place = reinterpret_cast<std::uintptr_t>(output.data());
        return output.data() != nullptr && !output.empty() &&
               (place - begin < rows.size_bytes() || begin - place < output.size());
    };
    return std::ranges::any_of(
        rows, [&](const Row& row) { return std::ranges::any_of(outputs_of(row), lies_there); });
}

/// Joins threads when its scope ends. (Not std::jthread, which libc++ 19 lacks by default.)
struct Threads : std::vector<std::thread> {
    ~Threads()
    {
        for (std::thread& thread : *this) thread.join();
    }
};

/// Starts `count` threads, or as many as the system allows; fewer threads still do all the work.
template <class Work>
void start(Threads& threads, std::size_t count, Work& work)
{
#if defined(__cpp_exceptions)
    try {
#endif
        threads.reserve(count);
        while (threads.size() < count) threads.emplace_back(work);
#if defined(__cpp_exceptions)
    } catch (const std::exception&) {  // std::system_error, std::bad_alloc
    }
#endif
}

/// Runs `many` on all rows, in parts, on up to `threads` threads, the caller's included.
template <class Row>
Error on_threads(const girih_alg* alg, std::span<Row> rows, unsigned threads,
                 int (*many)(const girih_alg*, Row*, std::size_t))
{
    if (threads <= 1 || rows.empty() || write_to_rows<Row>(rows))
        return Error{many(alg, rows.data(), rows.size())};
    // Parts are large enough to keep every lane busy, and small enough that no thread waits long
    // for a slow one.
    constexpr std::size_t smallest_part = 64;
    const std::size_t part = std::max(smallest_part, rows.size() / threads / 8);
    const std::size_t parts = (rows.size() + part - 1) / part;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t begin = next.fetch_add(part); begin < rows.size(); begin = next.fetch_add(part))
            many(alg, &rows[begin], std::min(part, rows.size() - begin));
    };
    {
        Threads others;
        start(others, std::min<std::size_t>(threads, parts) - 1, work);
        work();
    }
    const auto failed =
        std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.result != GIRIH_OK; });
    return failed == rows.end() ? Error::none : Error{failed->result};
}

}  // namespace detail

/// Makes the key pairs of all rows on `threads` threads. Each row has its own result; returns the
/// first error among them.
[[nodiscard]] inline Error keygen_many(const girih_alg* alg, std::span<KeygenRow> rows, unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_keygen_many);
}

/// Signs the messages of all rows.
[[nodiscard]] inline Error sign_many(const girih_alg* alg, std::span<SignRow> rows, unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_sign_many);
}

/// Verifies the signatures of all rows.
[[nodiscard]] inline Error verify_many(const girih_alg* alg, std::span<VerifyRow> rows, unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_verify_many);
}

/// Encapsulates the shared secrets of all rows.
[[nodiscard]] inline Error encapsulate_many(const girih_alg* alg, std::span<EncapsulateRow> rows,
                                            unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_encapsulate_many);
}

/// Decapsulates the ciphertexts of all rows.
[[nodiscard]] inline Error decapsulate_many(const girih_alg* alg, std::span<DecapsulateRow> rows,
                                            unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_decapsulate_many);
}

/// For an algorithm known at compile time: verify_many<girih::ml_dsa_65>(rows, 4).
template <class Algorithm>
[[nodiscard]] Error keygen_many(std::span<KeygenRow> rows, unsigned threads = 1)
{
    return keygen_many(Algorithm::algorithm(), rows, threads);
}
template <class Algorithm>
[[nodiscard]] Error sign_many(std::span<SignRow> rows, unsigned threads = 1)
{
    return sign_many(Algorithm::algorithm(), rows, threads);
}
template <class Algorithm>
[[nodiscard]] Error verify_many(std::span<VerifyRow> rows, unsigned threads = 1)
{
    return verify_many(Algorithm::algorithm(), rows, threads);
}
template <class Algorithm>
[[nodiscard]] Error encapsulate_many(std::span<EncapsulateRow> rows, unsigned threads = 1)
{
    return encapsulate_many(Algorithm::algorithm(), rows, threads);
}
template <class Algorithm>
[[nodiscard]] Error decapsulate_many(std::span<DecapsulateRow> rows, unsigned threads = 1)
{
    return decapsulate_many(Algorithm::algorithm(), rows, threads);
}

}  // namespace girih
