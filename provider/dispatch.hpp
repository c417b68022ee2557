/// Tables of functions as OpenSSL takes them, and those that the provider has.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "provider/algorithms.hpp"
#include "provider/context.hpp"

namespace girih::provider {

/// An entry of a table. OpenSSL declares a type for each function, `OSSL_FUNC_..._fn`, and the
/// caller names it, so that a function of another type does not compile.
template <class Function>
OSSL_DISPATCH entry(int identity, std::type_identity_t<Function>* function) noexcept
{
    return {identity, reinterpret_cast<void (*)()>(function)};
}

inline constexpr OSSL_DISPATCH end_of_dispatch{0, nullptr};

/// Functions of tables: a T is made for the core, of the provider and what else is in it; null if
/// there is too little memory.
template <class T, class... Values>
void* make(void* provctx, const Values&... values) noexcept
{
    const auto& provider = *static_cast<const Provider*>(provctx);
    return guarded(provider, [&]() -> void* { return new T{provider, values...}; });
}

/// A second one.
template <class T>
void* duplicate(void* object) noexcept
{
    const T& from = *static_cast<const T*>(object);
    return guarded(from.provider, [&]() -> void* { return new T(from); });
}

/// It ends.
template <class T>
void destroy(void* object) noexcept
{
    delete static_cast<T*>(object);
}

/// A row of the algorithms that have an operation.
inline OSSL_ALGORITHM row_of(const Algorithm& algorithm, const OSSL_DISPATCH* functions,
                             const char* properties = "provider=girih")
{
    return {algorithm.names, properties, functions, algorithm.name};
}
inline OSSL_ALGORITHM hybrid_row(const OSSL_DISPATCH* functions)
{
    return {hybrid_name, "provider=girih", functions, "ML-KEM-768 and X25519"};
}

/// The rows that `row` makes of 0 ... n - 1 (each as a std::integral_constant), and the end.
template <std::size_t n, class MakeRow>
std::array<OSSL_ALGORITHM, n + 1> rows_and_end(const MakeRow& row)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{row(std::integral_constant<std::size_t, i>{})..., OSSL_ALGORITHM{}};
    }(std::make_index_sequence<n>{});
}

/// What each operation of OpenSSL has of the provider.
const OSSL_ALGORITHM* key_managers() noexcept;
const OSSL_ALGORITHM* signatures() noexcept;
const OSSL_ALGORITHM* kems() noexcept;
const OSSL_ALGORITHM* encoders() noexcept;
const OSSL_ALGORITHM* decoders() noexcept;

/// The parameter in which TLS hands over a peer's share, of every key manager.
OSSL_FUNC_keymgmt_settable_params_fn settable_share;

/// Of the hybrid group.
const OSSL_DISPATCH* hybrid_key_manager() noexcept;
const OSSL_DISPATCH* hybrid_kem() noexcept;

/// The groups and signature schemes of TLS.
OSSL_FUNC_provider_get_capabilities_fn get_capabilities;

}  // namespace girih::provider
