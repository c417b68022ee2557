/// Key encapsulation. A changed ciphertext gives another secret, not an error.

#include <openssl/core_names.h>

#include "provider/composite.hpp"
#include "provider/dispatch.hpp"

namespace girih::provider {
namespace {

Operation& operation_of(void* context) { return *static_cast<Operation*>(context); }

template <std::size_t index>
void* new_context(void* provctx)
{
    return make<Operation>(provctx, kem_algorithms[index]);
}

template <bool decapsulates>
int begin(void* context, void* key, const OSSL_PARAM[])
{
    Operation& operation = operation_of(context);
    return guarded(operation.provider, [&] { return operation.take(key, decapsulates) ? 1 : 0; });
}

int encapsulate(void* context, unsigned char* ciphertext, std::size_t* ciphertext_bytes,
                unsigned char* secret, std::size_t* secret_bytes)
{
    const Operation& operation = operation_of(context);
    const girih_alg* alg = operation.algorithm.alg();
    const std::size_t in_ciphertext = provider::ciphertext_bytes(operation.algorithm);
    const std::size_t in_secret = girih_shared_secret_bytes(alg);
    if (!operation.key) return operation.provider.fail(Reason::no_key, "");
    return guarded(operation.provider, [&] {
        const bool only_lengths = ciphertext == nullptr;
        if (!only_lengths && secret == nullptr)
            return operation.provider.fail(Reason::parameter, "no secret");
        if (!only_lengths &&
            (!operation.provider.has_capacity("a ciphertext", ciphertext_bytes, in_ciphertext) ||
             !operation.provider.has_capacity("a shared secret", secret_bytes, in_secret)))
            return 0;
        if (ciphertext_bytes != nullptr) *ciphertext_bytes = in_ciphertext;
        if (secret_bytes != nullptr) *secret_bytes = in_secret;
        if (only_lengths) return 1;
        if (operation.algorithm.composite != nullptr)
            return encapsulate_composite(operation.provider, *operation.key, {ciphertext, in_ciphertext},
                                         {secret, in_secret})
                       ? 1
                       : 0;
        const Bytes& key = operation.key->parts.public_key;
        const int code = girih_encapsulate(alg, nullptr, key.data(), key.size(), ciphertext, in_ciphertext,
                                           secret, in_secret);
        return code == GIRIH_OK ? 1 : operation.provider.fail(code);
    });
}

int decapsulate(void* context, unsigned char* secret, std::size_t* secret_bytes,
                const unsigned char* ciphertext, std::size_t ciphertext_bytes)
{
    const Operation& operation = operation_of(context);
    const girih_alg* alg = operation.algorithm.alg();
    const std::size_t in_ciphertext = provider::ciphertext_bytes(operation.algorithm);
    const std::size_t in_secret = girih_shared_secret_bytes(alg);
    if (!operation.key) return operation.provider.fail(Reason::no_key, "");
    return guarded(operation.provider, [&] {
        if (secret != nullptr && !operation.provider.has_capacity("a shared secret", secret_bytes, in_secret))
            return 0;
        if (secret_bytes != nullptr) *secret_bytes = in_secret;
        if (secret == nullptr) return 1;
        if (ciphertext_bytes != in_ciphertext)
            return operation.provider.fail(Reason::ciphertext_length,
                                           "it has " + std::to_string(ciphertext_bytes) +
                                               " bytes, but one of " + operation.algorithm.name + " has " +
                                               std::to_string(in_ciphertext));
        if (operation.algorithm.composite != nullptr)
            return decapsulate_composite(operation.provider, *operation.key, {ciphertext, in_ciphertext},
                                         {secret, in_secret})
                       ? 1
                       : 0;
        const SecretBytes& key = operation.key->parts.expanded;
        const int code =
            girih_decapsulate(alg, key.data(), key.size(), ciphertext, ciphertext_bytes, secret, in_secret);
        return code == GIRIH_OK ? 1 : operation.provider.fail(code);
    });
}

template <std::size_t index>
const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_kem_newctx_fn>(OSSL_FUNC_KEM_NEWCTX, new_context<index>),
        entry<OSSL_FUNC_kem_freectx_fn>(OSSL_FUNC_KEM_FREECTX, destroy<Operation>),
        entry<OSSL_FUNC_kem_dupctx_fn>(OSSL_FUNC_KEM_DUPCTX, duplicate<Operation>),
        entry<OSSL_FUNC_kem_encapsulate_init_fn>(OSSL_FUNC_KEM_ENCAPSULATE_INIT, begin<false>),
        entry<OSSL_FUNC_kem_encapsulate_fn>(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate),
        entry<OSSL_FUNC_kem_decapsulate_init_fn>(OSSL_FUNC_KEM_DECAPSULATE_INIT, begin<true>),
        entry<OSSL_FUNC_kem_decapsulate_fn>(OSSL_FUNC_KEM_DECAPSULATE, decapsulate),
        end_of_dispatch,
    };
    return table;
}

}  // namespace

const OSSL_ALGORITHM* kems() noexcept
{
    static const auto table = rows_and_end<kem_algorithms.size() + hybrid_groups.size()>([](auto index) {
        if constexpr (index < kem_algorithms.size())
            return row_of(kem_algorithms[index], functions<index>());
        else
            return row_of(hybrid_groups[index - kem_algorithms.size()], hybrid_kem());
    });
    return table.data();
}

}  // namespace girih::provider
