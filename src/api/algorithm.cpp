#include "api/algorithm.hpp"

#include <array>

#include "core/text.hpp"
#include "ml_dsa/pre_hash.hpp"

namespace {

using namespace girih::ml_dsa;

constexpr std::array algorithms{
    girih_alg{"ML-DSA-44", 0},  girih_alg{"ML-DSA-65", 1},  girih_alg{"ML-DSA-87", 2},
    girih_alg{"Dilithium2", 3}, girih_alg{"Dilithium3", 4}, girih_alg{"Dilithium5", 5},
};
static_assert(algorithms[0].params() == ml_dsa_44 && algorithms[1].params() == ml_dsa_65);
static_assert(algorithms[2].params() == ml_dsa_87 && algorithms[3].params() == dilithium2);
static_assert(algorithms[4].params() == dilithium3 && algorithms[5].params() == dilithium5);

}  // namespace

const girih_alg* girih_algorithm(const char* name)
{
    if (name == nullptr) return nullptr;
    for (const girih_alg& alg : algorithms)
        if (girih::same_name(alg.name, name)) return &alg;
    return nullptr;
}

const girih_alg* girih_algorithm_at(size_t index)
{
    return index < algorithms.size() ? &algorithms[index] : nullptr;
}

const char* girih_name(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->name; }

size_t girih_seed_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : seed_bytes; }

size_t girih_public_key_bytes(const girih_alg* alg)
{
    return alg == nullptr ? 0 : alg->params().public_key_bytes();
}

size_t girih_secret_key_bytes(const girih_alg* alg)
{
    return alg == nullptr ? 0 : alg->params().secret_key_bytes();
}

size_t girih_signature_bytes(const girih_alg* alg)
{
    return alg == nullptr ? 0 : alg->params().signature_bytes();
}

int girih_has_context(const girih_alg* alg) { return alg != nullptr && alg->params().has_context() ? 1 : 0; }

const char* girih_pre_hash_at(size_t index)
{
    return index < pre_hash_functions.size() ? pre_hash_functions[index].name : nullptr;
}

const char* girih_engine(void)
{
    const girih::dispatch::Selection selection = girih::dispatch::selected();
    return selection.engine == nullptr ? nullptr : selection.engine->name.data();
}

const char* girih_engine_reason(void) { return girih::dispatch::selected().reason; }

const char* girih_error_text(int error)
{
    switch (error) {
        case GIRIH_OK:
            return "no error";
        case GIRIH_ERROR_ARGUMENT:
            return "a pointer or an algorithm is missing";
        case GIRIH_ERROR_LENGTH:
            return "a buffer has a length that the algorithm does not have";
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
        case GIRIH_ERROR_ENGINE:
            return girih::dispatch::selected().engine == nullptr
                       ? girih_engine_reason()
                       : "no engine of that name runs on this processor";
        default:
            return "not an error of girih";
    }
}
