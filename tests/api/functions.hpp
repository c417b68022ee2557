/// The functions of girih.h, and the use of each parameter. The tests of the interface
/// (functions_test.cpp) and the fuzz target of its calls (fuzz/calls.cpp) come from this table;
/// header_test.cpp compares it with the header.
#pragma once

#include <girih/girih.h>

#include <string_view>
#include <vector>

#include "api/invoke.hpp"

namespace girih::test {

/// The operation that an algorithm has to support, else GIRIH_ERROR_ALGORITHM.
enum class Ability {
    make_keys,       ///< not the algorithms that verify only
    reference_keys,  ///< Falcon
    sign,
    sign_mu,
    sign_pieces,  ///< Falcon
    sign_framed,  ///< Falcon-512 and Falcon-1024
    verify,       ///< with those that verify only
    verify_mu,    ///< ML-DSA and Dilithium
    verify_pieces,
    open_framed,
    encapsulate,
    prepare_kem,  ///< ML-KEM
};

/// The use of a parameter, or of a pointer with its length.
enum class Use {
    algorithm,
    source,        ///< null: the system's; may lie in an output
    options,       ///< null: the default; with all that they point to, they may lie in an output
    input,         ///< may lie in an output
    prepared_key,  ///< as input, but in batches GIRIH_ERROR_OVERLAP
    ended,         ///< a begun message that the call ends: zeros afterwards, or unchanged
    continued,     ///< a begun message that the call continues; nothing may lie in it
    output,        ///< zeroed by failure; shares no byte with another: GIRIH_ERROR_OVERLAP
    memory,        ///< an aligned output; after failure zeros, or unchanged
    absent,        ///< null and no bytes
};

/// The lengths that a pointer may have, and the errors of others.
enum class Lengths {
    none,
    any,
    exact,     ///< any other: GIRIH_ERROR_PUBLIC_KEY_LENGTH, _SECRET_KEY_LENGTH or _LENGTH
    capacity,  ///< a smaller one: GIRIH_ERROR_CAPACITY
    verdict,   ///< any other: GIRIH_ERROR_SIGNATURE
    framed,    ///< a smaller one: GIRIH_ERROR_SIGNATURE; above the message's capacity: GIRIH_ERROR_CAPACITY
    salted,    ///< less than a salt and two bytes: GIRIH_ERROR_SIGNATURE
    context,   ///< more than 255: GIRIH_ERROR_CONTEXT
};

/// The content of the memory, or what it has room for (Subject has an algorithm's).
enum class Content {
    nothing,
    seed,
    public_key,
    secret_key,
    message,
    mu,
    signature,
    mu_signature,
    ciphertext,
    shared_secret,
    signed_message,
    opened_message,
    context_alone,      ///< an argument; empty if the algorithm has none
    context_signature,  ///< with it, and the system's randomness
    length,
    context_signature_length,
    pointer,
    random,
    unasked_random,
    signing_options,
    mu_options,
    ending_options,
    verifying_options,
    context,
    pre_hash,
    signing_key,
    verifying_key,
    encapsulation_key,
    decapsulation_key,
    begun,
    begun_for_mu,
    begun_to_sign,
    begun_to_verify,
};

struct Role {
    std::string_view parameters;  ///< as the header declares them
    Use use;
    Content content = Content::nothing;
    Lengths lengths = Lengths::none;
};

namespace roles {

using enum Use;
using enum Lengths;

inline constexpr Role alg{"const girih_alg* alg", algorithm},
    random{"const girih_random* random", source, Content::random},
    unasked_random{"const girih_random* random", source, Content::unasked_random},
    seed{"const uint8_t* seed, size_t seed_bytes", input, Content::seed, exact},
    new_seed{"uint8_t* seed, size_t seed_bytes", output, Content::seed, exact},
    public_key{"const uint8_t* public_key, size_t public_key_bytes", input, Content::public_key, exact},
    new_public_key{"uint8_t* public_key, size_t public_key_bytes", output, Content::public_key, exact},
    secret_key{"const uint8_t* secret_key, size_t secret_key_bytes", input, Content::secret_key, exact},
    new_secret_key{"uint8_t* secret_key, size_t secret_key_bytes", output, Content::secret_key, exact},

    message{"const uint8_t* message, size_t message_bytes", input, Content::message, any},
    piece{"const uint8_t* piece, size_t piece_bytes", input, Content::message, any},
    mu{"const uint8_t* mu, size_t mu_bytes", input, Content::mu, exact},
    new_mu{"uint8_t* mu, size_t mu_bytes", output, Content::mu, exact},
    signing_options{"const girih_options* options", options, Content::signing_options},
    mu_options{"const girih_options* options", options, Content::mu_options},
    ending_options{"const girih_options* options", options, Content::ending_options},
    verifying_options{"const girih_options* options", options, Content::verifying_options},
    signature{"const uint8_t* signature, size_t signature_bytes", input, Content::signature, verdict},
    salted_signature{"const uint8_t* signature, size_t signature_bytes", input, Content::signature, salted},
    mu_signature{"const uint8_t* signature, size_t signature_bytes", input, Content::mu_signature, verdict},
    new_signature{"uint8_t* signature, size_t signature_capacity", output, Content::signature, capacity},
    signature_length{"size_t* signature_bytes", output, Content::length},

    context_alone{"const uint8_t* context, size_t context_bytes", input, Content::context_alone, context},
    context_signature{"const uint8_t* signature, size_t signature_bytes", input, Content::context_signature,
                      verdict},
    new_context_signature{"uint8_t* signature, size_t signature_capacity", output, Content::context_signature,
                          capacity},
    context_signature_length{"size_t* signature_bytes", output, Content::context_signature_length},

    ciphertext{"const uint8_t* ciphertext, size_t ciphertext_bytes", input, Content::ciphertext, exact},
    new_ciphertext{"uint8_t* ciphertext, size_t ciphertext_bytes", output, Content::ciphertext, exact},
    shared_secret{"uint8_t* shared_secret, size_t shared_secret_bytes", output, Content::shared_secret,
                  exact},

    signing_memory{"void* memory, size_t memory_bytes", memory, Content::signing_key, capacity},
    verifying_memory{"void* memory, size_t memory_bytes", memory, Content::verifying_key, capacity},
    encapsulation_memory{"void* memory, size_t memory_bytes", memory, Content::encapsulation_key, capacity},
    decapsulation_memory{"void* memory, size_t memory_bytes", memory, Content::decapsulation_key, capacity},
    new_signing_key{"girih_signing_key** key", output, Content::pointer},
    new_verifying_key{"girih_verifying_key** key", output, Content::pointer},
    new_encapsulation_key{"girih_encapsulation_key** key", output, Content::pointer},
    new_decapsulation_key{"girih_decapsulation_key** key", output, Content::pointer},
    signing_key{"const girih_signing_key* key", prepared_key, Content::signing_key},
    verifying_key{"const girih_verifying_key* key", prepared_key, Content::verifying_key},
    encapsulation_key{"const girih_encapsulation_key* key", prepared_key, Content::encapsulation_key},
    decapsulation_key{"const girih_decapsulation_key* key", prepared_key, Content::decapsulation_key},

    new_message_for_mu{"girih_message* message", output, Content::begun_for_mu},
    new_message_to_sign{"girih_message* message", output, Content::begun_to_sign},
    new_message_to_verify{"girih_message* message", output, Content::begun_to_verify},
    begun{"girih_message* message", continued, Content::begun},
    begun_for_mu{"girih_message* message", ended, Content::begun_for_mu},
    begun_to_sign{"girih_message* message", ended, Content::begun_to_sign},
    begun_to_verify{"girih_message* message", ended, Content::begun_to_verify},

    signed_message{"const uint8_t* signed_message, size_t signed_message_bytes", input,
                   Content::signed_message, framed},
    new_signed_message{"uint8_t* signed_message, size_t signed_message_capacity", output,
                       Content::signed_message, capacity},
    signed_message_length{"size_t* signed_message_bytes", output, Content::length},
    opened_message{"uint8_t* message, size_t message_capacity", output, Content::opened_message, capacity},
    opened_length{"size_t* message_bytes", output, Content::length},

    engine_in_use{"const char* engine", absent};

/// A member of a row that is left out in favour of another.
constexpr Role no(const Role& role) { return {role.parameters, absent}; }

}  // namespace roles

/// A function; or one row of a batch: the algorithm, and the members that the caller sets.
struct Function {
    std::string_view name;
    int (*call)(Words);
    Ability ability;
    std::vector<Role> roles;
    const Batch* batch = nullptr;
};

template <auto function, class... Roles>
Function single(std::string_view name, Ability ability, const Roles&... roles)
{
    return {name, call<function>, ability, {roles...}};
}
template <auto many, class... Roles>
Function row(std::string_view name, Ability ability, const Roles&... roles)
{
    return {name, call_row<many>, ability, {roles...}, &batch<many>};
}
/// A prepared key on the heap, which is freed at once.
template <auto make, auto free, class Key>
int make_and_free(const girih_alg* alg, const uint8_t* from, size_t from_bytes, Key** key)
{
    const int error = make(alg, from, from_bytes, key);
    if (error == GIRIH_OK) free(*key);
    return error;
}

#define GIRIH_NEW(kind, ...)                                                                      \
    single<make_and_free<girih_prepare_##kind##_new, girih_prepare_##kind##_free, girih_##kind>>( \
        "girih_prepare_" #kind "_new", __VA_ARGS__)
#define GIRIH_SINGLE(function, ...) single<function>(#function, __VA_ARGS__)
#define GIRIH_ROW(function, ...) row<function>(#function, __VA_ARGS__)

inline std::vector<Function> all_functions()
{
    using namespace roles;
    using enum Ability;
    return {
        GIRIH_SINGLE(girih_keygen, make_keys, alg, random, new_public_key, new_secret_key),
        GIRIH_SINGLE(girih_keygen_checked, make_keys, alg, random, new_public_key, new_secret_key),
        GIRIH_SINGLE(girih_draw_seed, make_keys, alg, random, new_seed),
        GIRIH_SINGLE(girih_keygen_from_seed, make_keys, alg, seed, new_public_key, new_secret_key),
        GIRIH_SINGLE(girih_falcon_reference_keygen, reference_keys, alg, seed, new_public_key,
                     new_secret_key),
        GIRIH_SINGLE(girih_public_key, make_keys, alg, secret_key, new_public_key),

        GIRIH_SINGLE(girih_sign, sign, alg, secret_key, message, signing_options, new_signature,
                     signature_length),
        GIRIH_SINGLE(girih_verify, verify, alg, public_key, message, verifying_options, signature),
        GIRIH_SINGLE(girih_sign_with_context, sign, alg, secret_key, context_alone, message,
                     new_context_signature, context_signature_length),
        GIRIH_SINGLE(girih_verify_with_context, verify, alg, public_key, context_alone, message,
                     context_signature),
        GIRIH_SINGLE(girih_sign_mu, sign_mu, alg, secret_key, mu, mu_options, new_signature,
                     signature_length),
        GIRIH_SINGLE(girih_verify_mu, verify_mu, alg, public_key, mu, mu_signature),

        GIRIH_SINGLE(girih_encapsulate, encapsulate, alg, random, public_key, new_ciphertext, shared_secret),
        GIRIH_SINGLE(girih_decapsulate, encapsulate, alg, secret_key, ciphertext, shared_secret),
        GIRIH_SINGLE(girih_decapsulate_checked, encapsulate, alg, secret_key, ciphertext, shared_secret),

        GIRIH_SINGLE(girih_prepare_signing_key, sign, alg, secret_key, signing_memory, new_signing_key),
        GIRIH_SINGLE(girih_prepare_verifying_key, verify, alg, public_key, verifying_memory,
                     new_verifying_key),
        GIRIH_SINGLE(girih_sign_prepared, sign, signing_key, message, signing_options, new_signature,
                     signature_length),
        GIRIH_SINGLE(girih_sign_mu_prepared, sign_mu, signing_key, mu, mu_options, new_signature,
                     signature_length),
        GIRIH_SINGLE(girih_verify_prepared, verify, verifying_key, message, verifying_options, signature),
        GIRIH_SINGLE(girih_verify_mu_prepared, verify_mu, verifying_key, mu, mu_signature),
        GIRIH_SINGLE(girih_sign_prepared_with_context, sign, signing_key, context_alone, message,
                     new_context_signature, context_signature_length),
        GIRIH_SINGLE(girih_verify_prepared_with_context, verify, verifying_key, context_alone, message,
                     context_signature),
        GIRIH_SINGLE(girih_prepare_encapsulation_key, prepare_kem, alg, public_key, encapsulation_memory,
                     new_encapsulation_key),
        GIRIH_SINGLE(girih_prepare_decapsulation_key, prepare_kem, alg, secret_key, decapsulation_memory,
                     new_decapsulation_key),
        GIRIH_SINGLE(girih_encapsulate_prepared, prepare_kem, encapsulation_key, random, new_ciphertext,
                     shared_secret),
        GIRIH_SINGLE(girih_decapsulate_prepared, prepare_kem, decapsulation_key, ciphertext, shared_secret),
        GIRIH_NEW(signing_key, sign, alg, secret_key, new_signing_key),
        GIRIH_NEW(verifying_key, verify, alg, public_key, new_verifying_key),
        GIRIH_NEW(encapsulation_key, prepare_kem, alg, public_key, new_encapsulation_key),
        GIRIH_NEW(decapsulation_key, prepare_kem, alg, secret_key, new_decapsulation_key),

        GIRIH_ROW(girih_keygen_many, make_keys, alg, no(seed), random, new_public_key, new_secret_key),
        GIRIH_ROW(girih_keygen_many, make_keys, alg, seed, unasked_random, new_public_key, new_secret_key),
        GIRIH_ROW(girih_sign_many, sign, alg, signing_key, no(secret_key), message, signing_options,
                  new_signature, signature_length),
        GIRIH_ROW(girih_sign_many, sign, alg, no(signing_key), secret_key, message, signing_options,
                  new_signature, signature_length),
        GIRIH_ROW(girih_verify_many, verify, alg, verifying_key, no(public_key), message, verifying_options,
                  signature),
        GIRIH_ROW(girih_verify_many, verify, alg, no(verifying_key), public_key, message, verifying_options,
                  signature),
        GIRIH_ROW(girih_encapsulate_many, prepare_kem, alg, encapsulation_key, no(public_key), random,
                  new_ciphertext, shared_secret),
        GIRIH_ROW(girih_encapsulate_many, encapsulate, alg, no(encapsulation_key), public_key, random,
                  new_ciphertext, shared_secret),
        GIRIH_ROW(girih_decapsulate_many, prepare_kem, alg, decapsulation_key, no(secret_key), ciphertext,
                  shared_secret),
        GIRIH_ROW(girih_decapsulate_many, encapsulate, alg, no(decapsulation_key), secret_key, ciphertext,
                  shared_secret),
        GIRIH_SINGLE(girih_message_begin, verify_mu, new_message_for_mu, alg, public_key, verifying_options),
        GIRIH_SINGLE(girih_message_begin_secret, sign_mu, new_message_for_mu, alg, secret_key,
                     verifying_options),
        GIRIH_SINGLE(girih_message_update, verify, begun, piece),
        GIRIH_SINGLE(girih_message_mu, verify_mu, begun_for_mu, new_mu),
        GIRIH_SINGLE(girih_message_begin_signing, sign_pieces, new_message_to_sign, alg, signing_options),
        GIRIH_SINGLE(girih_message_sign, sign_pieces, begun_to_sign, secret_key, ending_options,
                     new_signature, signature_length),
        GIRIH_SINGLE(girih_message_begin_verifying, verify_pieces, new_message_to_verify, alg,
                     salted_signature, verifying_options),
        GIRIH_SINGLE(girih_message_verify, verify_pieces, begun_to_verify, public_key, signature),

        GIRIH_SINGLE(girih_crypto_sign, sign_framed, alg, secret_key, message, signing_options,
                     new_signed_message, signed_message_length),
        GIRIH_SINGLE(girih_crypto_sign_open, open_framed, alg, public_key, signed_message, opened_message,
                     opened_length),
        GIRIH_SINGLE(girih_selftest, make_keys, alg, engine_in_use),
    };
}
#undef GIRIH_NEW
#undef GIRIH_SINGLE
#undef GIRIH_ROW
inline const std::vector<Function> functions = all_functions();

/// A function that cannot fail: for a null pointer it returns 0 or null, or does nothing.
struct Question {
    std::string_view name;
    std::string_view parameter;
    std::size_t (*ask)(Word);
};

#define GIRIH_QUESTION(function, parameter) {#function, parameter, ask<function>}
inline const std::vector<Question> questions{
    GIRIH_QUESTION(girih_algorithm, "const char* name"),
    GIRIH_QUESTION(girih_pre_hash_strength, "const char* name"),
    GIRIH_QUESTION(girih_name, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_seed_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_public_key_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_secret_key_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_is_kem, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_signature_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_ciphertext_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_shared_secret_bytes, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_has_context, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_has_mu, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_signing_key_size, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_verifying_key_size, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_encapsulation_key_size, "const girih_alg* alg"),
    GIRIH_QUESTION(girih_decapsulation_key_size, "const girih_alg* alg"),
    {"girih_wipe", "void* memory, size_t bytes",
     [](Word null) { return girih_wipe(null, 1), std::size_t{}; }},
    GIRIH_QUESTION(girih_wipe_signing_key, "girih_signing_key* key"),
    GIRIH_QUESTION(girih_wipe_decapsulation_key, "girih_decapsulation_key* key"),
    GIRIH_QUESTION(girih_prepare_signing_key_free, "girih_signing_key* key"),
    GIRIH_QUESTION(girih_prepare_verifying_key_free, "girih_verifying_key* key"),
    GIRIH_QUESTION(girih_prepare_encapsulation_key_free, "girih_encapsulation_key* key"),
    GIRIH_QUESTION(girih_prepare_decapsulation_key_free, "girih_decapsulation_key* key"),
};
#undef GIRIH_QUESTION

}  // namespace girih::test
