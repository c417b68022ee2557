/// Batches, typed, and spread over threads.
///
///     #include <girih/batch.hpp>
///     const girih::ml_dsa_65::PreparedVerifyingKey key{public_key};
///     std::vector<girih::VerifyRow> rows;
///     for (const auto& [message, signature] : all)
///         rows.push_back(girih::verify_row(key, message, signature));
///     const girih::Error first = girih::verify_many<girih::ml_dsa_65>(rows, 4);
///     if (first != girih::Error::none) ...   // rows[i].result says which
///
/// Over girih_keygen_many, girih_sign_many, girih_verify_many, girih_encapsulate_many and
/// girih_decapsulate_many, whose rows these are: see girih.h. A program that gives more than one
/// thread links the thread library (-pthread).
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
/// The length of the bytes of a key where there is a prepared one. If that was moved from, there is
/// neither, which a length tells from bytes that were given and are none: Error::argument.
inline constexpr std::size_t no_bytes = 1;
}  // namespace detail

using KeygenRow = girih_keygen_row;
using SignRow = girih_sign_row;
using VerifyRow = girih_verify_row;
using EncapsulateRow = girih_encapsulate_row;
using DecapsulateRow = girih_decapsulate_row;

/// A key pair to be made, from a seed (girih_seed_bytes of them) or, without one, from the
/// operating system's randomness.
[[nodiscard]] inline KeygenRow keygen_row(std::span<std::uint8_t> public_key,
                                          std::span<std::uint8_t> secret_key,
                                          std::span<const std::uint8_t> seed = {}) noexcept
{
    return {seed.data(),       seed.size(),       nullptr,           public_key.data(),
            public_key.size(), secret_key.data(), secret_key.size(), detail::not_run};
}

/// A message to be signed with a prepared key. Key, message, options and signature are the
/// caller's until it is.
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

/// A signature to be verified with a prepared key. Key, message, signature and options are the
/// caller's until it is.
template <class PreparedVerifyingKey>
    requires requires(const PreparedVerifyingKey& key) { key.c_key(); }
[[nodiscard]] VerifyRow verify_row(const PreparedVerifyingKey& key, BytesView message, BytesView signature,
                                   const girih_options* options = nullptr) noexcept
{
    return {key.c_key(), nullptr,          detail::no_bytes, message.data(), message.size(),
            options,     signature.data(), signature.size(), detail::not_run};
}

/// A signature to be verified with the bytes of a public key, which are the caller's until it is.
[[nodiscard]] inline VerifyRow verify_row(std::span<const std::uint8_t> public_key, BytesView message,
                                          BytesView signature,
                                          const girih_options* options = nullptr) noexcept
{
    return {nullptr, public_key.data(), public_key.size(), message.data(), message.size(),
            options, signature.data(),  signature.size(),  detail::not_run};
}

/// A shared secret to be made with a prepared key, and its ciphertext. Key and outputs are the
/// caller's until they are; so is `random`, the operating system's if null.
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

/// The same with the bytes of a public key, which are the caller's until it is made.
[[nodiscard]] inline EncapsulateRow encapsulate_row(std::span<const std::uint8_t> public_key,
                                                    std::span<std::uint8_t> ciphertext,
                                                    std::span<std::uint8_t> shared_secret,
                                                    const girih_random* random = nullptr) noexcept
{
    return {nullptr,           public_key.data(),    public_key.size(),    random,         ciphertext.data(),
            ciphertext.size(), shared_secret.data(), shared_secret.size(), detail::not_run};
}

/// A ciphertext whose shared secret is wanted, with a prepared key. Key, ciphertext and secret are
/// the caller's until it is there.
template <class PreparedDecapsulationKey>
    requires requires(const PreparedDecapsulationKey& key) { key.c_key(); }
[[nodiscard]] DecapsulateRow decapsulate_row(const PreparedDecapsulationKey& key,
                                             std::span<const std::uint8_t> ciphertext,
                                             std::span<std::uint8_t> shared_secret) noexcept
{
    return {key.c_key(),          nullptr,           detail::no_bytes,
            ciphertext.data(),    ciphertext.size(), shared_secret.data(),
            shared_secret.size(), detail::not_run};
}

/// The same with the bytes of a secret key, which are the caller's until it is there.
[[nodiscard]] inline DecapsulateRow decapsulate_row(std::span<const std::uint8_t> secret_key,
                                                    std::span<const std::uint8_t> ciphertext,
                                                    std::span<std::uint8_t> shared_secret) noexcept
{
    return {nullptr,           secret_key.data(),    secret_key.size(),    ciphertext.data(),
            ciphertext.size(), shared_secret.data(), shared_secret.size(), detail::not_run};
}

namespace detail {

/// What a row has written.
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

/// Whether an output of some row lies in the array of rows: an error, but one that a part of the
/// rows does not see of the others.
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

/// Starts so many threads, or as many as are to be had: those that there are do all.
template <class Work>
void start(std::vector<std::jthread>& threads, std::size_t count, Work& work)
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

/// Runs `many` on all rows, or on parts of them on as many threads as are asked for (this one among
/// them) and rows are worth.
template <class Row>
Error on_threads(const girih_alg* alg, std::span<Row> rows, unsigned threads,
                 int (*many)(const girih_alg*, Row*, std::size_t))
{
    if (threads <= 1 || rows.empty() || write_to_rows<Row>(rows))
        return Error{many(alg, rows.data(), rows.size())};
    // Parts that keep every lane at work to near their end, and that leave a slow thread
    // little to be waited for.
    constexpr std::size_t smallest_part = 64;
    const std::size_t part = std::max(smallest_part, rows.size() / threads / 8);
    const std::size_t parts = (rows.size() + part - 1) / part;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t begin = next.fetch_add(part); begin < rows.size(); begin = next.fetch_add(part))
            many(alg, &rows[begin], std::min(part, rows.size() - begin));
    };
    {
        std::vector<std::jthread> others;
        start(others, std::min<std::size_t>(threads, parts) - 1, work);
        work();
    }
    const auto failed =
        std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.result != GIRIH_OK; });
    return failed == rows.end() ? Error::none : Error{failed->result};
}

}  // namespace detail

/// Makes the key pairs of all rows, on `threads` threads. Each row has its result; returned is the
/// first that is an error.
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

/// Makes the shared secrets of all rows, and their ciphertexts.
[[nodiscard]] inline Error encapsulate_many(const girih_alg* alg, std::span<EncapsulateRow> rows,
                                            unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_encapsulate_many);
}

/// Takes the shared secrets out of the ciphertexts of all rows.
[[nodiscard]] inline Error decapsulate_many(const girih_alg* alg, std::span<DecapsulateRow> rows,
                                            unsigned threads = 1)
{
    return detail::on_threads(alg, rows, threads, girih_decapsulate_many);
}

/// The same for an algorithm that is known when the program is compiled:
/// verify_many<girih::ml_dsa_65>(rows, 4).
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
