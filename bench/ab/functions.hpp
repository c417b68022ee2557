/// The functions of a shared library that is loaded when the program runs.
#pragma once

#include <girih/girih.h>

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace girih::ab {

/// The functions of one build. (An algorithm is what its own build makes of it, so that
/// is asked as well.)
struct Functions {
    decltype(&girih_algorithm_at) algorithm_at = nullptr;
    decltype(&girih_engine) engine = nullptr;
    decltype(&girih_error_text) error_text = nullptr;
    decltype(&girih_name) name = nullptr;
    decltype(&girih_is_kem) is_kem = nullptr;
    decltype(&girih_has_mu) has_mu = nullptr;
    decltype(&girih_seed_bytes) seed_bytes = nullptr;
    decltype(&girih_public_key_bytes) public_key_bytes = nullptr;
    decltype(&girih_secret_key_bytes) secret_key_bytes = nullptr;
    decltype(&girih_signature_bytes) signature_bytes = nullptr;
    decltype(&girih_ciphertext_bytes) ciphertext_bytes = nullptr;
    decltype(&girih_shared_secret_bytes) shared_secret_bytes = nullptr;
    decltype(&girih_keygen_from_seed) keygen_from_seed = nullptr;
    decltype(&girih_public_key) public_key = nullptr;
    decltype(&girih_sign) sign = nullptr;
    decltype(&girih_verify) verify = nullptr;
    decltype(&girih_encapsulate) encapsulate = nullptr;
    decltype(&girih_decapsulate) decapsulate = nullptr;
    decltype(&girih_signing_key_size) signing_key_size = nullptr;
    decltype(&girih_verifying_key_size) verifying_key_size = nullptr;
    decltype(&girih_prepare_signing_key) prepare_signing_key = nullptr;
    decltype(&girih_prepare_verifying_key) prepare_verifying_key = nullptr;
    decltype(&girih_sign_prepared) sign_prepared = nullptr;
    decltype(&girih_verify_prepared) verify_prepared = nullptr;
    decltype(&girih_keygen_many) keygen_many = nullptr;
    decltype(&girih_sign_many) sign_many = nullptr;
    decltype(&girih_verify_many) verify_many = nullptr;
    // Null in a build from before there were these.
    decltype(&girih_encapsulation_key_size) encapsulation_key_size = nullptr;
    decltype(&girih_decapsulation_key_size) decapsulation_key_size = nullptr;
    decltype(&girih_prepare_encapsulation_key) prepare_encapsulation_key = nullptr;
    decltype(&girih_prepare_decapsulation_key) prepare_decapsulation_key = nullptr;
    decltype(&girih_encapsulate_prepared) encapsulate_prepared = nullptr;
    decltype(&girih_decapsulate_prepared) decapsulate_prepared = nullptr;
    decltype(&girih_encapsulate_many) encapsulate_many = nullptr;
    decltype(&girih_decapsulate_many) decapsulate_many = nullptr;

    [[nodiscard]] bool has_kem_batches() const { return decapsulate_many != nullptr; }
    [[nodiscard]] bool has_prepared_kem_keys(const girih_alg* alg) const
    {
        return has_kem_batches() && encapsulation_key_size(alg) != 0;
    }

    explicit Functions(const std::string& path)
    {
        void* const library = dlopen(std::filesystem::absolute(path).c_str(),
                                     RTLD_NOW | RTLD_LOCAL);  // for as long as the program runs
        if (library == nullptr) throw std::runtime_error(dlerror());
        const auto find_if_there = [library](auto*& function, const char* symbol) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
        };
        const auto find = [&](auto*& function, const char* symbol) {
            find_if_there(function, symbol);
            if (function == nullptr) throw std::runtime_error(dlerror());
        };
        find(algorithm_at, "girih_algorithm_at");
        find(engine, "girih_engine");
        find(error_text, "girih_error_text");
        find(name, "girih_name");
        find(is_kem, "girih_is_kem");
        find(has_mu, "girih_has_mu");
        find(seed_bytes, "girih_seed_bytes");
        find(public_key_bytes, "girih_public_key_bytes");
        find(secret_key_bytes, "girih_secret_key_bytes");
        find(signature_bytes, "girih_signature_bytes");
        find(ciphertext_bytes, "girih_ciphertext_bytes");
        find(shared_secret_bytes, "girih_shared_secret_bytes");
        find(keygen_from_seed, "girih_keygen_from_seed");
        find(public_key, "girih_public_key");
        find(sign, "girih_sign");
        find(verify, "girih_verify");
        find(encapsulate, "girih_encapsulate");
        find(decapsulate, "girih_decapsulate");
        find(signing_key_size, "girih_signing_key_size");
        find(verifying_key_size, "girih_verifying_key_size");
        find(prepare_signing_key, "girih_prepare_signing_key");
        find(prepare_verifying_key, "girih_prepare_verifying_key");
        find(sign_prepared, "girih_sign_prepared");
        find(verify_prepared, "girih_verify_prepared");
        find(keygen_many, "girih_keygen_many");
        find(sign_many, "girih_sign_many");
        find(verify_many, "girih_verify_many");
        find_if_there(encapsulation_key_size, "girih_encapsulation_key_size");
        find_if_there(decapsulation_key_size, "girih_decapsulation_key_size");
        find_if_there(prepare_encapsulation_key, "girih_prepare_encapsulation_key");
        find_if_there(prepare_decapsulation_key, "girih_prepare_decapsulation_key");
        find_if_there(encapsulate_prepared, "girih_encapsulate_prepared");
        find_if_there(decapsulate_prepared, "girih_decapsulate_prepared");
        find_if_there(encapsulate_many, "girih_encapsulate_many");
        find_if_there(decapsulate_many, "girih_decapsulate_many");
    }
};

inline void check(const Functions& girih, int result)
{
    if (result != GIRIH_OK) throw std::runtime_error(girih.error_text(result));
}

}  // namespace girih::ab
