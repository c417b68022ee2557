/// The functions of girih.h that return an algorithm's name and sizes. The library and the one for
/// devices each include this text once, after their definition of girih_alg.
#pragma once

#include <girih/girih.h>

// NOLINTBEGIN(misc-definitions-in-headers)

const char* girih_version(void) { return GIRIH_VERSION; }

const char* girih_name(const girih_alg* alg) { return alg == nullptr ? nullptr : alg->name; }
int girih_is_kem(const girih_alg* alg) { return alg != nullptr && alg->kem != nullptr ? 1 : 0; }
int girih_has_context(const girih_alg* alg) { return alg != nullptr && alg->has_context ? 1 : 0; }
int girih_has_mu(const girih_alg* alg) { return alg != nullptr && alg->has_mu ? 1 : 0; }

size_t girih_seed_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->seed_bytes; }
size_t girih_public_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->public_key_bytes; }
size_t girih_secret_key_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->secret_key_bytes; }
size_t girih_signature_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->signature_bytes; }
size_t girih_ciphertext_bytes(const girih_alg* alg) { return alg == nullptr ? 0 : alg->ciphertext_bytes; }
size_t girih_shared_secret_bytes(const girih_alg* alg)
{
    return alg == nullptr || alg->kem == nullptr ? 0 : alg->kem->shared_secret_bytes;
}

// NOLINTEND(misc-definitions-in-headers)
