/// The functions of one build of girih: the linked one, or a shared library loaded at run time.
#pragma once

#include <girih/girih.h>

#include <string>

namespace girih::lab {

/// Every function that is called here, by its name without `girih_`. Older builds lack the second
/// list.
// clang-format off
#define GIRIH_LAB_FUNCTIONS(DO) \
    DO(algorithm) DO(algorithm_at) DO(engine) DO(engine_reason) DO(error_text) DO(name) DO(is_kem) \
    DO(has_mu) DO(seed_bytes) DO(public_key_bytes) DO(secret_key_bytes) DO(signature_bytes) \
    DO(ciphertext_bytes) DO(shared_secret_bytes) DO(keygen_from_seed) DO(public_key) DO(sign) DO(verify) \
    DO(encapsulate) DO(decapsulate) DO(signing_key_size) DO(verifying_key_size) DO(prepare_signing_key) \
    DO(prepare_verifying_key) DO(sign_prepared) DO(verify_prepared) DO(keygen_many) DO(sign_many) \
    DO(verify_many)
#define GIRIH_LAB_NEWER_FUNCTIONS(DO) \
    DO(falcon_reference_keygen) DO(encapsulation_key_size) DO(decapsulation_key_size) \
    DO(prepare_encapsulation_key) DO(prepare_decapsulation_key) DO(encapsulate_prepared) \
    DO(decapsulate_prepared) DO(encapsulate_many) DO(decapsulate_many)
// clang-format on

/// The functions of a build. Its algorithms have to come from the same build.
struct Functions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member
#define GIRIH_LAB_DECLARE(function) decltype(&girih_##function) function = nullptr;
    GIRIH_LAB_FUNCTIONS(GIRIH_LAB_DECLARE)
    GIRIH_LAB_NEWER_FUNCTIONS(GIRIH_LAB_DECLARE)
#undef GIRIH_LAB_DECLARE

    /// The functions that the program is linked with.
    [[nodiscard]] static Functions linked();
    /// The functions of a shared library, which stays loaded until the program ends.
    [[nodiscard]] static Functions of(const std::string& path);
};

}  // namespace girih::lab
