#include "api/algorithm.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "ml_dsa/hashing/pre_hash.hpp"

namespace {

using namespace girih;
using api::Scheme;

constexpr girih_alg ml_dsa_algorithm(const char* name, const ml_dsa::Params& p)
{
    const auto place = std::find(ml_dsa::parameter_sets.begin(), ml_dsa::parameter_sets.end(), p);
    return {name,
            Scheme::ml_dsa,
            static_cast<std::size_t>(place - ml_dsa::parameter_sets.begin()),
            p.public_key_bytes(),
            p.secret_key_bytes(),
            p.signature_bytes(),
            0};
}

constexpr girih_alg ntru_prime_algorithm(const char* name, const ntru_prime::Params& p)
{
    const auto place = std::find(ntru_prime::parameter_sets.begin(), ntru_prime::parameter_sets.end(), p);
    return {name,
            Scheme::ntru_prime,
            static_cast<std::size_t>(place - ntru_prime::parameter_sets.begin()),
            p.public_key_bytes(),
            p.secret_key_bytes(),
            0,
            p.ciphertext_bytes()};
}

constexpr girih_alg falcon_algorithm(const char* name, const falcon::Params& p)
{
    const auto place = std::find(falcon::parameter_sets.begin(), falcon::parameter_sets.end(), p);
    return {name,
            Scheme::falcon,
            static_cast<std::size_t>(place - falcon::parameter_sets.begin()),
            p.public_key_bytes(),
            p.secret_key_bytes(),
            p.signature_bytes(),
            0};
}

constexpr std::array algorithms{
    ml_dsa_algorithm("ML-DSA-44", ml_dsa::ml_dsa_44),
    ml_dsa_algorithm("ML-DSA-65", ml_dsa::ml_dsa_65),
    ml_dsa_algorithm("ML-DSA-87", ml_dsa::ml_dsa_87),
    ml_dsa_algorithm("Dilithium2", ml_dsa::dilithium2),
    ml_dsa_algorithm("Dilithium3", ml_dsa::dilithium3),
    ml_dsa_algorithm("Dilithium5", ml_dsa::dilithium5),
    falcon_algorithm("Falcon-512", falcon::falcon_512),
    falcon_algorithm("Falcon-1024", falcon::falcon_1024),
    falcon_algorithm("Falcon-padded-512", falcon::falcon_padded_512),
    falcon_algorithm("Falcon-padded-1024", falcon::falcon_padded_1024),
    falcon_algorithm("Falcon-CT-512", falcon::falcon_ct_512),
    falcon_algorithm("Falcon-CT-1024", falcon::falcon_ct_1024),
    ntru_prime_algorithm("sntrup653", ntru_prime::sntrup653),
    ntru_prime_algorithm("sntrup761", ntru_prime::sntrup761),
    ntru_prime_algorithm("sntrup857", ntru_prime::sntrup857),
    ntru_prime_algorithm("sntrup953", ntru_prime::sntrup953),
    ntru_prime_algorithm("sntrup1013", ntru_prime::sntrup1013),
    ntru_prime_algorithm("sntrup1277", ntru_prime::sntrup1277),
    ntru_prime_algorithm("ntrulpr653", ntru_prime::ntrulpr653),
    ntru_prime_algorithm("ntrulpr761", ntru_prime::ntrulpr761),
    ntru_prime_algorithm("ntrulpr857", ntru_prime::ntrulpr857),
    ntru_prime_algorithm("ntrulpr953", ntru_prime::ntrulpr953),
    ntru_prime_algorithm("ntrulpr1013", ntru_prime::ntrulpr1013),
    ntru_prime_algorithm("ntrulpr1277", ntru_prime::ntrulpr1277),
};

}  // namespace

const girih_alg* girih_algorithm(const char* name)
{
    if (name == nullptr) return nullptr;
    for (const girih_alg& alg : algorithms)
        if (same_name(alg.name, name)) return &alg;
    return nullptr;
}

const girih_alg* girih_algorithm_at(size_t index)
{
    return index < algorithms.size() ? &algorithms[index] : nullptr;
}

const char* girih_name(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->name; }

int girih_is_kem(const girih_alg* alg) { return alg != nullptr && alg->is_kem() ? 1 : 0; }

size_t girih_seed_bytes(const girih_alg* alg)
{
    if (alg == nullptr) return 0;
    return alg->is_falcon() ? falcon::seed_bytes : ml_dsa::seed_bytes;
}

size_t girih_public_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->public_key_bytes; }

size_t girih_secret_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->secret_key_bytes; }

size_t girih_signature_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->signature_bytes; }

size_t girih_ciphertext_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->ciphertext_bytes; }

size_t girih_shared_secret_bytes(const girih_alg* alg)
{
    return alg != nullptr && alg->is_kem() ? ntru_prime::shared_secret_bytes : 0;
}

int girih_has_context(const girih_alg* alg)
{
    return alg != nullptr && alg->scheme == Scheme::ml_dsa && alg->ml_dsa_params().has_context() ? 1 : 0;
}

int girih_has_mu(const girih_alg* alg) { return alg != nullptr && alg->scheme == Scheme::ml_dsa ? 1 : 0; }

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
    switch (error) {
        case GIRIH_OK:
            return "no error";
        case GIRIH_ERROR_ARGUMENT:
            return "a pointer or an algorithm is missing, or the algorithm is of another kind";
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
        case GIRIH_ERROR_PUBLIC_KEY:
            return "the public key is malformed";
        case GIRIH_ERROR_OVERLAP:
            return "two outputs share memory, or an output and what it may not lie in";
        case GIRIH_ERROR_FAULT:
            return "what was made failed its own check: the processor or the memory erred";
        case GIRIH_ERROR_ENGINE:
            return girih::engines::selected().engine == nullptr
                       ? girih_engine_reason()
                       : "no engine of that name runs on this processor";
        default:
            return "not an error of girih";
    }
}
