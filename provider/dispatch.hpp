/// Tables of functions as OpenSSL takes them, and those that the provider has.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace girih::provider {

/// An entry of a table. OpenSSL declares a type for each function, `OSSL_FUNC_..._fn`, and the
/// caller names it, so that a function of another type does not compile.
template <class Function>
OSSL_DISPATCH entry(int identity, std::type_identity_t<Function>* function) noexcept
{
    return {identity, reinterpret_cast<void (*)()>(function)};
}

inline constexpr OSSL_DISPATCH end_of_dispatch{0, nullptr};
inline constexpr OSSL_ALGORITHM end_of_algorithms{nullptr, nullptr, nullptr, nullptr};

/// An array of what `row` makes of 0 ... n - 1 (each as a std::integral_constant), and then `end`.
template <class Row, std::size_t n, class MakeRow>
std::array<Row, n + 1> rows_and_end(const MakeRow& row, const Row& end)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array<Row, n + 1>{row(std::integral_constant<std::size_t, i>{})..., end};
    }(std::make_index_sequence<n>{});
}

/// What each operation of OpenSSL has of the provider.
const OSSL_ALGORITHM* key_managers() noexcept;
const OSSL_ALGORITHM* signatures() noexcept;
const OSSL_ALGORITHM* kems() noexcept;
const OSSL_ALGORITHM* encoders() noexcept;
const OSSL_ALGORITHM* decoders() noexcept;

/// Of the hybrid group.
const OSSL_DISPATCH* hybrid_key_manager() noexcept;
const OSSL_DISPATCH* hybrid_kem() noexcept;

/// The groups and signature schemes of TLS.
OSSL_FUNC_provider_get_capabilities_fn get_capabilities;

}  // namespace girih::provider
