/// The provider's entry point: OSSL_provider_init.

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "provider/algorithms.hpp"
#include "provider/context.hpp"
#include "provider/dispatch.hpp"

namespace girih::provider {
namespace {

constexpr const char* name = "girih provider";

const OSSL_PARAM* gettable_params(void*)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, nullptr, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, nullptr, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, nullptr, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, nullptr),
        OSSL_PARAM_END,
    };
    return known;
}

/// The version is girih's; the build information is the selected engine.
int get_params(void*, OSSL_PARAM params[])
{
    const char* engine = girih_engine();
    const auto set = [params](const char* key, const char* value) {
        OSSL_PARAM* param = OSSL_PARAM_locate(params, key);
        return param == nullptr || OSSL_PARAM_set_utf8_ptr(param, value) == 1;
    };
    OSSL_PARAM* status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    return set(OSSL_PROV_PARAM_NAME, name) && set(OSSL_PROV_PARAM_VERSION, GIRIH_VERSION) &&
                   set(OSSL_PROV_PARAM_BUILDINFO, engine != nullptr ? engine : "no engine runs") &&
                   (status == nullptr || OSSL_PARAM_set_int(status, engine != nullptr ? 1 : 0) == 1)
               ? 1
               : 0;
}

const OSSL_ALGORITHM* query_operation(void* provctx, int operation, int* no_cache)
{
    const auto& provider = *static_cast<const Provider*>(provctx);
    *no_cache = 0;
    switch (operation) {
        case OSSL_OP_KEYMGMT:
            return key_managers(provider);
        case OSSL_OP_SIGNATURE:
            return signatures(provider);
        case OSSL_OP_KEM:
            return kems();
        case OSSL_OP_ENCODER:
            return encoders(provider);
        case OSSL_OP_DECODER:
            return decoders(provider);
        default:
            return nullptr;
    }
}

const OSSL_ITEM* get_reason_strings(void*) { return reason_strings(); }

const OSSL_DISPATCH* functions()
{
    static const OSSL_DISPATCH table[] = {
        entry<OSSL_FUNC_provider_teardown_fn>(OSSL_FUNC_PROVIDER_TEARDOWN, destroy<Provider>),
        entry<OSSL_FUNC_provider_gettable_params_fn>(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
        entry<OSSL_FUNC_provider_get_params_fn>(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
        entry<OSSL_FUNC_provider_query_operation_fn>(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
        entry<OSSL_FUNC_provider_get_reason_strings_fn>(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS,
                                                        get_reason_strings),
        entry<OSSL_FUNC_provider_get_capabilities_fn>(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, get_capabilities),
        end_of_dispatch,
    };
    return table;
}

}  // namespace
}  // namespace girih::provider

extern "C" GIRIH_API int OSSL_provider_init(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in,
                                            const OSSL_DISPATCH** out, void** provctx)
{
    using namespace girih::provider;
    try {
        auto provider = std::make_unique<Provider>(handle, in);
        if (!provider->is_usable()) return 0;
        for (std::size_t i = provider->has_composites() ? 0 : composite_count; i < algorithm_count; ++i) {
            const Algorithm& algorithm = algorithm_at(i);
            if (!provider->register_identifier(algorithm))
                return provider->fail(Reason::algorithm, std::string(algorithm.name) + " has no identifier");
        }
        *out = functions();
        *provctx = provider.release();
        return 1;
    } catch (const std::bad_alloc&) {
        return 0;
    }
}
