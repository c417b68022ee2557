#include "api/algorithms/algorithm.hpp"

#include "api/error_text.hpp"
#include "core/text.hpp"
#include "ml_dsa/hashing/pre_hash.hpp"

using namespace girih;

const char* girih_version(void) { return GIRIH_VERSION; }

const char* girih_name(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->name; }

int girih_is_kem(const girih_alg* alg) { return alg != nullptr && alg->kem != nullptr ? 1 : 0; }

size_t girih_seed_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->seed_bytes; }

size_t girih_public_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->public_key_bytes; }

size_t girih_secret_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->secret_key_bytes; }

size_t girih_signature_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->signature_bytes; }

size_t girih_ciphertext_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->ciphertext_bytes; }

size_t girih_shared_secret_bytes(const girih_alg* alg)
{
    return alg == nullptr || alg->kem == nullptr ? 0 : alg->kem->shared_secret_bytes;
}

int girih_has_context(const girih_alg* alg) { return alg != nullptr && alg->has_context ? 1 : 0; }

int girih_has_mu(const girih_alg* alg) { return alg != nullptr && alg->has_mu ? 1 : 0; }

const char* girih_pre_hash_at(size_t index)
{
    return index < ml_dsa::pre_hash_functions.size() ? ml_dsa::pre_hash_functions[index].name : nullptr;
}

size_t girih_pre_hash_strength(const char* name)
{
    if (name == nullptr) return 0;
    for (const ml_dsa::PreHashFunction& function : ml_dsa::pre_hash_functions)
        if (same_name(function.name, name)) return function.strength();
    return 0;
}

const char* girih_engine(void)
{
    const girih::engines::Selection selection = girih::engines::selected();
    return selection.engine == nullptr ? nullptr : selection.engine->name.data();
}

const char* girih_engine_reason(void) { return girih::engines::selected().reason; }

const char* girih_error_text(int error)
{
    // Why no engine runs is known to the selection alone.
    if (error == GIRIH_ERROR_ENGINE && girih::engines::selected().engine == nullptr)
        return girih_engine_reason();
    return girih::api::error_text(error);
}
