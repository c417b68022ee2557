/// OpenSSL's tables of functions, and the provider's.
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

/// An entry of a table. The caller names OpenSSL's type of the function, `OSSL_FUNC_..._fn`, so
/// that a function of another type does not compile.
template <class Function>
OSSL_DISPATCH entry(int identity, std::type_identity_t<Function>* function) noexcept
{
    return {identity, reinterpret_cast<void (*)()>(function)};
}

inline constexpr OSSL_DISPATCH end_of_dispatch{0, nullptr};

/// Table functions: makes a T for the core from the provider and further values; null if out of
/// memory.
template <class T, class... Values>
void* make(void* provctx, const Values&... values) noexcept
{
    const auto& provider = *static_cast<const Provider*>(provctx);
    return guarded(provider, [&]() -> void* { return new T{provider, values...}; });
}

/// Duplicates a T.
template <class T>
void* duplicate(void* object) noexcept
{
    const T& from = *static_cast<const T*>(object);
    return guarded(from.provider, [&]() -> void* { return new T(from); });
}

/// Frees a T.
template <class T>
void destroy(void* object) noexcept
{
    delete static_cast<T*>(object);
}

/// A row of an operation's table of algorithms.
inline OSSL_ALGORITHM row_of(const Algorithm& algorithm, const OSSL_DISPATCH* functions,
                             const char* properties = "provider=girih")
{
    return {algorithm.names, properties, functions, algorithm.name};
}
inline OSSL_ALGORITHM row_of(const HybridGroup& group, const OSSL_DISPATCH* functions)
{
    return {group.name, "provider=girih", functions, group.description};
}

/// The rows row(0) ... row(n - 1), with arguments of type std::integral_constant, and the end.
template <std::size_t n, class MakeRow>
std::array<OSSL_ALGORITHM, n + 1> rows_and_end(const MakeRow& row)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{row(std::integral_constant<std::size_t, i>{})..., OSSL_ALGORITHM{}};
    }(std::make_index_sequence<n>{});
}

/// A table of operations, from its first row; if the provider has no composites, without their
/// rows. Each composite has `rows_each` rows.
inline const OSSL_ALGORITHM* known_rows(const Provider& provider, const OSSL_ALGORITHM* rows,
                                        std::size_t rows_each = 1) noexcept
{
    return rows + (provider.has_composites() ? 0 : composite_count * rows_each);
}

/// The provider's algorithms for each operation of OpenSSL.
const OSSL_ALGORITHM* key_managers(const Provider& provider) noexcept;
const OSSL_ALGORITHM* signatures(const Provider& provider) noexcept;
const OSSL_ALGORITHM* kems() noexcept;
const OSSL_ALGORITHM* encoders(const Provider& provider) noexcept;
const OSSL_ALGORITHM* decoders(const Provider& provider) noexcept;

/// The parameter of every key manager by which TLS passes a peer's share.
OSSL_FUNC_keymgmt_settable_params_fn settable_share;

/// The functions of hybrid_groups[index], and those of all hybrid groups.
template <std::size_t index>
const OSSL_DISPATCH* hybrid_key_manager() noexcept;
const OSSL_DISPATCH* hybrid_kem() noexcept;

/// The groups and signature schemes of TLS.
OSSL_FUNC_provider_get_capabilities_fn get_capabilities;

}  // namespace girih::provider
