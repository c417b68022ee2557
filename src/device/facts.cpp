/// Facts about the library and its algorithms.
#include "api/error_text.hpp"
#include "device/algorithm.hpp"

const char* girih_version(void) { return GIRIH_VERSION; }

const char* girih_name(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->name; }
int girih_is_kem(const girih_alg* alg) { return alg != nullptr && alg->kem != nullptr ? 1 : 0; }
int girih_has_context(const girih_alg* alg) { return alg != nullptr && alg->has_context ? 1 : 0; }
int girih_has_mu(const girih_alg* alg) { return alg != nullptr && alg->ml_dsa != nullptr ? 1 : 0; }

size_t girih_seed_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->seed_bytes; }
size_t girih_public_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->public_key_bytes; }
size_t girih_secret_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->secret_key_bytes; }
size_t girih_signature_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->signature_bytes; }
size_t girih_ciphertext_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->ciphertext_bytes; }
size_t girih_shared_secret_bytes(const girih_alg* alg)
{
    return girih_is_kem(alg) == 1 ? girih::device::kem_secret_bytes : 0;
}

// HashML-DSA's pre-hashes are not in this library.
const char* girih_pre_hash_at(size_t) { return nullptr; }
size_t girih_pre_hash_strength(const char*) { return 0; }

const char* girih_engine(void) { return GIRIH_DEVICE_ENGINE; }
const char* girih_engine_reason(void) { return "the one engine of the library for devices"; }

const char* girih_error_text(int error) { return girih::api::error_text(error); }
