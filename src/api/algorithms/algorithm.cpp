#include "api/algorithms/algorithm.hpp"

#include "core/text.hpp"
#include "engines/list.hpp"
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

const char* girih_engine_at(size_t index)
{
    const auto all = girih::engines::candidates();
    return index < all.size() ? all[index].engine->name.data() : nullptr;
}

const char* girih_engine_reason(void) { return girih::engines::selected().reason; }

const char* girih_error_text(int error)
{
    switch (error) {
        case GIRIH_OK:
            return "no error";
        case GIRIH_ERROR_ARGUMENT:
            return "a pointer or an algorithm is missing, the algorithm is of another kind, or an option is "
                   "unknown";
        case GIRIH_ERROR_LENGTH:
            return "a buffer's length does not fit the algorithm";
        case GIRIH_ERROR_CONTEXT:
            return "the context is over 255 bytes, or the algorithm takes none";
        case GIRIH_ERROR_PRE_HASH:
            return "the pre-hash is unknown, or the algorithm takes none";
        case GIRIH_ERROR_SECRET_KEY:
            return "the secret key is malformed";
        case GIRIH_ERROR_KEY_MISMATCH:
            return "the parts of the key contradict each other";
        case GIRIH_ERROR_SIGNATURE:
            return "the signature does not verify";
        case GIRIH_ERROR_RANDOM:
            return "the source of randomness failed";
        case GIRIH_ERROR_ATTEMPTS:
            return "signing gave up after too many rejected attempts";
        case GIRIH_ERROR_PUBLIC_KEY:
            return "the public key is malformed";
        case GIRIH_ERROR_OVERLAP:
            return "two outputs share memory, or an output lies where it may not";
        case GIRIH_ERROR_FAULT:
            return "a result failed its own check: the processor or the memory erred";
        case GIRIH_ERROR_MEMORY:
            return "there is too little memory";
        case GIRIH_ERROR_ENGINE:
            return girih::engines::selected().engine == nullptr
                       ? girih_engine_reason()
                       : "no engine of that name runs on this processor";
        default:
            return "not an error of girih";
    }
}
